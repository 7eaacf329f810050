import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Command } from "commander";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { RobotsIndex } from "../../../src/index.ts";
import { addAudit } from "../src/audit/audit.ts";
import { addCanonical } from "../src/canonical.ts";
import { addCheck } from "../src/check.ts";
import { addCrawlCheck } from "../src/crawl-check.ts";
import { addCrawlers } from "../src/crawlers.ts";
import { addDiff } from "../src/diff.ts";
import { addExplain } from "../src/explain.ts";
import { addFetch } from "../src/fetch/fetch.ts";
import { addIndex } from "../src/index-command.ts";
import { addIndexing } from "../src/indexing.ts";
import { addLint } from "../src/lint.ts";
import { addMatch } from "../src/match/match.ts";
import { addScope } from "../src/scope.ts";
import { addServe } from "../src/serve.ts";
import { addShow } from "../src/show.ts";
import { addStream } from "../src/stream/stream.ts";
import { file, folder, robots } from "./run.ts";

/**
 * An option that a command declares is read by its handler: else it would be accepted and ignored, as `match --bare` once was by
 * `crawl-check`, with which it shared a list of options. Reading is seen by a proxy in place of commander's object. What a spread copies
 * does not count as read, as nobody knows what becomes of the copy: handlers pass on options by name, or the object itself.
 */

vi.mock(import("../src/stream/input.ts"), async (original) => ({
	...(await original()),
	stdinSource: () => () => 0,
}));

const page =
	"<html><head><meta name=robots content=noindex></head><body>x</body></html>";
let server: Server;
let site = "";
beforeAll(async () => {
	server = createServer(({ url }, response) => {
		// Its whole URL where this is the proxy.
		const isFile = url?.endsWith("/robots.txt");
		response.setHeader("Content-Type", isFile ? "text/plain" : "text/html");
		response.end(isFile ? "User-agent: *\nDisallow: /a\n" : page);
	});
	await new Promise<void>((resolve) => server.listen(0, resolve));
	site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	file("options-urls.txt", `${site}/a\n`);
	mkdirSync(join(folder, "options-out"));
	const index = new RobotsIndex({ agent: "x" });
	index.set("https://e.com", "User-agent: *\nDisallow: /a\n");
	writeFileSync(join(folder, "options.index"), index.toBytes());
});
afterAll(() => server.close());

const path = (name: string) => join(folder, name);
const urls = path("options-urls.txt");
const sites = file(
	"options-sites.ndjson",
	`${JSON.stringify({ origin: "https://e.com", robots: "User-agent: *\nDisallow: /" })}\n`,
);
const log = file(
	"options.log",
	'192.0.2.1 - - [14/Oct/2025:00:00:00 +0000] "GET /private HTTP/1.1" 200 5 "-" "GPTBot/1.0"\n',
);
const list = file("options-patterns.txt", "^x\n");
const ranges = file("options-ranges.json", '{"prefixes": []}');
const asn = file("options-asn.csv", "network,asn,name\n192.0.2.0/24,AS1,A\n");
const key = file("options.key", "0123456789abcdef");
const table = file("options-table.tsv", "/private\tx\tdisallowed\n");
const states = path("options.state");

type Args = readonly string[];
/** The arguments of one option's run, in place of those that are on each line, or beside them. */
type Row = { readonly also: Args } | { readonly only: Args };
const also = (...args: string[]): Row => ({ also: args });
const only = (...args: string[]): Row => ({ only: args });

/** Values of options that commands share; other options without a row are flags. */
const values: Readonly<Record<string, () => Row>> = {
	robots: () => also("--robots", robots),
	agent: () => also("--agent", "x"),
	dialect: () => also("--dialect", "google"),
	maxBytes: () => also("--max-bytes", "500"),
	userAgent: () => also("--user-agent", "x/1"),
	timeout: () => also("--timeout", "5"),
	serverErrorAsNotFound: () => also("--server-error-as-not-found", "e.com"),
	proxy: () => also("--proxy", site),
	header: () => also("--header", "From: a@b.example"),
	workers: () => also("--workers", "1"),
	only: () => also("--only", "allowed"),
	store: () => also("--store", path("options-store")),
	concurrency: () => also("--concurrency", "2"),
};

interface Subject {
	readonly add: (program: Command) => void;
	/** What stands on each line. */
	readonly args: () => Args;
	/** Options that need a value, or others beside them. */
	readonly rows?: () => Readonly<Record<string, Row>>;
}

const ofSite = () => ["--allow-private-network", "-r", `${site}/`];
const index = () => ["-i", path("options.index"), urls];

