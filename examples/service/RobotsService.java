import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** Asks a robots service (robotrie serve): java RobotsService.java ExampleBot https://example.com/ https://example.org/private */
public class RobotsService {
	private final HttpClient http = HttpClient.newHttpClient();
	private final String base;
	private final String agent;

	public RobotsService(String base, String agent) {
		this.base = base;
		this.agent = encode(agent);
	}

	/** A verdict for each URL: allowed, disallowed, unknown, invalid or later (neither fetch nor drop the URL: ask again). */
	public List<String> match(List<String> urls) throws Exception {
		String body = String.join("\n", urls) + "\n";
		return ask(to("/match?agent=" + agent).header("Content-Type", "text/plain").POST(BodyPublishers.ofString(body))).lines().toList();
	}

	public boolean isAllowed(String url) throws Exception {
		return ask(to("/allowed?agent=" + agent + "&url=" + encode(url))).contains("\"allowed\":true");
	}

	private HttpRequest.Builder to(String path) {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path)).timeout(Duration.ofSeconds(90));
		String token = System.getenv("ROBOTRIE_TOKEN");
		return token == null ? request : request.header("Authorization", "Bearer " + token);
	}

	private String ask(HttpRequest.Builder request) throws Exception {
		while (true) {
			HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
			int status = answer.statusCode();
			if (status == 200) return answer.body();
			if (status != 429 && status != 503) throw new IllegalStateException(status + " " + answer.body());
			// Too much is in progress: the service says when to ask again.
			Thread.sleep(1000 * Long.parseLong(answer.headers().firstValue("Retry-After").orElse("1")));
		}
	}

	private static String encode(String text) {
		return URLEncoder.encode(text, StandardCharsets.UTF_8);
	}

	public static void main(String[] args) throws Exception {
		String base = System.getenv().getOrDefault("ROBOTRIE", "http://127.0.0.1:8080");
		List<String> urls = List.of(args).subList(1, args.length);
		List<String> verdicts = new RobotsService(base, args[0]).match(urls);
		for (int i = 0; i < urls.size(); i++) System.out.println(verdicts.get(i) + "\t" + urls.get(i));
	}
}
