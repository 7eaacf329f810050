package robotrie.crawlercommons;

import crawlercommons.robots.BaseRobotRules;
import crawlercommons.robots.BaseRobotsParser;
import crawlercommons.robots.SimpleRobotRulesParser;
import java.util.Arrays;
import java.util.Collection;
import java.util.Objects;
import robotrie.Dialect;
import robotrie.RobotsTxt;

/**
 * robotrie as a parser of crawler-commons, in place of {@code SimpleRobotRulesParser}. The README lists the differences. Threads may share it.
 */
public class RobotrieRobotsParser extends BaseRobotsParser {
	private static final long serialVersionUID = 1;
	private final Dialect dialect;

	/** Reads files as RFC 9309 says. */
	public RobotrieRobotsParser() {
		this(Dialect.RFC9309);
	}

	public RobotrieRobotsParser(Dialect dialect) {
		this.dialect = Objects.requireNonNull(dialect, "dialect");
	}

	/**
	 * The rules for a crawler.
	 *
	 * @param url not used
	 * @param content null is an empty file
	 * @param contentType not used: HTML has no rules
	 * @param robotNames product tokens, the most specific first; without any, the rules are those for "*"
	 */
	@Override
	public BaseRobotRules parseContent(String url, byte[] content, String contentType, Collection<String> robotNames) {
		RobotsTxt robots = RobotsTxt.parse(content == null ? new byte[0] : content, dialect);
		String[] names = robotNames.isEmpty() ? new String[] {"*"} : robotNames.toArray(new String[0]);
		return new RobotrieRules(robots, names);
	}

	/**
	 * The same with names that are separated by commas.
	 *
	 * @deprecated as in crawler-commons
	 */
	@Deprecated
	@Override
	public BaseRobotRules parseContent(String url, byte[] content, String contentType, String robotNames) {
		return parseContent(url, content, contentType, Arrays.asList(robotNames.trim().split("\\s*,\\s*")));
	}

	/** What a failed request means: as {@code SimpleRobotRulesParser} says. */
	@Override
	public BaseRobotRules failedFetch(int httpStatusCode) {
		return new SimpleRobotRulesParser().failedFetch(httpStatusCode);
	}
}
