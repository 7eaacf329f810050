/**
 * `robotrie audit --follow`: counts a log that grows, across rotation, until it ends or a signal comes. run.ts loads it. Two things must hold:
 * a signal ends the command even if nobody reads stdout any more, and each line is counted once.
 */
import { constants, openSync, statSync } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { AuditOptions, AuditReport, LogFormat } from "@robotrie/audit";
import {
	checkHosts,
	formatOfHead,
	HEAD,
	LogScanner,
	ResolvingAhead,
	type RowWriter,
	RuleBook,
	reportOf,
	type ScanSettings,
	type Segment,
	summaryOf,
	Totals,
} from "@robotrie/audit/internal";
import { compressionOf, concatenate, until } from "robotrie/internal";
import { encodingOf, nameOf, readText, STDIN, textOf } from "../input/input.ts";
import { EXIT_FAILED, Failure, failureOf, tell } from "../output/output.ts";
import { remarkProxies } from "./inputs.ts";
import type { AuditCommandOptions } from "./options.ts";
import { finish, LiveReport, takesStdout } from "./report.ts";
import type { CachedDns } from "./resolve.ts";
import { SideOutputs } from "./side-outputs.ts";
import { rowWriter } from "./tasks.ts";

const LF = 10;

/**
 * What `--follow` does: reads a log that grows, and shows the report now and then, until it ends or
 * a signal says so. One loop waits for bytes of the log, for the time of the next report and for a
 * signal, so that none of the three holds up another.
 */
