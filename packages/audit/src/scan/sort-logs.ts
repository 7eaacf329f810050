/**
 * Logs in the order of their first times, for programs that have no files but something to read, such as the page; logs in files are put in order
 * by the same comparison (files/open-logs.ts). Rotated sets count in order then, whatever their names.
 */

import {
	check,
	checkOptions,
	isRecord,
	type OptionTable,
} from "#robotrie/common/arguments";
import { bytesArgument } from "#robotrie/common/bytes";
import { concatenate } from "#robotrie/common/chunks";
import {
	chunksKind,
	functionKind,
	list,
	objectKind,
	textKind,
} from "#robotrie/common/kinds";
import { type LogFormat, tells } from "../formats/log-format.ts";
import { type AuditOptions, auditOptions } from "../options/options.ts";
import { checkHosts } from "../options/rule-book.ts";
import {
	byTime,
	type FormatAdvice,
	formatOfLog,
	HEAD,
	timeOfFirstLine,
} from "./detect.ts";

/** A log that can be read more than once. */
export interface NamedLog {
	/** Its name in reports and errors. */
	readonly name: string;
	/** Its uncompressed bytes from the beginning, in chunks of any size. What is left of them is not read. */
	readonly open: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** A log of `sortLogs`. */
export interface SortedLog<Log extends NamedLog = NamedLog> {
	/** The log as it was given. */
	readonly log: Log;
	/** The name of its format. */
	readonly format: string;
	/** Whether its lines may have a User-Agent header: without one, no crawler is found. */
	readonly tellsAgent: boolean;
}

/** Options of `sortLogs`: those of the audit that they are for, as far as they matter. */
export interface SortLogsOptions extends Pick<AuditOptions, "format"> {
	/** If they are of several hosts, each log has to tell the host of a request. */
	readonly robots?: AuditOptions["robots"] | undefined;
	/** What errors say to do where a format is not detected. Default: what helps in a program. */
	readonly advice?: FormatAdvice | undefined;
}

const sortOptions: OptionTable<SortLogsOptions> = {
	format: auditOptions.format,
	robots: auditOptions.robots,
	advice: {
		text: "an object with the texts choose and fields",
		accepts: (value) =>
			isRecord(value) &&
			typeof value.choose === "string" &&
			typeof value.fields === "string",
	},
};

/**
 * Logs in the order of their first times, in which `LogAudit.add` is to be given them; those without a time come last. The first 64 KiB of each are
 * read.
 * @throws {RobotrieError} invalid-argument, for a log whose format cannot be detected, or that tells no host though robots.txt files are of several:
 * the promise rejects.
 * @example
 * const audit = new LogAudit({ robots: [{ file: "robots.txt", bytes }] });
 * const logs = ["access.log"].map((name) => ({ name, open: () => createReadStream(name) }));
 * for (const { log } of await sortLogs(logs)) await audit.add(log.name, log.open());
 */
export async function sortLogs<Log extends NamedLog>(
	logs: readonly Log[],
	options: SortLogsOptions = {},
): Promise<readonly SortedLog<Log>[]> {
	check("logs", logs, list(objectKind, "{ name, open } objects"));
	checkOptions("sortLogs", options, sortOptions);
	const { format: chosen, robots = [], advice } = options;
	const read: { log: Log; head: Uint8Array; format: LogFormat }[] = [];
	for (const [i, log] of logs.entries()) {
		const { name } = log;
		check(`logs[${i}].name`, name, textKind);
		check(`logs[${i}].open`, log.open, functionKind);
		const chunks = log.open();
		check(`logs[${i}].open()`, chunks, chunksKind);
		const head = await headOf(chunks);
		read.push({ log, head, format: formatOfLog(chosen, head, name, advice) });
	}
	checkHosts(
		read.map(({ log, format }) => ({ name: log.name, format })),
		robots,
	);
	return inOrder(read).map(({ log, format }) => ({
		log,
		format: format.name,
		tellsAgent: tells(format, "agent"),
	}));
}

/** The first bytes of a log; lets go of the rest. */
async function headOf(
	bytes: ReturnType<NamedLog["open"]>,
): Promise<Uint8Array> {
	const chunks: Uint8Array[] = [];
	let size = 0;
	for await (const chunk of bytes) {
		chunks.push(bytesArgument("a chunk of bytes", chunk).slice());
		size += chunk.length;
		if (size >= HEAD) break;
	}
	return concatenate(chunks);
}

/** Logs whose beginnings were read, in the order of their first times; without a time they keep their place at the end. */
export function inOrder<
	Log extends { readonly head: Uint8Array; readonly format: LogFormat },
>(logs: readonly Log[]): readonly Log[] {
	return logs
		.map((log) => ({ log, time: timeOfFirstLine(log.head, log.format) }))
		.sort(byTime)
		.map(({ log }) => log);
}
