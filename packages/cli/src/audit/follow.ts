/**
 * `robotrie audit follow`: counts a log that grows, across rotation, until it ends or a signal comes. audit.ts loads it. Two things must hold:
 * a signal ends the command even if nobody reads stdout any more, and each line is counted once; with --state also if the process is killed.
 */

import { constants, openSync } from "node:fs";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { AuditOptions, AuditReport, LogFormat } from "@robotrie/audit";
import {
	checkHosts,
	formatOfHead,
	HEAD,
	LONGEST_LINE,
	LogScanner,
	ResolvingAhead,
	type RowWriter,
	RuleBook,
	reportOf,
	type ScanSettings,
	type Segment,
	SegmentSum,
	scanSettings,
	summaryOf,
	Totals,
	unpacked,
	withDirective,
} from "@robotrie/audit/internal";
import {
	eachSettings,
	OpenOutputs,
	rowWriter,
	withoutForwarded,
} from "@robotrie/audit/internal-files";
import { concatenate, until } from "#robotrie/common/chunks";
import { compressionOf } from "#robotrie/common/compression";
import { statIfThere } from "#sites/files/stat";
import { encodingOf, textOf } from "#sites/files/text";
import { nameOf, readText, STDIN } from "../input/input.ts";
import { EXIT_FAILED, Failure, failureOf, tell } from "../output/output.ts";
import { type CountedPlace, FollowState } from "./follow-state.ts";
import {
	type FollowedBytes,
	FollowedLog,
	type LogPosition,
	type Loss,
	type ResumedFile,
} from "./followed-log.ts";
import type { FollowOptions } from "./options.ts";
import { planOf } from "./plan.ts";
import { finish, LiveReport, Period, takesStdout } from "./report.ts";
import type { CachedDns } from "./resolve.ts";
import { remarkProxy } from "./run.ts";
import { SideOutputs } from "./side-outputs.ts";

const LF = 10;

/**
 * Reads a log that grows, and shows the report now and then, until it ends or a signal says so. One loop waits for bytes of the log, for the
 * time of the next report and for a signal, so that none of the three holds up another.
 */
export async function follow(
	given: string | undefined,
	options: FollowOptions,
): Promise<void> {
	// Whoever follows a log has time for DNS.
	const { files, settings, dns } = await planOf(
		given === undefined ? [] : [given],
		options,
		Number.POSITIVE_INFINITY,
	);
	// Rotation makes several files of it, each with its line numbers from 1.
	const side = new SideOutputs(options, false, false);
	const scan = {
		...scanSettings(settings, side.violations !== undefined),
		each: eachSettings(side),
	};
	// Stdin is not rotated; a pipe into it ends when its writer does.
	const [file = STDIN] = files;
	if (files.length > 1)
		throw new Failure("audit follow reads one log; name the one that grows");
	await side.open();
	const outputs = await OpenOutputs.open(side, false);
	const log = new GrowingLog(nameOf(file), settings, scan, outputs, dns);
	const live = new LiveReport(options);
	const stop = stopSignal();
	stop.addEventListener("abort", () => dns?.stop(), { once: true });
	const reader = new StdoutReader(stop);
	/** Waits for what may write lines to stdout. */
	const counted = async (writing: Promise<void>) => {
		if (!takesStdout(options)) await writing;
		else if (!(await reader.takes(writing))) throw new Failure(UNREAD);
	};
	let followed: FollowedLog | undefined;
	const saving = new Period(options.interval);
	const save = async () => {
		await counted(log.take());
		if (log.state && followed) await log.state.write(log.position(followed));
	};
	try {
		if (options.state !== undefined) await log.keep(options.state, file);
		followed = await openLog(file, log);
		// Now, as a log that is rotated before the first state is another one to the next process.
		await save();
		await live.serve(log.report());
		const source = eventsOf(file, followed, stop, log.state !== undefined);
		const events = source[Symbol.asyncIterator]();
		// The next event is asked for once and raced until it comes: asking again would lose bytes.
		let next = events.next();
		for (;;) {
			// Without the event itself: whatever such a race gives, it keeps until the report is due.
			const due = await Promise.race([
				next.then(() => undefined),
				live.due(),
				...(log.state ? [saving.due(log.state.period)] : []),
			]);
			if (due === saving) {
				await save();
				saving.begin();
				continue;
			}
			// What was counted so far is taken first, so that the report has it.
			if (due) {
				await counted(log.take());
				await reader.takes(live.show(log.report()));
				continue;
			}
			const event = await next;
			if (event.done) break;
			const { file, bytes, isCut } = event.value;
			await counted(bytes ? log.add(file, bytes) : log.end(file, isCut));
			live.touch();
			saving.touch();
			// At once: it says that these bytes are counted (`FollowedLog.position`).
			next = events.next();
		}
		// What a signal leaves of a line may be half of it. A line cut off by a signal would count as
		// unparsed, and only because we stopped reading.
		await counted(stop.aborted ? log.take() : log.endAll());
		// Side outputs keep their old content unless everything was written.
		await counted(side.commit());
		await save();
		await dns?.end();
	} catch (error) {
		await side.discard();
		if (reader.isStalled) endUnread();
		throw error;
	} finally {
		live.end();
		saving.end();
		await followed?.close();
	}
	const isRead =
		!reader.isStalled &&
		(await reader.takes(finish(log.report(), log.formats, options)));
	if (!isRead) endUnread();
}

