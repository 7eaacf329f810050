/**
 * The formats of POST /match: how the rows of a body are read, and how verdicts are written. The service judges what `rowsOf` gives and hands
 * verdicts to `answerOf`; lines, the fast format, are never rows: blocks of bytes go to the client, and their verdicts through
 * `verdictLines`.
 */

import { execFile } from "node:child_process";
import { deserialize } from "node:v8";
import { Verdict } from "robotrie";
import { Refusal, type Work } from "./bounds.ts";

/** The words of verdicts, by number. */
export const words = [
	"disallowed",
	"allowed",
	"unknown",
	"invalid",
	"later",
] as const;

export const LINES = "text/plain";
export const NDJSON = "application/x-ndjson";
export const ARROW = "application/vnd.apache.arrow.stream";

/** Texts that are made JSON in a turn. */
const TEXTS = 10_000;

/** JSON of an object whose list of texts may be long: a site may name a million sitemaps. */
export async function jsonWithTexts(
	object: Readonly<Record<string, string>>,
	name: string,
	texts: readonly string[],
): Promise<Buffer> {
	const parts = [
		Buffer.from(`${JSON.stringify(object).slice(0, -1)},"${name}":[`),
	];
	for (let from = 0; from < texts.length; from += TEXTS) {
		const some = JSON.stringify(texts.slice(from, from + TEXTS)).slice(1, -1);
		parts.push(Buffer.from(from === 0 ? some : `,${some}`));
		await new Promise(setImmediate);
	}
	return Buffer.concat([...parts, Buffer.from("]}")]);
}

/** URLs to judge. An agent or dialect of a row takes precedence over that of the query. */
export interface Rows {
	readonly urls: readonly string[];
	readonly agents?: readonly (readonly string[] | undefined)[] | undefined;
	readonly dialects?: readonly (string | undefined)[] | undefined;
}

const LF = 10;
/** Bytes of lines that are judged at a time: enough that a block's cost is that of its lines. */
const BLOCK = 256 * 1024;

/** Blocks of whole lines. */
export function* blocksOf(body: Uint8Array): Generator<Uint8Array> {
	for (let from = 0; from < body.length; ) {
		// The first line feed after so many bytes: no line is cut, and a longer one is a block by itself.
		const feed = body.indexOf(LF, from + BLOCK);
		const to = feed < 0 ? body.length : feed + 1;
		yield body.subarray(from, to);
		from = to;
	}
}

/** Lines of a body, the last one with or without its end. A call of indexOf for each line takes longer than the loop. */
export function countLines(body: Uint8Array): number {
	let lines = 0;
	for (let i = 0; i < body.length; i++) if (body[i] === LF) lines++;
	return body.length > 0 && body.at(-1) !== LF ? lines + 1 : lines;
}

const wordLines = words.map((word) => Buffer.from(`${word}\n`));

/** A word a line. Written byte by byte: a call that copies or fills takes longer than a word's ten bytes. */
export function verdictLines(verdicts: Uint8Array): Buffer {
	let length = 0;
	for (let i = 0; i < verdicts.length; i++)
		length += (wordLines[verdicts[i] as number] as Buffer).length;
	const lines = Buffer.allocUnsafe(length);
	let at = 0;
	for (let i = 0; i < verdicts.length; i++) {
		const word = wordLines[verdicts[i] as number] as Buffer;
		for (let j = 0; j < word.length; j++) lines[at++] = word[j] as number;
	}
	return lines;
}

/** A text without the byte order mark that files of Windows begin with. */
export function withoutMark(body: Buffer): Buffer {
	const isMarked = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
	return isMarked ? body.subarray(3) : body;
}

/** The rows of a body that is not lines. @throws {Refusal} */
export async function rowsOf(
	type: string,
	body: Buffer,
	work: Work,
): Promise<Rows> {
	if (type === NDJSON) return jsonRows(withoutMark(body), work);
	return arrowRows(body, work);
}

