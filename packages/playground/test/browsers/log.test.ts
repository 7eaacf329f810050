import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Frame, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { logs } from "../../../../test/data/logs.ts";
import { file, folder, robotrie } from "../../../cli/test/run.ts";
import { hasChromium } from "../chromium.ts";
import { faultsOf, violations } from "../faults.ts";
import { hashWith, type PageOptions, Playground } from "../playground.ts";
import { views } from "../views.ts";

const samples = fileURLToPath(new URL("../../../../sample/", import.meta.url));
const log = readFileSync(join(samples, "access.log"));
const half = log.indexOf("\n", log.length / 2) + 1;
const first = log.subarray(0, half);
const second = log.subarray(half);
const allButLast = log.subarray(0, -1);

/** A frame with one block, not compressed (RFC 8878 §3.1.1). */
function storedZstd(bytes: Buffer): Buffer {
	const head = Buffer.alloc(12);
	head.writeUInt32LE(0xfd2fb528, 0);
	// The size stands in four bytes, and is that of the window.
	head.writeUInt8(0b1010_0000, 4);
	head.writeUInt32LE(bytes.length, 5);
	head.writeUIntLE((bytes.length << 3) | 1, 9, 3);
	return Buffer.concat([head, bytes]);
}

const damagedGzip = gzipSync(log);
damagedGzip[damagedGzip.length - 6] = ~(damagedGzip.at(-6) ?? 0);

const people = "Mozilla/5.0 (compatible; bingbot*\n";
const crawlers = "Mozilla/5.0 (X11*\n# a remark\n*Safari/*";
const peopleFile = file("people.txt", people);
const crawlersFile = file("crawlers.txt", crawlers);

/** A file as a person chooses it. */
interface Given {
	readonly name: string;
	readonly bytes: string | Buffer;
}