export async function follow(
	files: readonly string[],
	settings: AuditOptions,
	scan: ScanSettings,
	options: AuditCommandOptions,
	dns: CachedDns | undefined,
): Promise<void> {
	// Stdin is not rotated; a pipe into it ends when its writer does.
	const [file = STDIN] = files;
	if (files.length > 1)
		throw new Failure("--follow reads one log; name the one that grows");
	// Rotation makes several files of it, each with its line numbers from 1.
	const outputs = await SideOutputs.open(options, settings, false);
	const rows = await rowWriter(scan);
	const log = new GrowingLog(nameOf(file), settings, scan, outputs, rows, dns);
	const live = new LiveReport(options);
	const stop = stopSignal();
	stop.addEventListener("abort", () => dns?.stop(), { once: true });
	const reader = new StdoutReader(stop);
	/** Waits for what may write lines to stdout. */
	const counted = async (writing: Promise<void>) => {
		if (!takesStdout(options)) await writing;
		else if (!(await reader.takes(writing))) throw new Failure(UNREAD);
	};
	try {
		await live.serve(log.report());
		const events = eventsOf(file, stop)[Symbol.asyncIterator]();
		// The next event is asked for once and raced until it comes: asking again would lose bytes.
		let next = events.next();
		for (;;) {
			// Without the event itself: whatever such a race gives, it keeps until the report is due.
			const isDue = await Promise.race([next.then(() => false), live.due()]);
			// What was counted so far is taken first, so that the report has it.
			if (isDue) {
				await counted(log.take());
				await reader.takes(live.show(log.report()));
				continue;
			}
			const event = await next;
			if (event.done) break;
			await counted(
				event.value === RESTARTED ? log.restart() : log.add(event.value),
			);
			live.touch();
			next = events.next();
		}
		// What a signal leaves of a line may be half of it. A line cut off by a signal would count as
		// unparsed, and only because we stopped reading.
		await counted(stop.aborted ? log.take() : log.restart());
		// Side outputs keep their old content unless everything was written.
		await counted(outputs.commit());
		await dns?.end();
	} catch (error) {
		await outputs.discard();
		if (reader.isStalled) endUnread();
		throw error;
	} finally {
		live.end();
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

/** A file that grows is read again and again; anything else is read as a stream, up to the signal. */
function eventsOf(
	file: string,
	stop: AbortSignal,
): AsyncIterable<Uint8Array | typeof RESTARTED> {
	const found =
		file === STDIN ? undefined : statSync(file, { throwIfNoEntry: false });
	if (found?.isFile()) return followFile(file, stop);
	if (!found?.isFIFO())
		return untilStopped(readText(file), process.stdin, stop);
	const pipe = openPipe(file);
	return untilStopped(textOf(pipe, file), pipe, stop);
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

/**
 * Counts a log as it grows. Its format is detected from its first whole lines. One log at a time:
 * rotation makes several files of it, which count as one.
 */
class GrowingLog {
	readonly #name: string;
	readonly #settings: AuditOptions;
	readonly #scanner: LogScanner;
	readonly #ahead: ResolvingAhead | undefined;
	readonly #outputs: SideOutputs;
	readonly #rows: RowWriter | undefined;
	readonly #totals: Totals;
	readonly #book: RuleBook;
	#format: LogFormat | undefined;
	/**
	 * Bytes that came before the format was known. A format is detected from whole lines; half a line
	 * might look like another format.
	 */
	#head: Uint8Array = new Uint8Array(0);

	constructor(
		name: string,
		settings: AuditOptions,
		scan: ScanSettings,
		outputs: SideOutputs,
		rows: RowWriter | undefined,
		cached: CachedDns | undefined,
	) {
		this.#name = name;
		this.#settings = settings;
		this.#totals = new Totals(settings);
		this.#scanner = new LogScanner(scan, rows, {
			resolved: cached?.dns.resolved,
			systemOf: settings.systemOf,
		});
		this.#ahead = cached && new ResolvingAhead(scan, cached.dns);
		this.#outputs = outputs;
		this.#rows = rows;
		// The rule book is made once, as its files do not change while a log grows.
		this.#book = new RuleBook(settings.robots, settings);
	}

	get formats() {
		return this.#format ? [summaryOf(this.#format)] : [];
	}

	// The scanner keeps the unfinished line of a chunk itself.
	async add(bytes: Uint8Array): Promise<void> {
		if (!this.#format) await this.#begin(bytes);
		else await this.#feed(bytes);
		if (this.#scanner.isFull || this.#rows?.isFull) await this.take();
	}

	async #feed(bytes: Uint8Array): Promise<void> {
		this.#ahead?.see(bytes);
		await this.#ahead?.resolve();
		this.#scanner.feed(bytes);
	}

	/** Waits for a whole line: the format is detected from the first ones. */
	async #begin(bytes: Uint8Array): Promise<void> {
		// Nothing is fed before the format is known, so the head is collected whole.
		this.#head = concatenate([this.#head, bytes]);
		if (compressionOf(this.#head) !== "plain")
			throw new Failure(`cannot follow ${this.#name}: it is compressed`);
		if (encodingOf(this.#head, this.#name).startsWith("utf-16"))
			throw new Failure(
				`cannot follow ${this.#name}: it is UTF-16, which is read from stdin only`,
			);
		const end = this.#head.lastIndexOf(LF) + 1;
		// HEAD bytes without a line end are still a head: a log of one long line must not wait for
		// ever.
		if (end > 0 || this.#head.length >= HEAD)
			await this.#useFormat(this.#head.subarray(0, end || this.#head.length));
	}

	async #useFormat(head: Uint8Array): Promise<void> {
		const { format } = this.#settings;
		this.#format =
			typeof format === "object" ? format : formatOfHead(head, this.#name);
		const log = { name: this.#name, format: this.#format };
		checkHosts([log], this.#settings.robots);
		if (this.#settings.trustedProxies) remarkProxies([{ ...log, head }]);
		this.#ahead?.begin(this.#format);
		this.#scanner.begin(this.#format);
		await this.#feed(this.#head);
		this.#head = new Uint8Array(0);
	}

	/** Counts what was scanned; a line without an end waits for it. */
	async take(): Promise<void> {
		if (this.#format) await this.#append(this.#scanner.take());
	}

	/** Another file begins, or none; a last line without an end counts. */
	async restart(): Promise<void> {
		if (!this.#format && this.#head.length > 0)
			await this.#useFormat(this.#head);
		if (!this.#format) return;
		await this.#ahead?.end();
		// Segments are appended in the order of lines, so each is appended before the next is scanned.
		await this.#append(this.#scanner.end());
		this.#totals.beginFile(this.#name);
		this.#ahead?.begin(this.#format);
		this.#scanner.begin(this.#format);
	}

	async #append(segment: Segment): Promise<void> {
		const name = this.#name;
		const linesBefore = this.#totals.linesOf(name);
		const format = summaryOf(this.#format as LogFormat);
		this.#totals.append(name, segment, format);
		const rows = this.#rows?.take();
		await this.#outputs.write({ name, format, linesBefore, rows, segment });
	}

	report(): AuditReport {
		const groupBy = this.#settings.groupBy ?? "name";
		return reportOf(this.#totals, this.#book, groupBy);
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
async function* untilStopped<Item>(
	source: AsyncGenerator<Item>,
	pipe: Readable,
	stop: AbortSignal,
): AsyncGenerator<Item> {
	yield* until(stop, source);
	// It would keep the process waiting.
	if (stop.aborted) pipe.destroy();
}

/**
 * The next bytes are of another file, which has replaced the one before, or were written after it
 * was emptied. A symbol, so that it cannot be mistaken for bytes of the log.
 */
const RESTARTED: unique symbol = Symbol("restarted");

/**
 * Milliseconds between two looks at a file. Five looks a second cost nothing and look immediate.
 */
const PERIOD = 200;
const CHUNK = 256 * 1024;
/**
 * A log whose first bytes have changed was emptied and written anew. Log rotation by copytruncate
 * keeps the file and empties it; the size alone does not tell when it has grown past the old one
 * already.
 */
const FIRST_BYTES = 128;

/**
 * The bytes of a growing file as they come, until the signal says so; what is there by then comes,
 * too. Log rotation may rename the file and make a new one (another inode under the name), or copy
 * and empty it (the same inode).
 * @throws {Failure} When it cannot be read.
 */
async function* followFile(
	path: string,
	signal: AbortSignal,
): AsyncGenerator<Uint8Array | typeof RESTARTED> {
	let file: FollowedFile | undefined;
	try {
		file = await FollowedFile.open(path);
		for (;;) {
			// Read before the loop ends, so that the last look takes what was written meanwhile.
			const isLast = signal.aborted;
			if (await file.isCut()) {
				file.rewind();
				yield RESTARTED;
			}
			yield* file.rest();
			if (isLast) return;
			const successor = await file.successor();
			// Until the successor has bytes, the old file may still be written to by a server that keeps
			// it open.
			if (successor) {
				// What was written to the old one in between.
				yield* file.rest();
				await file.replace(successor);
				yield RESTARTED;
			} else await sleep(PERIOD, undefined, { signal }).catch(() => {});
		}
	} catch (error) {
		throw failureOf(`read ${path}`, error);
	} finally {
		await file?.close();
	}
}

/** The file by its handle, not by its name: after a rename the name means another file. */
class FollowedFile {
	readonly #path: string;
	#handle: FileHandle;
	/** Bytes read so far, and the first ones of these. */
	#at = 0;
	#first = Buffer.alloc(0);
	readonly #buffer = Buffer.alloc(CHUNK);

	private constructor(path: string, handle: FileHandle) {
		this.#path = path;
		this.#handle = handle;
	}

	static async open(path: string): Promise<FollowedFile> {
		return new FollowedFile(path, await open(path, "r"));
	}

	/**
	 * What has not been read yet. Bytes are copied, as the buffer is reused and the chunk is kept.
	 */
	async *rest(): AsyncGenerator<Uint8Array> {
		for (;;) {
			const bytes = await this.#read(this.#at, CHUNK);
			if (bytes.length === 0) return;
			if (this.#first.length < FIRST_BYTES)
				this.#first = Buffer.concat([this.#first, bytes]).subarray(
					0,
					FIRST_BYTES,
				);
			this.#at += bytes.length;
			yield bytes;
		}
	}

	/** A copy of the file's bytes at a place. */
	async #read(at: number, size: number): Promise<Uint8Array> {
		const { bytesRead } = await this.#handle.read(this.#buffer, 0, size, at);
		return new Uint8Array(this.#buffer.subarray(0, bytesRead));
	}

	/** Whether it was emptied since it was read. */
	async isCut(): Promise<boolean> {
		const { size } = await this.#handle.stat();
		// Smaller is certain; as large or larger, the first bytes have to be compared.
		if (size < this.#at) return true;
		const first = await this.#read(0, this.#first.length);
		return !this.#first.equals(first);
	}

	rewind(): void {
		// The name leads to the old file again; only the position is lost.
		this.#at = 0;
		this.#first = Buffer.alloc(0);
	}

	/** The file that has taken its place, once something is written there: before that, the old one may still grow. */
	async successor(): Promise<FileHandle | undefined> {
		const own = await this.#handle.stat();
		const found = await stat(this.#path).catch(() => undefined);
		if (!found || found.size === 0) return undefined;
		if (found.ino === own.ino && found.dev === own.dev) return undefined;
		return open(this.#path, "r").catch(() => undefined);
	}

	async replace(successor: FileHandle): Promise<void> {
		await this.#handle.close();
		this.#handle = successor;
		this.rewind();
	}

	close(): Promise<void> {
		return this.#handle.close();
	}
}
