package robotrie;

/** A way to read a robots.txt. */
public enum Dialect {
	/** The standard. */
	RFC9309(0, -1, 8, 512_000, 0),
	/** Google's open-source library. */
	GOOGLE(7, 16_663, 5, Integer.MAX_VALUE, 9),
	/** Yandex's document of 2013. */
	YANDEX(0, -1, 26, 512_000, 6);

	/** READ_ flags, bytes of a line that are read (u32), COMPILE_ flags, bytes of the file that are read, and AGENTS_ flags (docs/hosting.md). */
	final int read, line, compile, maxBytes, agents;

	Dialect(int read, int line, int compile, int maxBytes, int agents) {
		this.read = read;
		this.line = line;
		this.compile = compile;
		this.maxBytes = maxBytes;
		this.agents = agents;
	}
}
