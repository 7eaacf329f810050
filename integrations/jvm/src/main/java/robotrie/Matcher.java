package robotrie;

import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The rules of one crawler, compiled. Made by {@link RobotsTxt#matcher} or {@link #load}.
 *
 * <p>URLs are absolute URLs or paths that begin with "/". A surrogate that is alone counts as U+FFFD. Threads may share a matcher; calls of
 * threads that meet in one take turns. Its memory is freed by {@link #close}, or when it is garbage-collected.
 */
public final class Matcher extends Judge implements AutoCloseable {
	private static final String LETTERS = "RTM";
	private static final int MAX_PROGRAM = 0xffffff;
	/** Of a saved rule: line, allow, length of the pattern. */
	private static final int RULE_HEAD = 9;
	private static final int RANKS_OF_PROGRAM = 8;

	private final Dialect dialect;
	private final byte[] program;
	/** For each rank the pattern's start and end in `text`, 1 for allow, and the line: 0 where the dialect adds a rule. */
	private final int[] ranks;
	private final byte[] text;
	private final Copy copy;
	private final Cleaner.Cleanable cleanable;

	/** A program's copy in an engine; address 0 when it is released. */
	private static final class Copy implements Runnable {
		final Engine engine;
		int address;

		Copy(Engine engine, byte[] program, boolean isTrusted) {
			this.engine = engine;
			int at = Engine.checked(MainModule.allocate(engine.instance, program.length));
			boolean isLoaded = false;
			try {
				engine.write(at, program);
				int reason = isTrusted ? 0 : MainModule.verify(engine.instance, at, program.length);
				if (reason == -1) throw RobotrieException.noMemory();
				if (reason != 0) throw RobotrieException.damaged("not a program: reason " + reason);
				Engine.checked(MainModule.reserveVisited(engine.instance, at));
				isLoaded = true;
			} finally {
				if (!isLoaded) MainModule.release(engine.instance, at);
			}
			address = at;
		}

		@Override
		public void run() {
			synchronized (engine) {
				int at = address;
				address = 0;
				if (at != 0) MainModule.release(engine.instance, at);
			}
		}
	}

	/** With the engine's lock. */
	Matcher(Engine engine, Dialect dialect, byte[] program, boolean isTrusted, int[] ranks, byte[] text) {
		this.dialect = dialect;
		this.program = program;
		this.ranks = ranks;
		this.text = text;
		copy = new Copy(engine, program, isTrusted);
		cleanable = Engine.CLEANER.register(this, copy);
	}

	static int ranksOf(byte[] program) {
		return Engine.littleEndian(program).getInt(RANKS_OF_PROGRAM);
	}

	public Dialect dialect() {
		return dialect;
	}

	/** Rank of the deciding rule, times 2, plus 1 for allow; 0 for no rule, -1 for what is not a URL. */
	private int best(String url) {
		Objects.requireNonNull(url, "url");
		int best;
		synchronized (copy.engine) {
			checkOpen();
			best = MainModule.matchOne(copy.engine.instance, copy.address, url);
		}
		if (best == -2) throw RobotrieException.noMemory();
		if (best < -1) throw new IllegalStateException("matchOne returned " + best);
		return best;
	}

	private int bestOfUrl(String url) {
		int best = best(url);
		if (best < 0) throw RobotrieException.invalidUrl(url);
		return best;
	}

	/**
	 * Whether the crawler may fetch a URL.
	 *
	 * @throws RobotrieException INVALID_URL for what is not a URL
	 * @throws IllegalStateException after {@link #close}
	 */
	public boolean isAllowed(String url) {
		int best = bestOfUrl(url);
		return best == 0 || (best & 1) == 1;
	}

	/**
	 * The rule of the file that decides about a URL; empty if none does.
	 *
	 * @throws RobotrieException INVALID_URL for what is not a URL
	 * @throws IllegalStateException after {@link #close}
	 */
	public Optional<Rule> match(String url) {
		int at = ((bestOfUrl(url) >> 1) - 1) * 4;
		return at >= 0 ? rule(at) : Optional.empty();
	}

	private Optional<Rule> rule(int at) {
		if (ranks[at + 3] == 0) return Optional.empty();
		String pattern = new String(text, ranks[at], ranks[at + 1] - ranks[at], StandardCharsets.UTF_8);
		return Optional.of(new Rule(ranks[at + 2] == 1, pattern, ranks[at + 3]));
	}

	/** The crawler's rules, in the order in which they decide. */
	public List<Rule> rules() {
		List<Rule> rules = new ArrayList<>();
		for (int at = 0; at < ranks.length; at += 4) rule(at).ifPresent(rules::add);
		return rules;
	}

	/** The matcher as bytes, for any platform and language. */
	public byte[] toBytes() {
		int size = 0;
		for (int at = 0; at < ranks.length; at += 4) size += RULE_HEAD + ranks[at + 1] - ranks[at];
		byte[] saved = new byte[Saved.PREAMBLE + program.length + size];
		ByteBuffer to = Engine.littleEndian(saved).position(Saved.PREAMBLE);
		to.put(program);
		for (int at = 0; at < ranks.length; at += 4) {
			int length = ranks[at + 1] - ranks[at];
			to.putInt(ranks[at + 3]).put((byte) ranks[at + 2]).putInt(length).put(text, ranks[at], length);
		}
		int sum = new Saved.Checksum().add(saved, Saved.PREAMBLE, saved.length).value();
		Saved.write(to.position(0), LETTERS, dialect, program.length, size, sum);
		return saved;
	}

	/**
	 * A matcher from the bytes of {@link #toBytes}, or of {@code Matcher.toBytes()} in TypeScript. Safe with any bytes: they are verified.
	 *
	 * @throws RobotrieException DAMAGED for bytes that are no matcher, NO_MEMORY
	 */
	public static Matcher load(byte[] saved) {
		byte[] data = saved.clone();
		Saved head = Saved.read(LETTERS, data, data.length);
		int size = data.length - Saved.PREAMBLE;
		if (head.first + head.second != size) {
			throw RobotrieException.damaged(size + " bytes, where the preamble says " + (head.first + head.second));
		}
		if (new Saved.Checksum().add(data, Saved.PREAMBLE, data.length).value() != (int) head.third) throw Saved.wrongChecksum();
		if (head.first < RANKS_OF_PROGRAM + 4 || head.first > MAX_PROGRAM) {
			throw RobotrieException.damaged("a program of " + head.first + " bytes");
		}
		int end = Saved.PREAMBLE + (int) head.first;
		byte[] program = Arrays.copyOfRange(data, Saved.PREAMBLE, end);
		int[] ranks = readRules(data, end, Integer.toUnsignedLong(ranksOf(program)));
		Engine engine = Engine.shared();
		synchronized (engine) {
			return new Matcher(engine, head.dialect, program, false, ranks, data);
		}
	}

	private static int[] readRules(byte[] data, int at, long count) {
		if (count * RULE_HEAD > data.length - at) throw RobotrieException.damaged("the rule table is cut off");
		ByteBuffer table = Engine.littleEndian(data);
		int[] ranks = new int[(int) count * 4];
		for (int to = 0; to < ranks.length; to += 4) {
			if (data.length - at < RULE_HEAD) throw RobotrieException.damaged("the rule table is cut off");
			long end = at + RULE_HEAD + Integer.toUnsignedLong(table.getInt(at + 5));
			if (end > data.length) throw RobotrieException.damaged("the rule table is cut off");
			ranks[to] = at + RULE_HEAD;
			ranks[to + 1] = (int) end;
			ranks[to + 2] = data[at + 4] & 1;
			ranks[to + 3] = table.getInt(at);
			at = (int) end;
		}
		if (at != data.length) throw RobotrieException.damaged("the rule table is longer than its rules");
		return ranks;
	}

	/** Frees its memory now. It cannot be used afterwards; {@link #toBytes} still works. */
	@Override
	public void close() {
		cleanable.clean();
	}

	boolean isClosed() {
		synchronized (copy.engine) {
			return copy.address == 0;
		}
	}

	@Override
	Engine engine() {
		return copy.engine;
	}

	@Override
	void checkOpen() {
		if (copy.address == 0) throw new IllegalStateException("the matcher is closed");
	}

	@Override
	long roomFor(long size) {
		return 2 * size + Engine.PADDING + 1;
	}

	@Override
	int judgeInput(int at, int size, byte[] verdicts, int from) {
		int to = at + size + Engine.PADDING;
		return copyVerdicts(MainModule.matchLines(copy.engine.instance, copy.address, at, size, to), to, verdicts, from);
	}

	@Override
	byte judgeOne(String url) {
		int best = best(url);
		return best < 0 ? Verdict.INVALID : best == 0 ? Verdict.ALLOWED : (byte) (best & 1);
	}
}