/** Not an error of ours: the reader has gone, as with `head`, but without closing the pipe. */
const UNREAD = "stdout is not read any more: the last of it was not written";

/** Unwritten output would keep the process running. */
function endUnread(): never {
	tell(UNREAD);
	process.exit(EXIT_FAILED);
}

/**
 * A file that grows is read again and again; anything else is read as a stream, up to the signal.
 * @param isKept Whether another process goes on from here.
 */
function eventsOf(
	file: string,
	followed: FollowedLog | undefined,
	stop: AbortSignal,
	isKept: boolean,
): AsyncIterable<FollowedBytes> {
	if (followed) return followFile(file, followed, stop, isKept);
	if (!statOf(file)?.isFIFO())
		return untilStopped(readText(file), process.stdin, stop);
	const pipe = openPipe(file);
	return untilStopped(textOf(pipe, file), pipe, stop);
}

const statOf = (file: string) =>
	file === STDIN ? undefined : statIfThere(file);

/** A file that grows; undefined for what is read as a stream. @throws {Failure} When it cannot be read. */
async function openLog(
	file: string,
	log: GrowingLog,
): Promise<FollowedLog | undefined> {
	if (!statOf(file)?.isFile()) return undefined;
	const onLoss = (loss: Loss) => {
		log.miss();
		const what =
			loss === "emptied" ? `${file} was emptied` : `a file of ${file} is gone`;
		tell(
			`warning: ${what}, perhaps with lines that were not counted yet: an unknown number of lines is missing`,
		);
	};
	try {
		return await FollowedLog.open(
			file,
			onLoss,
			log.state?.position,
			(resumed) => log.resume(resumed),
		);
	} catch (error) {
		throw failureOf(`read ${file}`, error);
	}
}

/**
 * A named pipe as a socket. A file stream reads in a thread that waits until somebody writes, and
 * the process cannot end before.
 */
function openPipe(path: string): Socket {
	try {
		const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
		return new Socket({ fd, readable: true, writable: false });
	} catch (error) {
		throw failureOf(`read ${path}`, error);
	}
}

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

/**
 * Counts a log as it grows. Its format is detected from its first whole lines. One log at a time:
 * rotation makes several files of it, which count as one.
 */
class GrowingLog {
	/** Keeps the counts, with --state. */
	state: FollowState | undefined;
	readonly #name: string;
	readonly #settings: AuditOptions;
	readonly #scan: ScanSettings;
	readonly #cached: CachedDns | undefined;
	readonly #outputs: OpenOutputs;
	readonly #totals: Totals;
	readonly #book: RuleBook;
	#format: LogFormat | undefined;
	readonly #readers = new Map<number, FileReader>();
	/** Of files that have ended: the next one takes it. */
	#idle: FileReader | undefined;

	constructor(
		name: string,
		settings: AuditOptions,
		scan: ScanSettings,
		outputs: OpenOutputs,
		cached: CachedDns | undefined,
	) {
		this.#name = name;
		this.#settings = settings;
		this.#scan = scan;
		this.#cached = cached;
		this.#totals = new Totals(settings);
		this.#outputs = outputs;
		// The rule book is made once, as its files do not change while a log grows.
		this.#book = new RuleBook(settings.robots, settings);
	}

