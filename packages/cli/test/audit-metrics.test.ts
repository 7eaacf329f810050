import { type ChildProcess, spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import type { AuditReport } from "../../audit/src/index.ts";
import { openMetrics } from "../../audit/src/show/open-metrics.ts";
import { file, folder, robotrie, root } from "./run.ts";

/** A sample of a metric, and its labels. */
interface Sample {
	readonly name: string;
	readonly labels: Readonly<Record<string, string>>;
	readonly value: number;
}

const LABEL = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*"`;
const SAMPLE = new RegExp(
	String.raw`^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(${LABEL}(?:,${LABEL})*)\})? (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$`,
);

/** Reads OpenMetrics 1.0, of counters and gauges without timestamps. @throws For anything that its grammar or its rules exclude. */
function parsed(text: string): readonly Sample[] {
	const fail = (line: string, reason: string): never => {
		throw new Error(`${reason}: ${line}`);
	};
	if (!text.endsWith("\n# EOF\n")) fail(text.slice(-20), "no # EOF at the end");
	const samples: Sample[] = [];
	const seen = new Set<string>();
	const families = new Set<string>();
	let family = { name: "", type: "", hasSamples: false, said: new Set() };
	for (const line of text
		.slice(0, -"# EOF\n".length)
		.split("\n")
		.slice(0, -1)) {
		const [, key, name = "", value = ""] =
			/^# (TYPE|UNIT|HELP) ([a-zA-Z_:][a-zA-Z0-9_:]*) (\S.*)$/.exec(line) ?? [];
		if (key === "TYPE") {
			if (!/^(?:counter|gauge)$/.test(value)) fail(line, "unknown type");
			if (families.has(name)) fail(line, "a family twice");
			families.add(name);
			family = { name, type: value, hasSamples: false, said: new Set() };
		}
		if (key !== undefined) {
			if (name !== family.name || family.hasSamples || family.said.has(key))
				fail(line, "out of place");
			family.said.add(key);
			if (key === "UNIT" && !name.endsWith(`_${value}`))
				fail(line, "the name does not end in its unit");
			continue;
		}
		const [, sample = "", labels = "", number = ""] = SAMPLE.exec(line) ?? [];
		if (sample === "") fail(line, "no sample");
		const suffix = family.type === "counter" ? "_total" : "";
		if (sample !== family.name + suffix) fail(line, "of another family");
		if (seen.has(`${sample} ${labels}`)) fail(line, "twice");
		seen.add(`${sample} ${labels}`);
		family.hasSamples = true;
		const pairs = [...labels.matchAll(new RegExp(LABEL, "g"))].map(([pair]) => {
			const [name = "", ...rest] = pair.split("=");
			const escaped = rest.join("=").slice(1, -1);
			return [
				name,
				escaped.replace(/\\(.)/g, (_, c) => (c === "n" ? "\n" : c)),
			] as const;
		});
		if (new Set(pairs.map(([name]) => name)).size < pairs.length)
			fail(line, "a label twice");
		if (family.type === "counter" && !(Number(number) >= 0))
			fail(line, "a negative counter");
		samples.push({
			name: sample,
			labels: Object.fromEntries(pairs),
			value: Number(number),
		});
	}
	return samples;
}

const rules = file("metrics.txt", "User-agent: *\nDisallow: /b\n");
const ranges = file("metrics.json", '{"prefixes": ["192.0.2.0/25"]}');
const line = (target: string, agent: string, ip = "192.0.2.1") =>
	`${ip} - - [14/Oct/2025:12:30:45 +0000] "GET ${target} HTTP/1.1" 200 5 "-" "${agent}"\n`;
const agents = [
	"GPTBot/1.0",
	"Googlebot/2.1",
	...Array.from({ length: 50 }, (_, at) => `Made${at}Bot/1.0`),
	"facebookexternalhit/1.1",
	"Mozilla/5.0 (X11; Linux x86_64; rv:1.0) Gecko/20100101 Firefox/130.0",
	"-",
];
const log = file(
	"metrics.log",
	agents
		.flatMap((agent, at) => [
			line("/a", agent),
			line("/b", agent, `192.0.2.${at}`),
			line("/b", agent, "198.51.100.1"),
			line("/robots.txt", agent),
			line("*", agent),
			"junk\n\n",
		])
		.join(""),
);
const audit = ["audit", "-r", rules, "--verify", `GPTBot=${ranges}`];

async function metricsOf(...options: readonly string[]) {
	const { stdout, code } = await robotrie([
		...audit,
		...options,
		"--metrics",
		"-",
		log,
	]);
	expect(code).toBe(0);
	return parsed(stdout.toString());
}

const sum = (
	samples: readonly Sample[],
	name: string,
	labels: Readonly<Record<string, string>> = {},
) =>
	samples
		.filter(
			(sample) =>
				sample.name === `robotrie_audit_${name}` &&
				Object.entries(labels).every(
					([label, value]) => sample.labels[label] === value,
				),
		)
		.reduce((total, { value }) => total + value, 0);

describe.each([[[]], [["-g", "category"]], [["--agents", "+Made7Bot"]]])(
	"robotrie audit --metrics %j",
	(options) => {
		test("writes OpenMetrics with the counts of the report", async () => {
			const samples = await metricsOf(...options);
			const { stdout } = await robotrie([...audit, ...options, "--json", log]);
			const report = JSON.parse(stdout.toString()) as AuditReport;
			const total = (of: (crawler: AuditReport["crawlers"][0]) => number) =>
				report.crawlers.reduce((all, crawler) => all + of(crawler), 0);
			const verdicts = [
				"allowed",
				"disallowed",
				"robotsTxt",
				"invalid",
			] as const;
			for (const verdict of verdicts)
				expect(sum(samples, "requests_total", { verdict })).toBe(
					total((crawler) => crawler[verdict]),
				);
			for (const verdict of ["allowed", "disallowed", "other"] as const)
				expect(sum(samples, "response_bytes_total", { verdict })).toBe(
					total(({ bytes }) => bytes[verdict]),
				);
			expect(sum(samples, "violations_total")).toBe(
				total((crawler) => crawler.disallowed - crawler.exemptDisallowed),
			);
			expect(sum(samples, "lines_total")).toBe(report.lines);
			expect(sum(samples, "last_line_timestamp_seconds")).toBe(
				Date.parse("2025-10-14T12:30:45Z") / 1000,
			);
			for (const { name, verification, purpose, requests } of report.crawlers)
				if (/^(GPTBot|Googlebot)$/.test(name))
					expect(
						sum(samples, "requests_total", {
							crawler: name,
							purpose,
							...(verification && { verification }),
						}),
					).toBe(requests);
		});
	},
);

test("Names that no list knows are one series, but those that --agents names", async () => {
	const named = (samples: readonly Sample[]) => [
		...new Set(samples.flatMap(({ labels }) => labels.crawler ?? [])),
	];
	const usual = named(await metricsOf());
	expect(usual).toContain("(other)");
	expect(usual.filter((name) => /Made/.test(name))).toEqual([]);
	const own = named(await metricsOf("--agents", "+Made7Bot"));
	expect(own.filter((name) => /Made/.test(name))).toEqual(["Made7Bot"]);
});

test("Labels are escaped", async () => {
	const { stdout } = await robotrie([...audit, "--json", log]);
	const report = JSON.parse(stdout.toString()) as AuditReport;
	const names = ['a"b', "a\\", "a\nb", 'é\\"\\n{},="', ""];
	const [first] = report.crawlers as [AuditReport["crawlers"][0]];
	const crawlers = names.map((name) => ({ ...first, name }));
	const samples = parsed(openMetrics({ ...report, crawlers }, names));
	const written = samples.flatMap(({ labels }) => labels.crawler ?? []);
	expect([...new Set(written)]).toEqual(names);
});

const children: ChildProcess[] = [];
afterEach(() => {
	for (const child of children.splice(0)) child.kill("SIGKILL");
});

test("audit follow writes the file again and again, each time whole", async () => {
	const grown = file("metrics-grown.log", line("/b", "GPTBot/1.0"));
	const path = join(folder, "metrics-grown.prom");
	const child = spawn(
		process.execPath,
		[
			join(root, "packages/cli/main.js"),
			"audit",
			"follow",
			"-r",
			rules,
			"--interval",
			"100ms",
			"--metrics",
			path,
			grown,
		],
		{ stdio: "ignore" },
	);
	children.push(child);
	const closed = new Promise((resolve) => child.on("exit", resolve));
	for (const requests of [1, 2, 3]) {
		for (;;) {
			const text = existsSync(path) ? readFileSync(path, "utf8") : "";
			if (text !== "" && sum(parsed(text), "violations_total") === requests)
				break;
			await sleep(20);
		}
		appendFileSync(grown, line("/b", "GPTBot/1.0"));
	}
	child.kill("SIGTERM");
	expect(await closed).toBe(0);
	expect(sum(parsed(readFileSync(path, "utf8")), "violations_total")).toBe(4);
});

test("--metrics-port serves the counts while a log grows, and nothing else", async () => {
	const grown = file("metrics-served.log", line("/b", "GPTBot/1.0"));
	const child = spawn(
		process.execPath,
		[
			join(root, "packages/cli/main.js"),
			"audit",
			"follow",
			"-r",
			rules,
			"--interval",
			"100ms",
			"--metrics-port",
			"0",
			grown,
		],
		{ stdio: ["ignore", "ignore", "pipe"] },
	);
	children.push(child);
	const closed = new Promise((resolve) => child.on("exit", resolve));
	let said = "";
	child.stderr?.on("data", (chunk) => {
		said += chunk;
	});
	let url: string | undefined;
	while (url === undefined) {
		[url] = /http:\S+/.exec(said) ?? [];
		await sleep(20);
	}
	expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/metrics$/);
	for (const requests of [1, 2]) {
		for (;;) {
			const response = await fetch(`${url}?name[]=x`);
			expect(response.headers.get("content-type")).toBe(
				"application/openmetrics-text; version=1.0.0; charset=utf-8",
			);
			const found = parsed(await response.text());
			if (sum(found, "violations_total") === requests) break;
			await sleep(20);
		}
		appendFileSync(grown, line("/b", "GPTBot/1.0"));
	}
	const answers: readonly (readonly [
		path: string,
		method: string,
		status: number,
	])[] = [
		["/metrics", "HEAD", 200],
		["/metrics", "POST", 405],
		["/", "GET", 404],
		["/metrics/x", "GET", 404],
	];
	for (const [path, method, status] of answers) {
		const response = await fetch(new URL(path, url), { method });
		expect([path, method, response.status]).toEqual([path, method, status]);
		expect(await response.text()).toBe("");
	}
	// Somebody else has the port now.
	const { code, stderr } = await robotrie([
		"audit",
		"follow",
		"-r",
		rules,
		"--metrics-port",
		new URL(url).port,
		grown,
	]);
	expect([code, stderr]).toEqual([
		2,
		expect.stringContaining("cannot listen on"),
	]);
	// A connection that is kept does not keep the process.
	child.kill("SIGTERM");
	expect(await closed).toBe(0);
});