function jsonRows(body: Buffer, work: Work): Rows {
	// Before anything is parsed: rows take many times the memory of their bytes.
	work.checkRows(countLines(body));
	const texts = body.toString("utf8").split("\n");
	if (texts.at(-1) === "") texts.pop();
	const urls: string[] = [];
	const agents: (readonly string[] | undefined)[] = [];
	const dialects: (string | undefined)[] = [];
	for (const [i, text] of texts.entries()) {
		const wrong = (what: string) =>
			new Refusal(400, "invalid-row", `row ${i + 1} ${what}`);
		let row: unknown;
		try {
			row = JSON.parse(text);
		} catch {
			throw wrong("is not JSON");
		}
		if (typeof row !== "object" || row === null || Array.isArray(row))
			throw wrong("is not an object");
		const { url, agent, dialect, ...rest } = row as Record<string, unknown>;
		if (typeof url !== "string") throw wrong("has no url that is a string");
		const [other] = Object.keys(rest);
		if (other !== undefined)
			throw wrong(`has the unknown field ${JSON.stringify(other)}`);
		if (dialect !== undefined && typeof dialect !== "string")
			throw wrong("has a dialect that is not a string");
		const names = typeof agent === "string" ? [agent] : agent;
		if (names !== undefined && !isTexts(names))
			throw wrong("has an agent that is neither a string nor a list of them");
		urls.push(url);
		agents.push(names);
		dialects.push(dialect);
	}
	return { urls, agents, dialects };
}

const isTexts = (value: unknown): value is readonly string[] =>
	Array.isArray(value) &&
	value.length > 0 &&
	value.every((one) => typeof one === "string");

/** What the process below gives: columns of texts and nulls, a number of rows that are too many, or why there are none. */
type Columns =
	| Record<"url" | "agent" | "dialect", (string | null)[] | null>
	| { readonly rows: number }
	| { readonly wrong: string };

/** Milliseconds and, beside 32 times the body, MiB of memory for reading an Arrow stream. */
const ARROW_TIME = 10_000;
const ARROW_MEMORY = 128;

/**
 * The program of a process that reads an Arrow stream. A stream with wrong lengths makes the library fill all memory, and a thread that reaches its
 * limit of memory ends the whole process in Node 20, so it runs in one of its own. It is started by its text: nothing from outside it
 * can be used.
 */
function readColumns(
	{ tableFromIPC }: typeof import("@uwdata/flechette"),
	body: Uint8Array,
	maxRows: number,
): Columns {
	try {
		const table = tableFromIPC(body, { useBigInt: false });
		if (table.numRows > maxRows) return { rows: table.numRows };
		const column = (name: string) => {
			const found = table.getChild(name);
			if (!found) return null;
			return Array.from({ length: table.numRows }, (_, i) => {
				const value: unknown = found.at(i);
				if (value === null || value === undefined) return null;
				if (typeof value === "string") return value;
				throw new Error(`row ${i + 1} has a ${name} that is not a text`);
			});
		};
		return {
			url: column("url"),
			agent: column("agent"),
			dialect: column("dialect"),
		};
	} catch (error) {
		return { wrong: error instanceof Error ? error.message : String(error) };
	}
}

/** One after another: each may take much memory. */
let reading: Promise<unknown> = Promise.resolve();

async function arrowRows(body: Buffer, work: Work): Promise<Rows> {
	// What has ended while it waited for its turn keeps no body.
	let waiting: Buffer | undefined = body;
	work.whenEnded(() => {
		waiting = undefined;
	});
	const columns = reading.then(() => {
		work.signal.throwIfAborted();
		return columnsOf(waiting as Buffer, work);
	});
	reading = columns.catch(() => {});
	const found = await work.within(columns);
	const wrong = (what: string) =>
		new Refusal(
			400,
			"invalid-arrow",
			`the body is no table of texts as an Arrow IPC stream: ${what}`,
		);
	if ("wrong" in found) throw wrong(found.wrong);
	if ("rows" in found) {
		work.checkRows(found.rows);
		throw wrong("its rows cannot be counted");
	}
	const { url, agent, dialect } = found;
	if (!url) throw wrong("it has no column url");
	return {
		// No text is no URL.
		urls: url.map((text) => text ?? ""),
		agents: agent?.map((name) => (name === null ? undefined : [name])),
		dialects: dialect?.map((name) => name ?? undefined),
	};
}

