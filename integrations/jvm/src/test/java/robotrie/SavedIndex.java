package robotrie;

import java.util.Base64;

/** An index as the npm package writes it: bot, https://a.example without /a, https://bücher.example without /x. */
final class SavedIndex {
	static final byte[] BYTES = Base64.getDecoder().decode("UlRPAAEAAAASAAAAAgAAAAIAAABbImJvdCIsInFcIlxc4oKsIl0AAAAAOQAABwAAAEEoAAAAAAAAAAAAAAAAAAACAAAAAAAAAAAAAAAAAAAAAAAAAAHTKgAhM84DBAORuq7AEwAAYS5leGFtcGxlAQAAADkAAAcAAABBKAAAAAAAAAAAAAAAAAAAAAAAAQAAAAAAAAAAAAAAAAAAAAAB0yoAIbrOAwQDkbquwCsAAHhuLS1iY2hlci1rdmEuZXhhbXBsZcjWKoQ=");

	private SavedIndex() {}
}
