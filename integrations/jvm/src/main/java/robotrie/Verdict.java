package robotrie;

/** What bulk matching says about a URL, one byte each. Compare with {@link #ALLOWED}: other numbers are not 0, either. */
public final class Verdict {
	public static final byte DISALLOWED = 0;
	public static final byte ALLOWED = 1;
	/** The index has no rules for the URL's origin. */
	public static final byte UNKNOWN = 2;
	/** Not a URL. */
	public static final byte INVALID = 3;
	/** The origin's robots.txt could not be had for now: neither fetch nor drop the URL. Only an {@link Index} says so. */
	public static final byte LATER = 4;

	private Verdict() {}
}
