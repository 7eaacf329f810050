// The first minute: which of a log's requests would the site's robots.txt have turned away? Through the built package,
// imported as its users do.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { RobotsTxt, Verdict } from "robotrie";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const crawlers = [
	"Googlebot",
	"bingbot",
	"YandexBot",
	"GPTBot",
	"ClaudeBot",
	"AhrefsBot",
	"DuckDuckBot",
];

const robots = RobotsTxt.parse(readFileSync("sample/robots.txt"));
const requests = readFileSync("sample/access.log", "utf8")
	.split("\n")
	.filter(Boolean)
	.map((line) => /"[A-Z]+ (\S+) HTTP[^"]*" .* "([^"]*)"$/.exec(line));

/** What one crawler asked for, judged. */
function judge(crawler) {
	const paths = requests
		.filter((request) => request?.[2].includes(`${crawler}/`))
		.map((request) => request[1]);
	const matcher = robots.for(crawler);
	const verdicts = matcher.matchMany(paths);
	const broken = new Map();
	paths.forEach((path, i) => {
		if (verdicts[i] !== Verdict.Disallowed) return;
		const { pattern, line } = matcher.match(path);
		const rule = `line ${line}: Disallow: ${pattern}`;
		broken.set(rule, (broken.get(rule) ?? 0) + 1);
	});
	const disallowed = [...broken.values()].reduce(
		(sum, count) => sum + count,
		0,
	);
	const [[rule, count] = ["", 0]] = [...broken].sort(([, a], [, b]) => b - a);
	return [
		crawler,
		paths.length,
		paths.length - disallowed,
		disallowed,
		count ? `${rule} (${count}×)` : "-",
	].map(String);
}

function table(header, rows) {
	const widths = header.map((_, column) =>
		Math.max(...[header, ...rows].map((row) => row[column].length)),
	);
	const isNumber = (column) => column > 0 && column < header.length - 1;
	return [header, ...rows]
		.map((row) =>
			row
				.map((cell, column) =>
					isNumber(column)
						? cell.padStart(widths[column])
						: cell.padEnd(widths[column]),
				)
				.join("  ")
				.trimEnd(),
		)
		.join("\n");
}

const unread = requests.filter((request) => !request).length;
console.log(
	`sample/access.log, ${requests.length} lines (${unread} of them no HTTP request), judged by sample/robots.txt:\n`,
);
console.log(
	table(
		["crawler", "requests", "allowed", "disallowed", "most disallowed by"],
		crawlers.map(judge),
	),
);

const commands = [
	"explain --robots sample/robots.txt --agent GPTBot /magazine/open/water/comments",
	"match --robots sample/robots.txt --agent Googlebot --only disallowed sample/urls.txt",
	"lint sample/mistakes.txt",
];
console.log("\nTry next:\n");
for (const command of commands) console.log(`  node dist/cli.js ${command}`);
console.log(`\nThe first of them prints:\n`);
const { stdout } = spawnSync(
	process.execPath,
	["dist/cli.js", ...commands[0].split(" ")],
	{ encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
);
console.log(stdout.trimEnd().replace(/^/gm, "  "));
