/**
 * The class `RobotsIndex`: rules of millions of sites for one crawler. It checks arguments and turns results into objects; origin-table.ts
 * has the origins, compact-programs.ts compiles, index-snapshot.ts reads and writes.
 */
import {
	VERDICT_ALLOWED,
	VERDICT_INVALID,
	VERDICT_UNKNOWN,
} from "../../assembly/format/program.ts";
import {
	type Agent,
	agentKind,
	agentList,
	keptAgent,
} from "../common/agents.ts";
import {
	check,
	checkOptions,
	type OptionTable,
	parseUrl,
	type Url,
	urlText,
	urlTexts,
} from "../common/arguments.ts";
import { bytesArgument, intoArgument, lentBytes } from "../common/bytes.ts";
import {
	Column,
	type ColumnOffsets,
	type ColumnOptions,
} from "../common/column.ts";
import { RobotrieError } from "../common/errors.ts";
import { chunksKind, flagKind, maxBytesKind, number } from "../common/kinds.ts";
import { showAs } from "../common/public-objects.ts";
import { invalidArgument, quote } from "../common/quote.ts";
import { nextTurn, type Steps } from "../common/steps.ts";
import { originOf } from "../common/urls.ts";
import type { Verdict } from "../engine/engine.ts";
import {
	DEFAULT_DIALECT,
	type Dialect,
	dialectKind,
} from "../robots-txt/dialect.ts";
import { CompactPrograms, type Rules } from "./compact-programs.ts";
import {
	decodeIndex,
	encodeIndex,
	readChunks,
	type SnapshotHead,
	SnapshotReader,
	snapshotChunks,
} from "./index-snapshot.ts";
import { MOST_BYTES, MOST_EXPECTED, OriginTable } from "./origin-table.ts";
import { originIn } from "./scope.ts";

/** Options of a RobotsIndex. */
export interface IndexOptions {
	/** The crawler whose rules the index holds: a product token, or several, most specific first. */
	readonly agent: Agent;
	/** The dialect that robots.txt files are read in. Default "rfc9309". */
	readonly dialect?: Dialect;
	/** Bytes of linear memory that the index may take; at most 4 GiB, the default. */
	readonly maxBytes?: number;
	/**
	 * Bytes of a robots.txt that `set` reads, as `maxBytes` of `RobotsTxt.parse`: by default 512,000, and all in the google dialect. A
	 * RobotsTxt that is given has been read already.
	 */
	readonly maxRobotsBytes?: number;
	/**
	 * Number of origins that room is made for at once, up to 2 ** 26. Without it tables grow as origins come, a little with each
	 * of them. Default 0.
	 */
	readonly expectedOrigins?: number;
}

const indexOptions: OptionTable<IndexOptions> = {
	agent: agentKind,
	dialect: dialectKind,
	maxBytes: number(0, MOST_BYTES, "of bytes"),
	maxRobotsBytes: maxBytesKind,
	expectedOrigins: number(0, MOST_EXPECTED, "of origins"),
};

/** The content of an index and its memory, in bytes. */
export interface IndexStats {
	/** Number of origins. */
	readonly origins: number;
	/** Number of programs; origins with equal rules share one. */
	readonly programs: number;
	/** Bytes of all programs. */
	readonly programBytes: number;
	/** Bytes that programs would take if none were shared. */
	readonly unsharedProgramBytes: number;
	/** All linear memory in use: programs, origins, tables and the allocator's overhead. */
	readonly byteLength: number;
}

/** What an index says about one URL. */
export interface IndexExplanation {
	/** As `matchMany` gives it. */
	readonly verdict: Verdict;
	/**
	 * Scheme, host and port as the URL standard writes them; null for what is not a URL. As the URL
	 * standard writes it, which is also what `set` filed it under.
	 */
	readonly origin: string | null;
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Rules of many sites for one crawler, to match URLs of any origins in any order. It has a linear memory of its own.
 *
 * An origin is a scheme, a host and a port, as the URL standard reads them (a robots.txt governs one origin, RFC 9309 §2.3): host
 * names in lower case and punycode, without default ports and user information. Paths are read as `Matcher` reads them.
 *
 * A clone of it, as one that is posted to a thread, has no methods: post `toBytes()`, or use a `RobotsPool`.
 * @example
 * const index = new RobotsIndex({ agent: "ExampleBot" });
 * index.set("https://example.com", "User-agent: *\nDisallow: /private/");
 * index.matchMany(["https://example.com/private/a", "https://example.org/"]); // [Verdict.Disallowed, Verdict.Unknown]
 */
export class RobotsIndex {
	/** The crawler whose rules the index holds. */
	readonly agent: Agent;
	/** The dialect that its files are read in. */
	readonly dialect: Dialect;
	#table: OriginTable | null;
	readonly #programs: CompactPrograms;

