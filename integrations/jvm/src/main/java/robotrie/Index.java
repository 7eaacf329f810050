package robotrie;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The rules of many sites for one crawler, from a file that {@code robotrie index} or {@code RobotsIndex.toBytes()} wrote. URLs are absolute. The
 * module reads the origin of nearly every URL; the others go through Ada, a parser of the URL standard.
 *
 * <p>Threads may share it, and take turns. Its memory is freed by {@link #close}, or when it is garbage-collected.
 */
public final class Index extends Judge implements AutoCloseable {
	private static final String LETTERS = "RTO";
	private static final int PIECE = 256 * 1024;
	private static final byte UNUSUAL = (byte) 255;
	private static final int NO_ROOM = 10;
	/** Rows of the tables that are made at once on the word of a file that may be damaged. */
	private static final long EXPECTED = 1 << 16;

	private final Engine engine = new Engine(true);
	private final Cleaner.Cleanable cleanable = freeing(this, engine);
	private final Dialect dialect;
	private final List<String> agents;

	/** Not a lambda in the constructor, which would keep the index from being collected. */
	private static Cleaner.Cleanable freeing(Index index, Engine engine) {
		return Engine.CLEANER.register(index, engine::free);
	}

	private Index(InputStream in) throws IOException {
		boolean isLoaded = false;
		try {
			synchronized (engine) {
				byte[] head = in.readNBytes(Saved.PREAMBLE);
				Saved fields = Saved.read(LETTERS, head, head.length);
				dialect = fields.dialect;
				byte[] names = in.readNBytes((int) Math.min(fields.first, Integer.MAX_VALUE));
				agents = Collections.unmodifiableList(readAgents(names));
				Saved.Checksum sum = new Saved.Checksum().add(head, 0, head.length).add(names, 0, names.length);
				byte[] keys = new byte[32];
				new SecureRandom().nextBytes(keys);
				engine.write(IndexModule.hashKeys(engine.instance), keys);
				Engine.checked(IndexModule.openOrigins(engine.instance, -1));
				int origins = (int) Math.min(fields.third, EXPECTED);
				Engine.checked(IndexModule.expect(engine.instance, origins, (int) Math.min(fields.second, EXPECTED)));
				byte[] rest = loadEntries(in, fields.third, fields.second, sum);
				if (rest.length != 4 || Engine.littleEndian(rest).getInt() != sum.value()) throw Saved.wrongChecksum();
				isLoaded = true;
			}
		} finally {
			if (!isLoaded) cleanable.clean();
		}
	}

	/**
	 * Reads an index from a file. Safe with any file: every program is verified.
	 *
	 * @throws IOException where the file cannot be read
	 * @throws RobotrieException DAMAGED for a file that is no index, NO_MEMORY
	 */
	public static Index load(Path file) throws IOException {
		try (InputStream in = Files.newInputStream(file)) {
			return new Index(in);
		}
	}

	/** The same from bytes. */
	public static Index load(byte[] saved) {
		try {
			return new Index(new ByteArrayInputStream(saved));
		} catch (IOException error) {
			throw new UncheckedIOException(error);
		}
	}

	/** Reads the entries, and returns what follows them, of which no more than five bytes are needed. */
	private byte[] loadEntries(InputStream in, long origins, long programs, Saved.Checksum sum) throws IOException {
		long instance = engine.instance;
		byte[] data = {};
		long read = 0;
		for (int size = PIECE; ; ) {
			int left = data.length;
			byte[] more = in.readNBytes(size - left);
			data = Arrays.copyOf(data, left + more.length);
			System.arraycopy(more, 0, data, left, more.length);
			if (read == origins) break;
			int at = engine.input(data.length);
			engine.write(at, data);
			int done = IndexModule.loadEntries(instance, at, data.length, (int) (origins - read));
			int failure = IndexModule.loadFailure(instance);
			read = Integer.toUnsignedLong(IndexModule.originsRead(instance));
			if (failure == NO_ROOM) throw RobotrieException.noMemory();
			if (failure != 0 || done == 0 && data.length < size) {
				throw RobotrieException.damaged("origin " + (read + 1) + " of " + origins + " is not sound: reason " + failure);
			}
			sum.add(data, 0, done);
			data = Arrays.copyOfRange(data, done, data.length);
			size = done == 0 ? size * 2 : PIECE;
			if (size > Engine.MAX_LINE) throw RobotrieException.damaged("origin " + (read + 1) + " of " + origins + " is too long");
		}
		long found = Integer.toUnsignedLong(IndexModule.programsRead(instance));
		if (found > programs) throw RobotrieException.damaged(found + " of " + programs + " programs");
		IndexModule.endLoading(instance);
		return data;
	}

	/** A JSON array of strings, at least one; the package needs no more of JSON. */
	private static List<String> readAgents(byte[] json) {
		RobotrieException wrong = RobotrieException.damaged("the agents of the index are no list of names");
		List<String> agents = new ArrayList<>();
		String rest;
		try {
			rest = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(json)).toString();
		} catch (CharacterCodingException error) {
			throw wrong;
		}
		int at = afterSpace(rest, 0);
		int end = rest.length();
		while (end > at && isSpace(rest.charAt(end - 1))) end--;
		if (end - at < 2 || rest.charAt(at++) != '[' || rest.charAt(--end) != ']') throw wrong;
		while (true) {
			at = afterSpace(rest, at);
			if (at >= end || rest.charAt(at++) != '"') throw wrong;
			StringBuilder agent = new StringBuilder();
			for (; ; at++) {
				if (at >= end) throw wrong;
				char c = rest.charAt(at);
				if (c == '"') break;
				if (c == '\\') {
					if (++at >= end) throw wrong;
					int escape = "\"\\/bfnrt".indexOf(rest.charAt(at));
					if (escape >= 0) c = "\"\\/\b\f\n\r\t".charAt(escape);
					else if (rest.charAt(at) == 'u' && end - at > 4 && rest.substring(at + 1, at + 5).matches("[0-9A-Fa-f]{4}")) {
						c = (char) Integer.parseInt(rest.substring(at + 1, at + 5), 16);
						at += 4;
					} else throw wrong;
				} else if (c < ' ') throw wrong;
				agent.append(c);
			}
			agents.add(agent.toString());
			at = afterSpace(rest, at + 1);
			if (at == end) return agents;
			if (rest.charAt(at++) != ',') throw wrong;
		}
	}

	/** White space of JSON, which is less than that of Java. */
	private static boolean isSpace(char c) {
		return c == ' ' || c == '\t' || c == '\n' || c == '\r';
	}

	private static int afterSpace(String text, int at) {
		while (at < text.length() && isSpace(text.charAt(at))) at++;
		return at;
	}

	/** The number of origins. */
	public int size() {
		synchronized (engine) {
			checkOpen();
			return IndexModule.originCount(engine.instance);
		}
	}

	/** The crawler's names for which the rules were compiled, the most specific first. */
	public List<String> agents() {
		return agents;
	}

	public Dialect dialect() {
		return dialect;
	}

	/** A {@link Verdict} for each absolute URL, as {@link #matchMany(List)}. */
	public byte[] match(List<String> urls) {
		return matchMany(urls);
	}

	/** The {@link Verdict} for an absolute URL. */
	public byte match(String url) {
		return matchMany(url)[0];
	}

	/** Frees the memory of the index now. It cannot be used afterwards. */
	@Override
	public void close() {
		cleanable.clean();
	}

	@Override
	Engine engine() {
		return engine;
	}

	@Override
	void checkOpen() {
		engine.checkOpen();
	}

	@Override
	long roomFor(long size) {
		return 4 * size + Engine.PADDING + 8;
	}

	@Override
	int judgeInput(int at, int size, byte[] verdicts, int from) {
		long instance = engine.instance;
		int to = at + size + Engine.PADDING;
		int list = (to + size + 1 + 3) & ~3;
		int count = IndexModule.matchOrigins(instance, at, size, to, list, dialect == Dialect.GOOGLE ? 1 : 0);
		copyVerdicts(count, to, verdicts, from);
		int end = count == 0 ? list : IndexModule.endOfUnusual(instance);
		if (end == list) return count;
		IntBuffer starts = engine.words(list, (end - list) / 4);
		// Copied, since judging them one by one uses the same region.
		byte[] lines = engine.read(at, size);
		int row = from;
		while (starts.hasRemaining()) {
			int start = starts.get() - at;
			int stop = start;
			while (stop < size && lines[stop] != '\n') stop++;
			if (stop > start && lines[stop - 1] == '\r') stop--;
			// Unusual lines come in order, so each is the next marked one.
			while (verdicts[row] != UNUSUAL) row++;
			verdicts[row] = judgeBytes(Arrays.copyOfRange(lines, start, stop));
		}
		return count;
	}

	@Override
	byte judgeOne(String url) {
		int at = engine.input(3L * url.length());
		char[] chars = url.toCharArray();
		return judgeBytes(engine.read(at, Engine.writeChars(engine.instance, at, chars, chars.length)));
	}

	/** The verdict for a URL by its origin as the URL standard reads it. */
	private byte judgeBytes(byte[] url) {
		long instance = engine.instance;
		byte[] origin = Engine.origin(new String(url, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8));
		if (origin == null) return Verdict.INVALID;
		int at = engine.input(Math.max(origin.length, url.length));
		engine.write(at, origin);
		int program = IndexModule.findOrigin(instance, at, origin.length);
		if (program == 0) return Verdict.UNKNOWN;
		engine.write(at, url);
		int verdict = IndexModule.matchOne(instance, program, at, url.length);
		if (verdict == -2) throw RobotrieException.noMemory();
		if (verdict < 0) throw new IllegalStateException("matchOne returned " + verdict);
		return (byte) verdict;
	}
}
