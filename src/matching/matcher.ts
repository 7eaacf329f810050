/**
 * The class `Matcher`: the compiled rules of one crawler. RobotsTxt makes it, and `fromBytes` out of stored bytes. It holds byte-code and
 * the rule table, not the file.
 */
import { MATCH_INVALID } from "../../assembly/format/program.ts";
import { parseUrl, type Url, urlText, urlTexts } from "../common/arguments.ts";
import {
	bytesArgument,
	intoArgument,
	keptBytes,
	lentBytes,
} from "../common/bytes.ts";
import {
	Column,
	type ColumnOffsets,
	type ColumnOptions,
} from "../common/column.ts";
import { RobotrieError } from "../common/errors.ts";
import { showAs } from "../common/public-objects.ts";
import { quote } from "../common/quote.ts";
import {
	CacheSlot,
	isAllow,
	matchColumn,
	matchLines,
	matchMany,
	matchOne,
	rankOf,
	unload,
} from "../engine/engine.ts";
import type { Dialect } from "../robots-txt/dialect.ts";
import { decodeMatcher, encodeMatcher } from "./byte-code.ts";
import type { Rule, RuleTable } from "./rules.ts";

/** Whether a URL may be fetched, and the rule that decides. */
export interface Decision {
	readonly allowed: boolean;
	/** The rule's rank in the program, 0 for none. */
	readonly rank: number;
	readonly rule: Rule | null;
}

/** Asking the class for each object took a twentieth of a small file's time. */
let isShown = false;

/**
 * The rules for one crawler, compiled to byte-code. Created by `RobotsTxt.for(agent)` or `Matcher.fromBytes(bytes)`.
 *
 * URLs are absolute URLs or paths that begin with "/", as sent over the wire: percent-encoded or UTF-8. Fragments are ignored, and
 * so are tabs, CRs and LFs anywhere in a URL, as in the URL standard (§4.4).
 * The path of an absolute URL is found as in the URL standard (surrounding white space, backslashes, any number of slashes) and
 * taken as written, dot segments included. Host and port are ignored. In the google dialect any text is a URL, and its path
 * is what Google's library finds, tabs and line ends included.
 *
 * A clone of it, as one that is posted to a thread, has no methods: post `toBytes()`, and call `fromBytes` there.
 * @example
 * const matcher = RobotsTxt.parse("User-agent: *\nDisallow: /private/").for("ExampleBot");
 * matcher.isAllowed("https://example.com/private/a.html"); // false
 * matcher.match("/private/a.html")?.line; // 2
 */
