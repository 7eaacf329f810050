package robotrie;

import com.fasterxml.jackson.databind.JsonNode;
import crawlercommons.robots.BaseRobotRules;
import crawlercommons.robots.SimpleRobotRulesParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;

/**
 * Times the package beside crawler-commons, in turns: {@code Bench [sites [rounds]]}. Sites are the real ones where ../shared is, with the
 * verdicts of Google's library, else drawn. Prints shares of crawler-commons' time: of the sums of each site's fastest round.
 */
public final class Bench {
	private static final String AGENT = "googlebot";
	private static Object sink;

	private Bench() {}

	private static final class Site {
		final byte[] robots;
		final String[] urls;
		/** Google's, else those that a matcher gives before the first round. */
		final byte[] verdicts;

		Site(byte[] robots, String[] urls, byte[] verdicts) {
			this.robots = robots;
			this.urls = urls;
			this.verdicts = verdicts;
		}
	}

	private static List<Site> realSites(Path corpus, int most) throws IOException {
		List<Site> sites = new ArrayList<>();
		try (BufferedReader lines =
				new BufferedReader(new InputStreamReader(new GZIPInputStream(Files.newInputStream(corpus)), StandardCharsets.UTF_8))) {
			for (String line = lines.readLine(); line != null && sites.size() < most; line = lines.readLine()) {
				JsonNode site = Data.json(line);
				byte[] verdicts = site.get("allowed").get(AGENT).textValue().getBytes(StandardCharsets.US_ASCII);
				for (int i = 0; i < verdicts.length; i++) verdicts[i] -= '0';
				String[] urls = Data.strings(site.get("urls"));
				if (urls.length > 0) sites.add(new Site(Data.bytes(site.get("robots_b64")), urls, verdicts));
			}
		}
		return sites;
	}

	private static List<Site> drawnSites(int count) {
		Random draw = new Random(9309);
		String[] words = {"search", "private", "cart", "user", "tag", "page", "api", "img", "static", "login"};
		List<Site> sites = new ArrayList<>();
		while (sites.size() < count) {
			StringBuilder robots = new StringBuilder("User-agent: *\n");
			for (int rules = new int[] {3, 9, 30}[draw.nextInt(3)]; rules > 0; rules--) {
				robots.append("Disallow: /").append(words[draw.nextInt(10)]).append('/').append(draw.nextBoolean() ? "" : words[draw.nextInt(10)] + "\n");
				robots.append('\n');
			}
			String[] urls = new String[90];
			Arrays.setAll(urls, i -> "https://h.example/" + words[draw.nextInt(10)] + "/" + words[draw.nextInt(10)] + i + ".html");
			byte[] data = Data.utf8(robots.toString());
			sites.add(new Site(data, urls, RobotsTxt.parse(data, Dialect.GOOGLE).matcher(AGENT).matchMany(urls)));
		}
		return sites;
	}

	public static void main(String[] args) throws IOException {
		int most = args.length > 0 ? Integer.parseInt(args[0]) : 1225;
		int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 15;
		Path corpus = Data.ROOT.resolve("../shared/corpus/hosts.jsonl.gz");
		boolean isReal = Files.exists(corpus);
		List<Site> sites = isReal ? realSites(corpus, most) : drawnSites(most);
		// As crawlers that use crawler-commons do, so that a long Crawl-delay does not disallow everything.
		SimpleRobotRulesParser theirs = new SimpleRobotRulesParser();
		theirs.setMaxCrawlDelay(Long.MAX_VALUE);
		Map<String, long[]> fastest = new LinkedHashMap<>();
		int urls = 0;
		int wrong = 0;
		for (Site site : sites) {
			urls += site.urls.length;
			byte[] ours = RobotsTxt.parse(site.robots, Dialect.GOOGLE).matcher(AGENT).matchMany(site.urls);
			if (!Arrays.equals(ours, site.verdicts)) throw new IllegalStateException("wrong verdicts: " + Arrays.toString(site.urls));
			BaseRobotRules rules = theirs.parseContent("https://h.example/robots.txt", site.robots, "text/plain", List.of(AGENT));
			for (int i = 0; i < site.urls.length; i++) wrong += rules.isAllowed(site.urls[i]) == (ours[i] == 1) ? 0 : 1;
		}
		System.out.printf("%d %s sites, %d URLs; wrong verdicts: robotrie 0, crawler-commons %d%n", sites.size(), isReal ? "real" : "drawn", urls, wrong);
		for (int round = 0; round < rounds; round++) {
			for (int i = 0; i < sites.size(); i++) {
				for (Map.Entry<String, Supplier<Object>> work : works(sites.get(i), theirs).entrySet()) {
					long start = System.nanoTime();
					sink = work.getValue().get();
					long spent = System.nanoTime() - start;
					long[] best = fastest.computeIfAbsent(work.getKey(), name -> new long[sites.size()]);
					best[i] = round == 0 ? spent : Math.min(best[i], spent);
				}
			}
		}
		double url = Arrays.stream(fastest.get("crawler-commons isAllowed")).sum();
		double file = Arrays.stream(fastest.get("crawler-commons parse")).sum();
		for (Map.Entry<String, long[]> work : fastest.entrySet()) {
			boolean isFile = work.getKey().contains("parse");
			double spent = Arrays.stream(work.getValue()).sum();
			double each = isFile ? spent / sites.size() / 1000 : spent / urls;
			System.out.printf("%-28s %8.1f %s %8.3f of crawler-commons%n", work.getKey(), each, isFile ? "us a file" : "ns a URL ", spent / (isFile ? file : url));
		}
	}

	private static Map<String, Supplier<Object>> works(Site site, SimpleRobotRulesParser theirs) {
		RobotsTxt robots = RobotsTxt.parse(site.robots, Dialect.GOOGLE);
		Matcher matcher = robots.matcher(AGENT);
		BaseRobotRules rules = theirs.parseContent("https://h.example/robots.txt", site.robots, "text/plain", List.of(AGENT));
		byte[] lines = Data.utf8(String.join("\n", site.urls));
		List<String> list = Arrays.asList(site.urls);
		Map<String, Supplier<Object>> works = new LinkedHashMap<>();
		works.put("crawler-commons isAllowed", () -> {
			int allowed = 0;
			for (String url : site.urls) if (rules.isAllowed(url)) allowed++;
			return allowed;
		});
		works.put("RobotsTxt.isAllowed", () -> {
			int allowed = 0;
			for (String url : site.urls) if (robots.isAllowed(url, AGENT)) allowed++;
			return allowed;
		});
		works.put("Matcher.isAllowed", () -> {
			int allowed = 0;
			for (String url : site.urls) if (matcher.isAllowed(url)) allowed++;
			return allowed;
		});
		works.put("matchMany", () -> matcher.matchMany(list));
		works.put("matchLines", () -> matcher.matchLines(lines));
		works.put("crawler-commons parse", () -> theirs.parseContent("https://h.example/", site.robots, "text/plain", List.of(AGENT)));
		works.put("RobotsTxt.parse, matcher", () -> RobotsTxt.parse(site.robots, Dialect.GOOGLE).matcher(AGENT));
		return works;
	}
}
