/**
 * What functions of `@robotrie/audit/files` share: how they take files and streams, what they remark about them, and that all errors are
 * RobotrieErrors, while readers of files throw errors of @robotrie/sites.
 */
import { RobotrieError } from "robotrie";
import { check, isRecord, type Kind } from "#robotrie/common/arguments";
import { chunksKind, list } from "#robotrie/common/kinds";
import { isSitesError } from "#sites/files/errors";
import { type LogSource, type OpenLog, withoutForwarded } from "./open-logs.ts";

/** What a remark is about, for a program that says it in other words. */
export interface FilesRemark {
	/**
	 * - `same-content`: two logs, or states, have the same bytes
	 * - `without-forwarded`: a log has nothing that `trustedProxies` could add to
	 * - `lines-missing`: a log that is followed was emptied, or one of its files is gone, perhaps before all was counted
	 */
	readonly code: "same-content" | "without-forwarded" | "lines-missing";
	/** The name of the log, or state. */
	readonly log: string;
	/** With `same-content`: the one before it. */
	readonly other?: string | undefined;
	/** With `without-forwarded`: the name of the log's format. */
	readonly format?: string | undefined;
}

export type OnRemark = (text: string, remark: FilesRemark) => void;

/** Says which logs have nothing that trusted proxies could add to. */
export function proxyRemarks(
	logs: readonly Pick<OpenLog, "name" | "format" | "head">[],
	onRemark: OnRemark,
): void {
	for (const { name, format } of withoutForwarded(logs))
		onRemark(
			`lines of ${name} have no X-Forwarded-For, so trustedProxies changes nothing there`,
			{ code: "without-forwarded", log: name, format: format.name },
		);
}

export const sourceKind: Kind = {
	text: "a path or a stream, { name, chunks }",
	accepts: (value) =>
		typeof value === "string" ||
		(isRecord(value) &&
			typeof value.name === "string" &&
			chunksKind.accepts(value.chunks)),
};

const sourcesKind = list(sourceKind, "paths and streams, { name, chunks }");

/** One or several, as a list. @throws {RobotrieError} invalid-argument. */
export function sourcesOf(
	name: string,
	given: LogSource | readonly LogSource[],
): readonly LogSource[] {
	const all = (Array.isArray(given) ? given : [given]) as readonly LogSource[];
	check(name, all, sourcesKind);
	return all;
}

export const signalKind: Kind = {
	text: "an AbortSignal",
	accepts: (value) => value instanceof AbortSignal,
	hint: (value) =>
		value instanceof AbortController ? "pass controller.signal" : undefined,
};

/** A caller's function, which is not called any more once the signal is aborted: a step that is under way then goes on for a while. */
export const unlessAborted = <
	Call extends ((...args: never[]) => unknown) | undefined,
>(
	signal: AbortSignal | undefined,
	call: Call,
): Call =>
	call &&
	(((...args) => {
		signal?.throwIfAborted();
		return call(...args);
	}) as Call);

/** What comes of a call, with the errors of readers as those of this package. */
export async function orTold<Result>(
	call: () => Promise<Result>,
): Promise<Result> {
	try {
		return await call();
	} catch (error) {
		throw told(error);
	}
}

/** A reader's error as one of this package; others, such as those of a caller's function, as they are. */
export function told(error: unknown): unknown {
	if (!isSitesError(error)) return error;
	const { code, message } = error;
	return code === "unreadable" || code === "malformed"
		? new RobotrieError(code, message)
		: error;
}
