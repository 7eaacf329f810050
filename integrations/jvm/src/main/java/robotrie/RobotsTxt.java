package robotrie;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * A robots.txt, read in one dialect. The module cuts it into records, chooses the lines that name a crawler, and compiles rules; here lines
 * besides rules are read (docs/hosting.md). Threads may share it.
 *
 * <p>An agent is a crawler's product token or its User-Agent header, or several tokens, the most specific first. For well-known crawlers the
 * table adds what they fall back to ({@code "Googlebot-News"}, then {@code "Googlebot"}), and whether groups for {@code *} hold for them; to a
 * list it adds nothing. The google dialect knows no crawlers.
 */
public final class RobotsTxt {
	/** More bytes are read in an instance of their own, since WebAssembly memory never shrinks. */
	private static final int LARGE = 128 * 1024;
	/** Callers may pass whatever User-Agent comes along. */
	private static final int MOST_AGENTS = 1000;
	private static final int KIND_FIELD = 0;
	private static final int KIND_SITEMAP = 1;
	/** These begin a section of the user-agent lines after them, as rules do. */
	private static final Set<String> SECTION_FIELDS =
			Set.of("crawl-delay", "request-rate", "visit-time", "content-signal", "content-signals", "content-usage");
	private static final Pattern DELAY = Pattern.compile("[0-9]{1,9}(?:\\.[0-9]*)?|\\.[0-9]+");
	private static final Pattern SITEMAP = Pattern.compile("(?i)^(?:https?|ftp)://");

	private final byte[] data;
	private final Dialect dialect;
	private final int start, end;
	private final Engine engine;
	private int ruleCount;
	private final List<AgentLine> agentLines = new ArrayList<>();
	private final List<FieldLine> fieldLines = new ArrayList<>();
	private final List<String> sitemaps = new ArrayList<>();
	/** Compiled already, by agents and by the ranges of rules that they obey. */
	private final Map<List<String>, Matcher> byAgents = new ConcurrentHashMap<>();
	private final Map<String, Matcher> byAgent = new ConcurrentHashMap<>();
	private final Map<IntBuffer, Matcher> byRanges = new HashMap<>();

	/** A user-agent line. */
	private static final class AgentLine {
		final int line, firstRule;

		AgentLine(int line, int firstRule) {
			this.line = line;
			this.firstRule = firstRule;
		}
	}

	/** A line of the SECTION_FIELDS, and the number of user-agent lines before it. */
	private static final class FieldLine {
		final String name, value;
		final int before;

		FieldLine(String name, String value, int before) {
			this.name = name;
			this.value = value;
			this.before = before;
		}
	}

	private RobotsTxt(byte[] data, Dialect dialect, int maxBytes) {
		this.dialect = dialect;
		boolean isCut = data.length > maxBytes;
		int read = isCut ? maxBytes : data.length;
		if (dialect != Dialect.GOOGLE && isUtf16(data)) {
			data = decode(data, read);
			read = data.length;
		}
		this.data = data;
		if (isCut) read = dialect == Dialect.YANDEX ? 0 : wholeLines(data, read);
		end = read;
		start = byteOrderMark();
		engine = Engine.shared();
		withLists((engine, lists) -> {
			readLines(engine, lists);
			return null;
		});
	}

	/** Reads a robots.txt in the dialect of RFC 9309. See {@link #parse(byte[], Dialect)}. */
	public static RobotsTxt parse(byte[] data) {
		return parse(data, Dialect.RFC9309);
	}

	/** Reads a robots.txt: 512,000 bytes of it, in the google dialect all. See {@link #parse(byte[], Dialect, int)}. */
	public static RobotsTxt parse(byte[] data, Dialect dialect) {
		return parse(data, dialect, dialect.maxBytes);
	}

