/**
 * Whose network an address is in, by a file on this machine: MaxMind's GeoLite2-ASN or IPinfo's, as a database (.mmdb) or CSV. Read once in each
 * thread.
 */

import { RobotrieError } from "robotrie";
import { collect, readFile, unpacked } from "#sites/files/text";
import { addressOf, type NetworkNames, prefixOf } from "../common/addresses.ts";
import { fieldsOf } from "../formats/records.ts";
import { type LogSource, readLog, sourceName } from "./open-logs.ts";

/**
 * What names the network of an address, by some files; the first that has it decides.
 * @throws {SitesError} unreadable; malformed.
 * @throws {RobotrieError} malformed, for one that is no such file.
 */
export async function networksOf(
	files: readonly LogSource[],
): Promise<NetworkNames> {
	const readers = await Promise.all(files.map(readOne));
	return (address) => {
		for (const read of readers) {
			const name = read(address);
			if (name !== undefined) return name;
		}
		return undefined;
	};
}

async function readOne(source: LogSource): Promise<NetworkNames> {
	// A database is read as a whole, as its parts refer to each other.
	if (typeof source === "string" && /\.mmdb(?:\.gz|\.zst)?$/i.test(source))
		return databaseOf(source);
	return tableOf(source);
}

/** Fields of a record; MaxMind's and IPinfo's. */
interface AsnRecord {
	readonly autonomous_system_number?: number;
	readonly autonomous_system_organization?: string;
	readonly asn?: string;
	readonly as_name?: string;
	readonly name?: string;
}

async function databaseOf(file: string): Promise<NetworkNames> {
	const { Reader } = await import("mmdb-lib");
	const bytes = Buffer.from(
		await collect(unpacked(readFile(file), file), file),
	);
	try {
		// Its types are those of MaxMind's databases.
		const reader = new Reader<never>(bytes);
		const { databaseType } = reader.metadata;
		if (!/asn|isp|ipinfo/i.test(databaseType))
			throw new Error(`it is a database of ${databaseType}`);
		return (address) => {
			// An IPv4 database throws for an IPv6 address.
			if (reader.metadata.ipVersion === 4 && address.includes(":")) return;
			try {
				return nameOf(reader.get(address) as AsnRecord | null);
			} catch (error) {
				// Damage shows only where an address leads to it.
				throw wrongFile(file, (error as Error).message);
			}
		};
	} catch (error) {
		throw wrongFile(file, (error as Error).message);
	}
}

function nameOf(record: AsnRecord | null): string | undefined {
	if (!record) return undefined;
	const number = record.autonomous_system_number ?? record.asn;
	const name =
		record.autonomous_system_organization ?? record.as_name ?? record.name;
	return label(number === undefined ? "" : String(number), name ?? "");
}

/** "AS15169 Google LLC" of "15169" or "AS15169", and a name that may be missing. */
function label(number: string, name: string): string | undefined {
	const digits = /^(?:AS)?(\d{1,10})$/i.exec(number.trim())?.[1];
	if (digits === undefined) return undefined;
	return `AS${digits} ${name.trim()}`.trim();
}

function wrongFile(file: string, reason: string): RobotrieError {
	return new RobotrieError(
		"malformed",
		`${file} is not a file of networks such as GeoLite2-ASN.mmdb or a CSV of MaxMind or IPinfo: ${reason}`,
	);
}

/** Columns that name a range: of a network, or of its first and last address; and those of the number and the name. */
const columns = {
	network: ["network"],
	start: ["start_ip", "range_start"],
	end: ["end_ip", "range_end"],
	number: ["autonomous_system_number", "asn"],
	name: ["autonomous_system_organization", "as_name", "name"],
} as const;

/** A range of addresses. IPv4 addresses are numbers, IPv6 addresses bigints; both compare alike. */
interface Range {
	readonly start: number | bigint;
	readonly end: number | bigint;
	readonly name: string;
	/** The smallest range before it that reaches to its start. */
	outer: Range | undefined;
}

