/**
 * Lists of addresses that operators publish for their crawlers: `robotrie crawlers --lists FOLDER` fetches them (`fetchLists`), and
 * `robotrie audit --verify FOLDER` reads them (`rangesOfFolder`). The folder holds each list as it was published, and `lists.json`, which says where it is
 * from. What must hold: a list is replaced only by one that can be read and has ranges, and a crawler is verified only by all of its lists, of these days: with
 * some of them, or old ones, its own addresses would count as impostors'.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { parseRanges, type RangeSource } from "@robotrie/audit";
import type { RobotsClientOptions } from "@robotrie/client";
import { type Crawler, crawlers } from "robotrie";
import { accessFor, type HttpOutcome } from "robotrie/access";
import { isRecord } from "#robotrie/common/arguments";
import { field } from "#robotrie/common/header-fields";
import { Failure, failureOf, tell } from "../output/output.ts";
import { writeOutput } from "../output/output-file.ts";

/** Where the folder's files are from. */
const RECORDS = "lists.json";

/** Bytes of a list: the longest of today has 200 KB. */
const LARGEST_LIST = 8 * 2 ** 20;

/** Days after which a list verifies nobody: operators add addresses every few weeks, whose requests would count as an impostor's. */
const OLD_DAYS = 30;

const isOld = (checked: string) =>
	Date.parse(checked) < Date.now() - OLD_DAYS * 86_400_000;

/** A published list. */
export interface PublishedList {
	readonly url: string;
	/** In the folder: the name of its first crawler, so that `--verify FILE` takes it for that one's alone. */
	readonly file: string;
	readonly crawlers: readonly string[];
}

/** A list in the folder, as `lists.json` has it. */
interface ListRecord {
	readonly url: string;
	readonly file: string;
	/** Where it was found after redirects: its validators are for this URL. */
	readonly found: string;
	readonly etag?: string;
	readonly lastModified?: string;
	/** Of the file: one that was edited is asked for without a condition. */
	readonly sha256: string;
	/** When the operator last said that this is its list, in ISO 8601. */
	readonly checked: string;
}

/** What came of asking for a list. */
export interface ListAnswer extends PublishedList {
	readonly outcome: "new" | "changed" | "unchanged" | "failed";
	/** Of the list in the folder; null if there is none. */
	readonly ranges: number | null;
	readonly checked: string | null;
	/** Why it could not be fetched; null if it was. */
	readonly reason: string | null;
}

/** The lists of some crawlers, each once. */
export function publishedLists(rows: readonly Crawler[]): PublishedList[] {
	const names = new Map<string, string>();
	for (const { name, addressRanges } of crawlers)
		for (const [i, url] of addressRanges.entries()) {
			if (names.has(url)) continue;
			const number = addressRanges.length > 1 ? `.${i + 1}` : "";
			names.set(url, `${name}${number}${extname(new URL(url).pathname)}`);
		}
	const urls = new Set(rows.flatMap(({ addressRanges }) => addressRanges));
	return [...urls].map((url) => {
		const file = names.get(url) as string;
		return {
			url,
			file: /\.(json|txt)$/.test(file) ? file : `${file}.list`,
			crawlers: crawlers
				.filter(({ addressRanges }) => addressRanges.includes(url))
				.map(({ name }) => name),
		};
	});
}

/**
 * Asks for lists as the client asks for pages: robots.txt and the pace between two requests of a host hold, also after redirects; time, bytes and
 * addresses are bounded. A list that could not be fetched leaves the folder's as it is.
 * @throws {Failure} When the folder cannot be read or written.
 */
