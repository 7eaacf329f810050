// What a site owner would write: a line at a time, a regular expression, robots-parser. Prints the number of lines, of
// crawlers' requests and of disallowed ones. With "plain" in front of the files every line goes to robots-parser, and its
// header is looked at anew; without, the script remembers what a header means, and asks about crawlers only.
import { createReadStream, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { isbot } from "isbot";
import robotsParser from "robots-parser";

const isPlain = process.argv[2] === "plain";
const [robotsFile, logFile] = process.argv.slice(isPlain ? 3 : 2);
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
function rememberedCrawlerOf(header) {
	if (!known.has(header)) known.set(header, crawlerOf(header));
	return known.get(header);
}

const counts = { lines: 0, requests: 0, disallowed: 0 };
for await (const line of createInterface({
	input: createReadStream(logFile),
	crlfDelay: Number.POSITIVE_INFINITY,
})) {
	counts.lines++;
	const match = LINE.exec(line);
	if (!match) continue;
	const [, target, header] = match;
	const crawler = isPlain ? crawlerOf(header) : rememberedCrawlerOf(header);
	if (crawler === undefined && !isPlain) continue;
	const isDisallowed = robots.isDisallowed(
		`http://example.com${target}`,
		crawler ?? header,
	);
	if (crawler === undefined) continue;
	counts.requests++;
	if (isDisallowed) counts.disallowed++;
}
console.log(JSON.stringify(counts));
