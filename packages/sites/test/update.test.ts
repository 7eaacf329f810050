import { spawnSync } from "node:child_process";
import {
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { casesOf } from "../../../test/cases.ts";
import { warcOf } from "../../cli/test/sites.ts";
import { draftName } from "../src/files/draft.ts";
import {
	buildIndex,
	openIndex,
	type Source,
	updateIndex,
} from "../src/index.ts";
import { factsIn, factsOf, ShardFacts } from "../src/indexing/facts.ts";

/** As users have it: threads run a file of dist. */
const dist = new URL("../dist/index.js", import.meta.url).href;
const built = (await import(dist)) as typeof import("../src/index.ts");

const home = mkdtempSync(join(tmpdir(), "robotrie-update-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
let folders = 0;
const folder = () => join(home, String(folders++));

const SHARDS = 2;
const hosts = ["a.test", "b.test", "c.test", "d.test", "e.test"];
const urls = hosts.flatMap((host) =>
	["/", "/p", "/q"].map((path) => `https://${host}${path}`),
);
const target = (path: string) => ({ agent: "x", path });

type Row = Readonly<Record<string, unknown>>;
const lines = (rows: readonly Row[]): Source => ({
	name: "rows",
	chunks: [Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(""))],
});

/** All that an index says: verdicts, what is known of each site, and its size. */
async function said(path: string) {
	const index = await openIndex(path);
	try {
		const verdicts = [...(await index.matchMany(urls))];
		return { verdicts, sites: [...index.sites()], size: index.size };
	} finally {
		index[Symbol.dispose]();
	}
}

const build = async (sources: readonly Source[], options = {}) => {
	const path = folder();
	const about = { shards: SHARDS, facts: true, ...options };
	await buildIndex(sources, target(path), about);
	return path;
};

const host = fc.constantFrom(...hosts);
const answer = fc.oneof(
	fc.constantFrom<Row>(
		{ status: 200, body: "User-agent: *\nDisallow: /p\nCrawl-delay: 3\n" },
		{ status: 200, body: "User-agent: *\nDisallow: /q\nSitemap: /s.xml\n" },
		{ status: 404 },
		{ status: 503 },
		{ access: "disallow-all" },
		{ status: 301 },
	),
	host.map((to) => ({ status: 301, location: `https://${to}/robots.txt` })),
);
const row = fc
	.tuple(host, answer, fc.integer({ min: 1, max: 6 }))
	.map(([name, said, day]) => ({
		origin: `https://${name}`,
		...said,
		date: `2026-03-0${day}`,
	}));

test("an update reads records as the index was built", async () => {
	const from = folder();
	mkdirSync(from);
	writeFileSync(
		join(from, "a.test"),
		"User-agent: *\nDisallow: /p\nDisallow: /q\n",
	);
	const some = { schemes: ["https"], maxBytes: 27 } as const;
	const path = await build([lines(first)], some);
	await updateIndex(path, from);
	const index = await openIndex(path);
	const asked = ["https://a.test/p", "https://a.test/q", "http://a.test/p"];
	expect([...(await index.matchMany(asked))]).toEqual([0, 1, 2]);
	await updateIndex(path, from, { schemes: ["http"], maxBytes: 1000 });
	const after = await openIndex(path);
	expect([...(await after.matchMany(asked.slice(1)))]).toEqual([1, 0]);
});

describe("an update gives what a build from all records gives", () => {
	test.each([
		["the later record counts", {}],
		["the newer record counts", { asOf: "2026-03-05" }],
	])("in any split, %s", async (_, options) => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.array(row, { minLength: 1, maxLength: 6 }), {
					minLength: 2,
					maxLength: 4,
				}),
				async ([first = [], ...rest]) => {
					// Days of the first part are always in time: an index of nothing is refused.
					const begin = first.map((one) => ({ ...one, date: "2026-03-02" }));
					const parts = rest.map((part) => [
						{ ...begin[0], date: "2026-03-01" } as Row,
						...part,
					]);
					const path = await build([lines(begin)], options);
					for (const part of parts)
						await updateIndex(path, lines(part), options);
					const all = await build([lines([begin, ...parts].flat())], options);
					expect(await said(path)).toEqual(await said(all));
				},
			),
			{ numRuns: casesOf(8) },
		);
	});

	test("of WARC files, where redirects lead to other paths", async () => {
		const to = "https://b.test/elsewhere.txt";
		const moved = {
			url: "https://a.test/robots.txt",
			status: "HTTP/1.1 302 Found",
			fields: { Location: to },
		};
		const found = (body: string) => ({ url: to, body });
		const other = { url: "https://c.test/robots.txt", body: "" };
		const rules = "User-agent: *\nDisallow: /p\n";
		const files = await Promise.all(
			[
				[moved, other],
				[found(rules), other],
				[found(""), other],
			].map(async (records, i) => {
				const file = join(home, `part-${i}.warc.gz`);
				writeFileSync(file, await warcOf(records));
				return file;
			}),
		);
		const [first = "", ...rest] = files;
		const path = await build([first]);
		const verdicts = [];
		for (const file of rest) {
			await updateIndex(path, file);
			const index = await openIndex(path);
			verdicts.push(...(await index.matchMany(["https://a.test/p"])));
			index[Symbol.dispose]();
		}
		expect(verdicts).toEqual([0, 1]);
		expect(await said(path)).toEqual(await said(await build(files)));
	});
});

