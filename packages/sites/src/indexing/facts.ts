/**
 * What an index keeps of each origin besides its rules, in a file beside each shard: for updates, which need to know where origins redirect to,
 * and for schedulers, who ask what is stale. compile-sites.ts makes the lines, build.ts writes them, update.ts and open.ts read them.
 *
 * A file is gzip of lines of JSON in the order of their keys: `{"origin": …}` for an origin, `{"url": …}` for an answer at another path than
 * /robots.txt, which redirects of origins may lead to. An index that is updated has the same lines as one that is built anew.
 */
import { readFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";
import type { Access } from "robotrie";
import { parseUrl } from "#robotrie/common/arguments";
import { concatenate } from "#robotrie/common/chunks";
import { failureOf, SitesError } from "../files/errors.ts";
import type { Dated } from "../records/records.ts";
import { shardOfUrl } from "../shards/shard.ts";

/** Where an answer for a robots.txt leads to; null where its record does not say it. */
export interface Move {
	readonly status: number;
	readonly target: string | null;
}

/**
 * An answer at another path than /robots.txt: where it leads to, or a compact program for each
 * agent, concatenated. Of all answers that are not a robots.txt, only those are kept that a
 * redirect may lead to.
 */
export type Target = Dated & { readonly url: string } & (
		| Move
		| { readonly programs: Uint8Array }
	);

/** What the answer said that counts for an origin. */
export interface SiteFacts {
	/** As the URL standard writes it: "https://example.com". */
	readonly origin: string;
	/** The HTTP status; 0: there was no answer; undefined: its record does not say it. */
	readonly status?: number;
	/** When it was recorded, in milliseconds since 1970; undefined: its record does not say it. */
	readonly time?: number;
	/** What it means, where it is no file: "allow-all" after a 404, "later" after a 503. */
	readonly access?: Access;
	/** Where it redirects to; null: its record does not say it. The rules are those of the target, its delay and sitemaps stand there. */
	readonly location?: string | null;
	/** Seconds between two visits that the crawler's group asks for. */
	readonly crawlDelay?: number;
	/** URLs of Sitemap lines; undefined: there are none. */
	readonly sitemaps?: readonly string[];
}

/** A line about an origin. */
export const lineOf = (
	facts: {
		readonly [Name in keyof SiteFacts]: SiteFacts[Name] | undefined;
	},
): string => JSON.stringify(facts);

/** NaN is what is known of no date. */
export const timeOrNone = (time: number | undefined): number | undefined =>
	Number.isNaN(time) ? undefined : time;

/** The lines of a shard, by origin or URL. */
export class ShardFacts {
	readonly #lines = new Map<string, string>();

	/** Takes a line about an origin, in place of the one before. */
	set(origin: string, line: string): void {
		this.#lines.set(origin, line);
	}

	/** Takes an answer at another path. */
	add(target: Target): void {
		const { url, time } = target;
		const line =
			"programs" in target
				? { programs: Buffer.from(target.programs).toString("base64") }
				: { status: target.status, target: target.target };
		const text = JSON.stringify({ url, time: timeOrNone(time), ...line });
		this.#lines.set(url, text);
	}

	/** Takes the lines of a file. @throws {SitesError} */
	read(file: FactsFile): void {
		for (const line of linesIn(file))
			this.#lines.set(keyOf(line, file.path), line);
	}

	/** The bytes of a file. They depend on nothing but the lines. */
	toBytes(): Uint8Array {
		const lines = [...this.#lines].sort(([a], [b]) => (a < b ? -1 : 1));
		const pieces: Uint8Array[] = [];
		let text = "";
		for (const [, line] of lines) {
			text += `${line}\n`;
			if (text.length < PIECE) continue;
			pieces.push(Buffer.from(text));
			text = "";
		}
		pieces.push(Buffer.from(text));
		return gzipSync(concatenate(pieces), { level: 1 });
	}
}

/** Characters that are turned into bytes at once, and bytes into text: all of a shard may be more than a string can hold, 512 MiB. */
const PIECE = 1024 * 1024;
const LF = 10;

/** As long as nothing in it is escaped, as in all origins. */
const KEY = /^\{"(?:origin|url)":"([^"\\]+)"/;

function keyOf(line: string, path: string): string {
	const plain = KEY.exec(line)?.[1];
	if (plain !== undefined) return plain;
	const { url } = parsed<{ url?: unknown }>(line, path);
	if (typeof url !== "string") throw damaged(path);
	return url;
}

/** A file of facts, and whose it has to be. */
export interface FactsFile {
	readonly path: string;
	/** The number of its shard, and of all of them. */
	readonly shard: number;
	readonly shards: number;
}

const damaged = (path: string) =>
	new SitesError("malformed", `${path} is not what robotrie index writes`);

/** The lines of a file as bytes. @throws {SitesError} Also where they are another shard's: its sites would seem to be unknown. */
function bytesIn({ path, shard, shards }: FactsFile): Buffer {
	let packed: Uint8Array;
	try {
		packed = readFileSync(path);
	} catch (error) {
		throw failureOf(`read ${path}`, error);
	}
	let bytes: Buffer;
	try {
		bytes = gunzipSync(packed);
	} catch {
		throw damaged(path);
	}
	// All lines of a file are of one shard, so one says whose they are.
	const line = bytes.toString("utf8", 0, bytes.indexOf(LF) + 1);
	const url = line === "" ? null : parseUrl(keyOf(line, path));
	const found = url ? shardOfUrl(url, shards) : shard;
	if (found !== shard)
		throw new SitesError(
			"malformed",
			`${path} has the facts of shard ${found}, not of ${shard}: files were exchanged`,
		);
	return bytes;
}

/** The lines of a file. @throws {SitesError} */
function* linesIn(file: FactsFile): Generator<string> {
	const bytes = bytesIn(file);
	for (let at = 0; at < bytes.length; ) {
		const end = bytes.indexOf(LF, at + PIECE);
		const to = end < 0 ? bytes.length : end + 1;
		const lines = bytes.toString("utf8", at, to).split("\n");
		lines.pop();
		yield* lines;
		at = to;
	}
}

function parsed<Value>(line: string, path: string): Value {
	try {
		return JSON.parse(line) as Value;
	} catch {
		throw damaged(path);
	}
}

/** What is known of the origins of a shard. @throws {SitesError} */
export function* factsIn(file: FactsFile): Generator<SiteFacts> {
	for (const line of linesIn(file))
		if (line.startsWith('{"origin"')) yield parsed<SiteFacts>(line, file.path);
}

/** What is known of one origin. @throws {SitesError} */
export function factsOf(
	file: FactsFile,
	origin: string,
): SiteFacts | undefined {
	// Quotes in a line's texts are escaped, so this is where one begins.
	const bytes = bytesIn(file);
	const at = bytes.indexOf(`{"origin":"${origin}"`);
	return at < 0
		? undefined
		: parsed(bytes.toString("utf8", at, bytes.indexOf(LF, at)), file.path);
}

/** What an update needs to know of the records before it: redirects, and answers at other paths. @throws {SitesError} */
export function leadsIn(file: FactsFile): {
	readonly moves: ReadonlyMap<string, Move>;
	readonly targets: readonly Target[];
} {
	const moves = new Map<string, Move>();
	const targets: Target[] = [];
	const { path } = file;
	for (const line of linesIn(file)) {
		if (line.startsWith('{"url"')) targets.push(targetOf(line, path));
		else if (line.includes('"location":')) {
			const facts = parsed<SiteFacts>(line, path);
			if (facts.location === undefined) continue;
			const { origin, status = 0, location } = facts;
			moves.set(origin, { status, target: location });
		}
	}
	return { moves, targets };
}

function targetOf(line: string, path: string): Target {
	const found = parsed<
		Dated & { url: string; programs?: string; status: number; target: string }
	>(line, path);
	const { url, time = Number.NaN, programs, status, target } = found;
	return programs === undefined
		? { url, time, status, target }
		: { url, time, programs: Buffer.from(programs, "base64") };
}
