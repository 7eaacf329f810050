package robotrie;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** What is wrong is refused, what is odd is judged; nothing ends the JVM. */
class InputTest {
	private static final Matcher MATCHER = RobotsTxt.parse(Data.utf8("User-agent: *\nDisallow: /a\nDisallow: /\ud83d\ude00\nDisallow: /\ufffd")).matcher("x");
	private static final Index INDEX = Index.load(SavedIndex.BYTES);

	private static Matcher closed() {
		Matcher matcher = Matcher.load(MATCHER.toBytes());
		matcher.close();
		matcher.close();
		return matcher;
	}

	private static Index closedIndex() {
		Index index = Index.load(SavedIndex.BYTES);
		index.close();
		index.close();
		return index;
	}

	@TestFactory
	Stream<DynamicTest> refused() {
		return Stream.of(
				refused("no file", NullPointerException.class, () -> RobotsTxt.parse(null)),
				refused("no dialect", NullPointerException.class, () -> RobotsTxt.parse(new byte[0], null)),
				refused("less than nothing of a file", IllegalArgumentException.class, () -> RobotsTxt.parse(new byte[0], Dialect.GOOGLE, -1)),
				refused("no agent", IllegalArgumentException.class, () -> RobotsTxt.parse(new byte[0]).matcher()),
				refused("no agent's groups", IllegalArgumentException.class, () -> RobotsTxt.parse(new byte[0]).groups()),
				refused("no agent's delay", IllegalArgumentException.class, () -> RobotsTxt.parse(new byte[0]).crawlDelay()),
				refused("an agent that is null", NullPointerException.class, () -> RobotsTxt.parse(new byte[0]).matcher("x", null)),
				refused("a null agent of isAllowed", NullPointerException.class, () -> RobotsTxt.parse(new byte[0]).isAllowed("/", null)),
				refused("a URL that is null", NullPointerException.class, () -> MATCHER.isAllowed(null)),
				refused("a rule for null", NullPointerException.class, () -> MATCHER.match(null)),
				refused("null in a list", NullPointerException.class, () -> MATCHER.matchMany("/a", null)),
				refused("null in a linked list", NullPointerException.class, () -> MATCHER.matchMany(new LinkedList<>(Arrays.asList("/a", null)))),
				refused("lines that are null", NullPointerException.class, () -> MATCHER.matchLines(null)),
				refused("null in a list for an index", NullPointerException.class, () -> INDEX.match(Collections.singletonList(null))),
				refused("no bytes", NullPointerException.class, () -> Matcher.load(null)),
				refused("a closed matcher", IllegalStateException.class, () -> closed().isAllowed("/a")),
				refused("a closed matcher's list", IllegalStateException.class, () -> closed().matchMany("/a")),
				refused("a closed matcher's lines", IllegalStateException.class, () -> closed().matchLines(new byte[] {'/'})),
				refused("a closed index", IllegalStateException.class, () -> closedIndex().match("https://a.example/")),
				refused("a closed index's size", IllegalStateException.class, () -> closedIndex().size()),
				refused("a closed index's lines", IllegalStateException.class, () -> closedIndex().matchLines(new byte[] {'/'})),
				refused("a file that is missing", java.nio.file.NoSuchFileException.class, () -> Index.load(Path.of("none.index"))));
	}

	private static DynamicTest refused(String name, Class<? extends Exception> type, Executable use) {
		return DynamicTest.dynamicTest(name, () -> assertEquals(type, assertThrows(Exception.class, use).getClass()));
	}

	@TestFactory
	Stream<DynamicTest> errorsHaveCodes() {
		byte[] saved = MATCHER.toBytes();
		byte[] long1 = Data.utf8("User-agent: *\nDisallow: /" + "a".repeat(1 << 24));
		return Stream.of(
				coded("not a URL", "INVALID_URL", () -> MATCHER.isAllowed("no url")),
				coded("a rule for what is not a URL", "INVALID_URL", () -> MATCHER.match("x".repeat(1000))),
				coded("a line of 16 MiB", "LINE_TOO_LONG", () -> RobotsTxt.parse(long1, Dialect.RFC9309, long1.length)),
				coded("nothing saved", "DAMAGED", () -> Matcher.load(new byte[0])),
				coded("another format", "DAMAGED", () -> Matcher.load(SavedIndex.BYTES)),
				coded("a matcher for an index", "DAMAGED", () -> Index.load(saved)),
				coded("an index of nothing", "DAMAGED", () -> Index.load(new byte[0])),
				coded("bytes after a matcher", "DAMAGED", () -> Matcher.load(Arrays.copyOf(saved, saved.length + 1))),
				coded("bytes after an index", "DAMAGED", () -> Index.load(Arrays.copyOf(SavedIndex.BYTES, SavedIndex.BYTES.length + 5))),
				// 45,000,000 chars may be more bytes than one call takes.
				coded("a URL that is too long", "NO_MEMORY", () -> MATCHER.isAllowed("/".repeat(45_000_000))));
	}

