package robotrie;

/** What goes wrong in this package; {@link #code()} says what kind it is. */
public class RobotrieException extends RuntimeException {
	/** Kinds of errors. */
	public enum Code {
		/** Neither an absolute URL nor a path that begins with "/". */
		INVALID_URL,
		/** A line of a robots.txt has more than 16 MiB. */
		LINE_TOO_LONG,
		/** Saved bytes were cut off or changed, or are something else. */
		DAMAGED,
		/** Memory of the engine cannot grow: a block ends at 512 MiB, all of an instance at 4 GiB, a program at 16 MiB. */
		NO_MEMORY,
		/** The engine stopped within this or an earlier call, because of an error in this package. */
		ENGINE_STOPPED,
	}

	private static final long serialVersionUID = 1;
	private final Code code;

	RobotrieException(Code code, String message) {
		super(message);
		this.code = code;
	}

	public Code code() {
		return code;
	}

	static RobotrieException noMemory() {
		return new RobotrieException(Code.NO_MEMORY, "no memory: an instance ends at 4 GiB, a block of it at 512 MiB");
	}

	static RobotrieException damaged(String message) {
		return new RobotrieException(Code.DAMAGED, message);
	}

	static RobotrieException invalidUrl(String url) {
		String shown = url.length() > 200 ? url.substring(0, 200) + "\u2026" : url;
		return new RobotrieException(Code.INVALID_URL, "neither an absolute URL nor a path that begins with \"/\": " + shown);
	}
}
