import { RobotrieError } from "robotrie";
import { checksum, DEFAULT_DIALECT } from "robotrie/internal";
import type { AuditOptions } from "./audit-options.ts";
import type { RobotsSource } from "./rule-book.ts";
import { pack } from "./state-codec.ts";

/** The options that a report depends on, besides the logs and their formats. */
export type StateSettings = Omit<AuditOptions, "format" | "keepState">;

/** What an option is that is not given; options of other lists here have no such value. */
const defaults: { readonly [Name in keyof Required<StateSettings>]: unknown } =
	{
		robots: undefined,
		dialect: DEFAULT_DIALECT,
		maxBytes: undefined,
		agents: [],
		people: [],
		crawlers: [],
		trustedProxies: [],
		groupBy: "name",
		defaultAgent: undefined,
		since: undefined,
		until: undefined,
		ranges: [],
	};

/** The settings of an audit, as a state has them. */
export function settingsOf(options: AuditOptions): StateSettings {
	return Object.fromEntries(
		Object.entries(defaults).map(([name, value]) => [
			name,
			options[name as keyof StateSettings] ?? value,
		]),
	) as unknown as StateSettings;
}

/** @throws {RobotrieError} invalid-argument, naming the first setting in which a state differs from the ones before. */
export function compareSettings(
	name: string,
	settings: StateSettings,
	wanted: StateSettings,
	wantedName: string,
): void {
	for (const key of Object.keys(defaults) as (keyof StateSettings)[]) {
		const difference =
			key === "robots"
				? robotsDifference(settings.robots, wanted.robots)
				: isSame(settings[key], wanted[key])
					? undefined
					: `${key} is ${shown(settings[key])}, not ${shown(wanted[key])}`;
		if (difference !== undefined)
			throw new RobotrieError(
				"invalid-argument",
				`cannot merge ${name}: it was made with other settings than ${wantedName}: ${difference}`,
			);
	}
}

function robotsDifference(
	found: readonly RobotsSource[],
	wanted: readonly RobotsSource[],
): string | undefined {
	if (found.length !== wanted.length)
		return `it has ${found.length} robots.txt files, not ${wanted.length}`;
	const at = found.findIndex(
		(source, index) => !isSame(contentOf(source), contentOf(wanted[index])),
	);
	const [ours, theirs] = [found[at], wanted[at]];
	return ours && theirs
		? `its robots.txt is ${sourceText(ours)}, not ${sourceText(theirs)}`
		: undefined;
}

/** What verdicts depend on. Names of files do not matter: parts of a log may be read on several machines. */
function contentOf(source: RobotsSource | undefined): unknown {
	return { ...source, file: undefined };
}

/** "robots.txt of example.com (1234 bytes, checksum 0a1b2c3d)" */
function sourceText({ file, host, since, bytes }: RobotsSource): string {
	const ofHost = host === undefined ? "" : ` of ${host}`;
	const from =
		since === undefined ? "" : ` from ${new Date(since).toISOString()} on`;
	const sum = checksum(bytes).toString(16).padStart(8, "0");
	return `${file}${ofHost}${from} (${bytes.length} bytes, checksum ${sum})`;
}

function isSame(a: unknown, b: unknown): boolean {
	const [some, others] = [pack(a), pack(b)];
	return (
		some.length === others.length &&
		some.every((byte, index) => byte === others[index])
	);
}

/** Characters of a value in an error. */
const LONGEST = 80;

function shown(value: unknown): string {
	if (value === undefined || value === null) return "not set";
	if (value instanceof Date) return value.toISOString();
	const text =
		typeof value === "object" ? JSON.stringify(value) : String(value);
	return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
