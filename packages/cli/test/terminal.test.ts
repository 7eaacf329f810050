/** What commands show where stdout, stderr or stdin is a terminal. */
import { expect, test } from "vitest";
import { FILE, serve } from "../../client/test/site.ts";
import { file, robotrie, robots } from "./run.ts";
import { inTerminal } from "./terminal.ts";

/** Sets the title, clears, begins a row anew, turns the writing direction; C1 as UTF-8, and a byte that is none. */
const evil =
	"https://e.example/\x1b]0;x\x07\x1b[2J\x9b1m\u202egpj.\u2066\rfaked\x7f";
const evilBytes = Buffer.concat([
	Buffer.from(`${evil}\r\n`),
	Buffer.from("/\xff\t\x00\n", "latin1"),
]);
const urls = file("evil.txt", evilBytes);
const evilFile = file(
	"evil-robots.txt",
	`User-agent: *\nDisallow: /${evil}\nClean-param: a\n`,
);

const evilTable = file("evil.tsv", `${evil}\tx\x1b[1m\tdisallowed\n`);

/** Commands that show what others have written, each by the files that it reads. */
const echoing: readonly (readonly [name: string, command: string])[] = [
	["match", `match -r ${robots} -a x ${urls}`],
	["canonical", `canonical -r ${evilFile} ${urls}`],
	["scope", `scope < ${urls}`],
	["scope --json", `scope --json < ${urls}`],
	["crawl-check", `crawl-check -a x ${urls}`],
	["explain", `explain -r ${evilFile} -a x < ${urls}`],
	["explain --json", `explain --json -r ${evilFile} -a x < ${urls}`],
	["check", `check -r ${evilFile} ${evilTable}`],
	["check --json", `check --json -r ${evilFile} ${evilTable}`],
	["lint", `lint ${evilFile}`],
	["lint --json", `lint --json ${evilFile}`],
	["show", `show -r ${evilFile}`],
	["show --json", `show --json -r ${evilFile}`],
	["diff", `diff ${robots} ${evilFile} --urls ${urls}`],
	["diff --json", `diff --json ${robots} ${evilFile} --urls ${urls}`],
	[
		"crawlers --json",
		`crawlers -r ${evilFile} --url '/${evil.slice(0, 30)}' --json`,
	],
];

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f\p{Bidi_Control}]/u;
const CLEARED = "\r\x1b[K";
/** Colours of ours, and what clears a line of progress. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same
const OURS = /\x1b\[(?:\d{1,2}m|K)|\r\x1b\[K/g;

test.each(echoing)(
	"%s shows control characters escaped",
	async (_, command) => {
		const { shown } = await inTerminal(`robotrie ${command}`);
		expect(shown.length).toBeGreaterThan(0);
		expect(shown.replace(OURS, "")).not.toMatch(CONTROL);
	},
);

test("pipes get bytes as they are", async () => {
	const { stdout } = await robotrie(["match", "-r", robots, "-a", "x", urls]);
	const [first = "", second = ""] = evilBytes.toString("latin1").split("\n");
	expect(stdout.toString("latin1")).toBe(
		`allowed\t${first}\nallowed\t${second}\n`,
	);
});

test("JSON means the same, however it is shown", async () => {
	const { stdout } = await robotrie(["scope", "--json"], { stdin: evilBytes });
	const [{ url }] = JSON.parse(String(stdout));
	expect(url).toBe(evil);
});

test("progress of crawl-check fits into a row", async () => {
	for (const columns of [30, 80]) {
		let answer = () => {};
		const isEnough = new Promise<void>((resolve) => {
			answer = resolve;
		});
		await using site = await serve(async (_, response) => {
			await isEnough;
			response.end(FILE);
		});
		const list = file("row.txt", `${site.origin("127.0.0.1")}/open\n`);
		const { shown } = await inTerminal(
			`robotrie crawl-check --allow-private-network -a x ${list} > /dev/null`,
			{
				columns,
				onShown(shown) {
					if (shown.split(CLEARED).length > 6) answer();
				},
			},
		);
		const rows = shown.replaceAll(CLEARED, "\n").split("\n").slice(1, -2);
		expect(rows.length).toBeGreaterThan(2);
		expect(Math.max(...rows.map((row) => row.length))).toBeLessThan(columns);
	}
});

/** Node with it says so once crawl-check has had ten occasions to show its progress, which is more often than it does. */
const telling = file(
	"telling.mjs",
	`const { setInterval } = globalThis;
	globalThis.setInterval = (show, period) => {
		let count = 0;
		return setInterval(() => {
			show();
			if (++count === 10) process.stderr.write("ten times\\n");
		}, period);
	};`,
);

test.each([
	["no progress over what is typed", "", false],
	["progress there if it is told to", "--progress", true],
])("crawl-check shows %s", async (_, option, isShown) => {
	const { shown } = await inTerminal(
		`NODE_OPTIONS='--import ${telling}' robotrie crawl-check -a x ${option}`,
		{ typed: "no URL\n", after: "ten times" },
	);
	expect(shown).toContain("reading from the terminal");
	expect(shown).toContain("invalid\tno URL");
	expect(shown.includes(CLEARED)).toBe(isShown);
});

test("match into a file shows how much of it is done, and the time left", async () => {
	const list = file("long.txt", "/open/a/b\n".repeat(200_000));
	const command = `robotrie match --progress -r ${robots} -a x ${list}`;
	const { shown } = await inTerminal(`${command} > /dev/null`);
	expect(shown).toMatch(
		/robotrie: \d+% of 2 MB, [\d,]+ lines, [\d,]+ lines\/s, \d+ s left/,
	);
});

const reading: readonly (readonly [name: string, command: string])[] = [
	["match", `match -r ${robots} -a x`],
	["canonical", `canonical -r ${robots}`],
	["scope", "scope"],
	["crawl-check", "crawl-check -a x"],
	["explain", `explain -r ${robots} -a x`],
	["lint", "lint"],
	["audit", `audit -r ${robots}`],
	["check", `check -r ${robots} -`],
	["stream", "stream -a x"],
	["diff", `diff ${robots} -`],
];
test.each(reading)(
	"%s says once that it reads from the terminal",
	async (_, command) => {
		const { shown } = await inTerminal(`robotrie ${command}`);
		expect(
			shown.split("reading from the terminal; Ctrl-D ends the input"),
		).toHaveLength(2);
	},
);
