import crawlercommons.robots.BaseRobotRules;
import crawlercommons.robots.SimpleRobotRulesParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Java's engine, crawler-commons. Reads sites and jobs, and does what the harness asks for (../../../../README.md). */
public final class Driver {
	// It takes names in lower case alone.
	private static final List<String> AGENTS = List.of(System.getenv().getOrDefault("PEER_AGENT", "googlebot").toLowerCase(Locale.ROOT));

	private record Site(String origin, byte[] robots) {}

	/** Site -1 stands for URLs of any sites. */
	private record Job(int site, String[] urls, byte[] verdicts) {}

	/** Reads a file of numbers and texts. */
	private static final class Reader {
		private final ByteBuffer bytes;

		Reader(String path) throws IOException {
			bytes = ByteBuffer.wrap(Files.readAllBytes(Path.of(path))).order(ByteOrder.LITTLE_ENDIAN);
		}

		int number() {
			return bytes.getInt();
		}

		byte[] text() {
			byte[] text = new byte[number()];
			bytes.get(text);
			return text;
		}
	}

	private final List<Site> sites = new ArrayList<>();
	private final List<BaseRobotRules> judges = new ArrayList<>();
	private final Map<String, BaseRobotRules> byOrigin = new HashMap<>();
	private final List<Job> jobs = new ArrayList<>();

	private Driver(String path) throws IOException {
		Reader read = new Reader(path);
		for (int left = read.number(); left > 0; left--) {
			sites.add(new Site(new String(read.text(), StandardCharsets.UTF_8), read.text()));
		}
	}

	private long compile() {
		long start = System.nanoTime();
		judges.clear();
		byOrigin.clear();
		SimpleRobotRulesParser parser = new SimpleRobotRulesParser();
		for (Site site : sites) {
			BaseRobotRules rules = parser.parseContent(site.origin + "/robots.txt", site.robots, "text/plain", AGENTS);
			judges.add(rules);
			byOrigin.put(site.origin, rules);
		}
		return System.nanoTime() - start;
	}

	private int readJobs(String path) throws IOException {
		Reader read = new Reader(path);
		jobs.clear();
		for (int left = read.number(); left > 0; left--) {
			int site = read.number();
			byte[] verdicts = new byte[read.number()];
			String[] urls = new String(read.text(), StandardCharsets.UTF_8).split("\n");
			jobs.add(new Job(site, urls, verdicts));
		}
		return jobs.size();
	}

	private long judge(int from, int to) {
		long start = System.nanoTime();
		for (Job job : jobs.subList(from, to)) {
			for (int i = 0; i < job.urls.length; i++) {
				String url = job.urls[i];
				BaseRobotRules rules = job.site >= 0 ? judges.get(job.site) : judgeOf(url);
				job.verdicts[i] = (byte) (rules.isAllowed(url) ? '1' : '0');
			}
		}
		return System.nanoTime() - start;
	}

	private BaseRobotRules judgeOf(String url) {
		// URI refuses what URLs of the web have: only the origin is cut out by it.
		URI origin = URI.create(url.substring(0, url.indexOf('/', 8)));
		return byOrigin.get(origin.getScheme() + "://" + origin.getAuthority());
	}

	private String verdicts() {
		judge(0, jobs.size());
		StringBuilder all = new StringBuilder();
		for (Job job : jobs) {
			all.append(new String(job.verdicts, StandardCharsets.US_ASCII));
		}
		return all.toString();
	}

	/** What is in use of the heap: the process takes as much as it was allowed. */
	private static long memory() {
		System.gc();
		System.gc();
		Runtime runtime = Runtime.getRuntime();
		return runtime.totalMemory() - runtime.freeMemory();
	}

	private String answer(String[] words) throws IOException {
		switch (words[0]) {
			case "compile":
				return String.valueOf(compile());
			case "jobs":
				return String.valueOf(readJobs(words[1]));
			case "judge":
				int[] numbers = Arrays.stream(words).skip(1).mapToInt(Integer::parseInt).toArray();
				StringBuilder times = new StringBuilder();
				for (int i = 0; i < numbers[2]; i++) {
					times.append(judge(numbers[0], numbers[1])).append(' ');
				}
				return times.toString();
			case "verdicts":
				return verdicts();
			default:
				return String.valueOf(memory());
		}
	}

	public static void main(String[] args) throws IOException {
		System.out.println("1.5");
		Driver driver = new Driver(args[1]);
		BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		for (String line; (line = commands.readLine()) != null; ) {
			System.out.println(driver.answer(line.split(" ")));
		}
	}
}