export class Matcher {
	/** The dialect of the file that the rules come from. */
	readonly dialect: Dialect;
	#program: Uint8Array | null;
	#rules: RuleTable | (() => RuleTable);
	// Where its program is in linear memory, if it is loaded; a matcher that is not used takes none.
	readonly #slot = new CacheSlot();

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
		if (!isShown)
			isShown = showAs(this, (matcher) => {
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

	/** @internal The rules of its ranks. */
	get rules(): RuleTable {
		// The rule table is made when the first rule is asked for.
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
		return isAllow(this.#decide(url));
	}

	/**
	 * The rule that decides about a URL: the longest one that matches, allow before disallow (RFC 9309 §2.2.2). Null if none
	 * matches, and for /robots.txt itself where that is always allowed.
	 * @throws {RobotrieError} invalid-url, when the text is neither an absolute URL nor a path; invalid-argument.
	 */
	match(url: Url): Rule | null {
		return this.decide(url).rule;
	}

	/**
	 * The verdict and the rule in one run of the program.
	 * @internal `match` and `isAllowed` at once.
	 */
	decide(url: Url): Decision {
		const best = this.#decide(url);
		const rank = rankOf(best);
		return {
			allowed: isAllow(best),
			rank,
			rule: rank === 0 ? null : this.rules.at(rank),
		};
	}

	/**
	 * A `Verdict` for every URL: Disallowed, Allowed, or Invalid if it is not a URL. If `into` is given, verdicts are written to its
	 * start and that part is returned, so that no array is made for them.
	 * @example
	 * const verdicts = matcher.matchMany(urls);
	 * const allowed = urls.filter((_, i) => verdicts[i] === Verdict.Allowed);
	 * @throws {RobotrieError} invalid-argument, for anything but an array of strings or `URL` objects, or if `into` has fewer bytes than
	 * there are URLs.
	 */
	matchMany(urls: readonly Url[], into?: Uint8Array): Uint8Array {
		const texts = urlTexts(urls);
		const place = intoArgument(into);
		return matchMany(this.#code(), this.#slot, texts, place);
	}

	/**
	 * A `Verdict` for every line of `bytes`: URLs or paths in UTF-8, ended by LF or CRLF; the last line may lack it. The fastest
	 * way to match, because no strings are made. If `into` is given, verdicts are written to its start and that part is returned;
	 * inputs up to 128 KiB then allocate nothing.
	 * @example
	 * const verdicts = matcher.matchLines(await readFile("urls.txt"));
	 * const disallowed = verdicts.filter((verdict) => verdict === Verdict.Disallowed).length;
	 * @throws {RobotrieError} invalid-argument, for anything but Uint8Arrays, or if `into` has fewer bytes than `bytes` has lines.
	 */
	matchLines(bytes: Uint8Array, into?: Uint8Array): Uint8Array {
		// The caller's bytes as they are: they are copied to linear memory at once, and not kept.
		const lines = lentBytes("bytes", bytes);
		const place = intoArgument(into);
		return matchLines(this.#code(), this.#slot, lines, place);
	}

	/**
	 * A `Verdict` for every row of a column: URLs or paths in UTF-8, as Apache Arrow lays out variable-size binary. Row `i` is
	 * `bytes` from `offsets[i]` up to `offsets[i + 1]`; `offsets` has one number more than there are rows and need not begin at 0. A
	 * row is one URL, line ends and all: the verdict is that of `matchMany` for the same text, and that of `matchLines` for the same
	 * bytes where they are not UTF-8. It is Invalid for a row whose bit in `options.validity` is 0. If `options.into` is given,
	 * verdicts are written to its start and that part is returned.
	 * @example
	 * const offsets = Int32Array.of(0, 2, 7); // "/a" and "/b?c#"
	 * const verdicts = matcher.matchColumn(offsets, new TextEncoder().encode("/a/b?c#"));
	 * @throws {RobotrieError} invalid-argument, for offsets that fall or lie outside `bytes`, for other types, or if `validity` or `into`
	 * is too short; limit-exceeded, for a URL longer than linear memory has room for.
	 */
	matchColumn(
		offsets: ColumnOffsets,
		bytes: Uint8Array,
		options?: ColumnOptions,
	): Uint8Array {
		const column = new Column("matchColumn", offsets, bytes, options);
		return matchColumn(this.#code(), this.#slot, column);
	}

	/**
	 * The matcher as bytes: byte-code, the rules' lines and patterns, a version and a checksum. They can be moved to any
	 * platform.
	 */
	toBytes(): Uint8Array {
		return encodeMatcher(this.#code(), this.rules, this.dialect);
	}

	/**
	 * A matcher from the bytes of `toBytes`. Safe with any bytes: they are verified, and an error says what is wrong. A matcher that
	 * loads can neither trap nor read outside its own memory; its running time is at most proportional to byte-code times URL.
	 * @example
	 * const matcher = Matcher.fromBytes(await readFile("example.robotrie")); // written with matcher.toBytes()
	 * matcher.isAllowed("/private/a.html"); // false
	 * @throws {RobotrieError} invalid-byte-code; invalid-argument, for anything but a Uint8Array.
	 */
	static fromBytes(bytes: Uint8Array): Matcher {
		// Bytes that may change are copied, as the program is run later.
		const whole = keptBytes(bytesArgument("bytes", bytes));
		const { program, rules, dialect } = decodeMatcher(whole);
		return new Matcher(program, rules, dialect);
	}

	/** Frees all memory now rather than when the matcher is garbage-collected. It cannot be used afterwards. */
	[Symbol.dispose](): void {
		unload(this.#slot);
		this.#program = null;
	}

	/** The encoded rank of the deciding rule, 0 for none. */
	#decide(url: Url): number {
		// A string needs no check; anything else is looked at.
		const text = typeof url === "string" ? url : urlText(url);
		const best = matchOne(this.#code(), this.#slot, text);
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
		`${quote(url)} is neither an absolute URL nor a path that begins with "/"${portHint(url)}`,
	);
}

/** A host and a port in front of a path look like a scheme: "localhost:80/p". */
const HOST_AND_PORT = /^\s*([\w.-]{1,253}:\d{1,5}(?:[/?#]\S{0,200})?)\s*$/;

function portHint(url: Url): string {
	const [, text] = (typeof url === "string" && HOST_AND_PORT.exec(url)) || [];
	return text !== undefined && parseUrl(`http://${text}`)
		? `; did you mean http://${text}?`
		: "";
}
