/**
 * A report as OpenMetrics text (openmetrics.io, 1.0), for Prometheus: `robotrie audit --metrics` writes it, once or while a log grows. The number
 * of time series must stay bounded and a series must keep its labels, whatever names clients make up: crawlers that no list knows are one series.
 */

import {
	type AuditReport,
	type CrawlerReport,
	violationsOf,
} from "../options/report.ts";

/** The label of crawlers that no list knows, together. */
const OTHER = "(other)";

type Labels = Readonly<Record<string, string | null>>;
type Samples = readonly (readonly [labels: Labels, value: number])[];

/** All metrics, each with its samples; names of counters are without "_total". */
const families: readonly {
	readonly name: string;
	readonly type: "counter" | "gauge";
	readonly unit?: string;
	readonly help: string;
	samples(report: AuditReport, crawlers: readonly CrawlerReport[]): Samples;
}[] = [
	{
		name: "robotrie_audit_requests",
		type: "counter",
		help: "Requests of crawlers by verdict",
		samples: (_, crawlers) =>
			crawlers.flatMap((crawler) => {
				const { allowed, disallowed, robotsTxt, invalid } = crawler;
				return Object.entries({ allowed, disallowed, robotsTxt, invalid }).map(
					([verdict, count]) =>
						[{ ...labelsOf(crawler), verdict }, count] as const,
				);
			}),
	},
	{
		name: "robotrie_audit_violations",
		type: "counter",
		help: "Disallowed requests of crawlers that robots.txt binds",
		samples: (_, crawlers) =>
			crawlers.map((crawler) => [labelsOf(crawler), violationsOf(crawler)]),
	},
	{
		name: "robotrie_audit_response_bytes",
		type: "counter",
		unit: "bytes",
		help: "Bytes of responses to crawlers, by verdict",
		samples: (_, crawlers) =>
			crawlers.flatMap((crawler) =>
				Object.entries(crawler.bytes).map(
					([verdict, bytes]) =>
						[{ ...labelsOf(crawler), verdict }, bytes] as const,
				),
			),
	},
	{
		name: "robotrie_audit_last_seen_timestamp_seconds",
		type: "gauge",
		unit: "seconds",
		help: "Time of the last request",
		samples: (_, crawlers) =>
			crawlers.flatMap((crawler) =>
				crawler.lastSeen === null
					? []
					: [[labelsOf(crawler), secondsOf(crawler.lastSeen)] as const],
			),
	},
	{
		name: "robotrie_audit_lines",
		type: "counter",
		help: "Lines of the logs by what they count as",
		samples: (report) =>
			lineKinds.map((kind) => [{ counted: kind }, report[kind]]),
	},
	{
		name: "robotrie_audit_last_line_timestamp_seconds",
		type: "gauge",
		unit: "seconds",
		help: "Time of the last line of the logs",
		samples: ({ to }) => (to === null ? [] : [[{}, secondsOf(to)]]),
	},
];

/** What a line counts as; they add up to all lines. */
const lineKinds = [
	"judged",
	"people",
	"withoutAgent",
	"leftOut",
	"withoutRobots",
	"outside",
	"unparsed",
	"blank",
] as const;

function secondsOf(time: string): number {
	return Date.parse(time) / 1000;
}

function labelsOf(crawler: CrawlerReport): Labels {
	const { name, category, purpose, verification } = crawler;
	return { crawler: name, category, purpose, verification };
}

/**
 * A report by name or category as OpenMetrics text.
 * @param named Crawlers that have series of their own although no list knows them, in any case.
 */
export function openMetrics(
	report: AuditReport,
	named: readonly string[] = [],
): string {
	const own = new Set(named.map((name) => name.toLowerCase()));
	const crawlers = bounded(report.crawlers, own);
	const lines = families.flatMap(({ name, type, unit, help, samples }) => [
		`# TYPE ${name} ${type}`,
		...(unit === undefined ? [] : [`# UNIT ${name} ${unit}`]),
		`# HELP ${name} ${help}.`,
		...samples(report, crawlers).map(
			([labels, value]) =>
				`${name}${type === "counter" ? "_total" : ""}${labelText(labels)} ${value}`,
		),
	]);
	return `${lines.join("\n")}\n# EOF\n`;
}

/** Crawlers with those that nobody knows added up, by verification. A list of the most frequent ones would change while a log grows. */
function bounded(
	crawlers: readonly CrawlerReport[],
	own: ReadonlySet<string>,
): readonly CrawlerReport[] {
	const others = new Map<string, CrawlerReport>();
	const known: CrawlerReport[] = [];
	for (const crawler of crawlers) {
		const { category, name, verification } = crawler;
		if (category !== "unknown" || own.has(name.toLowerCase())) {
			known.push(crawler);
			continue;
		}
		const key = String(verification);
		const sum = others.get(key);
		others.set(key, sum ? added(sum, crawler) : { ...crawler, name: OTHER });
	}
	return [...known, ...others.values()];
}

/** What metrics show of two crawlers together. */
function added(a: CrawlerReport, b: CrawlerReport): CrawlerReport {
	return {
		...a,
		allowed: a.allowed + b.allowed,
		disallowed: a.disallowed + b.disallowed,
		exemptDisallowed: a.exemptDisallowed + b.exemptDisallowed,
		robotsTxt: a.robotsTxt + b.robotsTxt,
		invalid: a.invalid + b.invalid,
		bytes: {
			allowed: a.bytes.allowed + b.bytes.allowed,
			disallowed: a.bytes.disallowed + b.bytes.disallowed,
			other: a.bytes.other + b.bytes.other,
		},
		// Offsets may differ, so that times do not sort as text.
		lastSeen:
			b.lastSeen === null ||
			Date.parse(a.lastSeen ?? "") > Date.parse(b.lastSeen)
				? a.lastSeen
				: b.lastSeen,
	};
}

/** {crawler="GPTBot"}; what is null is left out. */
function labelText(labels: Labels): string {
	const texts = Object.entries(labels).flatMap(([name, value]) =>
		value === null ? [] : [`${name}="${escaped(value)}"`],
	);
	return texts.length === 0 ? "" : `{${texts.join(",")}}`;
}

function escaped(value: string): string {
	return value
		.replaceAll("\\", "\\\\")
		.replaceAll('"', '\\"')
		.replaceAll("\n", "\\n");
}
