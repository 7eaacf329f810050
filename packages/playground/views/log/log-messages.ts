/** What the Log pane and its worker send each other. All of it can be cloned by postMessage; files go as File, which copies no bytes. */
import type {
	AuditOptions,
	AuditReport,
	Every,
	GroupBy,
	RobotsSource,
} from "@robotrie/audit";
import type { AuditProgress } from "#robotrie/common/wording";

/** What the form of the Log pane says, as text; empty where nothing is chosen. */
export interface LogSettings {
	/** A name of `formatNames`, LOG_FORMAT, or "" for the one that is told from the first lines. */
	readonly format: string;
	/** With LOG_FORMAT: the string. */
	readonly logFormat: string;
	/** With "ndjson": where the fields are. */
	readonly fields: string;
	readonly groupBy: GroupBy;
	/** Names with commas between. */
	readonly agents: string;
	readonly defaultAgent: string;
	/** Patterns of User-Agent headers, one a line, as in the files that the command line takes. */
	readonly people: string;
	readonly crawlers: string;
	/** Address ranges, or one number, with commas between. */
	readonly trustedProxies: string;
	/** The report's, and that of `since` and `until`; "" is UTC. */
	readonly timeZone: string;
	/** "" for steps by the length of the log. */
	readonly every: Every | "";
	/** "2026-03-01T12:00", on the zone's clocks. */
	readonly since: string;
	readonly until: string;
}

/** Stands for the format of a `log_format` string. */
export const LOG_FORMAT = "log_format";

/** A file of addresses, as operators publish them. */
export interface RangesFile {
	readonly name: string;
	readonly text: string;
}

/** What a worker is to audit. */
export interface LogRequest {
	readonly files: readonly File[];
	readonly robots: readonly RobotsSource[];
	readonly reading: Pick<AuditOptions, "dialect" | "maxBytes">;
	readonly settings: LogSettings;
	/** Published addresses of crawlers. */
	readonly ranges: readonly RangesFile[];
}

/** The report, and what the page says about it. */
export interface LogResult {
	readonly report: AuditReport;
	/** The report as a page. */
	readonly html: string;
	/** Names of the logs and of their formats, in the order in which they count. */
	readonly logs: readonly { readonly name: string; readonly format: string }[];
	/** No log tells User-Agent headers. */
	readonly isSilent: boolean;
	readonly seconds: number;
}

/** Progress until one of the others, which is the last. */
export type LogMessage =
	| { readonly progress: AuditProgress }
	| { readonly result: LogResult }
	| { readonly error: string };