	/**
	 * Reads a robots.txt. Any content is accepted but lines of more than 16 MiB.
	 *
	 * @param maxBytes how much of the file is read, at least 0; a larger file allows everything in the yandex dialect
	 * @throws RobotrieException LINE_TOO_LONG, NO_MEMORY
	 * @throws IllegalArgumentException for a negative number of bytes
	 */
	public static RobotsTxt parse(byte[] data, Dialect dialect, int maxBytes) {
		if (maxBytes < 0) throw new IllegalArgumentException(maxBytes + " bytes");
		return new RobotsTxt(data.clone(), Objects.requireNonNull(dialect, "dialect"), maxBytes);
	}

	private interface Use<T> {
		T in(Engine engine, int[] lists);
	}

	/** Calls what needs the file's lists of records, in an instance that is locked. */
	private <T> T withLists(Use<T> use) {
		boolean isLarge = end > LARGE;
		Engine where = isLarge ? new Engine(false) : engine;
		try {
			synchronized (where) {
				return use.in(where, where.listsOf(this));
			}
		} finally {
			if (isLarge) where.free();
		}
	}

	/** Makes the lists of records, which hold until the next file. */
	int[] tokenise(Engine where) {
		if (end >= 1 << 29) throw RobotrieException.noMemory();
		int at = Engine.checked(MainModule.placeText(where.instance, end + 1));
		Engine.write(where.instance, at, data, 0, end);
		at = Engine.checked(MainModule.tokenise(where.instance, start, end, dialect.read, dialect.line));
		int[] lists = new int[9];
		where.words(at, 9).get(lists);
		if (lists[7] != 0) {
			String message = "line " + lists[7] + " of a robots.txt has " + lists[8] + " bytes, more than 16777216";
			throw new RobotrieException(RobotrieException.Code.LINE_TOO_LONG, message);
		}
		return lists;
	}

	/** Reads the records of all lines but rules. */
	private void readLines(Engine where, int[] lists) {
		ruleCount = lists[1];
		IntBuffer agents = where.words(lists[2], Math.multiplyExact(lists[3], 6));
		for (int at = 0; at < agents.limit(); at += 6) agentLines.add(new AgentLine(agents.get(at + 3), agents.get(at + 4)));
		IntBuffer others = where.words(lists[4], Math.multiplyExact(lists[5], 8));
		for (int at = 0; at < others.limit(); at += 8) {
			int kind = others.get(at);
			int from = others.get(at + 3);
			int to = others.get(at + 4);
			if (kind == KIND_SITEMAP) {
				String value = new String(data, from, to - from, StandardCharsets.UTF_8);
				if (SITEMAP.matcher(value).find() && Engine.origin(value.getBytes(StandardCharsets.UTF_8)) != null) sitemaps.add(value);
			} else if (kind == KIND_FIELD) {
				String name = lower(latin(others.get(at + 1), others.get(at + 2)));
				if (SECTION_FIELDS.contains(name)) fieldLines.add(new FieldLine(name, latin(from, to), others.get(at + 6)));
			}
		}
	}

	/**
	 * The compiled rules of a crawler. It is kept for the next call, and compiled anew after it was closed.
	 *
	 * @throws IllegalArgumentException without an agent
	 * @throws RobotrieException NO_MEMORY
	 */
	public Matcher matcher(String... agents) {
		List<String> key = listOf(agents);
		Matcher matcher = byAgents.get(key);
		if (matcher != null && !matcher.isClosed()) return matcher;
		synchronized (byRanges) {
			int[] ranges = ranges(key);
			matcher = byRanges.get(IntBuffer.wrap(ranges));
			if (matcher == null || matcher.isClosed()) {
				matcher = withLists((where, lists) -> compile(where, lists, ranges));
				byRanges.put(IntBuffer.wrap(ranges), matcher);
			}
			if (byAgents.size() >= MOST_AGENTS) byAgents.clear();
			byAgents.put(key, matcher);
		}
		return matcher;
	}

	private static List<String> listOf(String... agents) {
		if (agents.length == 0) throw new IllegalArgumentException("an agent is a product token, or several");
		return List.of(agents);
	}

