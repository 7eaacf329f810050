/**
 * What a record of the input says about a site: robots.txt bytes, access, a redirect, or why it cannot be used. Records come from folders of
 * files, JSON lines and Parquet rows; warc.ts and http-response.ts make them of HTTP responses.
 */

import { type Dirent, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Access, type Dialect, robotsUrlFor } from "robotrie";
import { accessFor, type HttpOutcome, rulesOf } from "robotrie/access";
import { parseUrl } from "#robotrie/common/arguments";
import { compressionOf } from "#robotrie/common/compression";
import { field } from "#robotrie/common/header-fields";
import { recordedAt } from "../files/dates.ts";
import { isSitesError, SitesError, systemReason } from "../files/errors.ts";
import { hostOfEntry } from "../files/hosts.ts";
import { type RowRange, rowsOf } from "../files/parquet.ts";
import { statOf } from "../files/stat.ts";
import { readWhole } from "../files/text.ts";

/**
 * What a record of the input says about a site, and where it stands. Four outcomes and no other:
 * every record of every kind of input becomes one of them.
 */
export type SiteRecord = Dated & { readonly where: string } & (
		| Site
		| Moved
		| Fault
	);

export interface Dated {
	/** Milliseconds since 1970 at which the answer was recorded; undefined or NaN where that is not known, or nobody asked. */
	readonly time?: number;
}

export interface Site {
	/** A host name stands for one in each scheme. */
	readonly origins: readonly string[];
	readonly robots: Uint8Array | Access;
	/** The HTTP status, where the record says it; 0: there was no answer. */
	readonly status?: number;
	/** What is wrong with the body that was recorded, if anything; `robots` then says what that means. */
	readonly damage?: string;
}

/** The answer is a redirect, whose target may have a record of its own. */
export interface Moved {
	readonly origins: readonly string[];
	readonly status: number;
	/** Null where the record does not say it. */
	readonly target: string | null;
}

/** The record cannot be used. */
export interface Fault {
	readonly fault: string;
}

/** Statuses that send the client to the URL in Location (RFC 9110 §15.4). */
const REDIRECTS: ReadonlySet<number> = new Set([300, 301, 302, 303, 307, 308]);

/** Whether a status is a redirect's, also one without a name: RFC 9110 §15 reads those as 300. A 304 leads nowhere. */
function isRedirect(status: number): boolean {
	return status >= 300 && status <= 399 && status !== 304;
}

/**
 * What an answer to a request for the robots.txt of an origin means; `location` is that field's
 * value, null where the record does not have the answer's fields. Shared by all kinds of input, so
 * that a status means the same in a WARC file and in a JSON line.
 * @param base The URL that was asked for; by default the origin's robots.txt.
 */
export function siteOfOutcome(
	origin: string,
	outcome: HttpOutcome,
	location: string | null | undefined,
	dialect: Dialect,
	base = parseUrl(origin)?.host ? robotsUrlFor(origin) : undefined,
): Site | Moved {
	const { status = 0 } = outcome;
	const isKnown = typeof location === "string" && REDIRECTS.has(status);
	if (location !== undefined && isRedirect(status) && !isKnown)
		return { origins: [origin], status, target: null };
	if (isKnown) {
		const target = parseUrl(location, base);
		// Others lead nowhere, as in the client.
		if (target && /^https?:$/.test(target.protocol))
			return { origins: [origin], status, target: target.href };
	}
	const type = field(outcome.headers, "content-type");
	// Without fields about caching: how long the answer would hold does not matter, and reading them took a third of the time of `index`.
	const headers = type === undefined ? {} : { "content-type": type };
	const access = accessFor({ ...outcome, headers }, null, { dialect });
	return { origins: [origin], robots: rulesOf(access), status };
}

/** What an absent HTTP answer is recorded as. */
const NO_ANSWER = 0;

/**
 * A row of a table: a line of JSON, or one of Parquet or of another program. Values as they come: numbers may be bigint
 * in Parquet, and any column may be absent.
 */
