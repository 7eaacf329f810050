package robotrie;

import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.Cleaner;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.IntBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An instance of one of the two modules, and the native library. An instance belongs to one thread at a time: callers synchronise on it.
 * Files and matchers share a few instances, so that threads seldom wait for each other; each index has its own.
 */
final class Engine {
	static final int PADDING = 96;
	static final int MAX_LINE = 134_216_704;
	static final int MODULE_VERSION = 1;
	static final Cleaner CLEANER = Cleaner.create();
	/** More instances would take memory, 2 MB each, and be of use only to that many threads. */
	private static final Engine[] SHARED = new Engine[Math.max(1, Math.min(8, Runtime.getRuntime().availableProcessors()))];
	private static final AtomicInteger NEXT = new AtomicInteger();

	static {
		loadLibrary();
	}

	/** Its address in the native library; 0 after {@link #free}. */
	final long instance;
	final boolean isIndex;
	private boolean isFreed;
	/** The file whose records lie in memory, and the nine numbers about them. */
	private RobotsTxt current;
	private int[] lists;
	/** Where lines are joined. */
	private char[] chars;

	Engine(boolean isIndex) {
		this.isIndex = isIndex;
		instance = isIndex ? IndexModule.create() : MainModule.create();
		if (instance == 0) throw RobotrieException.noMemory();
		int version = isIndex ? IndexModule.moduleVersion(instance) : MainModule.moduleVersion(instance);
		if (version != MODULE_VERSION) throw new IllegalStateException("the module has version " + version);
	}

	/** One of the shared instances, in turns. */
	static Engine shared() {
		int number = Math.floorMod(NEXT.getAndIncrement(), SHARED.length);
		synchronized (SHARED) {
			if (SHARED[number] == null) SHARED[number] = new Engine(false);
			return SHARED[number];
		}
	}

	synchronized void free() {
		if (isFreed) return;
		isFreed = true;
		if (isIndex) IndexModule.free(instance);
		else MainModule.free(instance);
	}

	void checkOpen() {
		if (isFreed) throw new IllegalStateException("it is closed");
	}

	/** The lists of records of a file, which it writes unless they are still there. */
	int[] listsOf(RobotsTxt file) {
		if (current != file) {
			current = null;
			lists = file.tokenise(this);
			current = file;
		}
		return lists;
	}

	/** For what is 0 when memory cannot grow. */
	static int checked(int result) {
		if (result == 0) throw RobotrieException.noMemory();
		return result;
	}

	/** The input region for so many bytes. */
	int input(long size) {
		if (size > 4L * MAX_LINE + PADDING + 8) throw RobotrieException.noMemory();
		return checked(isIndex ? IndexModule.input(instance, (int) size) : MainModule.input(instance, (int) size));
	}

	char[] chars(int size) {
		if (chars == null) chars = new char[size];
		return chars;
	}

	void write(int at, byte[] bytes) {
		write(instance, at, bytes, 0, bytes.length);
	}

	byte[] read(int at, int size) {
		byte[] bytes = new byte[size];
		read(instance, at, bytes, 0, size);
		return bytes;
	}

	IntBuffer words(int at, int count) {
		return littleEndian(read(at, Math.multiplyExact(count, 4))).asIntBuffer();
	}

	static ByteBuffer littleEndian(byte[] bytes) {
		return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
	}

	static native void write(long instance, int at, byte[] bytes, int from, int size);

	static native void read(long instance, int at, byte[] bytes, int to, int size);

	/** Writes chars as UTF-8, where there is room for three bytes for each; the number of bytes. */
	static native int writeChars(long instance, int at, char[] chars, int count);

	/** The origin of a URL in UTF-8, as the URL standard reads it; null for what is not a URL or has no host. */
	static native byte[] origin(byte[] url);

	/** From the file that the property names, else from the package's resources, which must be copied to a file first. */
	private static void loadLibrary() {
		String given = System.getProperty("robotrie.library");
		if (given != null) {
			System.load(Path.of(given).toAbsolutePath().toString());
			return;
		}
		String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
		String arch = System.getProperty("os.arch");
		String platform =
				(os.startsWith("mac") ? "macos" : os.startsWith("windows") ? "windows" : os) + "-" + (arch.equals("amd64") ? "x86_64" : arch);
		String name = "native/" + platform + "/" + System.mapLibraryName("robotrie");
		try (InputStream library = Engine.class.getResourceAsStream(name)) {
			if (library == null) {
				throw new UnsatisfiedLinkError("this build of robotrie has no library for " + platform + "; -Drobotrie.library= names one");
			}
			Path file = Files.createTempFile("robotrie", name.substring(name.lastIndexOf('.')));
			try {
				Files.copy(library, file, StandardCopyOption.REPLACE_EXISTING);
				System.load(file.toString());
			} finally {
				Files.delete(file);
			}
		} catch (IOException error) {
			throw (Error) new UnsatisfiedLinkError("the library cannot be copied to a file: " + error).initCause(error);
		}
	}
}