	private static DynamicTest coded(String name, String code, Executable use) {
		return DynamicTest.dynamicTest(name, () -> assertEquals(code, assertThrows(RobotrieException.class, use).code().name()));
	}

	/** Every byte and every length of a saved matcher: none is taken for what was saved. */
	@Test
	void damagedBytesAreRefused() {
		byte[] saved = MATCHER.toBytes();
		for (byte[] bytes : List.of(saved, SavedIndex.BYTES)) {
			for (int size = 0; size < bytes.length; size++) {
				byte[] cut = Arrays.copyOf(bytes, size);
				damaged(() -> load(bytes == saved, cut));
				byte[] changed = bytes.clone();
				changed[size] ^= 0x10;
				damaged(() -> load(bytes == saved, changed));
			}
		}
	}

	/** With a checksum that is right again, a program is either refused or judges without an error of the engine. */
	@Test
	void hostileProgramsDoNotTrap() {
		byte[] saved = MATCHER.toBytes();
		Random random = new Random(9309);
		int loaded = 0;
		for (int i = 0; i < 3000; i++) {
			byte[] changed = saved.clone();
			for (int many = random.nextInt(3); many >= 0; many--) {
				changed[Saved.PREAMBLE + random.nextInt(saved.length - Saved.PREAMBLE)] = (byte) random.nextInt(256);
			}
			int sum = new Saved.Checksum().add(changed, Saved.PREAMBLE, changed.length).value();
			Engine.littleEndian(changed).putInt(16, sum);
			try (Matcher matcher = Matcher.load(changed)) {
				loaded++;
				matcher.matchMany("/a", "/b", "/\ud83d\ude00");
				matcher.match("/a");
			} catch (RobotrieException error) {
				assertEquals(RobotrieException.Code.DAMAGED, error.code());
			}
		}
		assertTrue(loaded > 50, loaded + " loaded");
	}

	private static void load(boolean isMatcher, byte[] bytes) {
		if (isMatcher) Matcher.load(bytes).close();
		else Index.load(bytes).close();
	}

	private static void damaged(Executable use) {
		assertEquals(RobotrieException.Code.DAMAGED, assertThrows(RobotrieException.class, use).code());
	}

	/** A trap becomes an exception, and the instance is of no more use: others are. */
	@Test
	void trapsAreExceptions() {
		Engine engine = new Engine(false);
		assertThrows(EngineStoppedException.class, () -> MainModule.programLength(engine.instance, -16));
		String message = assertThrows(EngineStoppedException.class, () -> MainModule.moduleVersion(engine.instance)).getMessage();
		assertTrue(message.contains("earlier call"), message);
		engine.free();
		Engine other = new Engine(true);
		assertThrows(EngineStoppedException.class, () -> Engine.write(other.instance, -16, new byte[64], 0, 64));
		assertEquals(RobotrieException.Code.ENGINE_STOPPED, assertThrows(RobotrieException.class, () -> other.input(8)).code());
		other.free();
		assertTrue(MATCHER.isAllowed("/b"));
	}

	/** One by one as in a list, as long as a chunk and longer, and with all kinds of characters. */
	@Test
	void textIsUtf8() {
		List<String> urls = new ArrayList<>(List.of("", "/", "/\ud83d\ude00", "/\ud83d", "/\ude00\ud83d", "/\ud83dx", "/ä", "/\u20ac", "/a\n", "/a\r", "\n", "/\0"));
		for (int size : new int[] {1, 62, 63, 64, 510, 511, 512, 513, 1023, 32766, 32767, 32768, 100_000}) {
			for (String end : List.of("", "\ud83d\ude00", "\ud83d", "€", "\ude00\ud83d")) urls.add("/".repeat(size) + end);
		}
		StringBuilder rules = new StringBuilder("User-agent: *\n");
		// As TextEncoder does: a surrogate alone is U+FFFD.
		for (String url : urls) {
			if (url.startsWith("/") && url.length() < 2000 && url.indexOf('\n') < 0 && url.indexOf('\r') < 0 && url.indexOf(0) < 0 && url.length() > 1) {
				rules.append("Disallow: ").append(replaced(url)).append("$\n");
			}
		}
		Matcher matcher = RobotsTxt.parse(Data.utf8(rules.toString())).matcher("x");
		byte[] verdicts = matcher.matchMany(urls);
		for (int i = 0; i < urls.size(); i++) {
			String url = urls.get(i);
			boolean isUrl = url.startsWith("/");
			boolean isDisallowed = rules.indexOf("Disallow: " + replaced(url).strip() + "$\n") >= 0 && url.length() > 1;
			assertEquals(isUrl ? isDisallowed ? 0 : 1 : 3, verdicts[i], "row " + i + " of " + url.length());
			if (isUrl) assertEquals(verdicts[i] == 1, matcher.isAllowed(url), "URL " + i);
		}
		Collections.reverse(urls);
		byte[] reversed = matcher.matchMany(new LinkedList<>(urls));
		for (int i = 0; i < reversed.length; i++) assertEquals(verdicts[verdicts.length - 1 - i], reversed[i]);
	}

