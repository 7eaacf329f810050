import {
	cpSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FORMAT_VERSION } from "../assembly/format/program.ts";
import { LogAudit } from "../packages/audit/src/index.ts";
import { openState, StateWriter } from "../packages/audit/src/state/state.ts";
import { file, folder, robotrie, root } from "../packages/cli/test/run.ts";
import { warcOf } from "../packages/cli/test/sites.ts";
import {
	decodeEntry,
	encodeEntry,
	NewerEntry,
} from "../packages/client/src/stores/entry.ts";
import {
	buildIndex,
	openIndex,
	updateIndex,
} from "../packages/sites/src/index.ts";
import { accessFor } from "../src/access.ts";
import { Matcher, RobotsIndex, RobotsTxt } from "../src/index.ts";
import { sealMatcher } from "../src/matching/byte-code.ts";
import {
	dialectNames,
	dialectOf,
	dialectRules,
} from "../src/robots-txt/dialect.ts";
import { sealIndex } from "../src/sites/index-snapshot.ts";

/**
 * What is stored outlives the program that wrote it. Every stored form has a file in test/data/stored/, named by its version; all of
 * them are read, also those of earlier versions. ROBOTRIE_WRITE_STORED=1 writes those that are missing: after a form has got a new
 * version, and never otherwise.
 */
const stored = join(root, "test/data/stored");

const TEXT = [
	"User-agent: x",
	"Disallow: /private/",
	"Allow: /private/open",
	"Disallow: /*.pdf$",
	"Disallow: /*session=*id",
	"Disallow: /caf%C3%A9",
	...Array.from({ length: 20 }, (_, i) => `Disallow: /n${i}/a*b`),
	"",
].join("\n");
const urls: readonly (readonly [path: string, allowed: boolean])[] = [
	["/", true],
	["/private/a", false],
	["/private/open/a", true],
	["/a.pdf", false],
	["/a.pdfs", true],
	["/a?session=5;id", false],
	["/n7/axb", false],
	["/n7/b", true],
	["/n20/axb", true],
];
const ORIGIN = "https://a.example";
const ELSEWHERE = "https://b.example/elsewhere.txt";
const FACTS = `Sitemap: /s.xml\nUser-agent: x\nCrawl-delay: 3\n`;
const redirectTo = (location: string) =>
	JSON.stringify({ origin: "https://d.example", status: 301, location });
const BYTES = new TextEncoder().encode(TEXT);
const ACCESS = accessFor(
	{ status: 200, body: BYTES, headers: { etag: '"1"' } },
	null,
	{ now: Date.UTC(2025, 0, 1) },
);
const LOG = ["/a.pdf", "/robots.txt", "/private/a", "/", "/n7/axb"]
	.map(
		(path, i) =>
			`192.0.2.${i} - - [14/Oct/2025:10:0${i}:00 +0000] "GET ${path} HTTP/1.1" 200 5 "-" "GPTBot/1.0"\n`,
	)
	.join("");
const auditOptions = {
	// What was the default when they were written.
	dialect: "rfc9309" as const,
	robots: [
		{
			file: "robots.txt",
			bytes: new TextEncoder().encode(
				"User-agent: *\nDisallow: /private/\nCrawl-delay: 90\n",
			),
		},
	],
	format: "combined",
	keepState: true,
};
/** Requests of two visitors, and of a client that calls itself a browser and reads page after page. */
const BROWSERS = [
	...["/a <", "/a.css <", "/b <"].map((path) => `198.51.100.1 ${path}`),
	...["/b", "/b.png <"].map((path) => `198.51.100.2 ${path}`),
	...Array.from({ length: 50 }, (_, at) => `203.0.113.5 /private/${at}`),
]
	.map((text) => text.split(" "))
	.map(
		([address, path, referrer]) =>
			`${address} - - [14/Oct/2025:11:00:00 +0000] "GET ${path} HTTP/1.1" 200 - "${referrer ? "https://a.example/" : "-"}" "Mozilla/5.0 (Windows NT 10.0) Chrome/1 Safari/1"\n`,
	)
	.join("");