	/** @throws {RobotrieError} invalid-argument. */
	constructor(options: IndexOptions) {
		checkOptions("RobotsIndex", options, indexOptions, ["agent"]);
		// A limit reserves nothing.
		const { dialect = DEFAULT_DIALECT, maxBytes = MOST_BYTES } = options;
		const agent = keptAgent(options.agent);
		const { expectedOrigins = 0, maxRobotsBytes } = options;
		this.agent = agent;
		this.dialect = dialect;
		this.#programs = new CompactPrograms(agent, dialect, maxRobotsBytes);
		this.#table = OriginTable.inOwnMemory(dialect, Math.floor(maxBytes));
		this.#table.expect(Math.ceil(expectedOrigins));
		showAs(this, (index) => {
			const { agent, dialect } = index;
			return index.#table
				? { agent, dialect, origins: index.size, byteLength: index.byteLength }
				: { agent, dialect, disposed: true };
		});
	}

	/** Origins in the index. */
	get size(): number {
		return this.#origins().size;
	}

	/** Bytes of linear memory in use, at most `maxBytes`. */
	get byteLength(): number {
		return this.#origins().stats.byteLength;
	}

	/** The content of the index, and how much sharing programs saves. */
	stats(): IndexStats {
		const { size, stats } = this.#origins();
		return { origins: size, ...stats };
	}

