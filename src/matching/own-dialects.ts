/**
 * A robots.txt that crawlers of several operators read, each in its operator's dialect. The command line, the audit and the page ask it, as
 * their answers are about the crawler: Googlebot must not be accused by a rule that Google's own parser reads otherwise.
 */

import type { Agent } from "../common/agents.ts";
import {
	AUTO,
	type Dialect,
	type DialectChoice,
	dialectRules,
} from "../robots-txt/dialect.ts";
import { dialectFor } from "./agents.ts";
import { type ParseOptions, RobotsTxt } from "./robots-txt.ts";

/** The dialect in which a crawler is judged. */
export function dialectIn(choice: DialectChoice, agent: Agent): Dialect {
	return choice === AUTO ? dialectFor(agent) : choice;
}

/** How files are parsed for it. A dialect that is chosen by hand is the library's; by `auto` the table of crawlers decides in each. */
export function readingFor(
	choice: DialectChoice,
	agent: Agent,
): { readonly dialect: Dialect } & Pick<ParseOptions, "knowsCrawlers"> {
	return choice === AUTO
		? { dialect: dialectFor(agent), knowsCrawlers: true }
		: { dialect: choice };
}

/** The flags of `readingFor`. */
export function rulesFor(choice: DialectChoice, agent: Agent) {
	const { dialect, knowsCrawlers } = readingFor(choice, agent);
	return dialectRules(dialect, knowsCrawlers);
}

/** A robots.txt as each crawler reads it; parsed once for each dialect that is asked for. */
export class OwnDialects {
	readonly choice: DialectChoice;
	readonly #source: Uint8Array | string;
	readonly #maxBytes: number | undefined;
	readonly #read = new Map<Dialect, RobotsTxt>();

	/** @param source Not copied: it must not change. */
	constructor(
		source: Uint8Array | string,
		choice: DialectChoice,
		maxBytes?: number | undefined,
	) {
		this.#source = source;
		this.choice = choice;
		this.#maxBytes = maxBytes;
	}

	/** The file as a crawler reads it. @throws {RobotrieError} As `RobotsTxt.parse`. */
	of(agent: Agent): RobotsTxt {
		const dialect = dialectIn(this.choice, agent);
		const known = this.#read.get(dialect);
		if (known) return known;
		const robots = RobotsTxt.parse(this.#source, {
			...readingFor(this.choice, agent),
			...(this.#maxBytes === undefined ? {} : { maxBytes: this.#maxBytes }),
		});
		this.#read.set(dialect, robots);
		return robots;
	}

	/** Frees what answers took. */
	[Symbol.dispose](): void {
		for (const robots of this.#read.values()) robots[Symbol.dispose]();
		this.#read.clear();
	}
}