	/** Makes a matcher of ranges of the rules. */
	private Matcher compile(Engine where, int[] lists, int[] ranges) {
		int count = ranges.length / 2;
		byte[] pairs = new byte[ranges.length * 4];
		ByteBuffer to = Engine.littleEndian(pairs);
		for (int number : ranges) to.putInt(number);
		where.write(Engine.checked(MainModule.placeRanges(where.instance, Math.max(count, 1))), pairs);
		Engine.checked(MainModule.gather(where.instance, count, dialect.compile));
		int at = Engine.checked(MainModule.compile(where.instance, dialect.compile));
		if (at == 1) {
			String message = "the rules need more than the 16777215 bytes that a program may have";
			throw new RobotrieException(RobotrieException.Code.NO_MEMORY, message);
		}
		byte[] program = where.read(at, MainModule.programLength(where.instance, at));
		IntBuffer sources = where.words(MainModule.rankedSources(where.instance), Matcher.ranksOf(program));
		IntBuffer rules = where.words(lists[0], lists[1] * 4);
		int[] ranks = new int[sources.limit() * 4];
		for (int rank = 0; rank < sources.limit(); rank++) {
			int source = sources.get(rank);
			if (Integer.compareUnsigned(source, ruleCount) < 0) rules.position(source * 4).get(ranks, rank * 4, 4);
		}
		// A large file's instance ends with this call.
		synchronized (engine) {
			return new Matcher(engine, dialect, program, true, ranks, data);
		}
	}

	/**
	 * Whether a crawler may fetch a URL: an absolute one, or a path that begins with "/". For many URLs {@link #matcher} is faster.
	 *
	 * @throws RobotrieException INVALID_URL for what is not a URL
	 */
	public boolean isAllowed(String url, String agent) {
		Matcher matcher = byAgent.get(agent);
		if (matcher == null || matcher.isClosed()) {
			matcher = matcher(agent);
			if (byAgent.size() >= MOST_AGENTS) byAgent.clear();
			byAgent.put(agent, matcher);
		}
		return matcher.isAllowed(url);
	}

	public Dialect dialect() {
		return dialect;
	}

	/** The absolute URLs of the Sitemap lines, as written. They apply to all crawlers. */
	public List<String> sitemaps() {
		return Collections.unmodifiableList(sitemaps);
	}

	/**
	 * The groups that a crawler obeys, in file order: the line, from 1, of the first user-agent line of each.
	 *
	 * @throws IllegalArgumentException without an agent
	 */
	public List<Integer> groups(String... agents) {
		Set<Integer> chosen = new HashSet<>();
		for (int i : chosenLines(listOf(agents))) chosen.add(agentLines.get(i).firstRule);
		List<Integer> lines = new ArrayList<>();
		int last = -1;
		for (AgentLine line : agentLines) {
			if (line.firstRule != last && chosen.contains(line.firstRule)) lines.add(line.line);
			last = line.firstRule;
		}
		return lines;
	}

	/**
	 * The time between two requests: the first valid Crawl-delay directly below the crawler's user-agent lines.
	 *
	 * @throws IllegalArgumentException without an agent
	 */
	public Optional<Duration> crawlDelay(String... agents) {
		List<String> names = listOf(agents);
		if (fieldLines.isEmpty()) return Optional.empty();
		Set<Integer> begins = new HashSet<>();
		for (FieldLine field : fieldLines) begins.add(field.before);
		int[] sections = new int[agentLines.size()];
		for (int i = 1; i < sections.length; i++) {
			boolean isNext = begins.contains(i) || agentLines.get(i).firstRule != agentLines.get(i - 1).firstRule;
			sections[i] = sections[i - 1] + (isNext ? 1 : 0);
		}
		Set<Integer> obeyed = new HashSet<>();
		for (int i : chosenLines(names)) obeyed.add(sections[i]);
		for (FieldLine field : fieldLines) {
			if (!field.name.equals("crawl-delay") || field.before == 0 || !obeyed.contains(sections[field.before - 1])) continue;
			if (!DELAY.matcher(field.value).matches()) continue;
			// A fraction may be as long as a line.
			String value = field.value.substring(0, Math.min(field.value.length(), 40));
			return Optional.of(Duration.ofNanos(new BigDecimal(value).movePointRight(9).setScale(0, RoundingMode.HALF_UP).longValue()));
		}
		return Optional.empty();
	}