	/**
	 * Sets or replaces the rules of an origin. `origin` is any absolute URL of it; the rest of the
	 * URL is ignored. A robots.txt (bytes, a string or a RobotsTxt of the same dialect) is compiled
	 * for the index's agent; a Matcher of the same dialect is taken as it is; "allow-all" and
	 * "disallow-all" are for a file that does not exist or cannot be fetched (RFC 9309 §2.3.1.3,
	 * §2.3.1.4), and "later" for one that cannot be fetched for now: its URLs are `Verdict.Later`, not Disallowed.
	 * Checked in this order, so that a wrong origin is named before rules are compiled.
	 * @example
	 * index.set("https://example.com", await response.text());
	 * // This site has no robots.txt.
	 * index.set("https://example.org", "allow-all");
	 * // This one answered 503: its URLs are to be asked again.
	 * index.set("https://example.net", "later");
	 * @throws {RobotrieError} invalid-url; invalid-argument; limit-exceeded, if there is no room: the index is then unchanged.
	 */
	set(origin: Url, robots: Rules): void {
		const table = this.#origins();
		const key = originIn(origin, "origin");
		table.set(key, this.#programs.of(robots));
	}

	/**
	 * Sets an origin's rules to a compact program that another thread compiled for this index's agent and dialect.
	 * @internal
	 */
	setProgram(origin: string, program: Uint8Array): void {
		this.#origins().set(originIn(origin, "origin"), program);
	}

	/**
	 * Has memory ready, in steps, for an origin's program of so many bytes.
	 * @internal
	 */
	roomSteps(size: number): Steps<void> {
		return this.#origins().roomSteps(size);
	}

	/** Deletes an origin, named as in `set`; false if it was not there. @throws {RobotrieError} invalid-url. */
	delete(origin: Url): boolean {
		return this.#origins().delete(originIn(origin, "origin"));
	}

	/** Whether an origin, named as in `set`, is in the index. @throws {RobotrieError} invalid-url. */
	has(origin: Url): boolean {
		return this.#origins().has(originIn(origin, "origin"));
	}

	/**
	 * All origins that the index has when the first one is asked for, as the URL standard writes them, in no particular order. Origins
	 * may be set and deleted meanwhile. End a loop early by `break`, not by forgetting the iterator, which would hold memory.
	 * @example
	 * for (const origin of index.origins()) if (isOutdated(origin)) index.delete(origin);
	 */
	*origins(): Generator<string, void, undefined> {
		const capture = this.#origins().capture();
		try {
			for (const lines of capture.lines())
				yield* decoder.decode(lines.subarray(0, -1)).split("\n");
		} finally {
			capture.end();
		}
	}

	/**
	 * Whether the crawler may fetch a URL, by the rules of its origin; false for an origin that was set to "later".
	 * @param ifUnknown The answer for a URL whose origin is not in the index.
	 * @example
	 * if (index.isAllowed(url, false)) await fetch(url);
	 * @throws {RobotrieError} unknown-origin, without `ifUnknown`; invalid-url; invalid-argument.
	 */
	isAllowed(url: Url, ifUnknown?: boolean): boolean {
		const text = urlText(url);
		// A missing answer is an error by default: "allowed" would let a crawler in, "disallowed" would
		// keep it out.
		if (ifUnknown !== undefined) check("ifUnknown", ifUnknown, flagKind);
		const verdict = this.#origins().match(text);
		if (verdict === VERDICT_INVALID)
			throw new RobotrieError(
				"invalid-url",
				`${quote(text)} is not an absolute URL`,
			);
		if (verdict !== VERDICT_UNKNOWN) return verdict === VERDICT_ALLOWED;
		if (ifUnknown === undefined)
			throw new RobotrieError(
				"unknown-origin",
				`the origin of ${quote(text)} is not in the index`,
			);
		return ifUnknown;
	}

	/**
	 * The verdict for a URL, without the array that `matchMany` makes.
	 * @internal
	 */
	verdictOf(url: string): Verdict {
		return this.#origins().match(url);
	}

	/**
	 * The verdict for a URL, and the origin by whose rules it is. An index does not keep which rule
	 * decides; a `Matcher` does. Programs that tell it take twice the bytes.
	 * @example
	 * index.explain("https://EXAMPLE.com:443/a"); // { verdict: Verdict.Allowed, origin: "https://example.com" }
	 * @throws {RobotrieError} invalid-argument, for anything but a string or a `URL` object.
	 */
	explain(url: Url): IndexExplanation {
		const text = urlText(url);
		const verdict = this.#origins().match(text);
		const parsed = verdict === VERDICT_INVALID ? null : parseUrl(text);
		return { verdict, origin: parsed && originOf(parsed) };
	}

	/**
	 * A `Verdict` for every line of `bytes`: absolute URLs in UTF-8, ended by LF or CRLF; the last line may lack it. Unknown if the
	 * URL's origin is not in the index, Later if it was set to "later", Invalid if the URL standard does not accept the line as a URL. If `into` is given, verdicts
	 * are written to its start and that part is returned.
	 * @throws {RobotrieError} invalid-argument, for anything but Uint8Arrays, or if `into` has fewer bytes than `bytes` has lines.
	 */
	matchLines(bytes: Uint8Array, into?: Uint8Array): Uint8Array {
		const lines = bytesArgument("bytes", bytes);
		return this.#origins().matchLines(lines, intoArgument(into));
	}

	/**
	 * A `Verdict` for every line of `bytes`, which are URLs of one origin or paths: as `matchLines`, without looking each one's origin up. For
	 * queues by site. `origin` is named as in `set`; hosts of the lines are not looked at. Unknown for all of them if the origin is not in
	 * the index. If `into` is given, verdicts are written to its start and that part is returned.
	 * @example
	 * index.matchLinesOf("https://example.com", new TextEncoder().encode("/private/a\n/b\n")); // [Verdict.Disallowed, Verdict.Allowed]
	 * @throws {RobotrieError} invalid-url, for the origin; invalid-argument, for anything but Uint8Arrays, or if `into` has fewer bytes than
	 * `bytes` has lines.
	 */
	matchLinesOf(origin: Url, bytes: Uint8Array, into?: Uint8Array): Uint8Array {
		const table = this.#origins();
		const program = table.find(origin);
		// After the origin, whose URL object is the caller's.
		const lines = lentBytes("bytes", bytes);
		return table.matchLinesBy(program, lines, intoArgument(into));
	}

	/**
	 * A `Verdict` for every URL, as `matchLines` gives it, in `into` if given.
	 * @throws {RobotrieError} invalid-argument, for anything but an array of strings or `URL` objects, or if `into` has fewer bytes than
	 * there are URLs.
	 */
	matchMany(urls: readonly Url[], into?: Uint8Array): Uint8Array {
		const texts = urlTexts(urls);
		return this.#origins().matchMany(texts, intoArgument(into));
	}

	/**
	 * A `Verdict` for every row of a column of absolute URLs; see `Matcher.matchColumn`.
	 * @throws {RobotrieError} invalid-argument, for offsets that fall or lie outside `bytes`, for other types, or if `validity` or `into`
	 * is too short; limit-exceeded, for a URL longer than linear memory has room for.
	 */
	matchColumn(
		offsets: ColumnOffsets,
		bytes: Uint8Array,
		options?: ColumnOptions,
	): Uint8Array {
		const column = new Column("matchColumn", offsets, bytes, options);
		return this.#origins().matchColumn(column);
	}

	/**
	 * The index as bytes: programs, origins, the agent, the dialect, a version and a checksum. `fromBytes` reads them on any
	 * platform.
	 */
	toBytes(): Uint8Array {
		return encodeIndex(this.#origins(), this);
	}

	/**
	 * The bytes of `toBytes` in chunks, between which the event loop goes on. It holds the index as it is when the first chunk is asked
	 * for: origins may be set and deleted meanwhile, and what they replace is kept until the end. End a loop early by `break`, not by
	 * forgetting the iterator.
	 * @example
	 * await pipeline(index.snapshot(), createWriteStream("sites.index"));
	 */
	async *snapshot(): AsyncGenerator<Uint8Array, void, undefined> {
		const table = this.#origins();
		const capture = table.capture();
		try {
			const { size, stats } = table;
			const chunks = snapshotChunks(capture, this, size, stats.programs);
			for (const chunk of chunks) {
				yield chunk.slice();
				await nextTurn();
			}
		} finally {
			capture.end();
			while (capture.free()) await nextTurn();
		}
	}

	/**
	 * An index from the bytes of `toBytes`; no robots.txt is parsed again. Safe with any bytes: they are verified, and an error says
	 * what is wrong. Both the bytes and the index are in memory; `load` needs one chunk of the bytes at a time. An agent or a dialect
	 * in `options` must be the snapshot's.
	 * @throws {RobotrieError} invalid-byte-code; limit-exceeded; invalid-argument.
	 */
	static fromBytes(
		bytes: Uint8Array,
		options: Partial<IndexOptions> = {},
	): RobotsIndex {
		checkOptions("RobotsIndex.fromBytes", options, indexOptions);
		const whole = bytesArgument("snapshot", bytes);
		let index: RobotsIndex | undefined;
		decodeIndex(whole, (head) => {
			index = RobotsIndex.#emptyFor(head, options);
			return index.#origins();
		});
		return index as unknown as RobotsIndex;
	}

	/**
	 * An index from the bytes of `snapshot` or `toBytes` that come in chunks: a stream, a fetch's `response.body`. Safe with any bytes,
	 * like `fromBytes`. The event loop goes on meanwhile, and only the index and one chunk are in memory.
	 * @example
	 * const index = await RobotsIndex.load(createReadStream("sites.index"));
	 * @throws {RobotrieError} invalid-byte-code; limit-exceeded; invalid-argument.
	 */
	static async load(
		chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
		options: Partial<IndexOptions> = {},
	): Promise<RobotsIndex> {
		checkOptions("RobotsIndex.load", options, indexOptions);
		check("chunks", chunks, chunksKind);
		let index: RobotsIndex | undefined;
		const reader = new SnapshotReader((head) => {
			index = RobotsIndex.#emptyFor(head, options);
			return index.#origins();
		});
		await readChunks(reader, chunks);
		return index as unknown as RobotsIndex;
	}

	/** An empty index for what a snapshot says about its own, unless that is not what is wanted. */
	static #emptyFor(
		{ agent, dialect }: SnapshotHead,
		options: Partial<IndexOptions>,
	): RobotsIndex {
		if (options.dialect !== undefined && options.dialect !== dialect)
			throw invalidArgument(
				`the snapshot is in the ${dialect} dialect`,
				options.dialect,
			);
		const names = agentList(agent).join(", ");
		const wanted = agentList(options.agent ?? agent).join(", ");
		if (wanted !== names)
			throw invalidArgument(`the snapshot is for ${names}`, wanted);
		return new RobotsIndex({ ...options, agent, dialect });
	}

	/** Frees all memory now rather than when the index is garbage-collected. It cannot be used afterwards. */
	[Symbol.dispose](): void {
		this.#table = null;
	}

	#origins(): OriginTable {
		if (!this.#table)
			throw new RobotrieError("disposed", "the index was disposed of");
		return this.#table;
	}
}