/** The files of an index, with their bytes. */
const filesIn = (path: string) =>
	new Map(
		readdirSync(path).map((name) => [name, readFileSync(join(path, name))]),
	);

const first: readonly Row[] = hosts.map((name) => ({
	origin: `https://${name}`,
	status: 200,
	body: "User-agent: *\nDisallow: /p\nCrawl-delay: 2\nSitemap: /s.xml\n",
	date: "2026-03-01",
}));

describe("updateIndex", () => {
	test("writes the shards that new records touch, and no other", async () => {
		// Redirects in all shards, none of which leads past what changes.
		const moved = Array.from({ length: 8 }, (_, i) => ({
			origin: `https://moved-${i}.test`,
			status: 301,
			location: "https://b.test/robots.txt",
		}));
		const path = await build([lines([...first, ...moved])]);
		const before = filesIn(path);
		const changed = { origin: "https://a.test", status: 404 };
		const report = await updateIndex(path, lines([changed]));
		const after = filesIn(path);
		expect(report).toMatchObject({
			origins: hosts.length + moved.length,
			shards: { written: 1, all: SHARDS },
		});
		const kept = [...after].filter(([name, bytes]) =>
			before.get(name)?.equals(bytes),
		);
		expect(kept).toHaveLength(2 * (SHARDS - 1));
		expect(after.size).toBe(before.size);
		const written = [...after]
			.filter(([name]) => !before.has(name) && name !== "index.json")
			.reduce((sum, [, { length }]) => sum + length, 0);
		expect(report.bytes.written).toBe(written);
		const all = [...after]
			.filter(([name]) => name !== "index.json")
			.reduce((sum, [, { length }]) => sum + length, 0);
		expect(report.bytes.all).toBe(all);
		expect((await updateIndex(path, [])).bytes).toEqual({ written: 0, all });
	});

	test("of two at once that touch the same shards, one is in force", async () => {
		for (let round = 0; round < 5; round++) {
			const path = await build([lines(first)]);
			const changes = [404, 503].map((status) =>
				lines(first.map((one) => ({ ...one, status, body: undefined }))),
			);
			const results = await Promise.allSettled(
				changes.map((rows) => updateIndex(path, rows)),
			);
			const done = results.findIndex(({ status }) => status === "fulfilled");
			expect(results[1 - done]).toMatchObject({
				status: "rejected",
				reason: { name: "SitesError" },
			});
			const { verdicts } = await said(path);
			expect(new Set(verdicts)).toEqual(new Set([done === 0 ? 1 : 4]));
			expect(filesIn(path).size).toBe(2 * SHARDS + 1);
		}
	});

	test("what a process left that was killed while it wrote keeps nobody from it", async () => {
		const path = await build([lines(first)]);
		const { pid } = spawnSync(process.execPath, ["--version"]);
		const left = draftName()
			.replace(`-${process.pid}-`, `-${pid}-`)
			.replace(/tmp$/, "lock");
		writeFileSync(join(path, left), "");
		const { shards } = await updateIndex(path, lines(first));
		expect(shards.written).toBe(SHARDS);
	});

	test("has the same bytes with any number of threads", async () => {
		const changed = first.map((one) => ({ ...one, body: "" }));
		const results = await Promise.all(
			[1, 2].map(async (workers) => {
				const path = await build([lines(first)]);
				await built.updateIndex(path, lines(changed), { workers });
				const files = [...filesIn(path)].filter(
					([name]) => name !== "index.json",
				);
				return files
					.map(([name, bytes]) => [name.replace(/[\da-f]{16}/, ""), bytes])
					.sort();
			}),
		);
		expect(results[0]).toEqual(results[1]);
	});

	test("who has the index open goes on with the old one", async () => {
		const path = await build([lines(first)]);
		const open = await openIndex(path);
		await updateIndex(
			path,
			lines(first.map((one) => ({ ...one, status: 404 }))),
		);
		expect([...(await open.matchMany(["https://a.test/p"]))]).toEqual([0]);
		open[Symbol.dispose]();
	});

	test.each<[string, () => Promise<unknown>, string, RegExp]>([
		[
			"an index without facts",
			async () =>
				updateIndex(await build([lines(first)], { facts: false }), []),
			"malformed",
			/without --facts/,
		],
		[
			"dates for an index in one file",
			async () =>
				updateIndex(await inFile(first), lines(first), { asOf: "2026-03-05" }),
			"malformed",
			/one file does not say when its answers were recorded/,
		],
		[
			"a file that is none",
			async () => {
				const path = folder();
				writeFileSync(path, "no index");
				return updateIndex(path, lines(first));
			},
			"malformed",
			/cannot read the index/,
		],
		[
			"a file that is not there",
			() => updateIndex(join(home, "none"), lines(first)),
			"unreadable",
			/none: no such file/,
		],
		[
			"a path under a file",
			() =>
				updateIndex(join(fileURLToPath(import.meta.url), "x"), lines(first)),
			"unreadable",
			/: not a directory/,
		],
		[
			"to open what is under a file",
			() => openIndex(join(fileURLToPath(import.meta.url), "x")),
			"unreadable",
			/: not a directory/,
		],
		[
			"a folder that is none",
			() => updateIndex(home, []),
			"malformed",
			/index\.json/,
		],
		[
			"records of which most cannot be used",
			async () =>
				updateIndex(
					await build([lines(first)]),
					lines([{ origin: "no" }, { origin: 5 }, first[0] as Row]),
				),
			"unusable",
			/more than half/,
		],
	])("refuses %s", async (_, call, code, message) => {
		await expect(call()).rejects.toMatchObject({
			name: "SitesError",
			code,
			message: expect.stringMatching(message),
		});
	});

	test("leaves the index as it was where the input cannot be read", async () => {
		const path = await build([lines(first)]);
		const before = filesIn(path);
		await expect(
			updateIndex(path, [lines(first), join(home, "missing")]),
		).rejects.toMatchObject({ code: "unreadable" });
		expect(filesIn(path)).toEqual(before);
	});
});