/** What audit follow writes since version 6. */
const POSITION = {
	files: [
		{
			key: "1 2 3",
			at: 100,
			tail: { length: 100, sha256: "ab".repeat(32) },
			unfinished: 20,
			lines: 5,
			isSkipping: false,
		},
	],
	known: ["1 4 5"],
	heads: [{ length: 100, sha256: "cd".repeat(32) }],
	log: "access.log",
};
/** What states have counts of since version 4, and since version 5. */
const optionsSince4 = { paths: true, systemOf: () => "AS64500 Example" };
const optionsSince5 = { ...optionsSince4, suspects: true };
async function auditOf(): Promise<LogAudit> {
	const audit = new LogAudit({ ...auditOptions, ...optionsSince5 });
	await audit.add("access.log", [new TextEncoder().encode(LOG)]);
	await audit.add("browsers.log", [new TextEncoder().encode(BROWSERS)]);
	return audit;
}
function indexOf(): RobotsIndex {
	const index = new RobotsIndex({ agent: "x" });
	index.set(ORIGIN, TEXT);
	index.set("https://b.example", "disallow-all");
	return index;
}
const expectVerdicts = (isAllowed: (url: string) => boolean, origin = "") =>
	expect(urls.map(([path]) => isAllowed(origin + path))).toEqual(
		urls.map(([, allowed]) => allowed),
	);

/** A stored form: how a file of it is made, and what it says when it is read. */
interface Form {
	readonly name: string;
	/** The version that is written today. */
	readonly version: number;
	readonly make: (path: string) => unknown;
	readonly read: (path: string) => unknown;
}

