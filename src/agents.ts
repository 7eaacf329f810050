import type { DialectRules } from "./dialect.ts";
import { invalidArgument } from "./errors.ts";
import type { ParsedGroup } from "./parse.ts";
import { productToken } from "./product-token.ts";

/** A product token such as `"Googlebot"`, or several, the most specific first (`["Googlebot-News", "Googlebot"]`). */
export type Agent = string | readonly string[];

/** @throws {RobotrieError} invalid-argument, for anything but a string or a list of strings with at least one. */
export function agentList(agent: Agent): readonly string[] {
	const list: readonly unknown[] =
		typeof agent === "string" ? [agent] : Array.isArray(agent) ? agent : [];
	if (list.length === 0 || !list.every((name) => typeof name === "string")) {
		throw invalidArgument(
			"an agent is a product token or a list of them",
			agent,
		);
	}
	return list as readonly string[];
}

/** Chooses among a file's groups; which agents they name is looked up once. */
export class GroupIndex {
	readonly #dialect: DialectRules;
	readonly #groups: readonly ParsedGroup[];
	readonly #byToken = new Map<string, number[]>();
	readonly #global: number[] = [];

	constructor(groups: readonly ParsedGroup[], dialect: DialectRules) {
		this.#dialect = dialect;
		this.#groups = groups;
		groups.forEach((group, index) => {
			for (const { tokens, global } of group.agents) {
				if (global && this.#global.at(-1) !== index) this.#global.push(index);
				for (const token of tokens) {
					const named = this.#byToken.get(token);
					if (!named) this.#byToken.set(token, [index]);
					else if (named.at(-1) !== index) named.push(index);
				}
			}
		});
	}

	/**
	 * The groups that a crawler obeys, as indices in file order; their rules count as one group's (RFC 9309 §2.2.1). The
	 * first of the agents that has a group decides, and in the google dialect all of them together, as its library does.
	 * Without any, the groups for `*`.
	 */
	select(agents: readonly string[]): readonly number[] {
		if (this.#dialect.googleMatching) return this.#selectAll(agents);
		for (const agent of agents) {
			for (const token of this.#names(agent)) {
				const named = this.#byToken.get(token);
				if (named) return named;
			}
		}
		return this.#global;
	}

	#selectAll(agents: readonly string[]): readonly number[] {
		// The library compares what the caller gives as it stands: "Googlebot/2.1" is nobody's token.
		const named = new Set(
			agents.flatMap((agent) => this.#byToken.get(agent.toLowerCase()) ?? []),
		);
		return named.size > 0 ? [...named].sort((a, b) => a - b) : this.#global;
	}

	/** Tokens to look for, most specific first. Yandex's robots obey groups for "Yandex" when none names them. */
	#names(agent: string): readonly string[] {
		const token = productToken(agent.trim(), this.#dialect);
		if (token === "") return [];
		if (
			this.#dialect.name === "yandex" &&
			token.startsWith("yandex") &&
			token !== "yandex"
		)
			return [token, "yandex"];
		return [token];
	}

	groups(indices: readonly number[]): ParsedGroup[] {
		return indices.map((index) => this.#groups[index] as ParsedGroup);
	}
}
