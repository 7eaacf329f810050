/**
 * auditFiles, the public way to audit many files, and readNetworks. A LogAudit adds up what files/scan-logs.ts gives, so that reports, states and what
 * is added later are its own. All that comes out is a RobotrieError: readers of files throw errors of @robotrie/sites.
 */

import { RobotrieError } from "robotrie";
import {
	check,
	checkOptions,
	isRecord,
	type OptionTable,
} from "#robotrie/common/arguments";
import { until } from "#robotrie/common/chunks";
import {
	chunksKind,
	functionKind,
	list,
	textKind,
	wholeNumber,
} from "#robotrie/common/kinds";
import { isSitesError } from "#sites/files/errors";
import { LogAudit } from "./audit.ts";
import type { NetworkNames } from "./common/addresses.ts";
import { networksOf } from "./files/asn.ts";
import {
	type LogSource,
	openLogs,
	sameLogs,
	withoutForwarded,
} from "./files/open-logs.ts";
import { scanLogs, sizeOfLogs } from "./files/scan-logs.ts";
import { formatOf } from "./formats/formats.ts";
import { type AuditOptions, auditOptions } from "./options/options.ts";
import { checkHosts } from "./options/rule-book.ts";
import { ReverseDns } from "./scan/reverse-dns.ts";

/** How far an audit of files is. */
export interface FilesProgress {
	/** Bytes that are done with, as they are stored: those of compressed files are fewer than their text's. Streams count as 0. */
	readonly bytes: number;
	/** All of them. */
	readonly total: number;
	/** Lines that are counted. */
	readonly lines: number;
}

/** Options of `auditFiles`. */
export interface AuditFilesOptions extends AuditOptions {
	/**
	 * Threads that scan, from 1 to 64; 1 is this one. Default: one for every 64 MiB of the files, at most four and no more than there are
	 * processors. With `resolve` or `systemOf`, or a stream among the logs, it is always this one.
	 */
	readonly workers?: number | undefined;
	/**
	 * Files that name the autonomous system of an address, as `readNetworks` takes them. In place of `systemOf`, which keeps the audit in one
	 * thread: each thread reads them itself.
	 */
	readonly asn?: readonly string[] | undefined;
	/** Ends the audit when it is aborted: the promise rejects with its reason. */
	readonly signal?: AbortSignal | undefined;
	/**
	 * Called with a sentence about logs that are hardly meant so: two with the same content, also where one is compressed, or some without
	 * X-Forwarded-For while `trustedProxies` is given. To compare them, logs that begin alike are read once more.
	 */
	readonly onRemark?: ((text: string) => void) | undefined;
	/** Called whenever some lines were counted: after some megabytes of a log, and at its end. */
	readonly onProgress?: ((progress: FilesProgress) => void) | undefined;
}

const filesOptions: OptionTable<AuditFilesOptions> = {
	...auditOptions,
	workers: wholeNumber(1, 64),
	asn: list(textKind, "paths"),
	signal: {
		text: "an AbortSignal",
		accepts: (value) => value instanceof AbortSignal,
		hint: (value) =>
			value instanceof AbortController ? "pass controller.signal" : undefined,
	},
	onRemark: functionKind,
	onProgress: functionKind,
};

const logsKind = list(
	{
		text: "a log",
		accepts: (value) =>
			typeof value === "string" ||
			(isRecord(value) &&
				typeof value.name === "string" &&
				chunksKind.accepts(value.chunks)),
	},
	"paths and streams, { name, chunks }",
);

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
	const all = (Array.isArray(logs) ? logs : [logs]) as readonly LogSource[];
	check("logs", all, logsKind);
	checkOptions("auditFiles", options, filesOptions, ["robots"]);
	const { workers, asn, signal, onRemark, onProgress, ...counted } = options;
	if (all.length === 0)
		throw new RobotrieError("invalid-argument", "an audit needs a log");
	if (asn && options.systemOf)
		throw new RobotrieError(
			"invalid-argument",
			"asn and systemOf both name networks: give one of them",
		);
	signal?.throwIfAborted();
	return orTold(async () => {
		const systemOf = asn ? await networksOf(asn) : options.systemOf;
		const audit = new LogAudit({ ...counted, systemOf });
		const steps = stepsOf(audit, all, { ...options, systemOf });
		for await (const _ of signal ? until(signal, steps) : steps);
		signal?.throwIfAborted();
		return audit;
	});
}

/** Adds the logs to an audit; each step may be the last. */
async function* stepsOf(
	audit: LogAudit,
	sources: readonly LogSource[],
	options: AuditFilesOptions,
): AsyncGenerator<void> {
	const { format, robots, resolve, trustedProxies } = options;
	const { onRemark, onProgress } = options;
	const logs = await openLogs(
		sources,
		typeof format === "string" ? formatOf(format) : format,
	);
	checkHosts(logs, robots);
	if (onRemark && trustedProxies)
		for (const { name } of withoutForwarded(logs))
			onRemark(
				`lines of ${name} have no X-Forwarded-For, so trustedProxies changes nothing there`,
			);
	const total = sizeOfLogs(logs);
	let done = 0;
	const dns = resolve && new ReverseDns(resolve);
	for await (const { name, format, segment, bytes } of scanLogs(
		logs,
		audit.settings,
		{ ...options, dns },
	)) {
		if (segment) audit.append(name, format, segment);
		done += bytes;
		onProgress?.({ bytes: done, total, lines: audit.lines });
		yield;
	}
	if (onRemark) for (const text of await sameLogs(logs)) onRemark(text);
}

/**
 * Reads files that name the autonomous system of an address, for `AuditOptions.systemOf`: GeoLite2-ASN of MaxMind or IPinfo's, as a database
 * (.mmdb) or CSV, also compressed. The first of several that has an address decides.
 * @param files Their paths.
 * @returns A function that gives a name such as "AS15169 Google LLC", or undefined for an address in no network.
 * @throws {RobotrieError} The promise rejects, with the code invalid-argument; unreadable; malformed, for what is no such file. The function throws
 * malformed where a damaged database does not show it before.
 * @example
 * writeFileSync("asn.csv", "network,asn,as_name\n192.0.2.0/24,AS64500,Example\n");
 * const systemOf = await readNetworks("asn.csv");
 * systemOf("192.0.2.1"); // "AS64500 Example"
 */
export async function readNetworks(
	files: string | readonly string[],
): Promise<NetworkNames> {
	const all = (Array.isArray(files) ? files : [files]) as readonly string[];
	check("files", all, list(textKind, "paths"));
	return orTold(() => networksOf(all));
}

/** What comes of a call, with the errors of readers as those of this package. */
async function orTold<Result>(call: () => Promise<Result>): Promise<Result> {
	try {
		return await call();
	} catch (error) {
		if (!isSitesError(error)) throw error;
		const { code, message } = error;
		throw new RobotrieError(
			code === "unreadable" ? "unreadable" : "malformed",
			message,
		);
	}
}
