/**
 * Counts a log that grows, by the bytes of its files: follow-log.ts hands them over as they come. Rotation makes several files of a log, each of
 * which may be within a line while another one goes on.
 */
import { RobotrieError } from "robotrie";
import { concatenate } from "#robotrie/common/chunks";
import { compressionOf } from "#robotrie/common/compression";
import { encodingOf } from "#sites/files/text";
import { unpacked } from "../count/packed-counts.ts";
import type { RowWriter } from "../count/row-writer.ts";
import { SegmentSum } from "../count/segment-sum.ts";
import type { Segment, Totals } from "../count/totals.ts";
import { formatOf } from "../formats/formats.ts";
import {
	type FormatSummary,
	type LogFormat,
	summaryOf,
	withDirective,
} from "../formats/log-format.ts";
import type { AuditOptions, ScanSettings } from "../options/options.ts";
import { checkHosts } from "../options/rule-book.ts";
import { formatOfHead, HEAD } from "../scan/detect.ts";
import { ResolvingAhead, type ReverseDns } from "../scan/reverse-dns.ts";
import { LONGEST_LINE, LogScanner } from "../scan/scanner.ts";
import { type CountedPlace, FollowState } from "./follow-state.ts";
import type { FollowedLog, LogPosition, ResumedFile } from "./followed-log.ts";
import type { OpenOutputs } from "./line-outputs.ts";
import type { LogSource } from "./open-logs.ts";
import { type OnRemark, proxyRemarks } from "./remarks.ts";
import { rowWriter } from "./tasks.ts";

const LF = 10;

/** What reads one of a log's files: each may be within a line while another one goes on. */
interface FileReader {
	readonly scanner: LogScanner;
	readonly ahead: ResolvingAhead | undefined;
	readonly rows: RowWriter | undefined;
	/** Lines that are counted. */
	lines: number;
	/**
	 * Bytes that came before the format was known. A format is detected from whole lines; half a line
	 * might look like another format.
	 */
	head: Uint8Array;
	hasBegun: boolean;
	/** Bytes of a line without its end. */
	unfinished: number;
	/** Within a line that is too long and was counted by another process. */
	isSkipping: boolean;
}

/** What a reader begins a file with. */
const newFile = () => ({
	lines: 0,
	head: new Uint8Array(0),
	hasBegun: false,
	unfinished: 0,
	isSkipping: false,
});

/** What adds up segments. */
interface Counts {
	readonly totals: Totals;
	append(file: string, format: FormatSummary, segment: Segment): void;
}

interface GrowingMeans {
	readonly counts: Counts;
	readonly outputs: OpenOutputs;
	readonly dns: ReverseDns | undefined;
	readonly onRemark: OnRemark;
}

const wrong = (message: string) =>
	new RobotrieError("invalid-argument", message);

/**
 * Counts a log as it grows. Its format is detected from its first whole lines. One log at a time:
 * rotation makes several files of it, which count as one.
 */
export class GrowingLog {
	/** Keeps the counts, if a state is wanted. */
	state: FollowState | undefined;
	readonly #name: string;
	readonly #settings: AuditOptions;
	readonly #scan: ScanSettings;
	readonly #dns: ReverseDns | undefined;
	readonly #onRemark: OnRemark;
	readonly #outputs: OpenOutputs;
	readonly #counts: Counts;
	#format: LogFormat | undefined;
	readonly #readers = new Map<number, FileReader>();
	/** Of files that have ended: the next one takes it. */
	#idle: FileReader | undefined;

	constructor(
		name: string,
		settings: AuditOptions,
		scan: ScanSettings,
		{ counts, outputs, dns, onRemark }: GrowingMeans,
	) {
		this.#name = name;
		this.#settings = settings;
		this.#scan = scan;
		this.#dns = dns;
		this.#onRemark = onRemark;
		this.#counts = counts;
		this.#outputs = outputs;
	}