const forms: readonly Form[] = [
	...dialectNames.map(
		(dialect): Form => ({
			name: `matcher-${dialect}`,
			version: FORMAT_VERSION,
			make: (path) =>
				writeFileSync(
					path,
					RobotsTxt.parse(TEXT, { dialect }).for("x").toBytes(),
				),
			read(path) {
				const matcher = Matcher.fromBytes(readFileSync(path));
				expect(matcher.dialect).toBe(dialect);
				expect(matcher.match("/private/open")).toEqual({
					type: "allow",
					pattern: "/private/open",
					line: 3,
				});
				expectVerdicts((url) => matcher.isAllowed(url));
			},
		}),
	),
	{
		name: "index",
		version: FORMAT_VERSION,
		make: (path) => writeFileSync(path, indexOf().toBytes()),
		read(path) {
			const index = RobotsIndex.fromBytes(readFileSync(path));
			expect([index.agent, index.dialect, [...index.origins()].sort()]).toEqual(
				["x", "rfc9309", [ORIGIN, "https://b.example"]],
			);
			expectVerdicts((url) => index.isAllowed(url), ORIGIN);
			expect(index.isAllowed("https://b.example/")).toBe(false);
		},
	},
	{
		name: "index-later",
		version: FORMAT_VERSION,
		make(path) {
			const index = indexOf();
			index.set("https://c.example", "later");
			writeFileSync(path, index.toBytes());
		},
		read(path) {
			const index = RobotsIndex.fromBytes(readFileSync(path));
			expectVerdicts((url) => index.isAllowed(url), ORIGIN);
			const urls = ["b", "c"].map((host) => `https://${host}.example/`);
			expect([...index.matchMany(urls)]).toEqual([0, 4]);
		},
	},
	{
		name: "index-folder",
		version: 1,
		async make(path) {
			const answers = ["a", "b", "c"].map((host) =>
				JSON.stringify({ origin: `https://${host}.example`, robots: TEXT }),
			);
			const out = join(folder, "sites");
			const from = file("answers.ndjson", answers.join("\n"));
			expect(
				(
					await robotrie([
						"index",
						"-a",
						"x",
						"--shards",
						"2",
						"--out",
						out,
						from,
					])
				).code,
			).toBe(0);
			cpSync(out, path, { recursive: true });
		},
		async read(path) {
			const lines = urls.map(([url]) => `https://c.example${url}`).join("\n");
			const { stdout, code } = await robotrie(["match", "--index", path], {
				stdin: lines,
			});
			expect(code).toBe(0);
			expect(
				String(stdout)
					.trim()
					.split("\n")
					.map((line) => line.startsWith("allowed\t")),
			).toEqual(urls.map(([, allowed]) => allowed));
		},
	},
	{
		name: "index-facts",
		version: 1,
		async make(path) {
			const from = file(
				"facts.warc.gz",
				await warcOf([
					{
						url: "https://a.example/robots.txt",
						status: "HTTP/1.1 302 Found",
						fields: { Location: ELSEWHERE },
					},
					{ url: ELSEWHERE, body: TEXT },
					{ url: "https://c.example/robots.txt", body: FACTS },
				]),
			);
			await buildIndex(from, { agent: "x", path }, { shards: 2, facts: true });
		},
		async read(path) {
			const copy = join(folder, "facts");
			cpSync(path, copy, { recursive: true });
			// The redirect of a.example leads past what is new.
			const changed = file("facts.ndjson", redirectTo(ELSEWHERE));
			expect((await updateIndex(copy, changed)).redirects.followed).toBe(1);
			using index = await openIndex(copy);
			const { time, ...rest } = index.siteOf("https://c.example/") ?? {};
			expect([typeof time, rest]).toEqual([
				"number",
				{
					origin: "https://c.example",
					status: 200,
					crawlDelay: 3,
					sitemaps: ["https://c.example/s.xml"],
				},
			]);
			for (const host of ["a", "d"])
				expect([
					...(await index.matchMany(
						urls.map(([url]) => `https://${host}.example${url}`),
					)),
				]).toEqual(urls.map(([, allowed]) => Number(allowed)));
		},
	},
	{
		name: "audit-state",
		version: 6,
		async make(path) {
			const state = await (await auditOf()).state();
			const { settings, segments } = await openState("a state", [state]);
			const writer = new StateWriter();
			const frames = [writer.begin(settings)];
			for await (const segment of segments) frames.push(writer.add(segment));
			frames.push(writer.position(POSITION), writer.end());
			writeFileSync(path, Buffer.concat(frames));
		},
		async read(path) {
			// Version 3 had neither paths nor autonomous systems, version 4 no requests of browsers.
			const hasPaths = !path.endsWith(".v3");
			const hasVisits = hasPaths && !path.endsWith(".v4");
			const audit = new LogAudit({
				...auditOptions,
				...(hasVisits ? optionsSince5 : hasPaths ? optionsSince4 : {}),
			});
			await audit.addState(readFileSync(path));
			const { segments, end } = await openState("", [readFileSync(path)]);
			for await (const _ of segments);
			const hasPosition = !/\.v[345]$/.test(path);
			expect(end.position).toEqual(hasPosition ? POSITION : undefined);
			const { crawlers, bytes, suspects } = audit.report();
			expect(bytes).toBe(hasPaths ? 25 : null);
			expect(crawlers[0]?.taken?.paths.top.length).toBe(
				hasPaths ? 4 : undefined,
			);
			expect(crawlers[0]?.systems.top).toEqual(
				hasPaths ? [{ text: "AS64500 Example", count: 5 }] : [],
			);
			if (hasVisits)
				expect(suspects).toMatchObject({
					clients: 3,
					top: [
						{
							address: "203.0.113.5",
							system: "AS64500 Example",
							requests: 50,
							pages: 50,
							disallowed: 50,
							firstSeen: "2025-10-14T11:00:00.000Z",
							signs: ["assets", "referrers", "rate"],
						},
					],
				});
			else expect(suspects).toBeNull();
			expect(
				crawlers.map(({ name, requests, disallowed, robotsTxt }) => ({
					name,
					requests,
					disallowed,
					robotsTxt,
				})),
			).toEqual([{ name: "GPTBot", requests: 5, disallowed: 1, robotsTxt: 1 }]);
		},
	},
	{
		name: "store-entry",
		version: 2,
		make: (path) => writeFileSync(path, encodeEntry(ORIGIN, ACCESS)),
		read: (path) =>
			expect(decodeEntry(ORIGIN, readFileSync(path))).toEqual(ACCESS),
	},
];

const fileOf = ({ name, version }: Pick<Form, "name" | "version">) =>
	join(stored, `${name}.v${version}`);

