/**
 * auditFiles, the public way to audit many files, and readNetworks. AuditCounts add up what files/scan-logs.ts gives, and become a LogAudit.
 * `robotrie audit` is this with options, texts and exit codes.
 */

import { RobotrieError } from "robotrie";
import { checkOptions, type OptionTable } from "#robotrie/common/arguments";
import { until } from "#robotrie/common/chunks";
import {
	flagKind,
	functionKind,
	list,
	textKind,
	wholeNumber,
} from "#robotrie/common/kinds";
import { LogAudit } from "./audit.ts";
import { AuditCounts } from "./audit-counts.ts";
import type { NetworkNames } from "./common/addresses.ts";
import {
	checkEach,
	eachSettings,
	type LineOutputs,
	lineOutputs,
	OpenOutputs,
	type WriteBytes,
} from "./files/line-outputs.ts";
import {
	closeLogs,
	type LogSource,
	type OpenLog,
	openLogs,
	sameLogs,
} from "./files/open-logs.ts";
import {
	type OnRemark,
	orTold,
	proxyRemarks,
	signalKind,
	sourcesOf,
	unlessAborted,
} from "./files/remarks.ts";
import { networkFiles, scanLogs, sizeOfLogs } from "./files/scan-logs.ts";
import { formatOf } from "./formats/formats.ts";
import {
	type AuditOptions,
	auditOptions,
	auditOptionsOf,
	checkAudit,
	scanSettings,
} from "./options/options.ts";
import { checkHosts } from "./options/rule-book.ts";
import { reverseDnsOf } from "./scan/reverse-dns.ts";

/** How far an audit of files is. */
export interface FilesProgress {
	/** Bytes that are done with, as they are stored: those of compressed files are fewer than their text's. Streams count as 0. */
	readonly bytes: number;
	/** All of them. */
	readonly total: number;
	/** Lines that are counted. */
	readonly lines: number;
	/** Crawlers that are counted by themselves; an audit's memory grows with their number. */
	readonly crawlers: number;
}

/** A log that was opened. */
export interface OpenedLog {
	/** Its name in the report. */
	readonly name: string;
	/** The name of its format. */
	readonly format: string;
	/** As it is stored; 0 for a stream. */
	readonly bytes: number;
}

/** Options of `auditFiles`. */
export interface AuditFilesOptions extends AuditOptions, LineOutputs {
	/**
	 * Threads that scan, from 1 to 64; 1 is this one. Default: one for every 64 MiB of the files, at most four and no more than there are
	 * processors. With `resolve`, a `systemOf` that is not of `readNetworks`, or a stream among the logs, it is always this one.
	 */
	readonly workers?: number | undefined;
	/** Files that name the autonomous system of an address: `systemOf: await readNetworks(asn)`. */
	readonly asn?: readonly string[] | undefined;
	/**
	 * Counts people's User-Agent headers like those of crawlers, in the category "person": with `groupBy: "header"`, the report lists what each
	 * header counts as. Default false.
	 */
	readonly withPeople?: boolean | undefined;
	/**
	 * Writes the counts as they come, as a state that `addState` and `mergeStates` read. `keepState` keeps them in memory instead.
	 */
	readonly state?: WriteBytes | undefined;
	/** Ends the audit when it is aborted: the promise rejects with its reason. */
	readonly signal?: AbortSignal | undefined;
	/**
	 * Called with a sentence about logs that are hardly meant so: two with the same content, also where one is compressed, or some without
	 * X-Forwarded-For while `trustedProxies` is given. To compare them, logs that begin alike are read once more.
	 */
	readonly onRemark?: OnRemark | undefined;
	/**
	 * Called once all logs are opened, in the order in which they count, before anything is written or counted. The audit waits for its promise.
	 */
	readonly onOpen?:
		| ((logs: readonly OpenedLog[]) => void | Promise<void>)
		| undefined;
	/** Called whenever some lines were counted: after some megabytes of a log, and at its end. */
	readonly onProgress?: ((progress: FilesProgress) => void) | undefined;
}

const filesOptions: OptionTable<AuditFilesOptions> = {
	...auditOptions,
	...lineOutputs,
	workers: wholeNumber(1, 64),
	asn: list(textKind, "paths"),
	withPeople: flagKind,
	state: functionKind,
	signal: signalKind,
	onRemark: functionKind,
	onOpen: functionKind,
	onProgress: functionKind,
};

/**
 * Audits logs in files: plain ones, gzip, zstd and Parquet, which are recognised by their content. They count in the order of their first times,
 * whatever their names, and large ones are read by several threads. What comes back is a LogAudit to which all of them were added, as if by `add`:
 * its report has the same counts with any number of threads, and `state` works with `keepState`.
 * @param logs Paths, without patterns, or streams; at least one. Each counts, also one that is named twice.
 * @throws {RobotrieError} The promise rejects, with the code invalid-argument for wrong options and for a log whose format cannot be detected;
 * unreadable for a file that is missing, cannot be read, or becomes shorter meanwhile; malformed for one that is damaged.
 * @example
 * const robots = [{ file: "robots.txt", bytes: await readFile("robots.txt") }];
 * const audit = await auditFiles(["access.log"], { robots, workers: 2 });
 * audit.report().lines; // 3000
 */
