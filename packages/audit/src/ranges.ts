import { RobotrieError } from "robotrie";
import { check, knownCrawler, quote, textKind } from "robotrie/internal";
import { AddressRanges, addressOf, isPrefix } from "./addresses.ts";
import type { Verification } from "./crawler-key.ts";

/** Addresses that an operator publishes for a crawler. Plain data, so that it can go to other threads. */
export interface RangeSource {
	/** The crawler, in any case; undefined for all that have no ranges of their own. */
	readonly name: string | undefined;
	/** "192.0.2.0/24", "2001:db8::/32" */
	readonly prefixes: readonly string[];
}

/**
 * Reads a file of address ranges as Google, Bing and OpenAI publish them:
 * `{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}, {"ipv6Prefix": "2001:db8::/32"}]}`. A file named after a crawler
 * ("gptbot.json") is about that one.
 * @throws {RobotrieError} invalid-argument, when it is none.
 */
export function parseRanges(
	text: string,
	file: string,
	name?: string,
): RangeSource {
	check("text", text, textKind);
	check("file", file, textKind);
	if (name !== undefined) check("name", name, textKind);
	const crawler = name ?? crawlerOfFile(file);
	const fail = (reason: string): never => {
		throw new RobotrieError(
			"invalid-argument",
			`${file} is not a file of address ranges: ${reason}`,
		);
	};
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		fail("it is not JSON");
	}
	const list: unknown = Array.isArray(value)
		? value
		: (value as { prefixes?: unknown } | null)?.prefixes;
	if (!Array.isArray(list)) return fail('it has no "prefixes"');
	const prefixes = list.map((entry: unknown) => {
		const prefix: unknown =
			typeof entry === "string"
				? entry
				: Object.entries((entry ?? {}) as Record<string, unknown>).find(
						([key]) => /^(ipv[46]_?)?prefix$/i.test(key),
					)?.[1];
		if (typeof prefix !== "string" || !isPrefix(prefix))
			return fail(`${quote(JSON.stringify(entry))} is not a range`);
		return prefix;
	});
	return { name: crawler?.toLowerCase(), prefixes };
}

function crawlerOfFile(file: string): string | undefined {
	const name = file.split(/[/\\]/).at(-1) ?? "";
	return knownCrawler(name.replace(/\.\w+$/, ""))?.name;
}

/** Addresses remembered; a crawler has some thousands. */
const MAX_REMEMBERED = 50_000;

/** Tells whether an address is one of a crawler's. */
export class AddressBook {
	readonly #lists = new Map<string | undefined, AddressRanges>();
	readonly #remembered = new Map<string, boolean>();

	constructor(sources: readonly RangeSource[]) {
		for (const { name, prefixes } of sources) {
			const key = name?.toLowerCase();
			const list = this.#lists.get(key) ?? new AddressRanges();
			this.#lists.set(key, list);
			for (const prefix of prefixes) list.add(prefix);
		}
	}

	/** Whether the crawler has ranges. */
	knows(name: string): boolean {
		return this.#lists.has(name.toLowerCase()) || this.#lists.has(undefined);
	}

	/** Whether an address is one of the crawler's: "unknown" for undefined. */
	verify(name: string, address: string | undefined): Verification {
		if (address === undefined) return "unknown";
		return this.#has(name, address) ? "verified" : "claimed";
	}

	#has(name: string, address: string): boolean {
		const key = `${address} ${name}`;
		let answer = this.#remembered.get(key);
		if (answer === undefined) {
			answer = this.#look(name, address);
			if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
			this.#remembered.set(key, answer);
		}
		return answer;
	}

	#look(name: string, text: string): boolean {
		const list =
			this.#lists.get(name.toLowerCase()) ?? this.#lists.get(undefined);
		const address = addressOf(text);
		return list !== undefined && address !== undefined && list.has(address);
	}
}
