package robotrie;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Compares the package with the npm package in the clone: verdicts, deciding lines, and every byte of saved matchers. */
class DifferentialTest {
	private int asked;
	private int indexes;

	@Test
	void agreesWithTypeScript() throws IOException, InterruptedException {
		assumeTrue(Files.exists(Data.ROOT.resolve("dist/index.js")), "the npm package is not built: npm run build");
		Process node;
		try {
			node = new ProcessBuilder("node", "../go/testdata/typescript.mjs").redirectError(ProcessBuilder.Redirect.INHERIT).start();
		} catch (IOException error) {
			assumeTrue(false, "node is not installed");
			return;
		}
		List<String> wrong = new ArrayList<>();
		try (BufferedReader lines = new BufferedReader(new InputStreamReader(node.getInputStream(), StandardCharsets.UTF_8))) {
			for (String line = lines.readLine(); line != null; line = lines.readLine()) {
				JsonNode answer = Data.json(line);
				asked += answer.get("urls").size();
				String problem = answer.has("index") ? compareIndex(answer) : compareMatcher(answer);
				if (problem != null) wrong.add(problem);
			}
		}
		assertEquals(0, node.waitFor());
		assertEquals(List.of(), wrong.subList(0, Math.min(3, wrong.size())), wrong.size() + " wrong");
		assertTrue(asked > 60_000 && indexes > 50, asked + " URLs, " + indexes + " indexes");
	}

	private static String compareMatcher(JsonNode answer) {
		byte[] data = Data.bytes(answer.get("robots"));
		String what = new String(data, StandardCharsets.UTF_8) + " " + answer.get("dialect") + answer.get("agents");
		byte[] saved = Data.bytes(answer.get("matcher"));
		String[] urls = Data.strings(answer.get("urls"));
		byte[] verdicts = Data.bytes(answer.get("verdicts"));
		Matcher compiled = RobotsTxt.parse(data, Data.dialect(answer)).matcher(Data.strings(answer.get("agents")));
		if (!Arrays.equals(saved, compiled.toBytes())) return "other bytes for " + what;
		try (Matcher loaded = Matcher.load(saved)) {
			if (!Arrays.equals(saved, loaded.toBytes())) return "other bytes again for " + what;
			for (Matcher matcher : List.of(compiled, loaded)) {
				byte[] given = matcher.matchMany(urls);
				if (!Arrays.equals(given, verdicts)) {
					return Arrays.toString(given) + " not " + Arrays.toString(verdicts) + " for " + Arrays.toString(urls) + " by " + what;
				}
				for (int i = 0; i < urls.length; i++) {
					if (verdicts[i] == Verdict.INVALID) continue;
					int line = matcher.match(urls[i]).map(Rule::line).orElse(0);
					if (line != answer.get("lines").get(i).intValue() || matcher.isAllowed(urls[i]) != (verdicts[i] == 1)) {
						return "line " + line + " for " + urls[i] + " by " + what;
					}
				}
			}
		}
		return null;
	}

	private String compareIndex(JsonNode answer) {
		indexes++;
		String[] urls = Data.strings(answer.get("urls"));
		byte[] verdicts = Data.bytes(answer.get("verdicts"));
		try (Index index = Index.load(Data.bytes(answer.get("index")))) {
			if (index.size() != answer.get("origins").intValue()) return index.size() + " origins";
			byte[] given = index.match(Arrays.asList(urls));
			for (int i = 0; i < urls.length; i++) {
				if (given[i] != verdicts[i] || index.match(urls[i]) != given[i]) return given[i] + " not " + verdicts[i] + " for " + urls[i];
			}
		}
		return null;
	}
}
