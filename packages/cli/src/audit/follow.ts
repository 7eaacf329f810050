import { statSync } from "node:fs";
import type { AuditOptions, AuditReport, LogFormat } from "@robotrie/audit";
import type {
	RowWriter,
	ScanSettings,
	Segment,
} from "@robotrie/audit/internal";
import {
	checkHosts,
	formatOfHead,
	HEAD,
	LogScanner,
	RuleBook,
	reportOf,
	summaryOf,
	Totals,
} from "@robotrie/audit/internal";
import { compressionOf, concatenate } from "robotrie/internal";
import { followFile, RESTARTED } from "../input/follow-file.ts";
import { nameOf, readText, STDIN } from "../input/input.ts";
import { EXIT_FAILED, Failure } from "../output/failure.ts";
import { tell } from "../output/output.ts";
import { finish, takesStdout } from "./finish.ts";
import { remarkProxies } from "./inputs.ts";
import { LiveReport } from "./live.ts";
import type { AuditCommandOptions } from "./options.ts";
import { SideOutputs } from "./side-outputs.ts";
import { StdoutReader, stopSignal, untilStopped } from "./stop-signal.ts";
import { rowWriter } from "./tasks.ts";

const LF = 10;

/** What `--follow` does: reads a log that grows, and shows the report now and then, until it ends or a signal says so. */
export async function follow(
	files: readonly string[],
	settings: AuditOptions,
	scan: ScanSettings,
	options: AuditCommandOptions,
): Promise<void> {
	const [file = STDIN] = files;
	if (files.length > 1)
		throw new Failure("--follow reads one log; name the one that grows");
	// Rotation makes several files of it, each with its line numbers from 1.
	const outputs = await SideOutputs.open(options, settings, false);
	const rows = await rowWriter(scan);
	const log = new GrowingLog(nameOf(file), settings, scan, outputs, rows);
	const live = new LiveReport(options);
	const stop = stopSignal();
	const reader = new StdoutReader(stop);
	/** Waits for what may write lines to stdout. */
	const counted = async (work: Promise<void>) => {
		if (!takesStdout(options)) await work;
		else if (!(await reader.takes(work))) throw new Failure(UNREAD);
	};
	try {
		const events = eventsOf(file, stop)[Symbol.asyncIterator]();
		let next = events.next();
		for (;;) {
			const event = await Promise.race([next, live.due()]);
			if (event === undefined) {
				await counted(log.take());
				await reader.takes(live.show(log.report()));
				continue;
			}
			if (event.done) break;
			await counted(
				event.value === RESTARTED ? log.restart() : log.add(event.value),
			);
			live.touch();
			next = events.next();
		}
		// What a signal leaves of a line may be half of it.
		await counted(stop.aborted ? log.take() : log.restart());
		await counted(outputs.commit());
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

const UNREAD = "stdout is not read any more: the last of it was not written";

/** What waits for the reader would keep the process. */
function endUnread(): never {
	tell(UNREAD);
	process.exit(EXIT_FAILED);
}

function eventsOf(
	file: string,
	stop: AbortSignal,
): AsyncIterable<Uint8Array | typeof RESTARTED> {
	const isFile =
		file !== STDIN && statSync(file, { throwIfNoEntry: false })?.isFile();
	return isFile ? followFile(file, stop) : untilStopped(readText(file), stop);
}

/** Counts a log as it grows. Its format is told by its first whole lines. */
class GrowingLog {
	readonly #name: string;
	readonly #settings: AuditOptions;
	readonly #scanner: LogScanner;
	readonly #outputs: SideOutputs;
	readonly #rows: RowWriter | undefined;
	readonly #totals = new Totals();
	readonly #book: RuleBook;
	#format: LogFormat | undefined;
	/** Bytes that came before the format was known. */
	#head: Uint8Array = new Uint8Array(0);

	constructor(
		name: string,
		settings: AuditOptions,
		scan: ScanSettings,
		outputs: SideOutputs,
		rows: RowWriter | undefined,
	) {
		this.#name = name;
		this.#settings = settings;
		this.#scanner = new LogScanner(scan, rows);
		this.#outputs = outputs;
		this.#rows = rows;
		this.#book = new RuleBook(settings.robots, settings);
	}

	get formats() {
		return this.#format ? [summaryOf(this.#format)] : [];
	}

	async add(bytes: Uint8Array): Promise<void> {
		if (!this.#format) this.#begin(bytes);
		else this.#scanner.feed(bytes);
		if (this.#scanner.isFull || this.#rows?.isFull) await this.take();
	}

	/** Waits for a whole line: the first ones tell the format. */
	#begin(bytes: Uint8Array): void {
		this.#head = concatenate([this.#head, bytes]);
		if (compressionOf(this.#head) !== "plain")
			throw new Failure(`cannot follow ${this.#name}: it is compressed`);
		const end = this.#head.lastIndexOf(LF) + 1;
		if (end > 0 || this.#head.length >= HEAD)
			this.#useFormat(this.#head.subarray(0, end || this.#head.length));
	}

	#useFormat(head: Uint8Array): void {
		const { format } = this.#settings;
		this.#format =
			typeof format === "object" ? format : formatOfHead(head, this.#name);
		const log = { name: this.#name, format: this.#format };
		checkHosts([log], this.#settings.robots);
		if (this.#settings.trustedProxies) remarkProxies([{ ...log, head }]);
		this.#scanner.begin(this.#format);
		this.#scanner.feed(this.#head);
		this.#head = new Uint8Array(0);
	}

	/** Counts what was scanned; a line without an end waits for it. */
	async take(): Promise<void> {
		if (this.#format) await this.#append(this.#scanner.take());
	}

	/** Another file begins, or none; a last line without an end counts. */
	async restart(): Promise<void> {
		if (!this.#format && this.#head.length > 0) this.#useFormat(this.#head);
		if (!this.#format) return;
		await this.#append(this.#scanner.end());
		this.#totals.beginFile(this.#name);
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
