/**
 * Opens an issue when a crawler begins to disobey robots.txt:
 *
 *     node alert.mjs robots.txt known.txt access.log…
 *
 * known.txt lists the crawlers for which there was an issue already, one a line. It is written after the issue was opened, so that a run
 * that fails is repeated by the next one. Needs `robotrie` and GitHub's `gh` on the PATH; options of `robotrie audit` may follow the logs.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const [robots, known, ...logs] = process.argv.slice(2);
if (logs.length === 0) {
	console.error("usage: node alert.mjs <robots.txt> <known.txt> <log…>");
	process.exit(2);
}

const report = execFileSync(
	"robotrie",
	["audit", "--robots", robots, "--output", "ndjson", ...logs],
	{
		encoding: "utf8",
		maxBuffer: 2 ** 30,
		stdio: ["ignore", "pipe", "inherit"],
	},
);
const crawlers = report
	.split("\n")
	.filter((line) => line !== "")
	.map((line) => JSON.parse(line))
	// Neither impostors nor crawlers that robots.txt does not bind.
	.filter(
		({ verification, disallowed, exemptDisallowed }) =>
			verification !== "claimed" && disallowed > exemptDisallowed,
	);

const names = existsSync(known)
	? readFileSync(known, "utf8").split("\n").filter(Boolean)
	: [];
const begun = crawlers.filter(({ name }) => !names.includes(name));
if (begun.length === 0) process.exit(0);

/** Anybody can send any name and any path: as code, they are neither links nor mentions. */
const code = (text) => `\`${text.replace(/[`\r\n]/g, " ")}\``;
const body = begun
	.map(({ name, disallowed, requests, firstSeen, rules }) => {
		const [rule] = rules;
		return `- ${code(name)} sent ${disallowed} disallowed of ${requests} requests since ${firstSeen}, most against line ${rule?.line}, ${code(rule?.pattern ?? "")}: ${(rule?.examples ?? []).map(code).join(", ")}`;
	})
	.join("\n");
const title =
	begun.length === 1
		? `A crawler disobeys robots.txt: ${begun[0].name}`
		: `${begun.length} crawlers disobey robots.txt`;
execFileSync("gh", ["issue", "create", "--title", title, "--body", body], {
	stdio: "inherit",
});
const all = [...names, ...begun.map(({ name }) => name)];
writeFileSync(known, `${all.join("\n")}\n`);
