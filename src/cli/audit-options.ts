import type { GroupBy } from "../log/report.ts";
import type { ReadingOptions } from "./options.ts";

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
	readonly state?: string;
	readonly merge?: boolean;
	readonly top: number;
	readonly check?: boolean;
	readonly strict?: boolean;
	readonly workers?: number;
	readonly progress?: boolean;
}

const TIME =
	/^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/i;

/** Milliseconds since 1970 of an option's time; NaN if it is not a time. */
export function timeOf(text: string): number {
	const match = TIME.exec(text);
	if (!match) return Number.NaN;
	const [, day, clock = "00:00", offset = "Z"] = match;
	return Date.parse(`${day}T${clock}${offset.toUpperCase()}`);
}
