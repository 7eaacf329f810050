package robotrie;

/** Exports of robotrie-index.simd.wasm (docs/hosting.md); numbers are u32. The first argument is an instance, whose lock the caller holds. */
final class IndexModule {
	private IndexModule() {}

	/** A new instance; 0 when there is no memory. */
	static native long create();

	static native void free(long instance);

	static native int moduleVersion(long instance);

	static native int hashKeys(long instance);

	static native int openOrigins(long instance, int limit);

	static native int expect(long instance, int origins, int programs);

	/** The region is kept, so it may be called for every text. */
	static native int input(long instance, int size);

	static native int loadEntries(long instance, int from, int length, int most);

	static native int loadFailure(long instance);

	static native int originsRead(long instance);

	static native int programsRead(long instance);

	static native void endLoading(long instance);

	static native int originCount(long instance);

	static native int findOrigin(long instance, int origin, int length);

	static native int matchOne(long instance, int program, int from, int length);

	static native int matchOrigins(long instance, int from, int length, int to, int unusual, int google);

	static native int endOfUnusual(long instance);
}
