package robotrie;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import crawlercommons.robots.BaseRobotRules;
import crawlercommons.robots.BaseRobotsParser;
import crawlercommons.robots.SimpleRobotRulesParser;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.URL;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import robotrie.crawlercommons.RobotrieRobotsParser;

/** The parser for crawler-commons: what it takes over, and each difference that the README lists. */
class RobotsParserTest {
	private static final BaseRobotsParser OURS = new RobotrieRobotsParser();
	private static final BaseRobotsParser THEIRS = new SimpleRobotRulesParser();

	private static BaseRobotRules rules(BaseRobotsParser parser, String file, String... names) {
		return parser.parseContent("https://h.example/robots.txt", Data.utf8(file), "text/plain", Arrays.asList(names));
	}

	@TestFactory
	Stream<DynamicTest> verdicts() {
		return Stream.of(
				// robots.txt, names, URL, crawler-commons, robotrie
				verdict("User-agent: *\nDisallow: /a\n", "x", "https://h.example/a", false, false),
				verdict("User-agent: *\nDisallow: /a\n", "x", "https://h.example/b", true, true),
				verdict("User-agent: x\nDisallow: /\n", "x", "https://h.example/", false, false),
				verdict("User-agent: x\nDisallow: /a\nUser-agent: y\nDisallow: /b\n", "x y", "https://h.example/b", false, true),
				verdict("User-agent: *\nDisallow: /\nUser-agent: x", "x", "https://h.example/a", true, true),
				verdict("User-agent: *\nDisallow: /a\nCrawl-delay: 1000\n", "x", "https://h.example/b", false, true),
				verdict("User-agent: *\nDisallow: /a\n", "x", "/a", true, false),
				verdict("User-agent: *\nDisallow: /a\n", "x", "no url", true, false),
				verdict("<html>\nUser-agent: *\nDisallow: /a\n", "x", "https://h.example/a", false, false));
	}

	private static DynamicTest verdict(String file, String names, String url, boolean theirs, boolean ours) {
		return DynamicTest.dynamicTest(file + url, () -> {
			assertEquals(theirs, rules(THEIRS, file, names.split(" ")).isAllowed(url), "crawler-commons");
			assertEquals(ours, rules(OURS, file, names.split(" ")).isAllowed(url), "robotrie");
		});
	}

	@Test
	void rowsOfConformance() throws Exception {
		int asked = 0;
		for (JsonNode row : Data.rows("verdicts")) {
			String url = row.get("url").textValue();
			if (url.startsWith("/")) url = "https://h.example" + url;
			if (!row.has("robots") || !url.startsWith("http")) continue;
			BaseRobotsParser parser = new RobotrieRobotsParser(Data.dialect(row));
			BaseRobotRules rules = rules(parser, row.get("robots").textValue(), Data.strings(row.get("agent")));
			assertEquals(row.get("allowed").booleanValue(), rules.isAllowed(url), row.toString());
			asked++;
		}
		assertTrue(asked > 5000, asked + " rows");
	}

	@Test
	@SuppressWarnings("deprecation")
	void takesOverEverything() throws Exception {
		String file = "User-agent: x\nCrawl-delay: 1.5\nDisallow: /a\nSitemap: https://h.example/s.xml\n";
		for (BaseRobotsParser parser : List.of(OURS, THEIRS)) {
			BaseRobotRules rules = rules(parser, file, "x");
			assertEquals(1500, rules.getCrawlDelay());
			assertEquals(List.of("https://h.example/s.xml"), rules.getSitemaps());
			assertEquals(BaseRobotRules.UNSET_CRAWL_DELAY, rules(parser, file, "y").getCrawlDelay());
			assertTrue(!rules.isAllowed(new URL("https://h.example/a")) && rules.isAllowed(new URL("https://h.example/b")));
			BaseRobotRules byCommas = parser.parseContent("https://h.example/robots.txt", Data.utf8(file), "text/plain", "w, x");
			assertTrue(!byCommas.isAllowed("https://h.example/a"));
			assertEquals(rules, rules(parser, file, "x"));
			assertEquals(rules.hashCode(), rules(parser, file, "x").hashCode());
			ByteArrayOutputStream bytes = new ByteArrayOutputStream();
			new ObjectOutputStream(bytes).writeObject(rules);
			Object again = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
			assertEquals(rules, again);
			assertTrue(!((BaseRobotRules) again).isAllowed("https://h.example/a"));
			for (int status : new int[] {301, 403, 404, 429, 500, 503}) {
				assertEquals(THEIRS.failedFetch(status), parser.failedFetch(status), "status " + status);
			}
		}
	}

	/** A fetcher may have none. */
	@Test
	void noContentAllowsEverything() {
		for (BaseRobotsParser parser : List.of(OURS, THEIRS)) {
			BaseRobotRules rules = parser.parseContent("https://h.example/robots.txt", null, null, List.of("x"));
			assertTrue(rules.isAllowAll() && rules.isAllowed("https://h.example/"), parser.toString());
		}
	}

	@Test
	void sitemapsThatAreNotAbsolute() {
		String file = "Sitemap: /s.xml\nSitemap: https://h.example/t.xml\n";
		assertEquals(List.of("https://h.example/s.xml", "https://h.example/t.xml"), rules(THEIRS, file, "x").getSitemaps());
		assertEquals(List.of("https://h.example/t.xml"), rules(OURS, file, "x").getSitemaps());
	}

	@TestFactory
	Stream<DynamicTest> allOrNone() {
		return Stream.of(
				allOrNone("", true, false),
				allOrNone("User-agent: *\nDisallow:\n", true, false),
				allOrNone("User-agent: *\nAllow: /a\n", true, false),
				allOrNone("User-agent: *\nDisallow: /a\n", false, false),
				allOrNone("User-agent: *\nDisallow: /\n", false, true),
				allOrNone("User-agent: *\nDisallow: /\nDisallow: /a\n", false, true),
				allOrNone("User-agent: *\nDisallow: /\nAllow: /a\n", false, false),
				allOrNone("User-agent: *\nDisallow: /*\n", false, true),
				allOrNone("User-agent: *\nDisallow: *\n", false, true),
				allOrNone("User-agent: *\nDisallow: /*a\n", false, false),
				// It means the opposite there.
				allOrNone(Dialect.YANDEX, "User-agent: *\nAllow:\n", false, false),
				allOrNone(Dialect.YANDEX, "User-agent: *\nAllow: /\n", true, false));
	}

	private static DynamicTest allOrNone(String file, boolean all, boolean none) {
		return allOrNone(Dialect.RFC9309, file, all, none);
	}

	private static DynamicTest allOrNone(Dialect dialect, String file, boolean all, boolean none) {
		return DynamicTest.dynamicTest("file: " + file, () -> {
			BaseRobotRules rules = rules(new RobotrieRobotsParser(dialect), file, "x");
			assertEquals(List.of(all, none), List.of(rules.isAllowAll(), rules.isAllowNone()));
		});
	}
}