/** An index of rows in one file. */
const inFile = async (rows: readonly Row[]) => {
	const path = folder();
	await buildIndex(lines(rows), target(path));
	return path;
};
const asked = (path: string) =>
	openIndex(path).then((index) =>
		index.matchMany(urls).then((all) => [...all]),
	);

describe("updateIndex, of a file", () => {
	test("gives what a build from all records gives, in any split", async () => {
		// Redirects are another matter: a file does not keep them.
		const own = row.filter((one: Row) => one.status !== 301);
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.array(own, { minLength: 1, maxLength: 6 }), {
					minLength: 2,
					maxLength: 4,
				}),
				async ([first = [], ...rest]) => {
					const path = await inFile(first);
					for (const part of rest) await updateIndex(path, lines(part));
					const all = await inFile([first, ...rest].flat());
					expect(await asked(path)).toEqual(await asked(all));
					const open = await openIndex(path);
					expect(open.size).toBe((await openIndex(all)).size);
				},
			),
			{ numRuns: casesOf(4) },
		);
	});

	const to = (name: string) => ({
		status: 301,
		location: `https://${name}/robots.txt`,
		body: undefined,
	});
	const a = { origin: "https://a.test" };
	const closed = { ...first[1], body: "User-agent: *\nDisallow: /\n" } as Row;

	test.each<[string, readonly Row[], readonly Row[], number]>([
		[
			"a new redirect to a site that it has",
			first,
			[{ ...a, ...to("b.test") }],
			0,
		],
		[
			"one to a site that is new",
			[closed],
			[{ ...a, ...to("c.test") }, ...first.slice(1)],
			0,
		],
		[
			"one to a site that it does not have",
			[closed],
			[{ ...a, ...to("c.test") }],
			4,
		],
		[
			"an old redirect, whose target has changed",
			[
				{ ...a, ...to("b.test") },
				{ ...closed, body: "" },
			],
			[closed],
			1,
		],
		[
			"one that is there no more",
			[{ ...a, ...to("b.test") }, closed],
			[{ ...a, status: 404 }],
			1,
		],
	])("%s", async (_, before, now, verdict) => {
		const path = await inFile(before);
		await updateIndex(path, lines(now));
		const index = await openIndex(path);
		expect([...(await index.matchMany(["https://a.test/p"]))]).toEqual([
			verdict,
		]);
	});

	test("says what it wrote, and writes nothing for nothing", async () => {
		const path = await inFile(first);
		const { size } = statSync(path);
		expect(await updateIndex(path, [])).toMatchObject({
			origins: hosts.length,
			shards: { written: 0, all: 1 },
			bytes: { written: 0, all: size },
		});
		const changed = lines([{ ...a, status: 404 }]);
		const report = await built.updateIndex(path, changed, { workers: 2 });
		const { size: bytes } = statSync(path);
		expect(report).toMatchObject({
			origins: hosts.length,
			shards: { written: 1, all: 1 },
			bytes: { written: bytes, all: bytes },
		});
	});

	test("of two at once one is in force, and nothing is left of the other", async () => {
		const path = join(folder(), "sites.index");
		mkdirSync(dirname(path));
		await buildIndex(lines(first), target(path));
		const changes = [404, 503].map((status) => lines([{ ...a, status }]));
		const results = await Promise.allSettled(
			changes.map((rows) => updateIndex(path, rows)),
		);
		const done = results.findIndex(({ status }) => status === "fulfilled");
		expect(results[1 - done]).toMatchObject({
			status: "rejected",
			reason: { name: "SitesError", code: "unwritable" },
		});
		expect((await asked(path))[0]).toBe(done === 0 ? 1 : 4);
		expect(readdirSync(dirname(path))).toEqual(["sites.index"]);
	});

	test("leaves the file as it was where the input cannot be read", async () => {
		const path = await inFile(first);
		const before = readFileSync(path);
		const sources = [lines([{ ...a, status: 404 }]), join(home, "missing")];
		await expect(updateIndex(path, sources)).rejects.toMatchObject({
			code: "unreadable",
		});
		expect(readFileSync(path).equals(before)).toBe(true);
	});
});

