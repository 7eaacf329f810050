package robotrie;

/** A rule as it stands in a robots.txt. */
public final class Rule {
	private final boolean allow;
	private final String pattern;
	private final int line;

	Rule(boolean allow, String pattern, int line) {
		this.allow = allow;
		this.pattern = pattern;
		this.line = line;
	}

	/** Whether it is an Allow rule; otherwise it is a Disallow rule. */
	public boolean isAllow() {
		return allow;
	}

	/** Its pattern, as written. */
	public String pattern() {
		return pattern;
	}

	/** Its line in the file, from 1. */
	public int line() {
		return line;
	}

	@Override
	public String toString() {
		return (allow ? "Allow: " : "Disallow: ") + pattern;
	}
}