	/** Counts what a state has, if there is one, and keeps the counts there from now on. @throws {Failure} */
	async keep(path: string, file: string): Promise<void> {
		this.state = await FollowState.open(
			path,
			file,
			this.#settings,
			({ segment, format }) =>
				this.#totals.append(this.#name, unpacked(segment), format),
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

	/** An unknown number of lines was lost. */
	miss(): void {
		const lost = new SegmentSum(this.#settings);
		lost.miss();
		this.#totals.append(this.#name, lost.toSegment());
		this.state?.miss();
	}

	get formats() {
		return this.#format ? [this.#format.name] : [];
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
				resolved: this.#cached?.dns.resolved,
				systemOf: this.#settings.systemOf,
			}),
			ahead: this.#cached && new ResolvingAhead(this.#scan, this.#cached.dns),
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
			throw new Failure(`cannot follow ${this.#name}: it is compressed`);
		if (encodingOf(head, this.#name).startsWith("utf-16"))
			throw new Failure(
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
		const { format } = this.#settings;
		this.#format =
			typeof format === "object" ? format : formatOfHead(head, this.#name);
		if (this.state && this.#format.records)
			throw new Failure(
				`audit follow --state needs a log of lines, and ${this.#name} is ${this.#format.name} of which an entry may be several`,
			);
		const log = { name: this.#name, format: this.#format };
		checkHosts([log], this.#settings.robots);
		if (this.#settings.trustedProxies)
			for (const { name, format } of withoutForwarded([{ ...log, head }]))
				remarkProxy(name, format.name);
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
		// Each file has line numbers of its own.
		this.#totals.beginFile(name, reader.lines);
		this.#totals.append(name, segment, format);
		this.state?.add(segment, format);
		const linesBefore = reader.lines;
		reader.lines = this.#totals.linesOf(name);
		const rows = reader.rows?.take();
		await this.#outputs.write({ name, format, linesBefore, rows, segment });
	}

	report(): AuditReport {
		const groupBy = this.#settings.groupBy ?? "name";
		return reportOf(this.#totals, this.#book, groupBy);
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

const signals = ["SIGINT", "SIGTERM"] as const;

/** Aborted by SIGINT or SIGTERM; the second one ends the process as it would if nobody listened. */
function stopSignal(): AbortSignal {
	const stop = new AbortController();
	// The first signal asks the loop to end; the second one is not caught any more, so that a hanging
	// process can be stopped.
	const onSignal = (signal: NodeJS.Signals) => {
		if (stop.signal.aborted) {
			for (const each of signals) process.removeAllListeners(each);
			process.kill(process.pid, signal);
		}
		stop.abort();
	};
	for (const signal of signals) process.on(signal, onSignal);
	return stop.signal;
}

/**
 * Milliseconds that the reader of stdout has, after a signal, to take some of what waits for it;
 * and between two looks. Two seconds are enough for a slow reader and little for a person who
 * waits.
 */
const PATIENCE = 2000;
const STDOUT_PERIOD = 100;

/** Notices after a signal that stdout is no longer read: a write to a full pipe without a reader never ends, so the process would not either. */
class StdoutReader {
	readonly #stop: AbortSignal;
	#isStalled = false;

	constructor(stop: AbortSignal) {
		this.#stop = stop;
	}

	/** After the signal, nothing of what waited for the reader was taken. */
	get isStalled(): boolean {
		return this.#isStalled;
	}

	/**
	 * Waits for what writes to stdout; false if it gave up because the reader has stalled. A race
	 * against a timer, because a write to a full pipe never settles.
	 */
	async takes(writing: Promise<void>): Promise<boolean> {
		let timer: NodeJS.Timeout | undefined;
		// Whether bytes move is known from the length of what is queued for stdout.
		const stalled = new Promise<false>((resolve) => {
			let waiting = 0;
			let since = performance.now();
			timer = setInterval(() => {
				const { writableLength } = process.stdout;
				const now = performance.now();
				const isMoving = writableLength === 0 || writableLength !== waiting;
				// Before the signal nothing is given up: a slow reader may take as long as it likes.
				if (!this.#stop.aborted || isMoving) {
					waiting = writableLength;
					since = now;
				} else if (this.#isStalled || now - since >= PATIENCE) {
					this.#isStalled = true;
					resolve(false);
				}
			}, STDOUT_PERIOD);
		});
		try {
			return await Promise.race([writing.then(() => true), stalled]);
		} finally {
			clearInterval(timer);
		}
	}
}

/** Chunks of a source that may never end, up to the signal. It reads from `pipe`. */
async function* untilStopped(
	source: AsyncGenerator<Uint8Array>,
	pipe: Readable,
	stop: AbortSignal,
): AsyncGenerator<FollowedBytes> {
	for await (const bytes of until(stop, source)) yield { file: 0, bytes };
	// It would keep the process waiting.
	if (stop.aborted) pipe.destroy();
}

/** Milliseconds between two looks at a file. Five looks a second cost nothing and look immediate. */
const PERIOD = 200;

/** What is written to a file, until the signal says so; what is there by then comes, too. @throws {Failure} When it cannot be read. */
async function* followFile(
	path: string,
	log: FollowedLog,
	signal: AbortSignal,
	isKept: boolean,
): AsyncGenerator<FollowedBytes> {
	try {
		while (!signal.aborted) {
			yield* log.look(performance.now());
			await sleep(PERIOD, undefined, { signal }).catch(() => {});
		}
		const now = performance.now();
		// Replaced files do not end: their writers may go on, and who goes on from the state reads that.
		yield* isKept ? log.look(now) : log.last(now);
	} catch (error) {
		throw failureOf(`read ${path}`, error);
	}
}
