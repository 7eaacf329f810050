package robotrie;

/** What bulk matching says about a URL, one byte each. */
public final class Verdict {
	public static final byte DISALLOWED = 0;
	public static final byte ALLOWED = 1;
	/** The index has no rules for the URL's origin. */
	public static final byte UNKNOWN = 2;
	/** Not a URL. */
	public static final byte INVALID = 3;

	private Verdict() {}
}