	private static String replaced(String url) {
		StringBuilder text = new StringBuilder();
		url.codePoints().forEach(c -> text.appendCodePoint(c >= 0xd800 && c < 0xe000 ? 0xfffd : c));
		return text.toString();
	}

	@Test
	void longListsAndLines() {
		String[] urls = new String[300_000];
		byte[] wanted = new byte[urls.length];
		Random random = new Random(1);
		for (int i = 0; i < urls.length; i++) {
			boolean isAllowed = random.nextBoolean();
			urls[i] = (isAllowed ? "https://h.example/b" : "/a") + "x".repeat(random.nextInt(40));
			wanted[i] = isAllowed ? Verdict.ALLOWED : Verdict.DISALLOWED;
		}
		assertArrayEquals(wanted, MATCHER.matchMany(urls));
		byte[] lines = String.join("\n", urls).getBytes(StandardCharsets.UTF_8);
		assertArrayEquals(wanted, MATCHER.matchLines(lines));
		assertArrayEquals(new byte[] {0, 3, 1}, MATCHER.matchLines(Data.utf8("/a" + "x".repeat(400_000) + "\n\n/b\n")));
		assertArrayEquals(new byte[0], MATCHER.matchLines(new byte[0]));
		assertArrayEquals(new byte[0], MATCHER.matchMany());
	}

	@Test
	void closingAMatcherDoesNotCloseTheFile() {
		RobotsTxt robots = RobotsTxt.parse(Data.utf8("User-agent: *\nDisallow: /a"));
		Matcher first = robots.matcher("x");
		first.close();
		assertTrue(!robots.isAllowed("/a", "x") && robots.isAllowed("/b", "x"));
		robots.matcher("x").close();
		assertTrue(!robots.isAllowed("/a", "x") && !robots.isAllowed("/a", "y"));
		assertThrows(IllegalStateException.class, () -> first.isAllowed("/a"));
		assertEquals("[Disallow: /a]", Matcher.load(first.toBytes()).rules().toString());
	}

	@Test
	void sitemapsAreUrls() {
		String file = "Sitemap: https:///h/s.xml\nSitemap: HTTP://h\nSitemap: https://[::1/s\nSitemap: https://h:99999/s\nSitemap: https:/h/\nSitemap: /s\n";
		assertEquals(List.of("https:///h/s.xml", "HTTP://h"), RobotsTxt.parse(Data.utf8(file)).sitemaps());
	}

	/** In an instance that has judged nothing before. */
	@Test
	void theFirstTextMayBeEmpty() {
		Engine engine = new Engine(false);
		byte[] saved = MATCHER.toBytes();
		byte[] program = Arrays.copyOfRange(saved, Saved.PREAMBLE, Saved.PREAMBLE + Engine.littleEndian(saved).getInt(8));
		synchronized (engine) {
			assertEquals(Verdict.INVALID, new Matcher(engine, Dialect.RFC9309, program, true, new int[0], saved).judgeOne(""));
		}
	}

	@Test
	void indexesAreReadFromFiles(@TempDir Path folder) throws Exception {
		Path file = Files.write(folder.resolve("sites.index"), SavedIndex.BYTES);
		try (Index index = Index.load(file)) {
			assertEquals(List.of("bot", "q\"\\\u20ac"), index.agents());
			assertEquals(2, index.size());
			// The last ones take a parser of the URL standard.
			List<String> urls = List.of("https://a.example/a", "https://a.example/b", "https://none.example/", "no url", "https://u:p@A.example/a", "https://bücher.example/x", "https://a.example/\ud83d");
			assertEquals("[0, 1, 2, 3, 0, 0, 1]", Arrays.toString(index.match(urls)));
			assertEquals("[0, 1, 2, 3, 0, 0, 1]", Arrays.toString(index.matchLines(String.join("\r\n", urls).getBytes(StandardCharsets.UTF_8))));
		}
	}

	@Test
	void aSiteThatIsLater() throws Exception {
		// test/stored-forms.test.ts says what it holds; the last URL takes a parser of the URL standard.
		try (Index index = Index.load(Data.ROOT.resolve("test/data/stored/index-later.v1"))) {
			byte[] wanted = {Verdict.DISALLOWED, Verdict.LATER, Verdict.LATER};
			assertArrayEquals(wanted, index.match(List.of("https://b.example/", "https://c.example/", "https://C.example:443/x")));
		}
	}
}
