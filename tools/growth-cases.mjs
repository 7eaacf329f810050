// What `npm run growth` measures: [what is called, shape of its input, how much of it, input → action], an action for a size.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { compareFiles } from "../dist/compare.js";
import { findCrawler, Matcher, RobotsIndex, RobotsTxt } from "../dist/index.js";
import { fix, lint } from "../dist/lint.js";
import { LogAudit } from "../packages/audit/dist/index.js";

const repeat = (n, line) =>
	Array.from({ length: n }, (_, i) => line(i)).join("\n");

/** Files at their worst, by size. */
const files = {
	"groups of one agent": [
		5000,
		(n) => repeat(n, (i) => `User-agent: a${i}\nDisallow: /${i}`),
	],
	"agents in one group": [
		10_000,
		(n) => `${repeat(n, (i) => `User-agent: a${i}`)}\nDisallow: /x`,
	],
	"rules in one group": [
		10_000,
		(n) => `User-agent: *\n${repeat(n, (i) => `Disallow: /*q${i}$`)}`,
	],
	"wildcards in one rule": [
		20_000,
		(n) => `User-agent: *\nDisallow: /${"*a".repeat(n)}b`,
	],
	"bytes of one line": [
		250_000,
		(n) => `User-agent: *\nDisallow: /${"a".repeat(n)}`,
	],
	"lines of nothing known": [20_000, (n) => repeat(n, (i) => `x${i}: y`)],
};
const URL = `/${"q9a".repeat(1000)}`;
const read = (text) => RobotsTxt.parse(text, { maxBytes: 1e9 });

/** So many bytes of rules, none of which begins like another one. */
const distinct = (n, letter) =>
	`User-agent: *\n${repeat(Math.ceil(n / 20), (i) => `Disallow: /a${letter}${i}/*/x`)}`.slice(
		0,
		n,
	);

const calls = {
	"isAllowed, first": (text) => () => read(text).isAllowed(URL, "a7"),
	"groups, diagnostics": (text) => () => {
		const robots = read(text);
		return [robots.groups, robots.diagnostics];
	},
	explain: (text) => () => read(text).explain(URL, "a7"),
	lint: (text) => () => lint(text, { maxBytes: 1e9 }),
	"toBytes, fromBytes": (text) => () =>
		Matcher.fromBytes(read(text).for("a7").toBytes()),
	"RobotsIndex.set": (text) => () =>
		new RobotsIndex({ agent: "a7" }).set(
			"https://h.example",
			read(text).for("a7"),
		),
};

const logLine = (target, header) =>
	`192.0.2.1 - - [14/Oct/2025:00:00:00 +0000] "GET ${target} HTTP/1.1" 200 5 "-" "${header}"`;
const audit = (format, text) => async () => {
	const robots = [
		{ file: "robots.txt", bytes: Buffer.from("User-agent: *\nDisallow: /a") },
	];
	const one = new LogAudit({ robots, format });
	await one.add("log", [Buffer.from(text)]);
	return one.report();
};
const nested = (n) => `${`{"a":`.repeat(n)}1${"}".repeat(n)}`;

/** A zstd frame of so many blocks of 128 KiB, each one byte repeated. */
function zstdBomb(blocks) {
	const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]);
	const body = Array.from({ length: blocks }, (_, i) => {
		const block = Buffer.alloc(4, 0x61);
		block.writeUIntLE(
			((128 * 1024) << 3) | (1 << 1) | Number(i === blocks - 1),
			0,
			3,
		);
		return block;
	});
	return Buffer.concat([head, ...body]);
}
const MIB = 2 ** 20;
const robotsArgs = (folder) => {
	const file = join(folder, "robots.txt");
	writeFileSync(file, "User-agent: *\nDisallow: /a\n");
	return ["--robots", file];
};
/** The command's arguments on a file, which is written first. */
const command = (name, bytes, args) => (folder) => {
	const file = join(folder, "input");
	writeFileSync(file, bytes);
	return [name, ...args(folder, file)];
};
const lines = (n) => Buffer.alloc(n * MIB, "/aaaaaaaaaaaaaa\n");
const bombs = {
	"MiB in gzip": [32, (n) => gzipSync(lines(n))],
	"MiB in one line of zstd": [32, (n) => zstdBomb(n * 8)],
};
const onBomb = {
	match: (folder, file) => [...robotsArgs(folder), "--agent", "x", file],
	audit: (folder, file) => [
		...robotsArgs(folder),
		"--format",
		"combined",
		file,
	],
	lint: (_, file) => [file],
	"explain --json": (_, file) => ["--robots", file, "--agent", "x", "/a"],
};

export const cases = [
	...Object.entries(calls).flatMap(([call, action]) =>
		Object.entries(files).map(([shape, [size, make]]) => ({
			call,
			shape,
			size,
			make,
			action,
		})),
	),
	...Object.entries({
		compareFiles: (n) => () =>
			compareFiles(read(distinct(n, "p")), read(distinct(n, "q"))),
		fix: (n) => () => fix(distinct(n, "p"), { maxBytes: 1e9 }),
	}).map(([call, action]) => ({
		call,
		shape: "bytes of distinct /a…/*/x rules",
		size: 250_000,
		make: (n) => n,
		action,
	})),
	{
		call: "findCrawler",
		shape: "bytes of one header",
		size: 20_000,
		make: (n) => "(a; ".repeat(n / 4),
		action: (text) => () => findCrawler(text),
	},
	{
		call: "LogAudit",
		shape: "headers, one a line",
		size: 5000,
		make: (n) => repeat(n, (i) => logLine("/a", `New${i}Bot/1.0`)),
		action: (text) => audit("combined", text),
	},
	{
		call: "LogAudit",
		shape: "bytes of one header",
		size: 50_000,
		make: (n) => logLine("/a", "bot; (".repeat(n / 6)),
		action: (text) => audit("combined", text),
	},
	{
		call: "LogAudit",
		shape: "bytes of one line",
		size: 250_000,
		make: (n) => logLine(`/${"%61".repeat(n / 3)}`, "FooBot/1.0"),
		action: (text) => audit("combined", text),
	},
	{
		call: "LogAudit",
		shape: "levels of JSON in a line",
		size: 20_000,
		make: (n) => `${nested(n)}\n{"request":{"uri":"/a"}}`,
		action: (text) => audit("caddy", text),
	},
	{
		call: "RobotsIndex.matchMany",
		shape: "hosts, one URL each",
		size: 10_000,
		make: (n) => n,
		action: (n) => () => {
			const index = new RobotsIndex({ agent: "x" });
			for (let i = 0; i < n; i++)
				index.set(`https://h${i}.example`, `User-agent: *\nDisallow: /${i}`);
			return index.matchMany(
				Array.from({ length: n }, (_, i) => `https://h${i}.example/${i}`),
			);
		},
	},
	...Object.entries(onBomb).flatMap(([name, args]) =>
		Object.entries(bombs).map(([shape, [size, make]]) => ({
			call: `robotrie ${name}`,
			shape,
			size,
			make,
			command: (bytes) =>
				command(name.split(" ")[0], bytes, (...given) => [
					...name.split(" ").slice(1),
					...args(...given),
				]),
		})),
	),
];