async function tableOf(source: LogSource): Promise<NetworkNames> {
	const file = sourceName(source);
	const tables = { 32: [] as Range[], 128: [] as Range[] };
	const names = new Map<string, string>();
	let places: ReturnType<typeof placesIn> | undefined;
	for await (const line of linesOf(source, file)) {
		if (line === "") continue;
		const fields = fieldsOf(line, ",").map((field) => field.trim());
		if (!places) {
			places = placesIn(fields, file);
			continue;
		}
		const { network, start, end, number, name } = places;
		const range =
			network >= 0
				? rangeOfPrefix(fields[network] ?? "")
				: rangeOf(fields[start] ?? "", fields[end] ?? "");
		const found = label(fields[number] ?? "", fields[name] ?? "");
		if (!range || found === undefined) continue;
		// One text for all ranges of a network: files have hundreds of thousands of them.
		const shared = names.get(found) ?? found;
		names.set(found, shared);
		const { width, from, to } = range;
		tables[width].push({
			start: from,
			end: to,
			name: shared,
			outer: undefined,
		});
	}
	if (tables[32].length + tables[128].length === 0)
		throw wrongFile(file, "it has no row with a network and its number");
	for (const table of Object.values(tables)) nest(table);
	return (address) => {
		const found = addressOf(address);
		if (!found) return undefined;
		const width = found.width as 32 | 128;
		return inTable(tables[width], keyOf(found.value, width));
	};
}

/** A line of a file that is no text, such as another database. */
const LONGEST_LINE = 1024 * 1024;

async function* linesOf(
	source: LogSource,
	file: string,
): AsyncGenerator<string> {
	const decoder = new TextDecoder();
	let rest = "";
	for await (const chunk of readLog(source)) {
		const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
		rest = lines.pop() ?? "";
		if (rest.length > LONGEST_LINE) throw wrongFile(file, "it has no lines");
		for (const line of lines) yield line.replace(/\r$/, "");
	}
	yield rest;
}

/** Where the columns are; -1 for one that the file lacks. */
function placesIn(header: readonly string[], file: string) {
	const lower = header.map((name) => name.toLowerCase());
	const place = (names: readonly string[]) =>
		lower.findIndex((name) => names.includes(name));
	const { network, start, end, number, name } = columns;
	const places = {
		network: place(network),
		start: place(start),
		end: place(end),
		number: place(number),
		name: place(name),
	};
	const hasRange =
		places.network >= 0 || (places.start >= 0 && places.end >= 0);
	if (!hasRange || places.number < 0)
		throw wrongFile(file, "its first line names no such columns");
	return places;
}

/** IPv4 addresses as numbers, which take less memory. */
function keyOf(value: bigint, width: 32 | 128): number | bigint {
	return width === 32 ? Number(value) : value;
}

function rangeOf(first: string, last: string) {
	const [from, to] = [addressOf(first), addressOf(last)];
	if (!from || from.width !== to?.width) return undefined;
	const width = from.width as 32 | 128;
	return { width, from: keyOf(from.value, width), to: keyOf(to.value, width) };
}

function rangeOfPrefix(prefix: string) {
	const found = prefixOf(prefix);
	if (!found) return undefined;
	const width = found.width as 32 | 128;
	const rest = (1n << BigInt(width - found.bits)) - 1n;
	const last = found.value | rest;
	return { width, from: keyOf(last - rest, width), to: keyOf(last, width) };
}

/**
 * Sorts ranges by their first address, those within others after these, and links each with the range around it. The files of MaxMind and
 * IPinfo have none within others, but tables made from routes do, where the smallest range counts. Of equal ones it is the last.
 */
function nest(ranges: Range[]): void {
	ranges.sort((a, b) =>
		a.start === b.start
			? Number(b.end > a.end) - Number(b.end < a.end)
			: a.start < b.start
				? -1
				: 1,
	);
	let outer: Range | undefined;
	for (const range of ranges) {
		while (outer && outer.end < range.start) outer = outer.outer;
		range.outer = outer;
		outer = range;
	}
}

/** The name of the last range that begins at a key or before it and reaches so far. */
function inTable(
	ranges: readonly Range[],
	key: number | bigint,
): string | undefined {
	let low = 0;
	let high = ranges.length;
	while (low < high) {
		const middle = (low + high) >>> 1;
		if ((ranges[middle] as Range).start <= key) low = middle + 1;
		else high = middle;
	}
	let range = ranges[low - 1];
	while (range && range.end < key) range = range.outer;
	return range?.name;
}