const auditRows = (): Readonly<Record<string, Row>> => ({
	robots: also(),
	robotsSince: also("--robots-since", "2020-01-01"),
	format: also("--format", "combined"),
	logFormat: also("--log-format", "%h %l %u %t %r %s %b"),
	fields: also("--fields", "path=p,agent=a"),
	agents: also("--agents", "GPTBot"),
	defaultAgent: also("--default-agent", "GPTBot"),
	people: also("--people", list),
	crawlers: also("--crawlers", list),
	groupBy: also("--group-by", "category"),
	verify: also("--verify", `GPTBot=${ranges}`),
	asn: also("--asn", asn),
	resolve: also("--resolve", "--resolve-cache", path("options-dns")),
	resolveCache: also("--resolve", "--resolve-cache", path("options-dns")),
	resolveServer: also("--resolve", "--resolve-server", "127.0.0.1:9"),
	trustedProxy: also("--trusted-proxy", "1"),
	since: also("--since", "2020-01-01"),
	until: also("--until", "2030-01-01"),
	where: also("--where", "status=404"),
	timeZone: also("--time-zone", "Europe/Berlin"),
	every: also("--every", "day"),
	anonymizeKey: also("--anonymize-key", key),
	output: also("--output", "json"),
	out: also("--out", path("options-report")),
	violations: also("--violations", path("options-violations")),
	each: also("--each", path("options-each")),
	eachFormat: also("--each", path("options-each"), "--each-format", "csv"),
	eachAll: also("--each", path("options-each"), "--each-all"),
	state: also("--state", states),
	metrics: also("--metrics", path("options-metrics")),
	metricsPort: also("--metrics-port", "0"),
	interval: also("--interval", "1s"),
	suggest: also("--suggest", "nginx"),
	top: also("--top", "2"),
});

const subjects: Readonly<Record<string, Subject>> = {
	match: {
		add: addMatch,
		args: () => ["match", ...ofSite(), "-a", "x", urls],
		rows: () => ({
			robots: only("match", "-r", robots, "-a", "x", urls),
			index: only("match", ...index()),
			memory: only("match", ...index(), "--memory", "2M"),
		}),
	},
	explain: {
		add: addExplain,
		args: () => ["explain", "--allow-private-network", "-a", "x", `${site}/a`],
		rows: () => ({
			robotsUrl: also("-r", robots, "--robots-url", `${site}/robots.txt`),
		}),
	},
	lint: {
		add: addLint,
		args: () => ["lint", "--allow-private-network", `${site}/`],
		rows: () => ({
			fix: only("lint", "--fix", file("options-fix.txt", "Alow: /")),
			dryRun: only("lint", "--fix", "--dry-run", robots),
			unsafeFixes: only("lint", "--fix", "--unsafe-fixes", "--dry-run", robots),
			explain: only("lint", "--explain", "shadowed-rule"),
			output: also("--output", "json"),
			sitemaps: also("--sitemaps", urls),
			noindex: also("--noindex", urls),
		}),
	},
	diff: {
		add: addDiff,
		args: () => ["diff", "--allow-private-network", `${site}/`, robots],
		rows: () => ({ urls: also("--urls", urls) }),
	},
	check: {
		add: addCheck,
		args: () => ["check", table, "--allow-private-network"],
	},
	audit: {
		add: addAudit,
		args: () => ["audit", "-r", robots, log],
		rows: auditRows,
	},
	"audit follow": {
		add: addAudit,
		args: () => ["audit", "follow", "-r", robots, log],
		rows: auditRows,
	},
	"audit merge": {
		add: addAudit,
		args: () => ["audit", "merge", states],
		rows: auditRows,
	},
	"audit compare": {
		add: addAudit,
		args: () => [
			"audit",
			"compare",
			"-r",
			robots,
			"..2025-10-13",
			"2025-10-14..",
			log,
		],
		rows: auditRows,
	},
	fetch: {
		add: addFetch,
		args: () => ["fetch", "--allow-private-network", `${site}/`],
		rows: () => ({ as: also("--as", "x/1", "--as", "y/1") }),
	},
	indexing: {
		add: addIndexing,
		args: () => ["indexing", "--allow-private-network", `${site}/a`],
	},
	"crawl-check": {
		add: addCrawlCheck,
		args: () => ["crawl-check", "--allow-private-network", "-a", "x", urls],
		rows: () => ({
			retry: also("--retry", "1"),
			retryTime: also("--retry-time", "5"),
		}),
	},
	index: {
		add: addIndex,
		args: () => ["index", "-a", "x", "-o", path("options-out/a.index"), sites],
		rows: () => ({
			eachAgent: only(
				"index",
				"-a",
				"x",
				"--each-agent",
				"-o",
				path("options-out/{agent}.index"),
				sites,
			),
			out: also(),
			shards: only(
				"index",
				"-a",
				"x",
				"--shards",
				"2",
				"-o",
				path("options-out/shards"),
				sites,
			),
			update: only("index", "--update", path("options-out/missing"), sites),
			asOf: also("--as-of", "2026-03-01"),
			memory: also("--memory", "2M", "--shards", "2"),
			scheme: also("--scheme", "http"),
		}),
	},
	stream: {
		add: addStream,
		args: () => ["stream", "-a", "x"],
		rows: () => ({
			index: only("stream", "-i", path("options.index")),
			memory: only("stream", "-i", path("options.index"), "--memory", "2M"),
			arrow: only("stream", "--arrow", "-i", path("options.index")),
			column: also("--arrow", "--column", "x"),
			verdict: also("--arrow", "--verdict", "x"),
		}),
	},
	serve: {
		add: addServe,
		args: () => [
			"serve",
			"--port",
			"0",
			"--log-level",
			"silent",
			"--store",
			"none",
		],
		rows: () => ({
			port: also(),
			store: also(),
			host: also("--host", "127.0.0.1"),
			hostName: also("--host-name", "robots.example"),
			socket: also("--socket", path("options.socket")),
			tokenFile: also("--token-file", list),
			tlsCert: also("--tls-cert", list, "--tls-key", list),
			tlsKey: also("--tls-cert", list, "--tls-key", list),
			tlsClientCa: also(
				"--tls-cert",
				list,
				"--tls-key",
				list,
				"--tls-client-ca",
				list,
			),
			maxBody: also("--max-body", "1"),
			maxWaiting: also("--max-waiting", "1"),
			maxConnections: also("--max-connections", "1"),
			maxTime: also("--max-time", "1"),
			logLevel: also(),
		}),
	},
	scope: {
		add: addScope,
		args: () => ["scope", "--robots-url", `${site}/robots.txt`, `${site}/`],
		rows: () => ({ robotsUrl: also() }),
	},
	show: {
		add: addShow,
		args: () => ["show", ...ofSite(), "-a", "x"],
		rows: () => ({ robots: also() }),
	},
	canonical: {
		add: addCanonical,
		args: () => ["canonical", ...ofSite(), urls],
		rows: () => ({ robots: also() }),
	},
	crawlers: {
		add: addCrawlers,
		args: () => ["crawlers", ...ofSite(), "--url", "/a"],
		rows: () => ({
			robots: also(),
			url: also(),
			// CCBot has no list, so nothing is asked for.
			lists: only("crawlers", "--lists", path("options-lists"), "CCBot"),
		}),
	},
};

