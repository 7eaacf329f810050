package robotrie;

import java.util.Arrays;
import java.util.List;
import java.util.RandomAccess;

/** What judges URLs in bulk. URLs are joined to lines in chunks that stay in a processor's cache; a chunk holds the engine's lock. */
abstract class Judge {
	/** Chars, which are up to three bytes each. */
	private static final int CHUNK = 32 * 1024;
	private static final int CHUNK_BYTES = 128 * 1024;

	/** Where it judges. */
	abstract Engine engine();

	/** Bytes of the input region that lines of so many bytes need. */
	abstract long roomFor(long size);

	/** Writes a verdict for each of the lines in the input region to `verdicts`; returns their number. */
	abstract int judgeInput(int at, int size, byte[] verdicts, int from);

	/** The verdict for a URL that cannot be a line. */
	abstract byte judgeOne(String url);

	/** Throws IllegalStateException after close. */
	abstract void checkOpen();

	/**
	 * A {@link Verdict} for each URL.
	 *
	 * @throws NullPointerException if one is null
	 * @throws IllegalStateException after {@code close}
	 */
	public final byte[] matchMany(String... urls) {
		return matchMany(Arrays.asList(urls));
	}

	/**
	 * A {@link Verdict} for each URL.
	 *
	 * @throws NullPointerException if one is null
	 * @throws IllegalStateException after {@code close}
	 */
	public final byte[] matchMany(List<String> urls) {
		// Rows are read again where they cannot be lines.
		List<String> rows = urls instanceof RandomAccess ? urls : Arrays.asList(urls.toArray(new String[0]));
		byte[] verdicts = new byte[rows.size()];
		for (int first = 0; first < verdicts.length; ) {
			synchronized (engine()) {
				first = judgeRows(rows, first, verdicts);
			}
		}
		return verdicts;
	}

	/** Judges a chunk of URLs. What cannot be a line, or is longer than a chunk, is an empty line there and judged by itself. */
	private int judgeRows(List<String> urls, int first, byte[] verdicts) {
		checkOpen();
		Engine engine = engine();
		char[] lines = engine.chars(CHUNK);
		int next = first;
		int used = 0;
		int odd = 0;
		int[] alone = {};
		for (; next < verdicts.length && used < CHUNK; next++) {
			String url = urls.get(next);
			int size = url.length();
			if (size >= CHUNK || isOdd(url)) {
				if (odd == alone.length) alone = Arrays.copyOf(alone, 8 + 2 * odd);
				alone[odd++] = next;
				size = 0;
			} else if (used + size >= CHUNK) {
				break;
			}
			url.getChars(0, size, lines, used);
			used += size;
			lines[used++] = '\n';
		}
		int at = engine.input(roomFor(3L * used));
		int size = Engine.writeChars(engine.instance, at, lines, used);
		int judged = judgeInput(at, size, verdicts, first);
		if (judged != next - first) throw new IllegalStateException(judged + " verdicts for " + (next - first) + " URLs");
		for (int i = 0; i < odd; i++) verdicts[alone[i]] = judgeOne(urls.get(alone[i]));
		return next;
	}

	/** Whether a URL cannot be a line: line ends within it count as bytes. */
	private static boolean isOdd(String url) {
		return url.indexOf('\n') >= 0 || url.endsWith("\r");
	}

	/**
	 * A {@link Verdict} for each line of UTF-8, ended by LF or CRLF; the last one may lack it. The fastest way.
	 *
	 * @throws IllegalStateException after {@code close}
	 */
	public final byte[] matchLines(byte[] lines) {
		int count = lines.length > 0 && lines[lines.length - 1] != '\n' ? 1 : 0;
		for (byte one : lines) if (one == '\n') count++;
		byte[] verdicts = new byte[count];
		int done = 0;
		for (int from = 0; from < lines.length; ) {
			int end = chunkEnd(lines, from);
			if (end - from > Engine.MAX_LINE) throw RobotrieException.noMemory();
			synchronized (engine()) {
				checkOpen();
				int at = engine().input(roomFor(end - from));
				Engine.write(engine().instance, at, lines, from, end - from);
				done += judgeInput(at, end - from, verdicts, done);
			}
			from = end;
		}
		if (done != count) throw new IllegalStateException(done + " verdicts for " + count + " lines");
		return verdicts;
	}

	/** The end of the last whole line within a chunk, or of a single longer line. */
	private static int chunkEnd(byte[] lines, int from) {
		if (lines.length - from <= CHUNK_BYTES) return lines.length;
		int end = from + CHUNK_BYTES;
		while (end > from && lines[end - 1] != '\n') end--;
		if (end > from) return end;
		for (end = from + CHUNK_BYTES; end < lines.length; end++) if (lines[end] == '\n') return end + 1;
		return end;
	}

	/** Copies the verdicts of `count` lines; `count` may be what the module says instead of a number. */
	final int copyVerdicts(int count, int at, byte[] verdicts, int from) {
		if (count == -1) throw RobotrieException.noMemory();
		if (count < 0 || count > verdicts.length - from) throw new IllegalStateException("the module returned " + count);
		Engine.read(engine().instance, at, verdicts, from, count);
		return count;
	}
}