export async function auditFiles(
	logs: LogSource | readonly LogSource[],
	options: AuditFilesOptions,
): Promise<LogAudit> {
	const all = sourcesOf("logs", logs);
	checkOptions("auditFiles", options, filesOptions, ["robots"]);
	checkEach(options.each);
	const { asn, signal, withPeople, keepState, state } = options;
	if (all.length === 0)
		throw new RobotrieError("invalid-argument", "an audit needs a log");
	if (asn && options.systemOf)
		throw new RobotrieError(
			"invalid-argument",
			"asn and systemOf both name networks: give one of them",
		);
	if (withPeople && (keepState || state))
		throw new RobotrieError(
			"invalid-argument",
			"a state has no people: withPeople cannot be used with state or keepState",
		);
	signal?.throwIfAborted();
	return orTold(async () => {
		const systemOf = asn ? await networksOf(asn) : options.systemOf;
		const counted = checkAudit({ ...auditOptionsOf(options), systemOf });
		const counts = new AuditCounts(counted, keepState, withPeople);
		const steps = stepsOf(counts, all, {
			...untilAborted(options),
			...counted,
		});
		for await (const _ of signal ? until(signal, steps) : steps);
		signal?.throwIfAborted();
		return new LogAudit(counts);
	});
}

/** The options, with functions that are not called once the signal is aborted. */
function untilAborted(options: AuditFilesOptions): AuditFilesOptions {
	const { signal, each } = options;
	return {
		...options,
		each: each && { ...each, write: unlessAborted(signal, each.write) },
		violations: unlessAborted(signal, options.violations),
		state: unlessAborted(signal, options.state),
		onRemark: unlessAborted(signal, options.onRemark),
		onOpen: unlessAborted(signal, options.onOpen),
		onProgress: unlessAborted(signal, options.onProgress),
	};
}

/** Adds the logs to the counts; each step may be the last. */
async function* stepsOf(
	counts: AuditCounts,
	sources: readonly LogSource[],
	options: AuditFilesOptions,
): AsyncGenerator<void> {
	const { format } = options;
	const logs = await openLogs(
		sources,
		typeof format === "string" ? formatOf(format) : format,
	);
	try {
		yield* countsOf(counts, logs, options);
	} finally {
		await closeLogs(logs);
	}
}

async function* countsOf(
	counts: AuditCounts,
	logs: readonly OpenLog[],
	options: AuditFilesOptions,
): AsyncGenerator<void> {
	const { robots, resolve, trustedProxies, systemOf, signal } = options;
	const { onRemark, onOpen, onProgress, workers, state } = options;
	checkHosts(logs, robots);
	if (onRemark && trustedProxies) proxyRemarks(logs, onRemark);
	await onOpen?.(
		logs.map(({ name, format, size }) => ({
			name,
			format: format.name,
			bytes: size,
		})),
	);
	signal?.throwIfAborted();
	const outputs = await OpenOutputs.open(
		options,
		logs.length < 2,
		state && { write: state, settings: counts.options },
	);
	const settings = {
		...scanSettings(
			options,
			// Whole lines are only kept where they are written.
			options.violations !== undefined,
			options.withPeople,
		),
		each: eachSettings(options),
	};
	const total = sizeOfLogs(logs);
	let done = 0;
	for await (const { name, format, rows, segment, bytes } of scanLogs(
		logs,
		settings,
		{
			workers,
			systemOf,
			dns: resolve && reverseDnsOf(resolve),
		},
	)) {
		const linesBefore = counts.totals.linesOf(name);
		if (segment) counts.append(name, format, segment);
		await outputs.write({ name, format, linesBefore, rows, segment });
		done += bytes;
		const { lines, totals } = counts;
		onProgress?.({ bytes: done, total, lines, crawlers: totals.crawlers.size });
		yield;
	}
	await outputs.end();
	if (onRemark)
		for (const { text, ...remark } of await sameLogs(logs))
			onRemark(text, remark);
}

/** What names networks, by some files; the code that reads them is loaded then. */
async function networksOf(files: readonly LogSource[]): Promise<NetworkNames> {
	const systemOf = await (await import("./files/asn.ts")).networksOf(files);
	const paths = files.filter((source) => typeof source === "string");
	// A stream can be read once, and not in a thread.
	if (paths.length === files.length) networkFiles.set(systemOf, paths);
	return systemOf;
}

/**
 * Reads files that name the autonomous system of an address, for `AuditOptions.systemOf`: GeoLite2-ASN of MaxMind or IPinfo's, as a database
 * (.mmdb) or CSV, also compressed. The first of several that has an address decides.
 * @param files Their paths, or streams of CSV.
 * @returns A function that gives a name such as "AS15169 Google LLC", or undefined for an address in no network.
 * @throws {RobotrieError} The promise rejects, with the code invalid-argument; unreadable; malformed, for what is no such file. The function throws
 * malformed where a damaged database does not show it before.
 * @example
 * writeFileSync("asn.csv", "network,asn,as_name\n192.0.2.0/24,AS64500,Example\n");
 * const systemOf = await readNetworks("asn.csv");
 * systemOf("192.0.2.1"); // "AS64500 Example"
 */
export async function readNetworks(
	files: LogSource | readonly LogSource[],
): Promise<NetworkNames> {
	const all = sourcesOf("files", files);
	return orTold(() => networksOf(all));
}
