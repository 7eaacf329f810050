package robotrie;

/** Exports of robotrie.simd.wasm (docs/hosting.md); numbers are u32. The first argument is an instance, whose lock the caller holds. */
final class MainModule {
	private MainModule() {}

	/** A new instance; 0 when there is no memory. */
	static native long create();

	static native void free(long instance);

	static native int moduleVersion(long instance);

	static native int placeText(long instance, int size);

	static native int tokenise(long instance, int from, int end, int flags, int maxLine);

	static native int placeAgents(long instance, int size);

	static native int readAgents(long instance, int count, int flags);

	static native int chooseLines(long instance);

	static native int placeRanges(long instance, int count);

	static native int gather(long instance, int count, int flags);

	static native int compile(long instance, int flags);

	static native int programLength(long instance, int program);

	static native int rankedSources(long instance);

	static native int allocate(long instance, int size);

	static native void release(long instance, int at);

	static native int verify(long instance, int program, int length);

	static native int reserveVisited(long instance, int program);

	/** The region is kept, so it may be called for every text. */
	static native int input(long instance, int size);

	static native int matchLines(long instance, int program, int from, int length, int to);

	/** Writes the text to the input region first. */
	static native int matchOne(long instance, int program, String url);
}
