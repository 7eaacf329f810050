package robotrie.crawlercommons;

import crawlercommons.robots.BaseRobotRules;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.URL;
import java.util.Arrays;
import java.util.Set;
import robotrie.Matcher;
import robotrie.RobotrieException;
import robotrie.RobotsTxt;
import robotrie.Rule;

/** The rules of one crawler. They can be serialized, as saved matchers. */
class RobotrieRules extends BaseRobotRules {
	private static final long serialVersionUID = 1;
	private static final Set<String> EVERYTHING = Set.of("/", "/*", "*");
	private transient Matcher matcher;
	private final boolean isAllowAll, isAllowNone;

	RobotrieRules(RobotsTxt robots, String[] names) {
		matcher = robots.matcher(names);
		robots.crawlDelay(names).ifPresent(delay -> setCrawlDelay(delay.toMillis()));
		robots.sitemaps().forEach(this::addSitemap);
		boolean hasAllow = matcher.rules().stream().anyMatch(Rule::isAllow);
		// An empty Allow disallows everything in the yandex dialect.
		isAllowAll = matcher.rules().stream().allMatch(rule -> rule.isAllow() && !rule.pattern().isEmpty());
		isAllowNone = !hasAllow && matcher.rules().stream().anyMatch(rule -> EVERYTHING.contains(rule.pattern()));
	}

	/** False for what is neither an absolute URL nor a path. */
	@Override
	public boolean isAllowed(String url) {
		try {
			return matcher.isAllowed(url);
		} catch (RobotrieException error) {
			if (error.code() == RobotrieException.Code.INVALID_URL) return false;
			throw error;
		}
	}

	@Override
	public boolean isAllowed(URL url) {
		return isAllowed(url.toString());
	}

	@Override
	public boolean isAllowAll() {
		return isAllowAll;
	}

	@Override
	public boolean isAllowNone() {
		return isAllowNone;
	}

	@Override
	public boolean equals(Object other) {
		return super.equals(other) && Arrays.equals(matcher.toBytes(), ((RobotrieRules) other).matcher.toBytes());
	}

	@Override
	public int hashCode() {
		return 31 * super.hashCode() + Arrays.hashCode(matcher.toBytes());
	}

	private void writeObject(ObjectOutputStream out) throws IOException {
		out.defaultWriteObject();
		out.writeObject(matcher.toBytes());
	}

	private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
		in.defaultReadObject();
		matcher = Matcher.load((byte[]) in.readObject());
	}
}