/** An object of options that notes which are read, but not those that are copied by a spread. */
function watched(options: object, read: Set<string>): object {
	let copied: PropertyKey | undefined;
	return new Proxy(options, {
		getOwnPropertyDescriptor(target, key) {
			copied = key;
			return Reflect.getOwnPropertyDescriptor(target, key);
		},
		get(target, key) {
			if (key !== copied) read.add(String(key));
			copied = undefined;
			return Reflect.get(target, key);
		},
	});
}

/** The options that a command line has its command read. */
async function readBy(
	add: (program: Command) => void,
	args: Args,
): Promise<Set<string>> {
	const read = new Set<string>();
	const { opts } = Command.prototype;
	const mocks = [
		vi.spyOn(Command.prototype, "opts").mockImplementation(function (
			this: Command,
		) {
			return watched(opts.call(this), read);
		}),
		...[process.stdout, process.stderr].map((stream) =>
			vi
				.spyOn(stream, "write")
				.mockImplementation((_: unknown, done?: unknown) => {
					if (typeof done === "function") done();
					return true;
				}),
		),
	];
	// What follows a log, or serves, ends by a signal. Nobody else gets one: who has begun a file removes it then, and ends the process.
	const isEndless = args[0] === "serve" || args.includes("follow");
	const stop = (event: string | symbol, listener: NodeJS.SignalsListener) => {
		if (isEndless && event === "SIGINT") setImmediate(listener, "SIGINT");
	};
	process.on("newListener", stop);
	try {
		const program = new Command().exitOverride();
		add(program);
		await program.parseAsync(args, { from: "user" });
	} catch {
		// An option that is not read is red below, whatever the reason.
	} finally {
		process.off("newListener", stop);
		for (const mock of mocks) mock.mockRestore();
		process.exitCode = undefined;
	}
	return read;
}

describe.each(Object.entries(subjects))(
	"%s reads each option that it declares",
	(name, { add, args, rows }) => {
		const program = new Command();
		add(program);
		const command = program.commands[0] as Command;
		const [, subcommand] = name.split(" ");
		const { options } =
			command.commands.find((each) => each.name() === subcommand) ?? command;
		// One is commander's own; those that are hidden only say what to write instead.
		const own = options.filter(
			({ long, hidden }) => long !== "--version" && !hidden,
		);

		test.each(own.map((option) => [option.flags, option] as const))(
			"%s",
			async (_, option) => {
				const attribute = option.attributeName();
				const row =
					rows?.()[attribute] ??
					values[attribute]?.() ??
					(option.required ? undefined : also(String(option.long)));
				if (!row)
					throw new Error(`${name} ${option.flags} needs a row with a value`);
				const line =
					"only" in row ? row.only : [...new Set(args()), ...row.also];
				expect(await readBy(add, line)).toContain(attribute);
			},
		);
	},
);
