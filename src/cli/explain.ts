import type { Command } from "commander";
import { type Explanation, RobotrieError } from "../index.ts";
import { EXIT_FAILED } from "./failure.ts";
import { nameOf, readOctets, STDIN } from "./input.ts";
import { textLines } from "./lines.ts";
import { openRobots, type RobotsOptions, robotsOptions } from "./options.ts";
import { paint, printable, tell, write } from "./output.ts";

interface ExplainOptions extends RobotsOptions {
	readonly json?: boolean;
}

/** `robotrie explain`: which line decides about a URL, and why. */
export function addExplain(program: Command): void {
	const command = program
		.command("explain")
		.usage("--robots <file> --agent <name> [options] [url...]")
		.summary("tell which rule decides about a URL, and why")
		.description(
			"Tells for every URL whether the crawler may fetch it, which rule of which group decides, and where the dialects disagree.",
		)
		.argument(
			"[url...]",
			"absolute URLs, or paths that begin with /; none: read them from stdin, one a line",
		);
	for (const option of robotsOptions()) command.addOption(option);
	command
		.option("--json", "write an array of { url, allowed, rule, group, reason }")
		.addHelpText(
			"after",
			`
Exit code: 0 done, 2 the options or the input are at fault, or one of the URLs is none.

Examples:
  robotrie explain --robots robots.txt --agent Googlebot https://example.com/search?q=tea
  robotrie explain -r robots.txt -a Googlebot-News -a Googlebot --json /news/ /shop/
  curl -s https://example.com/robots.txt | robotrie explain -r - -a GPTBot /blog/`,
		)
		.action(explain);
}

async function explain(
	urls: readonly string[],
	options: ExplainOptions,
): Promise<void> {
	const { robots, agent } = await openRobots(options, urls.length === 0);
	const render = options.json ? new JsonList() : new TextList();
	for await (const url of urls.length > 0 ? urls : urlsOfStdin()) {
		try {
			await write(render.item(url, robots.explain(url, agent)));
		} catch (error) {
			if (!(error instanceof RobotrieError && error.code === "invalid-url"))
				throw error;
			tell(error.message);
			process.exitCode = EXIT_FAILED;
		}
	}
	await write(render.end());
}

async function* urlsOfStdin(): AsyncGenerator<string> {
	for await (const line of textLines(readOctets(STDIN), nameOf(STDIN)))
		if (line !== "") yield line;
}

/** An array, an element a line, written as it grows. */
class JsonList {
	#open = false;

	item(url: string, explanation: Explanation): string {
		const lead = this.#open ? ",\n" : "[\n";
		this.#open = true;
		return `${lead}  ${JSON.stringify({ url, ...explanation })}`;
	}

	end(): string {
		return this.#open ? "\n]\n" : "[]\n";
	}
}

class TextList {
	#separator = "";

	item(url: string, { allowed, rule, group, reason }: Explanation): string {
		const verdict = allowed
			? paint("green", "allowed")
			: paint("red", "disallowed");
		const lines = [`${verdict}  ${paint("bold", printable(url))}`];
		if (rule) {
			const field = rule.type === "allow" ? "Allow" : "Disallow";
			lines.push(detail("rule", rule.line, `${field}: ${rule.pattern}`));
		}
		if (group)
			lines.push(
				detail("group", group.line, `User-agent: ${group.agents.join(", ")}`),
			);
		lines.push(`  ${paint("dim", "reason")}  ${printable(reason)}`);
		const text = `${this.#separator}${lines.join("\n")}\n`;
		this.#separator = "\n";
		return text;
	}

	end(): string {
		return "";
	}
}

function detail(label: string, line: number, text: string): string {
	return `  ${paint("dim", label.padEnd(6))}  line ${line}: ${printable(text)}`;
}