export async function fetchLists(
	lists: readonly PublishedList[],
	folder: string,
	settings: RobotsClientOptions & { readonly timeout: number },
	onAnswer: (answer: ListAnswer) => Promise<void>,
): Promise<void> {
	const [{ RobotsClient }, { pageRequests }] = await Promise.all([
		import("@robotrie/client"),
		import("@robotrie/client/internal"),
	]);
	await mkdir(folder, { recursive: true }).catch((error) => {
		throw failureOf(`make ${folder}`, error);
	});
	const records = new Map(
		existsSync(join(folder, RECORDS))
			? (await recordsOf(folder)).map((record) => [record.url, record])
			: [],
	);
	const request = pageRequests(
		{ ...settings, maxBytes: LARGEST_LIST },
		"application/json, text/plain, */*;q=0.5",
	);
	const client = new RobotsClient(settings);

	async function ask(url: string, previous: FoundList | undefined) {
		let refused: string | undefined;
		const visit = await client.visit(
			url,
			async ({ signal, report }): Promise<HttpOutcome> => {
				const access = previous && accessOf(previous);
				const outcome = await request(
					url,
					access ?? null,
					signal,
					async (next) => {
						if (await client.isAllowed(next)) return false;
						refused = next;
						return true;
					},
				);
				if (outcome.status !== undefined)
					report(outcome.status, outcome.headers);
				return outcome;
			},
			{ maxWait: settings.timeout },
		);
		return { visit, refused };
	}

	async function fetchList(list: PublishedList): Promise<ListAnswer> {
		const previous = await foundList(folder, records.get(list.url));
		const { visit, refused } = await ask(list.url, previous);
		const failed = (why: string): ListAnswer => ({
			...list,
			outcome: "failed",
			ranges: previous ? rangesIn(previous.body, list.file).length : null,
			checked: previous?.record.checked ?? null,
			reason: `${list.url}: ${why}${previous ? `; the list of ${previous.record.checked.slice(0, 10)} stays` : ""}`,
		});
		const host = new URL(list.url).host;
		if (visit.outcome === "disallowed")
			return failed(
				`the robots.txt of ${host} disallows it, or its address is not public`,
			);
		if (visit.outcome !== "visited")
			return failed(
				`the robots.txt of ${host} cannot be had for now, or asks to wait longer than the time for a list`,
			);
		const { failure, status, headers, body, redirects, truncated } =
			visit.value;
		if (failure) return failed(failure.message);
		if (refused !== undefined)
			return failed(
				`it redirects to ${refused}, whose robots.txt does not allow it`,
			);
		const checked = new Date().toISOString();
		if (status === 304 && previous) {
			records.set(list.url, { ...previous.record, checked });
			const ranges = rangesIn(previous.body, list.file).length;
			return { ...list, outcome: "unchanged", ranges, checked, reason: null };
		}
		if (!body) return failed(`HTTP ${status}`);
		if (truncated) return failed(`it is larger than ${LARGEST_LIST} bytes`);
		let ranges: number;
		try {
			ranges = rangesIn(body, list.file).length;
			if (ranges === 0) throw new Error("it has no ranges");
		} catch (error) {
			return failed(error instanceof Error ? error.message : String(error));
		}
		const isSame = previous && Buffer.compare(previous.body, body) === 0;
		if (!isSame) await writeOutput(join(folder, list.file), [body]);
		const etag = field(headers, "etag");
		const lastModified = field(headers, "last-modified");
		records.set(list.url, {
			url: list.url,
			file: list.file,
			found: redirects?.at(-1)?.url ?? list.url,
			...(etag ? { etag } : {}),
			...(lastModified ? { lastModified } : {}),
			sha256: hashOf(body),
			checked,
		});
		const outcome = isSame ? "unchanged" : previous ? "changed" : "new";
		return { ...list, outcome, ranges, checked, reason: null };
	}

	try {
		// All at once: the client keeps the pace of each host.
		const answers = lists.map(fetchList);
		for (const answer of answers) answer.catch(() => {});
		for (const answer of answers) await onAnswer(await answer);
	} finally {
		await client.close();
		if (records.size > 0)
			await writeOutput(join(folder, RECORDS), [textOfRecords(records)]);
	}
}

function textOfRecords(records: ReadonlyMap<string, ListRecord>): Uint8Array {
	const lists = [...records.values()].sort((a, b) =>
		a.file < b.file ? -1 : 1,
	);
	return Buffer.from(`${JSON.stringify({ lists }, null, 2)}\n`);
}