	/** Counts what a state has, if there is one, and keeps the counts there from now on. @throws {RobotrieError} */
	async keep(path: string, log: LogSource): Promise<void> {
		const name = this.#name;
		this.state = await FollowState.open(
			path,
			log,
			this.#settings,
			({ segment, format }) =>
				this.#counts.append(name, format, unpacked(segment)),
		);
	}

	/** Goes on within a file that another process has begun. */
	async resume({ place, number, at, read }: ResumedFile<CountedPlace>) {
		if (at === 0) return;
		if (!this.#format) this.#choose(await read(0, Math.min(at, HEAD)));
		const reader = await this.#readerOf(number);
		let format = this.#format as LogFormat;
		// A directive may be far above, and says what the lines after it hold.
		if (format.directives)
			for await (const line of directivesOf(at, read))
				format = withDirective(format, line) ?? format;
		reader.lines = place.lines;
		reader.isSkipping = place.isSkipping;
		this.#begin(reader, format);
	}

	/** How far all is counted that was taken. */
	position(followed: FollowedLog): LogPosition<CountedPlace> {
		return followed.position((file) => {
			const reader = file === undefined ? undefined : this.#readers.get(file);
			const { unfinished = 0, lines = 0 } = reader ?? {};
			// The scanner has counted such a line, and skips the rest of it.
			const isSkipping = unfinished > LONGEST_LINE || !!reader?.isSkipping;
			return { unfinished: isSkipping ? 0 : unfinished, lines, isSkipping };
		});
	}

	/** Lines that were scanned and wait to be taken. */
	get waiting(): number {
		let lines = 0;
		for (const { scanner } of this.#readers.values()) lines += scanner.lines;
		return lines;
	}

	/** DNS is asked nothing more. */
	askNoMore(): void {
		this.#dns?.stop();
	}

	/** An unknown number of lines was lost. */
	miss(): void {
		const lost = new SegmentSum(this.#settings);
		lost.miss();
		this.#counts.totals.append(this.#name, lost.toSegment());
		this.state?.miss();
	}

	// The scanner keeps the unfinished line of a chunk itself.
	async add(file: number, bytes: Uint8Array): Promise<void> {
		const reader = await this.#readerOf(file);
		const rest = reader.isSkipping ? afterLine(bytes) : bytes;
		if (!rest) return;
		reader.isSkipping = false;
		const end = rest.lastIndexOf(LF) + 1;
		reader.unfinished =
			end > 0 ? rest.length - end : reader.unfinished + rest.length;
		if (this.#format) await this.#feed(reader, rest);
		else await this.#detect(reader, rest);
		const { scanner, rows } = reader;
		// Lines are counted in the order in which they were read.
		if (this.#readers.size > 1 || scanner.isFull || rows?.isFull)
			await this.#append(reader, scanner.take());
	}

	async #readerOf(file: number): Promise<FileReader> {
		const known = this.#readers.get(file);
		if (known) return known;
		const reader = this.#idle ?? (await this.#newReader());
		this.#idle = undefined;
		this.#readers.set(file, reader);
		return reader;
	}

	async #newReader(): Promise<FileReader> {
		const rows = await rowWriter(this.#scan);
		return {
			scanner: new LogScanner(this.#scan, rows, {
				resolved: this.#dns?.resolved,
				systemOf: this.#settings.systemOf,
			}),
			ahead: this.#dns && new ResolvingAhead(this.#scan, this.#dns),
			rows,
			...newFile(),
		};
	}

	#begin(reader: FileReader, format: LogFormat): void {
		reader.hasBegun = true;
		reader.ahead?.begin(format);
		reader.scanner.begin(format);
	}

	async #feed(reader: FileReader, bytes: Uint8Array): Promise<void> {
		const { scanner, ahead } = reader;
		if (!reader.hasBegun) {
			this.#begin(reader, this.#format as LogFormat);
			const { head } = reader;
			reader.head = new Uint8Array(0);
			// What was held back before another file told the format.
			if (head.length > 0) await this.#feed(reader, head);
		}
		ahead?.see(bytes);
		await ahead?.resolve();
		scanner.feed(bytes);
	}

	/** Waits for a whole line: the format is detected from the first ones. */
	async #detect(reader: FileReader, bytes: Uint8Array): Promise<void> {
		// Nothing is fed before the format is known, so the head is collected whole.
		const head = concatenate([reader.head, bytes]);
		reader.head = head;
		if (compressionOf(head) !== "plain")
			throw wrong(`cannot follow ${this.#name}: it is compressed`);
		if (encodingOf(head, this.#name).startsWith("utf-16"))
			throw wrong(
				`cannot follow ${this.#name}: it is UTF-16, which is read from stdin only`,
			);
		const end = head.lastIndexOf(LF) + 1;
		// HEAD bytes without a line end are still a head: a log of one long line must not wait for
		// ever.
		if (end > 0 || head.length >= HEAD)
			await this.#useFormat(reader, head.subarray(0, end || head.length));
	}

	async #useFormat(reader: FileReader, head: Uint8Array): Promise<void> {
		this.#choose(head);
		await this.#feed(reader, new Uint8Array(0));
	}

	#choose(head: Uint8Array): void {
		const { format, robots, trustedProxies } = this.#settings;
		const found =
			format === undefined
				? formatOfHead(head, this.#name)
				: typeof format === "string"
					? formatOf(format)
					: format;
		this.#format = found;
		if (this.state && found.records)
			throw wrong(
				`a state needs a log of lines, and ${this.#name} is ${found.name} of which an entry may be several`,
			);
		const log = { name: this.#name, format: found, head };
		checkHosts([log], robots);
		if (trustedProxies) proxyRemarks([log], this.#onRemark);
	}

	/** Counts what was scanned; a line without an end waits for it. */
	async take(): Promise<void> {
		for (const reader of this.#readers.values())
			if (reader.hasBegun) await this.#append(reader, reader.scanner.take());
	}

	/** A file has ended; a last line without an end counts, unless it is cut: half a line may be another path. */
	async end(file: number, isCut = false): Promise<void> {
		const reader = this.#readers.get(file);
		if (!reader) return;
		this.#readers.delete(file);
		if (!this.#format && reader.head.length > 0 && !isCut)
			await this.#useFormat(reader, reader.head);
		if (this.#format && reader.head.length > 0)
			await this.#feed(reader, new Uint8Array(0));
		if (reader.hasBegun) {
			const { ahead, scanner } = reader;
			if (!isCut) await ahead?.end();
			await this.#append(reader, isCut ? scanner.take() : scanner.end());
		}
		this.#idle = Object.assign(reader, newFile());
	}

	async endAll(): Promise<void> {
		for (const file of [...this.#readers.keys()]) await this.end(file);
	}

	async #append(reader: FileReader, segment: Segment): Promise<void> {
		const name = this.#name;
		const format = summaryOf(this.#format as LogFormat);
		const { totals } = this.#counts;
		// Each file has line numbers of its own.
		totals.beginFile(name, reader.lines);
		this.#counts.append(name, format, segment);
		this.state?.add(segment, format);
		const linesBefore = reader.lines;
		reader.lines = totals.linesOf(name);
		const rows = reader.rows?.take();
		await this.#outputs.write({ name, format, linesBefore, rows, segment });
	}
}

/** What comes after the end of a line; undefined if it does not end. */
function afterLine(bytes: Uint8Array): Uint8Array | undefined {
	const feed = bytes.indexOf(LF);
	return feed < 0 ? undefined : bytes.subarray(feed + 1);
}

/** The directives of a log's first bytes, which end with a line. */
async function* directivesOf(
	size: number,
	read: ResumedFile["read"],
): AsyncGenerator<string> {
	let rest = "";
	for (let at = 0; at < size; at += HEAD) {
		const bytes = await read(at, Math.min(HEAD, size - at));
		const lines = (rest + Buffer.from(bytes).toString("latin1")).split("\n");
		rest = lines.pop() ?? "";
		yield* lines.filter((line) => line.startsWith("#"));
	}
}
