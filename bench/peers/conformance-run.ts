/**
 * `npm run conformance`: asks packages of other languages for the verdicts of conformance/verdicts.jsonl, through the drivers of `npm run
 * bench:peers`, and writes the table of conformance/README.md. An engine that fails on a file has that file's rows counted as failed.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command } from "../../tools/command.mjs";
import { Driver } from "./driver.ts";
import { engines, Missing, toolchains } from "./engines.ts";
import { saveLines, saveSites } from "./files.ts";

interface Row {
	readonly robots?: string;
	readonly robots_b64?: string;
	readonly agent: string | readonly string[];
	readonly url: string;
	readonly dialect: string;
	readonly allowed: boolean;
	readonly origin: string;
}

const NAMES = [
	"robotrie isAllowed",
	"robots-parser",
	"robots-txt-guard",
	"Protego",
	"urllib.robotparser",
	"robotspy",
	"texting_robots",
	"temoto/robotstxt",
	"crawler-commons",
];

const values = command(
	"npm run conformance --",
	"Asks packages of other languages for the verdicts of conformance/, and writes the table of its README.",
)
	.option("--only <names...>", "these engines")
	.option("--dry-run", "print the table, do not write it", false)
	.parse()
	.opts<{ only?: string[]; dryRun: boolean }>();

const ORIGIN = "https://h.example";
const rows = readFileSync("conformance/verdicts.jsonl", "utf8")
	.trim()
	.split("\n")
	.map((line) => JSON.parse(line) as Row)
	// Drivers take one agent and lines of URLs. The yandex dialect is nobody's but Yandex's.
	.filter(
		({ agent, url, dialect }) =>
			typeof agent === "string" &&
			agent !== "" &&
			dialect !== "yandex" &&
			/^(?:\/(?!\/)|https?:\/\/[^/])/.test(url) &&
			!/[\n\r\0]/.test(url),
	);

/** The rows of one file. */
type FileRows = readonly Row[];

const fileOf = ({ robots, robots_b64 }: Row) =>
	robots === undefined
		? Buffer.from(robots_b64 ?? "", "base64")
		: Buffer.from(robots);

function grouped<Item>(
	items: readonly Item[],
	keyOf: (item: Item) => string,
): Item[][] {
	const groups = new Map<string, Item[]>();
	for (const item of items) {
		const key = keyOf(item);
		const group = groups.get(key);
		if (group) group.push(item);
		else groups.set(key, [item]);
	}
	return [...groups.values()];
}

const urlOf = ({ url }: Row) => (url.startsWith("/") ? ORIGIN + url : url);

const folder = mkdtempSync(join(tmpdir(), "robotrie-conformance-"));

/** What an engine answers, "0" or "1" for each row; null where it failed. */
class Asker {
	version = "";
	readonly answers = new Map<Row, string | null>();
	readonly #name: string;
	readonly #command: readonly string[];

	constructor(name: string, command: readonly string[]) {
		this.#name = name;
		this.#command = command;
	}

	async ask(files: readonly FileRows[]): Promise<void> {
		if (files.length === 0) return;
		const sites = saveSites(
			join(folder, "sites"),
			files.map(([row]) => ({ host: "h.example", robots: fileOf(row as Row) })),
		);
		const lines = saveLines(
			join(folder, "jobs"),
			files.map((some, site) => ({ site, texts: some.map(urlOf) })),
			"",
		);
		process.env.PEER_AGENT = files[0]?.[0]?.agent as string;
		process.env.PEER_DIALECT = files[0]?.[0]?.dialect;
		try {
			const driver = await Driver.start(this.#name, this.#command, sites);
			this.version = driver.version;
			await driver.compile(60);
			await driver.jobs(lines.file);
			const verdicts = await driver.verdicts(60);
			await driver.end();
			const all = files.flat();
			if (verdicts.length !== all.length)
				throw new Error(`${verdicts.length} of ${all.length} verdicts`);
			all.forEach((row, i) => {
				this.answers.set(row, verdicts[i] as string);
			});
		} catch {
			if (files.length === 1) {
				for (const row of files.flat()) this.answers.set(row, null);
				return;
			}
			const half = files.length >> 1;
			await this.ask(files.slice(0, half));
			await this.ask(files.slice(half));
		}
	}
}

const columns: readonly [string, (row: Row) => boolean][] = [
	["RFC 9309's paragraphs", ({ origin }) => origin === "RFC 9309"],
	[
		"Google's documentation",
		(row) => row.origin.startsWith("Google") && row.dialect === "rfc9309",
	],
	[
		"other rfc9309 rows",
		({ dialect, origin }) => dialect === "rfc9309" && origin === "robotrie",
	],
	["google rows", ({ dialect }) => dialect === "google"],
];

const table: string[] = [];
const counts = columns.map(([, has]) => rows.filter(has).length);
table.push(
	`| engine | ${columns.map(([name], i) => `${name} (${counts[i]})`).join(" | ")} |`,
	`|---|${columns.map(() => "--:|").join("")}`,
);
for (const name of NAMES) {
	if (values.only && !values.only.some((one) => name.includes(one))) continue;
	const engine = engines.find((one) => one.name === name);
	if (!engine) throw new Error(`no engine is called ${name}`);
	let driver: readonly string[];
	try {
		driver = toolchains[engine.toolchain]();
	} catch (error) {
		if (!(error instanceof Missing)) throw error;
		process.stderr.write(`skipped: ${name}: ${error.message}\n`);
		continue;
	}
	const asker = new Asker(name, driver);
	for (const some of grouped(
		rows,
		({ agent, dialect }) => `${dialect} ${agent}`,
	))
		await asker.ask(
			grouped(some, ({ robots, robots_b64 }) => `${robots}\0${robots_b64}`),
		);
	const cells = columns.map(([, has]) => {
		const asked = rows.filter(has);
		const answerOf = (row: Row) => asker.answers.get(row) ?? null;
		const failed = asked.filter((row) => answerOf(row) === null).length;
		const wrong = asked.filter(
			(row) => answerOf(row) !== null && answerOf(row) !== String(+row.allowed),
		).length;
		return failed > 0 ? `${wrong}, ${failed} failed` : `${wrong}`;
	});
	const { language } = engine;
	table.push(
		`| ${name.replace(" isAllowed", "")} ${asker.version} (${language}) | ${cells.join(" | ")} |`,
	);
	process.stderr.write(`${table.at(-1)}\n`);
}
rmSync(folder, { recursive: true, force: true });

const text = `${table.join("\n")}\n`;
process.stdout.write(text);
if (!values.dryRun && !values.only) {
	const page = readFileSync("conformance/README.md", "utf8");
	writeFileSync(
		"conformance/README.md",
		page.replace(
			/(<!-- results -->\n).*?(<!-- end -->)/s,
			(_, start, end) => start + text + end,
		),
	);
}
