/**
 * Compiles rules for an index, from any form that `set` takes: bytes, text, a RobotsTxt, a matcher, or an access state. The program lies in
 * the compiler's memory until something else is compiled, so the caller copies it at once.
 */

import { type Agent, agentList } from "../common/agents.ts";
import { isA } from "../common/arguments.ts";
import { isBytes } from "../common/bytes.ts";
import { invalidArgument } from "../common/quote.ts";
import { compactOf } from "../engine/compiler.ts";
import { DialectFile } from "../matching/dialect-file.ts";
import { Matcher } from "../matching/matcher.ts";
import { RobotsTxt } from "../matching/robots-txt.ts";
import {
	type Dialect,
	dialectRules,
	sourceBytes,
} from "../robots-txt/dialect.ts";

/**
 * The access to an origin whose robots.txt does not exist or cannot be fetched (RFC 9309 §2.3.1). "later": it cannot be fetched for now,
 * and verdicts are Later where "disallow-all" makes them Disallowed.
 */
export type Access = "allow-all" | "disallow-all" | "later";

/** What an access state is compiled to for a crawler of an index. */
export function stateProgram(
	access: Access,
	agent: Agent,
	dialect: Dialect,
): Uint8Array {
	const isAllowed = access === "allow-all";
	const text = isAllowed ? "" : "User-agent: *\nDisallow: /";
	// For "*", as some crawlers do not obey its groups.
	const matcher = RobotsTxt.parse(text, { dialect }).for(
		isAllowed ? agent : "*",
	);
	return compactOf(matcher.program, access === "later").slice();
}

/** What an index takes an origin's rules from. */
export type Rules = Uint8Array | string | RobotsTxt | Matcher | Access;

/** Compact programs that another thread made of files that were parsed here, for one call of `set` each. */
const prepared = new WeakMap<
	RobotsTxt,
	{ readonly agents: string; readonly program: Uint8Array }
>();

/** Has the next index that takes a file for a crawler take this program, which another thread made of the same bytes. */
export function prepareProgram(
	robots: RobotsTxt,
	agent: Agent,
	program: Uint8Array,
): void {
	prepared.set(robots, { agents: namesOf(agent), program });
}

/** A list may be another one the next time. */
function namesOf(agent: Agent): string {
	return agentList(agent).join("\n");
}

/**
 * Compiles rules for the crawler of an index. Its programs tell allowed from disallowed but not
 * which rule decides, in half the bytes (assembly/format/compact.ts).
 */
export class CompactPrograms {
	readonly #agent: Agent;
	readonly #dialect: Dialect;
	readonly #maxRobotsBytes: number | undefined;
	/** What access states are compiled to. */
	readonly #states: Readonly<Record<Access, Uint8Array>>;

	/** @throws {RobotrieError} invalid-argument. */
	constructor(agent: Agent, dialect: Dialect, maxRobotsBytes?: number) {
		this.#maxRobotsBytes = maxRobotsBytes;
		this.#agent = agent;
		this.#dialect = dialect;
		// Compiled once: most sites of an index have no robots.txt, or cannot be reached.
		this.#states = {
			"allow-all": stateProgram("allow-all", agent, dialect),
			"disallow-all": stateProgram("disallow-all", agent, dialect),
			later: stateProgram("later", agent, dialect),
		};
	}

	/**
	 * A compact program: bytes that are valid until something else is compiled, mostly in linear memory. No copy is
	 * made here: `set` writes the program straight to the index's own memory.
	 * @throws {RobotrieError} invalid-argument; limit-exceeded.
	 */
	of(rules: Rules): Uint8Array {
		if (rules === "allow-all" || rules === "disallow-all" || rules === "later")
			return this.#states[rules];
		// Texts and bytes first: what else there is takes longer to tell.
		const isFile = typeof rules === "string" || isBytes(rules);
		if (isFile || !(isA(rules, Matcher) || isA(rules, RobotsTxt))) {
			// Without a RobotsTxt, which takes as long as compiling some rules.
			const file = new DialectFile(
				sourceBytes(rules),
				dialectRules(this.#dialect),
				this.#maxRobotsBytes,
			);
			return file.compileCompact(file.rangesOf(this.#agent));
		}
		// A program depends on the dialect (how URLs are normalised), so it cannot be taken over.
		if (rules.dialect !== this.#dialect)
			throw invalidArgument(
				`a matcher or RobotsTxt for an index in the ${this.#dialect} dialect is of that dialect`,
				rules.dialect,
			);
		if (!isA(rules, RobotsTxt)) return compactOf(rules.program);
		const made = prepared.get(rules);
		prepared.delete(rules);
		return made?.agents === namesOf(this.#agent)
			? made.program
			: rules.compactFor(this.#agent);
	}
}