function columnsOf(body: Buffer, { maxRows, signal }: Work): Promise<Columns> {
	// Looked for when it is needed: in a bundle that is CommonJS this file has no address, and everything but Arrow works there.
	const flechette = import.meta.resolve("@uwdata/flechette");
	const memory = Math.ceil(ARROW_MEMORY + (32 * body.length) / 2 ** 20);
	// What it reads is memory of its own: Arrow's numbers are aligned.
	const program = `const v8 = require("node:v8");
		const chunks = [];
		process.stdin.on("data", (chunk) => chunks.push(chunk));
		process.stdin.on("end", async () => {
			const body = new Uint8Array(Buffer.concat(chunks));
			const library = await import(${JSON.stringify(flechette)});
			const columns = (${readColumns})(library, body, ${maxRows});
			process.stdout.write(v8.serialize(columns));
		});`;
	return new Promise((resolve) => {
		const child = execFile(
			process.execPath,
			[
				`--max-old-space-size=${memory}`,
				"--input-type=commonjs",
				"-e",
				program,
			],
			{
				encoding: "buffer",
				maxBuffer: memory * 2 ** 20,
				timeout: ARROW_TIME,
				killSignal: "SIGKILL",
				signal,
				// The environment holds the service's token, and NODE_OPTIONS would apply to the child, too.
				env: {},
			},
			(error, output) =>
				resolve(
					error
						? { wrong: "reading it takes too much memory or time" }
						: (deserialize(output) as Columns),
				),
		);
		// It may have ended before it has read all.
		child.stdin?.on("error", () => {});
		child.stdin?.end(body);
	});
}

/** What is known of rows that were judged. */
export interface JudgedRows {
	readonly verdicts: Uint8Array;
	/** Of rows that are later: from when on to ask again, in milliseconds since 1970. */
	readonly times: Float64Array;
}

/** Times may lie beyond those of a Date. */
export function dateOf(time: number): string {
	return new Date(Math.min(time, 8.64e15)).toISOString();
}

/** A time that a request names, as `dateOf` wrote it. @throws {Refusal} */
export function timeOf(text: string): number {
	const time = Date.parse(text);
	if (Number.isNaN(time))
		throw new Refusal(
			400,
			"invalid-request",
			`${JSON.stringify(text.slice(0, 100))} is not a time, such as 2026-01-01T00:00:00.000Z`,
		);
	return time;
}

/** The answer to rows, in the format of the request. */
export async function answerOf(
	type: string,
	rows: Rows,
	{ verdicts, times }: JudgedRows,
): Promise<Buffer> {
	const names = Array.from(verdicts, (verdict) => words[verdict] as string);
	if (type === NDJSON) {
		const lines = names.map(
			(verdict, i) =>
				`${JSON.stringify({
					url: rows.urls[i],
					verdict,
					...(verdict === "later" ? { at: dateOf(times[i] as number) } : {}),
				})}\n`,
		);
		return Buffer.from(lines.join(""));
	}
	const { tableFromArrays, tableToIPC, utf8 } = await import(
		"@uwdata/flechette"
	);
	const table = tableFromArrays(
		{ verdict: names },
		{ types: { verdict: utf8() } },
	);
	return Buffer.from(tableToIPC(table, { format: "stream" }) ?? []);
}

/** The JSON answers of GET /allowed, made once. */
export const allowedAnswers = words.map((verdict, number) =>
	JSON.stringify({ allowed: number === Verdict.Allowed, verdict }),
);
