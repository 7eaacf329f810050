import type { Agent, Dialect, Matcher } from "../index.ts";
import { RobotsTxt, Verdict } from "../index.ts";

/** Stands in for RobotsIndex until that has landed. */
export class RobotsIndex {
	readonly #origins = new Map<string, Matcher>();
	readonly #options: { agent: Agent; dialect?: Dialect };

	constructor(options: { agent: Agent; dialect?: Dialect }) {
		this.#options = options;
		RobotsTxt.parse("", options).for(options.agent);
	}

	get size(): number {
		return this.#origins.size;
	}

	has(origin: string): boolean {
		return this.#origins.has(origin);
	}

	set(origin: string, rules: Matcher | "allow-all" | "disallow-all"): void {
		const { agent } = this.#options;
		const text =
			rules === "allow-all"
				? ""
				: "User-agent: *\nDisallow: /\nAllow: /robots.txt$";
		this.#origins.set(
			origin,
			typeof rules === "string"
				? RobotsTxt.parse(text, this.#options).for(agent)
				: rules,
		);
	}

	delete(origin: string): boolean {
		return this.#origins.delete(origin);
	}

	matchMany(urls: readonly string[]): Uint8Array {
		return Uint8Array.from(urls, (url) => {
			if (!URL.canParse(url)) return Verdict.Invalid;
			const matcher = this.#origins.get(new URL(url).origin);
			return matcher
				? (matcher.matchMany([url])[0] as number)
				: Verdict.Unknown;
		});
	}

	matchLines(bytes: Uint8Array): Uint8Array {
		const lines = new TextDecoder().decode(bytes).split("\n");
		if (lines.at(-1) === "") lines.pop();
		return this.matchMany(lines.map((line) => line.replace(/\r$/, "")));
	}
}
