import type { GroupBy } from "@robotrie/audit";
import type { EachFormat } from "@robotrie/audit/internal";
import type { ReadingOptions } from "../options/options.ts";

/** The options of `robotrie audit`. */
export interface AuditCommandOptions extends ReadingOptions {
	readonly robots?: readonly string[];
	readonly robotsSince?: Date;
	readonly format?: string;
	readonly logFormat?: string;
	readonly fields?: string;
	readonly agents?: readonly string[];
	readonly defaultAgent?: string;
	readonly people?: readonly string[];
	readonly crawlers?: readonly string[];
	readonly listHeaders?: boolean;
	readonly trustedProxy?: readonly string[];
	readonly groupBy: GroupBy;
	readonly verify?: readonly string[];
	readonly since?: Date;
	readonly until?: Date;
	readonly output: "table" | "json" | "ndjson" | "csv" | "html";
	readonly out?: string;
	readonly violations?: string;
	readonly each?: string;
	readonly eachFormat?: EachFormat;
	readonly eachAll?: boolean;
	readonly state?: string;
	readonly merge?: boolean;
	readonly follow?: boolean;
	/** Milliseconds. */
	readonly interval?: number;
	readonly top: number;
	readonly check?: boolean;
	readonly strict?: boolean;
	readonly workers?: number;
	readonly progress?: boolean;
}

/** The format of `--each`: by the name of the file, unless an option says it. */
export function eachFormat(options: AuditCommandOptions): EachFormat {
	const { each = "", eachFormat } = options;
	return eachFormat ?? (/\.csv$/i.test(each) ? "csv" : "ndjson");
}

const TIME =
	/^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/i;

/** Milliseconds since 1970 of an option's time; NaN if it is not a time. */
export function timeOf(text: string): number {
	const match = TIME.exec(text);
	if (!match) return Number.NaN;
	const [, day = "", clock = "00:00", offset = "Z"] = match;
	return isDay(day)
		? Date.parse(`${day}T${clock}${offset.toUpperCase()}`)
		: Number.NaN;
}

/** JavaScript takes February 30 for March 2. */
function isDay(text: string): boolean {
	const time = Date.parse(`${text}T00:00Z`);
	return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** Milliseconds of an option's duration, "30s", "0.5s", "5m" or "1h"; NaN if it is none, or longer than a timer can be. */
export function durationOf(text: string): number {
	const [, number, unit = "s"] =
		/^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text) ?? [];
	const duration = Number(number) * UNITS[unit as keyof typeof UNITS];
	return duration > 0 && duration < 2 ** 31 ? duration : Number.NaN;
}
