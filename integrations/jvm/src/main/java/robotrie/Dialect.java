package robotrie;

/** A way to read a robots.txt. */
public enum Dialect {
	/** The standard. */
	RFC9309(0, -1, 8, 512_000),
	/** Google's open-source library. */
	GOOGLE(7, 16_663, 5, Integer.MAX_VALUE),
	/** Yandex's document of 2013. */
	YANDEX(0, -1, 26, 512_000);

	/** READ_ flags, bytes of a line that are read (u32), COMPILE_ flags, and bytes of the file that are read (docs/hosting.md). */
	final int read, line, compile, maxBytes;

	Dialect(int read, int line, int compile, int maxBytes) {
		this.read = read;
		this.line = line;
		this.compile = compile;
		this.maxBytes = maxBytes;
	}
}
