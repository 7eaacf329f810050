package robotrie;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** The rows of conformance/ that apply: verdicts with deciding lines, groups, delays. */
class ConformanceTest {
	private static void check(String name, int least, Function<JsonNode, Object> wanted, Function<JsonNode, Object> answer) {
		List<String> wrong = new ArrayList<>();
		List<JsonNode> rows = Data.rows(name);
		for (JsonNode row : rows) {
			Object given = answer.apply(row);
			if (!wanted.apply(row).equals(given)) wrong.add(given + " for " + row);
		}
		assertTrue(rows.size() >= least, rows.size() + " rows");
		assertEquals(List.of(), wrong.subList(0, Math.min(5, wrong.size())), wrong.size() + " wrong");
	}

	@Test
	void verdicts() {
		check("verdicts", 6000, row -> List.of(row.get("allowed").booleanValue(), row.get("line").intValue()), row -> {
			String url = row.get("url").textValue();
			String[] agents = Data.strings(row.get("agent"));
			RobotsTxt robots = Data.robots(row);
			Matcher matcher = robots.matcher(agents);
			boolean isAllowed = matcher.isAllowed(url);
			assertEquals(isAllowed ? Verdict.ALLOWED : Verdict.DISALLOWED, matcher.matchMany(url)[0]);
			if (agents.length == 1) assertEquals(isAllowed, robots.isAllowed(url, agents[0]));
			try (Matcher loaded = Matcher.load(matcher.toBytes())) {
				assertEquals(isAllowed, loaded.isAllowed(url));
			}
			return List.of(isAllowed, matcher.match(url).map(Rule::line).orElse(0));
		});
	}

	@Test
	void groups() {
		checkGroups("groups", 900);
	}

	@Test
	void agents() {
		checkGroups("agents", 150);
	}

	private static void checkGroups(String name, int least) {
		check(name, least, row -> {
			List<Integer> lines = new ArrayList<>();
			row.get("groups").forEach(line -> lines.add(line.intValue()));
			return lines;
		}, row -> Data.robots(row).groups(Data.strings(row.get("agent"))));
	}

	@Test
	void crawlDelays() {
		check("crawl-delay", 30, row -> row.get("seconds").asDouble(-1), row ->
				Data.robots(row).crawlDelay(Data.strings(row.get("agent"))).map(Duration::toNanos).map(nanos -> nanos / 1e9).orElse(-1.0));
	}

	@Test
	void oddUrls() {
		check("urls", 30, row -> {
			boolean isRefused = row.get("refused_by").toString().contains("java");
			return List.of(row.get("matcher").intValue(), isRefused ? 3 : row.get("index").intValue());
		}, row -> {
			String url = row.get("url").textValue();
			try (Index index = Index.load(Data.bytes(row.get("index_b64")))) {
				int matched = Data.robots(row).matcher(Data.strings(row.get("agent"))).matchMany(url)[0];
				byte found = index.matchMany(url)[0];
				assertEquals(found, index.matchLines(Data.utf8(url + "\n"))[0]);
				return List.of(matched, (int) found);
			}
		});
	}

	@Test
	void savedBytes() {
		check("saved", 500, row -> row.get("dialect").asText(), row -> {
			byte[] saved = Data.bytes(row.get("bytes_b64"));
			boolean isMatcher = row.get("form").textValue().equals("matcher");
			try (Matcher matcher = isMatcher ? Matcher.load(saved) : null;
					Index index = isMatcher ? null : Index.load(saved)) {
				return (isMatcher ? matcher.dialect() : index.dialect()).name().toLowerCase(Locale.ROOT);
			} catch (RobotrieException error) {
				assertEquals(RobotrieException.Code.DAMAGED, error.code());
				return "null";
			}
		});
	}

	@Test
	void linesAndListsAgree() {
		String[] urls = {"/a", "https://h.example/b", "no url", "", "/ä", "/a\nb", "/a\r"};
		Matcher matcher = RobotsTxt.parse(Data.utf8("User-agent: *\nDisallow: /a")).matcher("x");
		byte[] verdicts = {0, 1, 3, 3, 1, 0, 0};
		assertEquals(Arrays.toString(verdicts), Arrays.toString(matcher.matchMany(urls)));
		byte[] lines = Data.utf8(String.join("\r\n", Arrays.copyOf(urls, 5)));
		assertEquals(Arrays.toString(Arrays.copyOf(verdicts, 5)), Arrays.toString(matcher.matchLines(lines)));
	}
}
