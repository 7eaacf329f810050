import { isAddress } from "./addresses.ts";
import { formatOf, type LogFormat } from "./formats.ts";
import { keyPaths } from "./json-lines.ts";

const CLF_TIME = String.raw`\[\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\]`;
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
const STATUS = String.raw`(?:\d{3}|-)`;

/** What lines of a format look like, the most particular first. */
const shapes: readonly (readonly [
	name: string,
	shape: RegExp,
	test?: (match: RegExpExecArray) => boolean,
])[] = [
	[
		"alb",
		/^(?:https?|h2|grpcs|wss?) \d{4}-\d\d-\d\dT[\d:.]+Z \S+ \S+ \S+ \S+ \S+ \S+ \S+ \S+ \d+ \d+ "/,
	],
	[
		"elb",
		/^\d{4}-\d\d-\d\dT[\d:.]+Z \S+ \S+:\d+ \S+ [-\d.]+ [-\d.]+ [-\d.]+ \S+ \S+ \d+ \d+ "/,
	],
	[
		"s3",
		new RegExp(
			`^\\S+ \\S+ ${CLF_TIME} \\S+ \\S+ \\S+ [A-Z0-9]+\\.\\S+ \\S+ (?:${QUOTED}|-) `,
		),
	],
	[
		"vcombined",
		new RegExp(
			`^\\S+ (\\S+) \\S+ .+? ${CLF_TIME} ${QUOTED} ${STATUS} \\S+ ${QUOTED} ${QUOTED}`,
		),
		([, ip = ""]) => isAddress(ip),
	],
	[
		"combined",
		new RegExp(
			`^\\S+ \\S+ .+? ${CLF_TIME} ${QUOTED} ${STATUS} \\S+ ${QUOTED} ${QUOTED}`,
		),
	],
	[
		"vcommon",
		new RegExp(`^\\S+ (\\S+) \\S+ .+? ${CLF_TIME} ${QUOTED} ${STATUS} \\S+`),
		([, ip = ""]) => isAddress(ip),
	],
	["common", new RegExp(`^\\S+ \\S+ .+? ${CLF_TIME} ${QUOTED} ${STATUS} \\S+`)],
];

const jsonNames = ["cloudflare", "caddy", "traefik"] as const;

/** The format that most of a log's first lines are of; undefined when none is told by any. */
export function detectFormat(lines: readonly string[]): LogFormat | undefined {
	const directive = lines.find((line) => line.startsWith("#"));
	if (directive !== undefined && /^#\w+:/.test(directive)) {
		const fields = lines.find((line) => /^#Fields/i.test(line)) ?? "";
		return formatOf(/x-edge-/i.test(fields) ? "cloudfront" : "w3c");
	}
	const votes = new Map<string, number>();
	for (const line of lines) {
		const name = line.startsWith("{") ? jsonNameOf(line) : nameOf(line);
		if (name !== undefined) votes.set(name, (votes.get(name) ?? 0) + 1);
	}
	const [best] = [...votes].sort(([, a], [, b]) => b - a);
	return best && formatOf(best[0]);
}

function nameOf(line: string): string | undefined {
	return shapes.find(([, shape, test]) => {
		const match = shape.exec(line);
		return match && (test?.(match) ?? true);
	})?.[0];
}

function jsonNameOf(line: string): string | undefined {
	let value: unknown;
	try {
		value = JSON.parse(line);
	} catch {
		return undefined;
	}
	return jsonNames.find((name) => {
		const { json } = formatOf(name);
		return keyPaths(json?.path).some((path) => path.of(value) !== undefined);
	});
}
