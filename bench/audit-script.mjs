// What a site owner would write: a line at a time, a regular expression, robots-parser. Prints the number of lines, of
// crawlers' requests and of disallowed ones. The first argument says in which way:
//   lines     only reads the lines, which all of these do
//   known     remembers what a header means, and asks robots-parser about crawlers only
//   plain     looks at each line's header anew, by isbot, and asks robots-parser about every target
//   patterns  looks for each line's header among the expressions of crawler-user-agents
import { createReadStream, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { isbot } from "isbot";
import robotsParser from "robots-parser";

const [way, robotsFile, logFile] = process.argv.slice(2);
const robots = robotsParser(
	"http://example.com/robots.txt",
	readFileSync(robotsFile, "utf8"),
);
const LINE =
	/^\S+ \S+ .+? \[[^\]]+\] "[A-Z]+ (\S+)[^"]*" \d{3} \S+ "[^"]*" "([^"]*)"/;

/** The crawler's name, as robots.txt files have it; undefined for people. */
function crawlerOf(header) {
	if (!isbot(header)) return undefined;
	return (
		/[\w-]*(?:bot|crawler|spider|slurp)[\w-]*/i.exec(header)?.[0] ??
		header.split("/")[0]
	);
}

const known = new Map();
function knownCrawlerOf(header) {
	if (!known.has(header)) known.set(header, crawlerOf(header));
	return known.get(header);
}

const patterns =
	way === "patterns"
		? createRequire(import.meta.url)("crawler-user-agents").map(
				({ pattern }) => new RegExp(pattern),
			)
		: [];
function listedCrawlerOf(header) {
	for (const pattern of patterns) {
		const match = pattern.exec(header);
		if (match) return match[0];
	}
	return undefined;
}

const find = {
	known: knownCrawlerOf,
	plain: crawlerOf,
	patterns: listedCrawlerOf,
}[way];

const counts = { lines: 0, requests: 0, disallowed: 0 };
for await (const line of createInterface({
	input: createReadStream(logFile),
	crlfDelay: Number.POSITIVE_INFINITY,
})) {
	counts.lines++;
	const match = find && LINE.exec(line);
	if (!match) continue;
	const [, target, header] = match;
	const crawler = find(header);
	if (crawler === undefined && way !== "plain") continue;
	const isDisallowed = robots.isDisallowed(
		`http://example.com${target}`,
		crawler ?? header,
	);
	if (crawler === undefined) continue;
	counts.requests++;
	if (isDisallowed) counts.disallowed++;
}
console.log(JSON.stringify(counts));