describe.skipIf(!hasChromium)("In Chromium, the Log pane", () => {
	let playground: Playground;
	beforeAll(async () => {
		playground = await Playground.start();
	});
	afterAll(() => playground?.stop());

	// An option of a closed list is never on the screen.
	const ready = '#log-settings select:has(option[value="log_format"])';
	const open = async (options: PageOptions = {}) => {
		const opened = await playground.open({ landing: true, ...options });
		const { page } = opened;
		// Logs are judged by the sample, too.
		if (options.hash === undefined) {
			const url = await page.inputValue("#ask-url");
			await page.fill("#ask-url", "https://other.example/");
			await page.click(".whose-question button");
			await page.fill("#ask-url", url);
		}
		await press(page, "tab-log");
		await page.locator(ready).waitFor({ state: "attached" });
		return opened;
	};

	const choose = (page: Page, id: string, given: readonly Given[]) =>
		page.setInputFiles(
			`#${id}`,
			given.map(({ name, bytes }) => ({
				name,
				mimeType: "",
				buffer: Buffer.from(bytes),
			})),
		);

	async function fillIn(
		page: Page,
		settings: Readonly<Record<string, string>>,
	): Promise<void> {
		for (const id of ["log-fold", "log-more"])
			await page
				.locator(`#${id}`)
				.evaluate((more) => more.setAttribute("open", ""));
		for (const [name, value] of Object.entries(settings)) {
			const field = page.locator(`#log-settings [name="${name}"]`);
			if (["format", "groupBy", "every"].includes(name))
				await field.selectOption(value);
			else await field.fill(value);
		}
	}

	/** Presses a button by key: a click that follows a scroll at once is sent to where the report's frame was, another process's, and is lost. */
	const press = (page: Page, id: string) =>
		page.locator(`#${id}`).press("Enter");

	/** Presses a button that audits, and waits for its report: the one before may still be there. */
	async function audit(page: Page, id: "log-again" | "log-sample") {
		await page.locator("#log-report iframe").evaluateAll((frames) => {
			for (const frame of frames) frame.setAttribute("data-before", "");
		});
		await press(page, id);
		await page.locator("#log-report iframe:not([data-before])").waitFor();
	}

	/** The text of a file that a button saves. */
	async function saved(page: Page, kind: "json" | "csv" | "html") {
		await page.locator("#log-results").waitFor();
		const [download] = await Promise.all([
			page.waitForEvent("download"),
			press(page, `log-save-${kind}`),
		]);
		expect(download.suggestedFilename()).toBe(`robotrie-audit.${kind}`);
		return readFileSync(await download.path(), "utf8");
	}

	/** What the command line gives for files of these names. */
	async function written(
		args: readonly string[],
		given: readonly Given[],
		cwd = folder,
	): Promise<string> {
		for (const { name, bytes } of given) file(name, bytes);
		const names = given.map(({ name }) => name);
		const options = { cwd };
		// The page counts paths without being asked.
		const all = ["audit", "--paths", ...args, ...names];
		const result = await robotrie(all, options);
		// Formats without a User-Agent header: the report says so, and nothing was judged.
		const isSilent = result.stderr.includes("nothing was judged");
		expect(result.code).toBe(isSilent ? 2 : 0);
		return String(result.stdout);
	}

	const message = (page: Page) => page.locator("#log-message").innerText();

	/** By the robots.txt under Test. */
	const useOwn = (page: Page) => press(page, "log-robots-own");

	/** robots.txt files that logs are judged by, and what the card then says. */
	async function judgeBy(
		page: Page,
		given: readonly Given[],
		says = given.map(({ name }) => name).join(", "),
	): Promise<void> {
		await choose(page, "log-robots-files", given);
		await expect.poll(() => page.locator("#log-robots").innerText()).toBe(says);
	}

	/** Opens a file under Test, which is read by the time that the page has judged by it. */
	async function openRobots(page: Page, bytes: string): Promise<void> {
		await choose(page, "robots-file", [{ name: "x.txt", bytes }]);
		await expect
			.poll(() => page.locator("#robots-size").textContent())
			.toMatch(new RegExp(`^${bytes.length} bytes?$`));
	}

	async function reportOf(page: Page): Promise<Frame> {
		const element = await page.locator("#log-report iframe").elementHandle();
		const frame = await element?.contentFrame();
		if (!frame) throw new Error("no report");
		return frame;
	}

	test("audits the sample with one click, as the command line does", async () => {
		const { page, problems, requests } = await open();
		await page.locator("#log-sample").click();
		for (const kind of ["json", "csv", "html"] as const) {
			const args = ["-r", "robots.txt", "--crawlers", "crawlers.txt"];
			args.push("-o", kind, "access.log");
			const expected = await written(args, [], samples);
			// Without a listing of differences: the page is long.
			expect((await saved(page, kind)) === expected, kind).toBe(true);
		}
		expect(await message(page)).toMatch(
			/^3,000 lines of access\.log \(combined\) in [\d.]+ s\.$/,
		);
		const report = await reportOf(page);
		expect(await report.locator(".tiles").innerText()).toMatch(
			/^3 of 3\s*AI crawlers disregarded robots\.txt\s*1,099\s*disallowed requests, 41\.34% of the 2,658 by all crawlers\s*985\s*of these were served/,
		);
		const own = [playground.address, "about:srcdoc", "blob:"];
		expect(
			requests.filter((url) => !own.some((start) => url.startsWith(start))),
		).toEqual([]);
		expect(problems).toEqual([]);
		await page.close();
	});

	test("tells crawlers by published addresses, as the command line", async () => {
		const { page, problems } = await open();
		const ranges = {
			name: "gptbot.json",
			bytes: '{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}',
		};
		await page.locator("#log-fold > summary").click();
		await page.locator("#log-more summary").click();
		await choose(page, "log-ranges-files", [ranges]);
		const more = page.locator("#log-more");
		await expect.poll(() => more.innerText()).toContain("gptbot.json");
		const rules = readFileSync(join(samples, "robots.txt"));
		const robots = "verified-robots.txt";
		await judgeBy(page, [{ name: robots, bytes: rules }]);
		// The sample's crawlers are made up: no list of addresses is one of theirs.
		const known = Buffer.from(log.toString().replaceAll("ExampleAI", "GPTBot"));
		const given = [{ name: "verified.log", bytes: known }];
		await choose(page, "log-files", given);
		file(robots, rules);
		file(ranges.name, ranges.bytes);
		const args = ["-r", robots, "--verify", ranges.name, "-o", "json"];
		const found = await saved(page, "json");
		expect(found).toBe(await written(args, given));
		expect(found).toMatch(/"verification": "(?:verified|claimed)"/);
		await choose(page, "log-ranges-files", [{ ...ranges, bytes: "no JSON" }]);
		await expect
			.poll(() => page.locator("#log-stale").innerText())
			.toContain("the published addresses have changed");
		await press(page, "log-again");
		await expect
			.poll(() => message(page))
			.toContain("gptbot.json is not a file of address ranges");
		expect(problems).toEqual([]);
		await page.close();
	});

	describe("one after the other", () => {
		let shared: Awaited<ReturnType<typeof open>>;
		beforeAll(async () => {
			shared = await open();
		});
		afterAll(() => shared?.page.close());
		const defaults = {
			format: "",
			agents: "",
			timeZone: "",
			every: "",
			since: "",
			until: "",
			groupBy: "name",
			defaultAgent: "",
			people: "",
			crawlers: "",
			trustedProxies: "",
		};

		const robots = "sample.txt";
		test.each<
			[
				name: string,
				given: readonly Given[],
				settings: Readonly<Record<string, string>>,
				args: readonly string[],
			]
		>([
			["gzip", [{ name: "a.log", bytes: gzipSync(log) }], {}, []],
			[
				"gzip of two members",
				[
					{
						name: "access.log.gz",
						bytes: Buffer.concat([gzipSync(first), gzipSync(second)]),
					},
				],
				{},
				[],
			],
			[
				"zstd",
				[{ name: "z.log", bytes: storedZstd(log.subarray(0, 100_000)) }],
				{},
				[],
			],
			[
				"a rotated set, whose names tell no order, without the last line's end",
				[
					{ name: "a.log", bytes: allButLast.subarray(half) },
					{ name: "b.log.gz", bytes: gzipSync(first) },
				],
				{},
				[],
			],
			[
				"lines that cannot be parsed",
				[
					{
						name: "bad.log",
						bytes: Buffer.concat([first, Buffer.from("?<b>\n"), second]),
					},
				],
				{},
				[],
			],
			[
				"some crawlers, of an hour, by header",
				[{ name: "some.log", bytes: log }],
				{
					agents: "ExampleAI, SampleAI,",
					since: "2025-10-14T06:00",
					until: "2025-10-14T07:30",
					groupBy: "header",
				},
				[
					"--agents",
					"ExampleAI,SampleAI",
					"--since",
					"2025-10-14T06:00Z",
					"--until",
					"2025-10-14T07:30Z",
					"--group-by",
					"header",
				],
			],
			[
				"steps of a day in a time zone, whose midnight the period begins at",
				[{ name: "zone.log", bytes: log }],
				{ timeZone: "Asia/Tokyo", every: "day", since: "2025-10-15T00:00" },
				[
					"--time-zone",
					"Asia/Tokyo",
					"--every",
					"day",
					"--since",
					"2025-10-15",
				],
			],
			[
				"a time zone by another case, without steps",
				[{ name: "case.log", bytes: log }],
				{ timeZone: " america/new_york", until: "2025-10-14T06:30" },
				["--time-zone", "america/new_york", "--until", "2025-10-14T06:30"],
			],
			...["hour", "week", "month"].map(
				(
					every,
				): [string, readonly Given[], Record<string, string>, string[]] => [
					`steps of a ${every}`,
					[{ name: `${every}.log`, bytes: log }],
					{ every },
					["--every", every],
				],
			),
			[
				"kinds of crawlers, and a name for those without a header",
				[{ name: "kinds.log", bytes: log }],
				{ groupBy: "category", defaultAgent: "bingbot", format: "combined" },
				["-g", "category", "--default-agent", "bingbot", "-f", "combined"],
			],
			[
				"corrected headers, by network",
				[{ name: "corrected.log", bytes: log }],
				{ people, crawlers, groupBy: "network" },
				["--people", peopleFile, "--crawlers", crawlersFile, "-g", "network"],
			],
			[
				"a proxy, by address",
				[{ name: "proxies.log", bytes: log }],
				{ trustedProxies: "10.0.0.0/8, 192.0.2.1", groupBy: "address" },
				[
					"--trusted-proxy",
					"10.0.0.0/8",
					"--trusted-proxy",
					"192.0.2.1",
					"-g",
					"address",
				],
			],
		])("%s, as the command line", async (_, given, settings, args) => {
			const { page, problems } = shared;
			const text = readFileSync(join(samples, "robots.txt"));
			await judgeBy(page, [{ name: robots, bytes: text }]);
			await fillIn(page, { ...defaults, ...settings });
			await choose(page, "log-files", given);
			const found = await saved(page, "json");
			file(robots, text);
			expect(found).toBe(
				await written(["-r", robots, "-o", "json", ...args], given),
			);
			expect(JSON.parse(found).judged).toBeGreaterThan(20);
			expect(problems).toEqual([]);
		});

		test.each<[name: string, given: Given, settings: object, says: RegExp]>([
			[
				"no log",
				{ name: "a.png", bytes: Buffer.from([0x89, 0x50, 0x4e, 0x47, 10, 1]) },
				{},
				/the format of a\.png is not one of the \d+ in docs\/log-formats\.md; choose it under “Format of the logs”\.$/,
			],
			[
				"JSON of unknown keys",
				{ name: "a.log", bytes: '{"target":"/a","ua":"x"}\n' },
				{},
				/lines are JSON \(target, ua\); choose ndjson or csv under “Format of the logs”, and under “Keys of the fields” say where they are, perhaps path=target,agent=ua\.$/,
			],
			[
				"a page",
				{ name: "a.log", bytes: "<!doctype html><p>x" },
				{},
				/a\.log is no access log but a page of markup\.$/,
			],
			[
				"UTF-16",
				{ name: "a.log", bytes: Buffer.from(`\ufeff${log}`, "utf16le") },
				{},
				/a\.log is UTF-16: save it as UTF-8\.$/,
			],
			["nothing", { name: "a.log", bytes: "" }, {}, /a\.log: .* nothing in it/],
			[
				"gzip that is cut off",
				{ name: "cut.gz", bytes: gzipSync(log).subarray(0, -9) },
				{},
				/cut\.gz holds damaged gzip data: unexpected end of file/,
			],
			[
				"gzip with another check sum",
				{ name: "sum.gz", bytes: damagedGzip },
				{},
				/sum\.gz holds damaged gzip data: incorrect data check/,
			],
			[
				"zstd that is cut off",
				{
					name: "cut.zst",
					bytes: storedZstd(first.subarray(0, 99)).subarray(0, 50),
				},
				{},
				/cut\.zst holds damaged zstd data/,
			],
			[
				"another format than was chosen",
				{ name: "a.log", bytes: log },
				{ format: "w3c" },
				/None of the 3,000 lines of a\.log is of the format w3c/,
			],
			[
				"no User-Agent header",
				{
					name: "a.log",
					bytes: `192.0.2.1 - - [14/Oct/2025:01:00:00 +0000] "GET / HTTP/1.1" 200 5\n`,
				},
				{},
				/no User-Agent headers/,
			],
			[
				"a time zone that does not exist",
				{ name: "a.log", bytes: log },
				{ timeZone: "Mars/Olympus" },
				/"Mars\/Olympus" is not a time zone such as Europe\/Berlin or UTC/,
			],
			[
				"a period that ends before it begins",
				{ name: "a.log", bytes: log },
				{ since: "2025-10-15T00:00", until: "2025-10-14T00:00" },
				/“Until” has to be later than “From”/,
			],
			[
				"a format string without a target",
				{ name: "a.log", bytes: log },
				{ format: "log_format", logFormat: "$status" },
				/has neither \$request nor \$request_uri/,
			],
			[
				"JSON without keys",
				{ name: "a.log", bytes: log },
				{ format: "ndjson" },
				/is not a field/,
			],
		])("says what is wrong with %s", async (_, given, settings, says) => {
			const { page, problems } = shared;
			await fillIn(page, { ...defaults, ...settings });
			await choose(page, "log-files", [given]);
			await expect.poll(() => message(page)).toMatch(says);
			expect(await page.locator("#log-state-card.problem").count()).toBe(1);
			expect(await page.locator("#log-progress").isVisible()).toBe(false);
			// And what follows works.
			await fillIn(page, defaults);
			await press(page, "log-sample");
			await expect.poll(() => message(page)).toMatch(/^3,000 lines/);
			expect(await page.locator(".problem").count()).toBe(0);
			expect(problems).toEqual([]);
		});
	});

	test("every format, by the robots.txt under Test", async () => {
		const { page, problems } = await open();
		const bytes = "User-agent: *\nDisallow: /private\n";
		await openRobots(page, bytes);
		file("robots.txt", bytes);
		for (const { name, format, lines, logFormat, fields } of logs) {
			const given = [{ name: `${format}.log`, bytes: `${lines.join("\n")}\n` }];
			await fillIn(page, {
				format: logFormat ? "log_format" : fields ? "ndjson" : "",
				...(logFormat ? { logFormat } : {}),
				...(fields ? { fields } : {}),
			});
			await choose(page, "log-files", given);
			const forced = [
				...(logFormat ? ["--log-format", logFormat] : []),
				...(fields ? ["--fields", fields] : []),
			];
			const right = await written(
				["-r", "robots.txt", "-o", "json", ...forced],
				given,
			);
			expect(await saved(page, "json"), name).toBe(right);
		}
		expect(problems).toEqual([]);
		await page.close();
	});

	test("several sites, each with the robots.txt of its name", async () => {
		const { page, problems } = await open();
		const sites = [
			{ name: "a.example.txt", bytes: "User-agent: *\nDisallow: /\n" },
			{ name: "b.example", bytes: "User-agent: *\nDisallow: /b\n" },
		];
		const line = (host: string) =>
			`${host} 192.0.2.1 - - [14/Oct/2025:01:00:00 +0000] "GET /b HTTP/1.1" 200 5 "-" "GPTBot/1.0"\n`;
		const hosts = ["a.example", "b.example:443", "c.example"];
		const given = [{ name: "v.log", bytes: hosts.map(line).join("") }];
		await judgeBy(page, sites);
		await choose(page, "log-files", given);
		const found = await saved(page, "json");
		for (const { name, bytes } of sites) file(name, bytes);
		const args = ["-r", "a.example=a.example.txt", "-r", "b.example=b.example"];
		expect(found).toBe(await written([...args, "-o", "json"], given));
		expect(await message(page)).toContain(
			"1 request of crawlers went to hosts that no robots.txt is for",
		);
		await useOwn(page);
		expect(await page.locator("#log-robots").innerText()).toBe(
			"the sample’s robots.txt, of example.com",
		);
		expect(problems).toEqual([]);
		await page.close();
	});

	test("audits again, and other logs, by the robots.txt on the card", async () => {
		const { page, problems } = await open();
		const own = "User-agent: *\nDisallow: /\n";
		await openRobots(page, own);
		const card = () => page.locator("#log-robots").innerText();
		const given = [{ name: "access.log", bytes: log }];
		file("robots.txt", own);
		const args = ["-r", "robots.txt", "-o", "json"];
		const byOwn = await written(args, given);
		// What the sample's crawlers fetch for comes with it.
		const crawlers = join(samples, "crawlers.txt");
		const sampleByOwn = await written([...args, "--crawlers", crawlers], given);
		await audit(page, "log-sample");
		const bySample = await saved(page, "json");
		expect(bySample).not.toBe(byOwn);
		expect(await card()).toBe("the sample’s robots.txt");
		await audit(page, "log-again");
		expect(await saved(page, "json")).toBe(bySample);
		await useOwn(page);
		expect(await card()).toMatch(/under Test, 26 bytes/);
		await audit(page, "log-again");
		expect(await saved(page, "json")).toBe(sampleByOwn);
		await audit(page, "log-sample");
		await choose(page, "log-files", given);
		expect(await saved(page, "json")).toBe(byOwn);
		expect(await card()).toMatch(/under Test/);
		expect(problems).toEqual([]);
		await page.close();
	});

	test("of two logs that are opened at once, the second is audited", async () => {
		const { page, problems } = await open();
		const line = log.subarray(0, log.indexOf("\n") + 1).toString();
		const audits: string[] = [];
		page.on("worker", (worker) => audits.push(worker.url()));
		await page.evaluate((text) => {
			const input = document.querySelector<HTMLInputElement>("#log-files");
			for (const [name, times] of [
				["large.log", 3000],
				["small.log", 3],
			] as const) {
				const transfer = new DataTransfer();
				transfer.items.add(new File([text.repeat(times)], name));
				if (input) input.files = transfer.files;
				input?.dispatchEvent(new Event("change"));
			}
		}, line);
		await expect.poll(() => message(page)).toMatch(/^3 lines of small\.log/);
		// The first one's report would replace the second one's if it came later.
		expect(audits).toEqual([expect.stringContaining("log-worker")]);
		expect(problems).toEqual([]);
		await page.close();
	});

	test("asks by which robots.txt to judge, while there is only the sample", async () => {
		const { page, problems } = await playground.openPane("log", "#log-sample");
		const given = [{ name: "own.log", bytes: log }];
		const question = page.locator("#log-whose .whose-question");
		await choose(page, "log-files", given);
		await expect
			.poll(() => question.innerText())
			.toMatch(/^By whose robots\.txt is own\.log judged\?/);
		// One button is the next step.
		const fills = await page
			.locator("#pane-log .primary:visible")
			.evaluateAll((all) => all.map((one) => getComputedStyle(one).background));
		expect(new Set(fills).size).toBe(fills.length);
		expect(await page.locator("#log-report iframe").count()).toBe(0);
		// Nothing was audited: the drop zone still says what it is for.
		expect(await page.locator(".drop-zone strong").isVisible()).toBe(true);
		// What is no robots.txt is none to judge by: the question stays.
		await choose(page, "log-robots-files", [
			{ name: "page.txt", bytes: "<!doctype html><p>x" },
		]);
		await expect
			.poll(() => message(page))
			.toMatch(/^This did not work: page\.txt: This is not a robots\.txt/);
		expect(await page.locator("#log-robots").innerText()).toBe(
			"the sample’s robots.txt, of example.com",
		);
		expect(await question.count()).toBe(1);
		const robots = "User-agent: *\nDisallow: /magazine/\n";
		// Nor are two without a host, dropped where logs are.
		const nameless = ["robots (1).txt", "robots (2).txt"].map((name) => ({
			name,
			bytes: robots,
		}));
		await choose(page, "log-files", nameless);
		await expect.poll(() => message(page)).toMatch(/told apart by hosts/);
		expect(await question.innerText()).toMatch(/is own\.log judged\?/);
		await choose(page, "log-files", [{ name: "robots.txt", bytes: robots }]);
		const byOwn = await saved(page, "json");
		file("robots.txt", robots);
		expect(byOwn).toBe(
			await written(["-r", "robots.txt", "-o", "json"], given),
		);
		expect(await question.count()).toBe(0);
		expect(problems).toEqual([]);
		await page.close();
	});

	test("names a robots.txt that is opened as a log, and keeps its words for who opens a picture", async () => {
		const { page, problems } = await playground.openPane("log", "#log-sample");
		await choose(page, "log-files", [
			{ name: "a.png", bytes: Buffer.from("89504e470d0a1a0a0000", "hex") },
		]);
		await expect.poll(() => message(page)).toMatch(/a\.png is no access log/);
		expect(await page.locator(".drop-zone strong").isVisible()).toBe(true);
		const robots = "# own\nUser-agent: *\nDisallow: /\nno field\n";
		await choose(page, "log-files", [{ name: "r.txt", bytes: robots }]);
		await expect
			.poll(() => message(page))
			.toMatch(/^r\.txt is a robots\.txt and no access log/);
		expect(await page.locator("#log-robots").innerText()).toBe("r.txt");
		// Of two, none is used, and what came with them is not judged by an older one, also not later.
		const several = ["robots (1).txt", "robots (2).txt"].map((name) => ({
			name,
			bytes: robots,
		}));
		for (const given of [
			several,
			[...several, { name: "a.log", bytes: log }],
		]) {
			await choose(page, "log-files", given);
			await expect.poll(() => message(page)).toMatch(/told apart by hosts/);
			expect(await page.locator("#log-robots").innerText()).toBe("r.txt");
		}
		await page.click("#tab-test");
		await page.click("#tab-log");
		expect(await message(page)).toMatch(/told apart by hosts/);
		expect(await page.locator("#log-progress").isVisible()).toBe(false);
		expect(problems).toEqual([]);
		await page.close();
	});

	test("shows no report of other logs while it looks at what is opened", async () => {
		const { page, problems } = await open();
		await page.locator("#log-sample").click();
		const before = await saved(page, "json");
		/** What is on the screen in the task in which a file is chosen: no answer of a worker can come between. */
		const shownAt = (name: string, text: string) =>
			page.evaluate(
				([name, text]) => {
					const input = document.querySelector<HTMLInputElement>("#log-files");
					const transfer = new DataTransfer();
					transfer.items.add(new File([text], name));
					if (input) input.files = transfer.files;
					input?.dispatchEvent(new Event("change"));
					const ids = ["log-results", "log-report", "log-progress"];
					return [
						...ids.filter((id) =>
							document.getElementById(id)?.checkVisibility(),
						),
						document.getElementById("log-message")?.textContent,
					];
				},
				[name, text] as const,
			);
		expect(await shownAt("a.pdf", "%PDF-1.7\n")).toEqual(["log-progress", ""]);
		// It does not stand beside what is said of another file, and can be gone back to.
		await expect.poll(() => message(page)).toContain("a PDF document");
		expect(await page.locator("#log-report iframe").isVisible()).toBe(false);
		await press(page, "log-back");
		expect(await message(page)).toMatch(/^3,000 lines/);
		expect(await page.locator("#log-report iframe").isVisible()).toBe(true);
		expect(await saved(page, "json")).toBe(before);
		const line = log.subarray(0, log.indexOf("\n") + 1).toString();
		expect(await shownAt("a.log", line)).toEqual(["log-progress", ""]);
		expect(JSON.parse(await saved(page, "json")).lines).toBe(1);
		expect(problems).toEqual([]);
		await page.close();
	});

	test("takes a robots.txt that is compressed, and says what is none", async () => {
		const { page, problems } = await open();
		const text = "User-agent: *\nDisallow: /cart\n";
		const given = [{ name: "access.log", bytes: log }];
		file("plain.txt", text);
		await judgeBy(page, [{ name: "plain.txt", bytes: gzipSync(text) }]);
		await choose(page, "log-files", given);
		expect(await saved(page, "json")).toBe(
			await written(["-r", "plain.txt", "-o", "json"], given),
		);
		await choose(page, "log-robots-files", [
			{ name: "page.txt", bytes: "<!doctype html><p>x" },
		]);
		await expect
			.poll(() => message(page))
			.toBe(
				"This did not work: page.txt: This is not a robots.txt but a page of markup: crawlers read only lines that happen to be rules.",
			);
		expect(problems).toEqual([]);
		await page.close();
	});

	test("marks a report that other settings would change", async () => {
		const { page, problems } = await open();
		await choose(page, "log-files", [{ name: "a.log", bytes: log }]);
		await page.locator("#log-results").waitFor();
		const stale = page.locator("#log-stale");
		const changes: readonly (readonly [
			change: () => Promise<unknown>,
			undo: () => Promise<unknown>,
			says: string,
		])[] = [
			[
				() => page.selectOption("#dialect", "google"),
				() => page.selectOption("#dialect", "auto"),
				"the dialect was each crawler’s own, and is google",
			],
			[
				() => fillIn(page, { groupBy: "category" }),
				() => fillIn(page, { groupBy: "name" }),
				"the settings have changed",
			],
			[
				() => choose(page, "log-robots-files", [{ name: "r.txt", bytes: "" }]),
				() => useOwn(page),
				"robots.txt has changed",
			],
		];
		expect(await stale.isVisible()).toBe(false);
		for (const [change, undo, says] of changes) {
			await change();
			await expect
				.poll(() => stale.innerText())
				.toBe(`This report is out of date: ${says}. Audit again.`);
			expect(await page.locator("#log-report.stale").count()).toBe(1);
			await undo();
			await expect.poll(() => stale.isVisible()).toBe(false);
		}
		await press(page, "tab-test");
		await openRobots(page, "#");
		await press(page, "tab-log");
		expect(await stale.innerText()).toContain("robots.txt has changed");
		await press(page, "log-again");
		await expect.poll(() => stale.isVisible()).toBe(false);
		expect(problems).toEqual([]);
		await page.close();
	});

	test("says that files of several sites need hosts for names", async () => {
		const { page } = await open();
		await choose(page, "log-robots-files", [
			{ name: "a b.txt", bytes: "" },
			{ name: "c.example", bytes: "" },
		]);
		await expect.poll(() => message(page)).toMatch(/a b\.txt names none/);
		await page.close();
	});

	test("takes 300 MB as they come, tells how far it is, and can be cancelled", async () => {
		const { page, problems } = await open();
		const many = join(folder, "many.log.gz");
		const member = gzipSync(log);
		const count = Math.ceil(300e6 / log.length);
		writeFileSync(many, "");
		for (let i = 0; i < count; i++) appendFileSync(many, member);
		const before = await playground.memory();
		await page.setInputFiles("#log-files", many);
		await page.locator("#log-cancel").waitFor();
		await expect
			.poll(() => page.locator("#log-speed").innerText(), { timeout: 60_000 })
			.toMatch(
				/^\d+% of \d+ MB, [\d,]+ lines, [\d,]+ lines\/s, (\d+ min )?\d+ s left$/,
			);
		const bar = page.getByRole("progressbar", { name: "Reading many.log.gz" });
		expect(Number(await bar.getAttribute("value"))).toBeGreaterThan(0);
		await page.locator("#log-cancel").focus();
		await page.keyboard.press("Enter");
		expect(await message(page)).toBe("Cancelled.");
		expect(await bar.count()).toBe(0);
		expect(await page.locator("#log-results").isVisible()).toBe(false);
		const again = page.locator("#log-again:focus");
		await again.waitFor();
		await page.keyboard.press("Enter");
		await expect
			.poll(() => message(page), { timeout: 100_000 })
			.toContain(`${(count * 3000).toLocaleString("en")} lines of many.log.gz`);
		expect((await playground.memory()) - before).toBeLessThan(150);
		expect(problems).toEqual([]);
		await page.close();
	});

	test("has a report that came while another pane was shown", async () => {
		const { page, problems } = await open();
		await page.locator("#log-sample").click();
		await press(page, "tab-test");
		await expect
			.poll(() => page.locator("#log-message").textContent())
			.toMatch(/^3,000 lines/);
		await press(page, "tab-log");
		const height = async () =>
			Number(await page.locator("iframe").getAttribute("height"));
		await expect.poll(height).toBeGreaterThan(1000);
		expect(problems).toEqual([]);
		await page.close();
	});

	test("takes logs that are dropped", async () => {
		const { page, problems } = await open();
		const data = await page.evaluateHandle((text) => {
			const transfer = new DataTransfer();
			transfer.items.add(new File([text.slice(0, 100_000)], "one.log"));
			transfer.items.add(new File([text.slice(100_000)], "two.log"));
			return transfer;
		}, String(log));
		await page.dispatchEvent("#log-card", "dragover", { dataTransfer: data });
		expect(await page.locator("#log-card.dropping").count()).toBe(1);
		await page.dispatchEvent("#log-card", "drop", { dataTransfer: data });
		await expect
			.poll(() => message(page))
			.toMatch(/^3,001 lines of one\.log, two\.log \(combined\)/);
		expect(await page.locator("#log-card.dropping").count()).toBe(0);
		expect(problems).toEqual([]);
		await page.close();
	});

	test("shows what a log holds as text", async () => {
		const { page, problems } = await open();
		const hostile = `192.0.2.9 - - [14/Oct/2025:01:00:00 +0000] "GET /cart<script>parent.document.title='x'</script><img/src=x/onerror=alert(1)> HTTP/1.1" 200 5 "-" "<b>Evil</b>Bot/1.0"\n`;
		const given = { name: "<i>x</i>.log", bytes: `${hostile}<b>\n` };
		await choose(page, "log-files", [given]);
		const report = await reportOf(page);
		await report
			.locator("code", { hasText: "/cart<script>" })
			.first()
			.waitFor();
		expect(await report.locator("code script, img, b b, li i").count()).toBe(0);
		expect(await page.title()).toMatch(/^robotrie/);
		// Nor could a script of it reach the page.
		expect(
			await report.evaluate(() => {
				try {
					return String(parent.document.title);
				} catch (error) {
					return `${origin} ${(error as Error).name}`;
				}
			}),
		).toBe("null SecurityError");
		expect(problems).toEqual([]);
		await page.close();
	});

	test.each([
		["light", 1280],
		["dark", 1280],
		["light", 360],
	] as const)(
		"prints the report without empty pages, %s, %d px",
		async (colorScheme, width) => {
			const { page, problems } = await open({
				colorScheme,
				width,
			});
			await page.locator("#log-sample").click();
			const report = await reportOf(page);
			/** The frame's height, where that of the report is the same. */
			const height = async () => {
				const frame = await page
					.locator("#log-report iframe")
					.evaluate(({ clientHeight }) => clientHeight);
				const own = await report.evaluate(() =>
					Math.ceil(document.documentElement.getBoundingClientRect().height),
				);
				return frame === own ? frame : 0;
			};
			await expect.poll(height).toBeGreaterThan(4000);
			const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
			expect(pdf.match(/\/Type\s*\/Page\b/g)?.length).toBeLessThanOrEqual(2);
			// And the screen is as it was.
			await expect.poll(height).toBeGreaterThan(4000);
			expect(await page.locator("iframe.printed").count()).toBe(0);
			expect(problems).toEqual([]);
			await page.close();
		},
	);

	test("has its settings in the link, and nothing of the log", async () => {
		const { page } = await open();
		await fillIn(page, {
			format: "log_format",
			logFormat: '"$request"',
			groupBy: "header",
			agents: "GPTBot",
			timeZone: "Asia/Tokyo",
			every: "week",
		});
		const hash = await hashWith(page, { pane: "log", log: { every: "week" } });
		await page.locator("#log-sample").click();
		await expect.poll(() => message(page)).not.toBe("");
		await page.waitForTimeout(700);
		await expect.poll(() => new URL(page.url()).hash).toBe(hash);
		const other = (await playground.open({ hash })).page;
		const form = other.locator("#log-settings");
		await form.locator("[name=logFormat]").waitFor();
		expect(await form.locator("[name=format]").inputValue()).toBe("log_format");
		expect(await form.locator("[name=logFormat]").inputValue()).toBe(
			'"$request"',
		);
		expect(await form.locator("[name=groupBy]").inputValue()).toBe("header");
		expect(await form.locator("[name=agents]").inputValue()).toBe("GPTBot");
		expect(await form.locator("[name=timeZone]").inputValue()).toBe(
			"Asia/Tokyo",
		);
		expect(await form.locator("[name=every]").inputValue()).toBe("week");
		await page.close();
		await other.close();
	});

	test("is loaded for those who open it", async () => {
		const { page, requests } = await playground.open();
		await page.waitForLoadState("networkidle");
		expect(requests.filter((url) => /log|csv|access/.test(url))).toEqual([]);
		await press(page, "tab-log");
		await expect
			.poll(() => requests.filter((url) => /log-pane.*\.js/.test(url)).length)
			.toBe(1);
		expect(requests.filter((url) => /worker.*log|access/.test(url))).toEqual(
			[],
		);
		await page.close();
	});

	test("works with the keyboard, the report's table as well", async () => {
		const { page, problems } = await open();
		const focused = () => page.evaluate(() => document.activeElement?.id ?? "");
		await page.locator("#tab-ai").focus();
		// Browsers' own keys, such as Back, are left to them.
		for (const key of ["Alt", "Control", "Meta"]) {
			await page.keyboard.press(`${key}+ArrowRight`);
			expect(await focused()).toBe("tab-ai");
		}
		await page.keyboard.press("ArrowRight");
		expect(await page.locator("#tab-log").getAttribute("aria-selected")).toBe(
			"true",
		);
		const passed: string[] = [];
		while (passed.at(-1) !== "log-sample" && passed.length < 20) {
			await page.keyboard.press("Tab");
			passed.push(await focused());
		}
		expect(passed).toContain("log-files");
		await page.keyboard.press("Enter");
		const report = await reportOf(page);
		const header = report.locator("th[tabindex]", { hasText: "Requests" });
		await header.focus();
		await page.keyboard.press("Enter");
		const requests = report.locator("tbody td:nth-child(4)");
		await expect.poll(() => requests.first().innerText()).toBe("645");
		expect(problems).toEqual([]);
		await page.close();
	});

	test.each(views)(
		"is accessible and fits %d px with a report, %s",
		async (width, colorScheme) => {
			const { page, problems } = await open({ width, colorScheme });
			await fillIn(page, { format: "log_format" });
			expect(await violations(page)).toEqual([]);
			await fillIn(page, { format: "" });
			await page.locator("#log-sample").click();
			const report = await reportOf(page);
			await report.locator("footer, h2").last().waitFor();
			for (const shown of [page, report])
				expect(await faultsOf(shown)).toEqual([]);
			// Only the page scrolls.
			await expect
				.poll(() =>
					report.evaluate(
						() => document.documentElement.scrollHeight - innerHeight,
					),
				)
				.toBe(0);
			expect(problems).toEqual([]);
			await page.close();
		},
	);
});