if (process.env.ROBOTRIE_WRITE_STORED === "1") {
	mkdirSync(stored, { recursive: true });
	for (const form of forms)
		if (!existsSync(fileOf(form))) await form.make(fileOf(form));
}

describe.each(forms.map((form) => [form.name, form] as const))(
	"%s",
	(name, form) => {
		test("has a file of today's version", () => {
			expect(readdirSync(stored)).toContain(`${name}.v${form.version}`);
		});

		const versions = readdirSync(stored).flatMap((file) => {
			const [, of, version] = /^(.+)\.v(\d+)$/.exec(file) ?? [];
			return of === name ? [Number(version)] : [];
		});
		test.each(versions)("version %d is read", async (version) => {
			await form.read(fileOf({ name, version }));
		});

		test("what is made now is read", async () => {
			const path = join(folder, `${name}.now`);
			await form.make(path);
			await form.read(path);
			rmSync(path, { recursive: true });
		});
	},
);

test("numbers of dialects stay what they are, whatever the order of their names", () => {
	expect(
		Object.fromEntries(
			dialectNames.map((name) => [name, dialectRules(name).id]),
		),
	).toEqual({ rfc9309: 0, google: 1, yandex: 2 });
	for (const name of dialectNames)
		expect(dialectOf(dialectRules(name).id)).toBe(name);
});

const newer = (name: string, version: number, at: number) => {
	const bytes = new Uint8Array(readFileSync(fileOf({ name, version })));
	bytes[at] = version + 1;
	return bytes;
};
test.each<[string, RegExp, () => unknown]>([
	[
		"matcher",
		/version 2, this is version 1: a newer robotrie wrote them/,
		() => {
			const bytes = newer("matcher-yandex", 1, 4);
			sealMatcher(bytes);
			return Matcher.fromBytes(bytes);
		},
	],
	[
		"index",
		/version 2, this is version 1: a newer robotrie wrote them/,
		() => {
			const bytes = newer("index", 1, 4);
			sealIndex(bytes);
			return RobotsIndex.fromBytes(bytes);
		},
	],
	[
		"audit-state",
		/version 7, this robotrie reads versions 3 to 6: a newer one wrote it/,
		() => new LogAudit(auditOptions).addState(newer("audit-state", 6, 4)),
	],
	[
		"store-entry",
		/version 3, and this program reads up to 2/,
		() => {
			const read = decodeEntry(ORIGIN, newer("store-entry", 2, 4));
			throw new Error(read instanceof NewerEntry ? read.reason : String(read));
		},
	],
	[
		"index-folder",
		/version 2, this robotrie reads version 1: a newer one wrote it/,
		async () => {
			const path = join(folder, "newer");
			cpSync(fileOf({ name: "index-folder", version: 1 }), path, {
				recursive: true,
			});
			const manifest = join(path, "index.json");
			writeFileSync(
				manifest,
				readFileSync(manifest, "utf8").replace('"version": 1', '"version": 2'),
			);
			throw new Error(
				String(
					(await robotrie(["match", "--index", path], { stdin: "/" })).stderr,
				),
			);
		},
	],
])(
	"a newer version of %s is an error that says so",
	async (_, message, read) => {
		const error = await Promise.resolve()
			.then(read)
			.catch((error: unknown) => error);
		expect((error as Error).message).toMatch(message);
	},
);

test.each([
	"null",
	"{}",
	"5",
	'{"file":1}',
	'{"file":"shard-0000000000000000-0000.index","bytes":-1,"origins":1}',
])(
	"an index folder whose manifest has the shard %s is refused in a sentence",
	async (shard) => {
		const path = join(folder, "damaged");
		mkdirSync(path);
		writeFileSync(
			join(path, "index.json"),
			`{"version":1,"hash":"crc32","agent":["x"],"dialect":"google","origins":1,"shards":[${shard}]}`,
		);
		const { stderr, code } = await robotrie(["match", "--index", path], {
			stdin: "/",
		});
		expect([code, String(stderr)]).toEqual([
			2,
			expect.stringMatching(
				/^robotrie: cannot read the index .*: its index\.json is not what robotrie index writes\n$/,
			),
		]);
		rmSync(path, { recursive: true });
	},
);