/** @throws {Failure} Unless the folder was made by `--lists`. */
async function recordsOf(folder: string): Promise<readonly ListRecord[]> {
	const path = join(folder, RECORDS);
	const hint = `\`robotrie crawlers --lists ${folder}\` makes one`;
	let text: string;
	try {
		text = await readFile(path, "utf8");
	} catch (error) {
		if (!existsSync(path))
			throw new Failure(`${folder} has no ${RECORDS}: ${hint}`);
		throw failureOf(`read ${path}`, error);
	}
	try {
		const { lists } = JSON.parse(text) as { lists: readonly unknown[] };
		if (lists.every(isListRecord)) return lists;
	} catch {
		// Said below.
	}
	throw new Failure(
		`${path} is not a file of \`robotrie crawlers --lists\`: remove it, and ${hint}`,
	);
}

function isListRecord(value: unknown): value is ListRecord {
	if (!isRecord(value)) return false;
	const { file, checked } = value;
	return (
		["url", "file", "found", "sha256", "checked"].every(
			(name) => typeof value[name] === "string",
		) &&
		["etag", "lastModified"].every(
			(name) => value[name] === undefined || typeof value[name] === "string",
		) &&
		// A name, not a way out of the folder.
		/^[^/\\]+$/.test(String(file)) &&
		!Number.isNaN(Date.parse(String(checked)))
	);
}

/** A list that is in the folder. */
interface FoundList {
	readonly record: ListRecord;
	readonly body: Uint8Array;
}

/** Undefined if the file is not there, or is not the one that was fetched. */
async function foundList(
	folder: string,
	record: ListRecord | undefined,
): Promise<FoundList | undefined> {
	if (!record) return undefined;
	const path = join(folder, record.file);
	if (!existsSync(path)) return undefined;
	const body = await readFile(path).catch((error) => {
		throw failureOf(`read ${path}`, error);
	});
	return hashOf(body) === record.sha256 ? { record, body } : undefined;
}

/** As a copy of the client's, whose validators make a request conditional. */
function accessOf({ record: { found, etag, lastModified }, body }: FoundList) {
	const headers = {
		...(etag === undefined ? {} : { etag }),
		...(lastModified === undefined ? {} : { "last-modified": lastModified }),
	};
	return accessFor({ url: found, status: 200, headers, body }, null);
}

function hashOf(bytes: Uint8Array): string {
	return createHash("sha256").update(bytes).digest("hex");
}

function rangesIn(body: Uint8Array, file: string): readonly string[] {
	return parseRanges(new TextDecoder().decode(body), file).prefixes;
}

/**
 * The ranges of the crawlers all of whose lists a folder has. Warns of the others: those with lists that are missing, edited or old.
 * @throws {Failure} When the folder cannot be read, or was not made by `--lists`.
 */
export async function rangesOfFolder(folder: string): Promise<RangeSource[]> {
	const records = await recordsOf(folder);
	const prefixes = new Map<string, readonly string[]>();
	for (const record of records) {
		const found = await foundList(folder, record);
		if (found) prefixes.set(record.url, rangesIn(found.body, record.file));
	}
	const urls = new Set(records.map(({ url }) => url));
	const old = new Set(
		records.filter(({ checked }) => isOld(checked)).map(({ url }) => url),
	);
	const sources: RangeSource[] = [];
	const incomplete: string[] = [];
	const outdated: string[] = [];
	for (const { name, addressRanges } of crawlers) {
		if (!addressRanges.some((url) => urls.has(url))) continue;
		const lists = addressRanges.flatMap((url) => {
			const list = prefixes.get(url);
			return list ? [list] : [];
		});
		if (lists.length < addressRanges.length) incomplete.push(name);
		else if (addressRanges.some((url) => old.has(url))) outdated.push(name);
		else sources.push({ name: name.toLowerCase(), prefixes: lists.flat() });
	}
	if (incomplete.length > 0)
		tell(
			`warning: ${folder} lacks lists of ${incomplete.join(", ")}, or has others than were fetched: these crawlers are not verified`,
		);
	if (outdated.length > 0)
		tell(
			`warning: lists of ${outdated.join(", ")} in ${folder} are older than ${OLD_DAYS} days, and operators add addresses: these crawlers are not verified; robotrie crawlers --lists ${folder} fetches them again`,
		);
	return sources;
}
