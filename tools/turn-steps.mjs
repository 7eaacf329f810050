// How long the client works on a file in one go, and in all: for the files that a site may send to hold it up, at several sizes. The
// steps are those between which the client lets the event loop turn. Called by `npm run growth -- turns`, which stores the table as the
// kind "turns"; docs/security.md shows it.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { RobotsTxt } from "../dist/index.js";
import { storeResult } from "./store-result.mjs";

const own = fileURLToPath(import.meta.url);
const KIB = 1024;
const SIZES = [125, 250, 500];
const ROUNDS = 15;
const LONG_URL = `/${"i".repeat(8 * KIB - 1)}`;

/** Each a call of the client, as it works on a file. */
const calls = {
	"isAllowed, compiling": (robots) => robots.compactSteps("x"),
	explain: (robots) => robots.explainSteps(LONG_URL, "x"),
	nextVisit: (robots) => robots.paceSteps("x"),
	sitemaps: (robots) => robots.sitemapSteps(),
};

/** Lines of a file; "#" is another text in each of them. Every call is measured with those that take it most time. */
const files = [
	["Allow:*i$", ["isAllowed, compiling", "explain"]],
	["Allow:*#", ["isAllowed, compiling", "explain"]],
	["Allow:*a%3f#", ["isAllowed, compiling", "explain"]],
	["Allow:/a*#", ["isAllowed, compiling", "explain"]],
	["User-agent:*\nAllow:/#", ["explain"]],
	["User-agent:#", ["explain", "nextVisit"]],
	["User-agent: a\nCrawl-delay: 1", ["explain", "nextVisit"]],
	["Request-rate: 1/5 0100-0200", ["nextVisit"]],
	["Visit-time: x", ["nextVisit"]],
	["Sitemap:http://a/#", ["sitemaps"]],
	["X:", ["explain", "nextVisit", "sitemaps"]],
];

const cases = ["rfc9309", "yandex"].flatMap((dialect) =>
	files.flatMap(([lines, names]) =>
		names.map((call) => ({ call, dialect, lines })),
	),
);

function make(lines, size) {
	const all = ["User-agent: *"];
	for (let number = 0, length = 14; ; number++) {
		const next = lines.replaceAll("#", number.toString(36));
		length += next.length + 1;
		if (length > size) return Buffer.from(`${all.join("\n")}\n`);
		all.push(next);
	}
}

/** In the process of a case: milliseconds of all steps and of the longest, each the fastest of its runs. */
function measure({ call, dialect, lines }, kib) {
	const bytes = make(lines, kib * KIB);
	const fastest = [];
	for (let round = 0; round < ROUNDS; round++) {
		const steps = calls[call](RobotsTxt.parse(bytes, { dialect }));
		for (let number = 0, isDone = false; !isDone; number++) {
			const started = performance.now();
			isDone = steps.next().done;
			const ms = performance.now() - started;
			fastest[number] = Math.min(fastest[number] ?? ms, ms);
		}
	}
	const sum = fastest.reduce((all, ms) => all + ms, 0);
	return { steps: fastest.length, sum, longest: Math.max(...fastest) };
}

/** Prints the table and stores it. */
export function turnTable(isSmall) {
	console.log(
		`| call | dialect | lines | ${SIZES.map((kib) => `${kib} KiB`).join(" | ")} |\n|---|---|---|---|---|---|`,
	);
	const shown = (ms) => ms.toFixed(1);
	const rows = (isSmall ? cases.slice(0, 2) : cases).map((one, index) => {
		const found = SIZES.map((kib) => {
			const { stdout, stderr } = spawnSync(
				process.execPath,
				[own, String(index), String(kib)],
				{ encoding: "utf8" },
			);
			if (!stdout) throw new Error(`${one.call}, ${one.lines}: ${stderr}`);
			return JSON.parse(stdout);
		});
		const cells = found.map(
			({ sum, longest }) => `${shown(sum)}, ${shown(longest)}`,
		);
		const lines = one.lines.replace("\n", "`, `");
		console.log(
			`| ${one.call} | ${one.dialect} | \`${lines}\` | ${cells.join(" | ")} |`,
		);
		return { ...one, sizes: SIZES, found };
	});
	process.chdir(fileURLToPath(new URL("..", import.meta.url)));
	console.log(
		`\nsaved as ${storeResult("turns", { rows }, isSmall ? "small" : "")}`,
	);
}

const [, script, index, kib] = process.argv;
if (script === own && kib !== undefined)
	console.log(JSON.stringify(measure(cases[Number(index)], Number(kib))));