describe("SiteIndex", () => {
	const time = Date.parse("2026-03-01");
	const known = {
		origin: "https://a.test",
		status: 200,
		time,
		crawlDelay: 2,
		sitemaps: ["https://a.test/s.xml"],
	};

	test.each<[string, Row, object]>([
		["a file", {}, known],
		[
			"a 404",
			{ status: 404, body: undefined },
			{ origin: known.origin, status: 404, time, access: "allow-all" },
		],
		[
			"no answer, and no date",
			{ status: 0, body: undefined, date: undefined },
			{ origin: known.origin, status: 0, access: "later" },
		],
		[
			"a redirect",
			{ status: 301, body: undefined, location: "https://b.test/robots.txt" },
			{
				origin: known.origin,
				status: 301,
				time,
				location: "https://b.test/robots.txt",
			},
		],
	])("knows of %s", async (_, change, facts) => {
		const row = { ...first[0], ...change };
		const index = await openIndex(await build([lines([row])]));
		expect([...index.sites()]).toEqual([facts]);
		expect(index.siteOf("https://a.test/p?q")).toEqual(facts);
		expect(index.siteOf("https://z.test/")).toBeUndefined();
		index[Symbol.dispose]();
	});

	test("reads facts that are longer than what is decoded at once", () => {
		const facts = new ShardFacts();
		const sites = ["a", "b", "c", "d"].map((name) => ({
			origin: `https://${name}.test`,
			sitemaps: [`https://${name}.test/${"ä".repeat(400_000)}.xml`],
		}));
		for (const one of sites) facts.set(one.origin, JSON.stringify(one));
		const path = folder();
		writeFileSync(path, facts.toBytes());
		const file = { path, shard: 0, shards: 1 };
		expect([...factsIn(file)]).toEqual(sites);
		expect(factsOf(file, "https://c.test")).toEqual(sites[2]);
	});

	test("of a folder's files: what is relative belongs to each scheme", async () => {
		const from = folder();
		mkdirSync(from);
		writeFileSync(join(from, "a.test"), "Sitemap: /s.xml\n");
		const index = await openIndex(await build([from]));
		const found = [...index.sites()].map(({ sitemaps }) => sitemaps);
		expect(found).toEqual([["http://a.test/s.xml"], ["https://a.test/s.xml"]]);
	});

	test("that were exchanged are refused", async () => {
		const path = await build([lines(first)]);
		const names = readdirSync(path)
			.filter((name) => name.endsWith(".facts"))
			.map((name) => join(path, name));
		const [one = "", two = ""] = names;
		const held = readFileSync(one);
		writeFileSync(one, readFileSync(two));
		writeFileSync(two, held);
		const message =
			/has the facts of shard \d, not of \d: files were exchanged$/;
		const index = await openIndex(path);
		expect(() => [...index.sites()]).toThrow(message);
		expect(() => index.siteOf(urls[0] as string)).toThrow(message);
		await expect(updateIndex(path, lines(first))).rejects.toThrow(message);
	});

	test("whose names were exchanged in the manifest are refused", async () => {
		const path = await build([lines(first)]);
		const manifest = join(path, "index.json");
		const text = readFileSync(manifest, "utf8");
		const swapped = text.replace(
			/-000([01])\.facts/g,
			(_, number) => `-000${1 - Number(number)}.facts`,
		);
		writeFileSync(manifest, swapped);
		await expect(openIndex(path)).rejects.toThrow(/was changed, shard 0 is /);
	});

	test("says which sites are stale", async () => {
		const rows = first.map((one, i) => ({
			...one,
			date: i === 0 ? undefined : `2026-03-0${i}`,
		}));
		const index = await openIndex(await build([lines(rows)]));
		const before = Date.parse("2026-03-03");
		const stale = [...index.sites({ before })].map(({ origin }) => origin);
		expect(stale.sort()).toEqual(
			["a", "b", "c"].map((name) => `https://${name}.test`),
		);
		index[Symbol.dispose]();
	});
});
