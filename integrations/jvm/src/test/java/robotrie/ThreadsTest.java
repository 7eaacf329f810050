package robotrie;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Many threads read, compile, judge, save, load and close at once; every verdict is checked. */
class ThreadsTest {
	private static final int THREADS = 8;

	@Test
	void threadsShareEverything() throws Exception {
		List<RobotsTxt> files = new ArrayList<>();
		for (int i = 0; i < 40; i++) files.add(file(i));
		try (Index index = Index.load(SavedIndex.BYTES)) {
			ExecutorService threads = Executors.newFixedThreadPool(THREADS);
			List<Callable<Integer>> works = new ArrayList<>();
			for (int seed = 0; seed < THREADS; seed++) {
				Random random = new Random(seed);
				works.add(() -> work(random, files, index));
			}
			for (Future<Integer> wrong : threads.invokeAll(works)) assertEquals(0, wrong.get());
			threads.shutdown();
		}
		System.gc();
	}

	private static RobotsTxt file(int number) {
		// Some are read in an instance of their own.
		String rest = number % 10 == 0 ? "# a long line\n".repeat(12_000) : "";
		return RobotsTxt.parse(Data.utf8("User-agent: *\nDisallow: /s" + number + "/\nUser-agent: bot\nAllow: /\n" + rest));
	}

	private static int work(Random random, List<RobotsTxt> files, Index index) {
		int wrong = 0;
		for (int i = 0; i < 1500; i++) {
			int number = random.nextInt(files.size());
			String url = "https://h.example/s" + number + "/a";
			RobotsTxt robots = random.nextInt(4) == 0 ? file(number) : files.get(number);
			if (robots.isAllowed(url, "x") || !robots.isAllowed(url + number, "bot") || !robots.isAllowed("/b", "x")) wrong++;
			try (Matcher matcher = Matcher.load(robots.matcher("x").toBytes())) {
				byte[] verdicts = matcher.matchMany(url, "/b", "no url");
				if (verdicts[0] != 0 || verdicts[1] != 1 || verdicts[2] != 3) wrong++;
			}
			byte[] verdicts = index.matchMany("https://a.example/a", "https://u@a.example/b", "https://n.example/");
			if (verdicts[0] != 0 || verdicts[1] != 1 || verdicts[2] != 2) wrong++;
		}
		return wrong;
	}

	/** Matchers that nobody holds are freed, also while others run. */
	@Test
	void memoryIsFreed() {
		byte[] saved = file(1).matcher("x").toBytes();
		for (int round = 0; round < 5; round++) {
			for (int i = 0; i < 4000; i++) Matcher.load(saved).isAllowed("/b");
			System.gc();
		}
		for (int i = 0; i < 40; i++) Index.load(SavedIndex.BYTES);
		System.gc();
	}
}
