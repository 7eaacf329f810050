package robotrie;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;

/** Rows of conformance/*.jsonl. */
final class Data {
	static final Path ROOT = Path.of("../..");
	private static final ObjectMapper JSON = new ObjectMapper();

	private Data() {}

	static JsonNode json(String line) {
		try {
			return JSON.readTree(line);
		} catch (IOException error) {
			throw new UncheckedIOException(error);
		}
	}

	static List<JsonNode> rows(String name) {
		List<JsonNode> rows = new ArrayList<>();
		try {
			for (String line : Files.readAllLines(ROOT.resolve("conformance/" + name + ".jsonl"))) rows.add(json(line));
		} catch (IOException error) {
			throw new UncheckedIOException(error);
		}
		return rows;
	}

	static byte[] bytes(JsonNode base64) {
		return Base64.getDecoder().decode(base64.textValue());
	}

	static RobotsTxt robots(JsonNode row) {
		byte[] data = row.has("robots") ? utf8(row.get("robots").textValue()) : bytes(row.get("robots_b64"));
		return RobotsTxt.parse(data, dialect(row));
	}

	static Dialect dialect(JsonNode row) {
		return Dialect.valueOf(row.get("dialect").textValue().toUpperCase(Locale.ROOT));
	}

	/** One string, or a list of them. */
	static String[] strings(JsonNode one) {
		if (one.isTextual()) return new String[] {one.textValue()};
		List<String> all = new ArrayList<>();
		one.forEach(item -> all.add(item.textValue()));
		return all.toArray(new String[0]);
	}

	static byte[] utf8(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}
}