	/** The user-agent lines by which a crawler goes ("Choosing groups" of docs/hosting.md). */
	private int[] chosenLines(List<String> agents) {
		ByteArrayOutputStream texts = new ByteArrayOutputStream();
		for (String agent : agents) {
			byte[] text = agent.getBytes(StandardCharsets.UTF_8);
			byte[] size = new byte[4];
			Engine.littleEndian(size).putInt(text.length);
			texts.writeBytes(size);
			texts.writeBytes(text);
		}
		return withLists((where, lists) -> {
			where.write(Engine.checked(MainModule.placeAgents(where.instance, texts.size())), texts.toByteArray());
			Engine.checked(MainModule.readAgents(where.instance, agents.size(), dialect.agents));
			int at = Engine.checked(MainModule.chooseLines(where.instance));
			int[] lines = new int[where.words(at, 1).get()];
			where.words(at + 4, lines.length).get(lines);
			return lines;
		});
	}

	/** The first rule of each group that a crawler obeys, and the one after its last. */
	private int[] ranges(List<String> agents) {
		int[] chosen = chosenLines(agents);
		int[] ranges = new int[chosen.length * 2];
		int size = 0;
		int at = 0;
		for (int i : chosen) {
			int first = agentLines.get(i).firstRule;
			if (size > 0 && ranges[size - 2] == first) continue;
			while (at < agentLines.size() && agentLines.get(at).firstRule <= first) at++;
			ranges[size++] = first;
			ranges[size++] = at < agentLines.size() ? agentLines.get(at).firstRule : ruleCount;
		}
		return Arrays.copyOf(ranges, size);
	}

	private String latin(int from, int to) {
		return new String(data, from, to - from, StandardCharsets.ISO_8859_1);
	}

	/** Makes capital letters of ASCII small ones; others have no case. */
	private static String lower(String text) {
		char[] chars = text.toCharArray();
		for (int i = 0; i < chars.length; i++) if (chars[i] >= 'A' && chars[i] <= 'Z') chars[i] += 'a' - 'A';
		return new String(chars);
	}

	/** Bytes of a byte order mark at the beginning; google skips also a part of one. */
	private int byteOrderMark() {
		int size = 0;
		while (size < 3 && size < end && data[size] == (byte) (0xefbbbf >> (16 - 8 * size))) size++;
		return size == 3 || dialect == Dialect.GOOGLE ? size : 0;
	}

	private static boolean isUtf16(byte[] data) {
		return data.length >= 2 && (data[0] == -1 && data[1] == -2 || data[0] == -2 && data[1] == -1);
	}

	/** UTF-16 with a byte order mark as UTF-8; half a character is U+FFFD. */
	private static byte[] decode(byte[] data, int size) {
		Charset charset = data[0] == -1 ? StandardCharsets.UTF_16LE : StandardCharsets.UTF_16BE;
		return new String(data, Math.min(2, size), Math.max(size - 2, 0), charset).getBytes(StandardCharsets.UTF_8);
	}

	/** Where the last line ends that does so within a limit: half a rule could say the opposite of the whole one. */
	private static int wholeLines(byte[] data, int most) {
		if (most < data.length && isLineEnd(data[most])) return most;
		int end = most;
		while (end > 0 && !isLineEnd(data[end - 1])) end--;
		return end;
	}

	private static boolean isLineEnd(byte one) {
		return one == '\n' || one == '\r';
	}
}