export type Row = Readonly<Record<string, unknown>>;

function siteOfRow(row: Row, dialect: Dialect): Site | Moved | Fault {
	const { origin, access, location } = row;
	if (typeof origin !== "string") return { fault: 'no "origin"' };
	const body = bodyOfRow(row);
	if (body === null) return { fault: '"robots_b64" is no Base64' };
	const status =
		typeof row.status === "bigint" ? Number(row.status) : row.status;
	if (body && (status === undefined || status === null))
		// A body without a status is a robots.txt that somebody saved.
		return { origins: [origin], robots: body };
	if (!body && isAccess(access)) return { origins: [origin], robots: access };
	if (status === undefined || status === null)
		return {
			fault:
				'neither "robots" (or "body"), "robots_b64", "status", nor "access" (allow-all, disallow-all, later)',
		};
	// Some crawlers note failures of their own as negative numbers.
	if (typeof status !== "number" || !Number.isInteger(status) || status < 0)
		return { fault: '"status" is no whole number from 0 on' };
	if (status === NO_ANSWER) {
		const failure = { code: "connection", message: "no answer" } as const;
		return siteOfOutcome(origin, { failure }, undefined, dialect);
	}
	// Without its body a 2xx answer says nothing, while a 404 says everything.
	if (!body && status >= 200 && status <= 299)
		return {
			fault: `status ${status} without "robots", "body" or "robots_b64"`,
		};
	return siteOfOutcome(
		origin,
		{ status, ...(body ? { body } : {}), headers: headersOf(row) },
		typeof location === "string" ? location : null,
		dialect,
	);
}

function isAccess(value: unknown): value is Access {
	return value === "allow-all" || value === "disallow-all" || value === "later";
}

/** Bytes are bytes: base64 is for columns that hold only text. Null for text that is not base64, of which Buffer would skip parts. */
function bodyOfRow({
	robots,
	body,
	robots_b64,
}: Readonly<Record<string, unknown>>): Uint8Array | null | undefined {
	// A null in one of two columns leaves the other.
	const given = robots ?? body;
	if (typeof given === "string") return Buffer.from(given);
	if (given instanceof Uint8Array) return given;
	if (typeof robots_b64 !== "string") return undefined;
	return BASE64.test(robots_b64) ? Buffer.from(robots_b64, "base64") : null;
}

/** In both alphabets, and with line ends. */
const BASE64 = /^[\w+/\s-]*(?:=[=\s]*)?$/;

function headersOf({ content_type }: Readonly<Record<string, unknown>>) {
	return typeof content_type === "string"
		? { "content-type": content_type }
		: {};
}

/**
 * Sites of whole lines of JSON; `first` is the number of the first one. A record that is no object
 * is a fault of that line alone.
 */
export function* readJsonLines(
	lines: Uint8Array,
	name: string,
	first: number,
	dialect: Dialect,
): Generator<SiteRecord> {
	let number = first;
	// A mark at the start is gone by now; another one is part of its line.
	const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(lines);
	for (const line of text.split("\n")) {
		const where = `${name}:${number++}`;
		if (line.trim() === "") continue;
		const row = objectOf(line);
		yield typeof row === "string"
			? { where, fault: row }
			: { where, time: recordedAt(row.date), ...siteOfRow(row, dialect) };
	}
}

/** The object that a line is, or what is wrong with it. */
function objectOf(line: string): Record<string, unknown> | string {
	let value: unknown;
	try {
		value = JSON.parse(line);
	} catch {
		return "no JSON";
	}
	return typeof value === "object" && value !== null
		? (value as Record<string, unknown>)
		: "no JSON object";
}

/**
 * Columns that are read, where a file has them. Other columns of a file are not read at all, which
 * is what Parquet is good at.
 */
export const COLUMNS = [
	"origin",
	"robots",
	"body",
	"robots_b64",
	"status",
	"location",
	"content_type",
	"access",
	"date",
];

