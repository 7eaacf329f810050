import { MATCH_INVALID } from "../../assembly/format/program.ts";
import { check, checkUrls, type Url, urlText } from "../common/arguments.ts";
import { checkLines } from "../common/chunks.ts";
import { quote, RobotrieError } from "../common/errors.ts";
import { showAs } from "../common/inspect.ts";
import { bytesKind } from "../common/kinds.ts";
import { matchLines, matchMany, matchOne } from "../engine/engine.ts";
import { dismiss, noResidence } from "../engine/program-cache.ts";
import type { Dialect } from "../robots-txt/dialect.ts";
import { decodeMatcher, encodeMatcher } from "./byte-code.ts";
import type { Rule, RuleTable } from "./rules.ts";

/** What decides about a URL: the rule, if any, and whether the URL may be fetched. */
export interface Decision {
	readonly allowed: boolean;
	/** The rule's rank in the program, 0 for none. */
	readonly rank: number;
	readonly rule: Rule | null;
}

/**
 * The rules that one crawler obeys, compiled to byte-code. From `RobotsTxt.for(agent)` or `Matcher.fromBytes(bytes)`.
 *
 * URLs are absolute URLs or paths that begin with "/", as they go over the wire: percent-encoded or UTF-8. Fragments are
 * dropped. Where the path of an absolute URL begins, the URL standard says (white space around, backslashes, any number of
 * slashes); the path itself is taken as written, dot segments included. Host and port are not looked at. In the google dialect
 * any text is a URL, and its path begins where Google's library finds it.
 */
export class Matcher {
	readonly dialect: Dialect;
	#program: Uint8Array | null;
	#rules: RuleTable | (() => RuleTable);
	readonly #residence = noResidence();

	private constructor(
		program: Uint8Array,
		rules: RuleTable | (() => RuleTable),
		dialect: Dialect,
	) {
		if (!(program instanceof Uint8Array && rules !== undefined))
			throw new RobotrieError(
				"invalid-argument",
				"Matchers come from RobotsTxt.for(agent) and Matcher.fromBytes(bytes)",
			);
		this.#program = program;
		this.#rules = rules;
		this.dialect = dialect;
		showAs(this, (matcher) => {
			const program = matcher.#program;
			const state = program
				? { byteLength: program.length }
				: { disposed: true };
			return { dialect: matcher.dialect, ...state };
		});
	}

	/** @internal A matcher of compiled rules. */
	static of(
		program: Uint8Array,
		rules: RuleTable | (() => RuleTable),
		dialect: Dialect,
	): Matcher {
		return new Matcher(program, rules, dialect);
	}

	/** @internal The byte-code itself. */
	get program(): Uint8Array {
		return this.#code();
	}

	/** @internal The rules behind its ranks. */
	get rules(): RuleTable {
		if (typeof this.#rules === "function") this.#rules = this.#rules();
		return this.#rules;
	}

	/** Bytes of byte-code. */
	get byteLength(): number {
		return this.#code().length;
	}

	/**
	 * Whether the crawler may fetch a URL.
	 * @throws {RobotrieError} invalid-url, when the text is neither an absolute URL nor a path; invalid-argument.
	 */
	isAllowed(url: Url): boolean {
		const best = this.#decide(url);
		return best === 0 || (best & 1) === 1;
	}

	/**
	 * The rule that decides about a URL: of those that match, the longest, and allow before disallow (RFC 9309 §2.2.2).
	 * Null when none matches, and for /robots.txt itself where that is always allowed.
	 * @throws {RobotrieError} invalid-url, when the text is neither an absolute URL nor a path; invalid-argument.
	 */
	match(url: Url): Rule | null {
		return this.decide(url).rule;
	}

	/** @internal `match` and `isAllowed` at once. */
	decide(url: Url): Decision {
		const best = this.#decide(url);
		const rank = best >> 1;
		return {
			allowed: best === 0 || (best & 1) === 1,
			rank,
			rule: rank === 0 ? null : this.rules.at(rank),
		};
	}

	/**
	 * A `Verdict` for every URL: Disallowed, Allowed, or Invalid for what is no URL.
	 * @throws {RobotrieError} invalid-argument, for anything but an array of strings or `URL` objects.
	 */
	matchMany(urls: readonly Url[]): Uint8Array {
		checkUrls(urls);
		return matchMany(this.#code(), this.#residence, urls);
	}

	/**
	 * A `Verdict` for every line of `bytes`: URLs or paths in UTF-8, each ended by LF or CRLF, the last one perhaps by
	 * neither. The fastest way, as nothing becomes a string. With `into`, verdicts go to its front, and what comes back is a view
	 * of that: up to 128 KiB of lines take no memory then, which for a hundred lines is a tenth of the time and more.
	 * @throws {RobotrieError} invalid-argument, for anything but Uint8Arrays, or when `into` has fewer bytes than there are
	 * lines.
	 */
	matchLines(bytes: Uint8Array, into?: Uint8Array): Uint8Array {
		checkLines(bytes, into);
		return matchLines(this.#code(), this.#residence, bytes, into);
	}

	/**
	 * The matcher as bytes: byte-code, the rules' lines and patterns, a version and a check sum. They hold no addresses
	 * and no platform's byte order.
	 */
	toBytes(): Uint8Array {
		return encodeMatcher(this.#code(), this.rules, this.dialect);
	}

	/**
	 * A matcher from what `toBytes` gave. Safe with any bytes: they load, or an error says why not; what loads can neither
	 * trap nor read outside its own memory, and takes at most time in proportion to byte-code times URL.
	 * @throws {RobotrieError} invalid-byte-code; invalid-argument, for anything but a Uint8Array.
	 */
	static fromBytes(bytes: Uint8Array): Matcher {
		check("bytes", bytes, bytesKind);
		const { program, rules, dialect } = decodeMatcher(bytes);
		return new Matcher(program, rules, dialect);
	}

	/** Gives back all memory at once; otherwise that happens when the matcher is collected. It cannot be used afterwards. */
	[Symbol.dispose](): void {
		dismiss(this.#residence);
		this.#program = null;
	}

	/** The encoded rank of the deciding rule, 0 for none. */
	#decide(url: Url): number {
		const text = typeof url === "string" ? url : urlText(url);
		const best = matchOne(this.#code(), this.#residence, text);
		if (best === MATCH_INVALID) throw invalidUrl(url);
		return best;
	}

	#code(): Uint8Array {
		if (!this.#program)
			throw new RobotrieError("disposed", "the matcher was disposed of");
		return this.#program;
	}
}

export function invalidUrl(url: Url): RobotrieError {
	return new RobotrieError(
		"invalid-url",
		`${quote(url)} is neither an absolute URL nor a path that begins with "/"`,
	);
}