test.each([
	[
		[],
		["--metrics-port", "9464"],
		"write robotrie audit follow --metrics-port …",
	],
	[["follow"], ["--metrics-port", "x"], "needs a port such as 9464"],
	[["follow"], ["--metrics-port", "65536"], "needs a port such as 9464"],
	[
		["follow"],
		["--metrics-port", "example.com:9464"],
		"needs a port such as 9464",
	],
	[
		["follow"],
		["--metrics-port", "0", "-g", "header"],
		"counts by name or category",
	],
])("%j %j is refused", async (subcommand, options, message) => {
	const { code, stderr } = await robotrie([
		"audit",
		...subcommand,
		"-r",
		rules,
		...options,
		"-",
	]);
	expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});

test("Grafana's dashboard asks for metrics and labels that are written", async () => {
	const samples = [...(await metricsOf())];
	const dashboard = JSON.parse(
		readFileSync(join(root, "examples/grafana/dashboard.json"), "utf8"),
	);
	const texts: string[] = [];
	JSON.stringify(dashboard, (key, value) => {
		if ((key === "expr" || key === "query") && typeof value === "string")
			texts.push(value);
		return value;
	});
	const asked = new Set<string>();
	for (const text of texts) {
		const names = text.match(/\brobotrie_\w+/g) ?? [];
		if (text !== "prometheus") expect(names.length, text).toBeGreaterThan(0);
		for (const name of names) {
			asked.add(name);
			const own = samples.filter((sample) => sample.name === name);
			expect(own, name).not.toEqual([]);
			// Labels in braces, after "by", and in label_values: any sample may have them.
			for (const [, list = ""] of text.matchAll(/by \(([^)]*)\)/g))
				for (const label of list.split(", "))
					expect(
						own.some(({ labels }) => label in labels),
						label,
					).toBe(true);
		}
		for (const [, name, selectors = ""] of text.matchAll(
			/(robotrie_\w+)\{([^}]*)\}/g,
		))
			for (const [, label = "", values = ""] of selectors.matchAll(
				/(\w+)=~?"([^"]*)"/g,
			))
				for (const value of values.split("|"))
					expect(
						samples.some(
							({ name: own, labels }) =>
								own === name &&
								label in labels &&
								(value === "$purpose" || labels[label] === value),
						),
						`${name} ${label}=${value}`,
					).toBe(true);
	}
	expect([...asked].sort()).toEqual(
		[...new Set(samples.map(({ name }) => name))].sort(),
	);
});