/** Sites of rows that another program has; `first` is the number of the first one. */
export function* readRows(
	rows: Iterable<Row>,
	name: string,
	first: number,
	dialect: Dialect,
): Generator<SiteRecord> {
	let number = first;
	for (const row of rows) {
		const where = `${name}: row ${number++}`;
		yield { where, time: recordedAt(row.date), ...siteOfRow(row, dialect) };
	}
}

/** Columns of a robots.txt, which may be any bytes. `body` is what the Spark package and crawlers call it. */
const BODIES: ReadonlySet<string> = new Set(["robots", "body"]);

/** Sites of a row group; each row has the columns of a line of JSON. @throws {SitesError} When it cannot be read. */
export async function* readParquet(
	file: string,
	{ from, to }: RowRange,
	dialect: Dialect,
): AsyncGenerator<SiteRecord> {
	const choose = (names: readonly string[]) => {
		if (!names.includes("origin"))
			throw new SitesError("malformed", `${file} has no column "origin"`);
		return COLUMNS.filter((name) => names.includes(name));
	};
	// A robots.txt need not be UTF-8.
	const rows = await rowsOf(file, { from, to }, choose, false);
	const decoder = new TextDecoder();
	// `where` names the row, as a person would look for it in the file.
	for (const [i, row] of rows.entries()) {
		// Columns of bytes without a type, which some engines write.
		for (const name of COLUMNS)
			if (!BODIES.has(name) && row[name] instanceof Uint8Array)
				row[name] = decoder.decode(row[name]);
		const where = `${file}: row ${from + i + 1}`;
		yield { where, time: recordedAt(row.date), ...siteOfRow(row, dialect) };
	}
}

/** Schemes that a folder's host names stand for. */
export type Schemes = readonly ("http" | "https")[];

/** A file or a folder within a folder of sites. */
export interface SiteEntry {
	readonly name: string;
	readonly isFolder: boolean;
}

/**
 * What a folder holds, by name. Names that begin with a dot are none that a site can have.
 */
export function entriesOf(folder: string): SiteEntry[] {
	return readdirSync(folder, { withFileTypes: true })
		.filter(({ name }) => !name.startsWith("."))
		.sort((a, b) => (a.name < b.name ? -1 : 1))
		.map((entry: Dirent) => ({
			name: entry.name,
			isFolder: entry.isDirectory(),
		}));
}

/** Sites of a folder of robots.txt files named by their host, see `hostOfEntry`. A folder holds one file per host. */
export async function* readFolder(
	folder: string,
	entries: readonly SiteEntry[],
	schemes: Schemes,
): AsyncGenerator<SiteRecord> {
	for (const entry of entries) {
		const where = entry.isFolder
			? join(folder, entry.name, "robots.txt")
			: join(folder, entry.name);
		yield { where, ...(await siteOfEntry(entry, where, schemes)) };
	}
}

/**
 * What URLs have between "//" and the path, user name and password aside; the index says whether
 * the host is valid. The full URL parser decides when the entry is compiled; this only tells a host
 * from another name.
 */
const AUTHORITY =
	/^(?:[\w.\-\u{a1}-\u{10ffff}]+|\[[\da-f:.]+\])(?::\d{1,5})?$/iu;

async function siteOfEntry(
	{ name, isFolder }: SiteEntry,
	path: string,
	schemes: Schemes,
): Promise<Site | Fault> {
	const authority = hostOfEntry(name, isFolder);
	if (!AUTHORITY.test(authority)) return { fault: "its name is not a host" };
	try {
		// A pipe would be waited for. A file that cannot be read is a fault of its site, not of the
		// run.
		if (!statOf(path).isFile()) return { fault: "no regular file" };
		const bytes = readFileSync(path);
		return {
			origins: schemes.map((scheme) => `${scheme}://${authority}`),
			robots: compressionOf(bytes) === "plain" ? bytes : await readWhole(path),
		};
	} catch (error) {
		if (isSitesError(error)) return { fault: error.message };
		const reason = systemReason(error);
		if (reason === undefined) throw error;
		return { fault: reason };
	}
}
