import { runInNewContext } from "node:vm";
import { Verdict } from "../src/index.ts";

/** The sites that examples in docs and docstrings speak of, in place of the network. */
export const network = `const fetch = async (url, init) =>
	String(url).startsWith("http://127.0.0.1")
		? globalThis.fetch(url, init)
		: String(url).startsWith("https://example.com/")
			? new Response("User-agent: *\\nDisallow: /private/")
			: new Response(null, {
					status: String(url).startsWith("https://down.example/") ? 503 : 404,
				});\n`;

/** A client asks the sites above. */
export const onNetwork = (code: string) =>
	code.replaceAll("new RobotsClient({", "new RobotsClient({ fetch,");

/** A statement whose value stands after it: `expression; // value: words about it`. */
export const STATED = /^(?!(?:const|import|if|for|while) )(\S.*?); \/\/ (.+)$/;

/** The value that a comment begins with: its longest part that is an expression of literals and verdicts. */
export function valueIn(comment: string): unknown {
	const text = comment.replace(/, … \}/, " }");
	for (let end = text.length; end > 0; end--) {
		try {
			return runInNewContext(`(${text.slice(0, end)})`, { Verdict });
		} catch {}
	}
	throw new Error(`"${comment}" begins with no value`);
}
