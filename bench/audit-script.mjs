// What a site owner would write: a line at a time, a regular expression, robots-parser. Prints the number of lines, of
// crawlers' requests and of disallowed ones.
import { createReadStream, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { isbot } from "isbot";
import robotsParser from "robots-parser";

const [, , robotsFile, logFile] = process.argv;
const robots = robotsParser(
	"http://example.com/robots.txt",
	readFileSync(robotsFile, "utf8"),
);
const LINE =
	/^\S+ \S+ .+? \[[^\]]+\] "[A-Z]+ (\S+)[^"]*" \d{3} \S+ "[^"]*" "([^"]*)"/;

const known = new Map();
/** The crawler's name, as robots.txt files have it; undefined for people. */
function crawlerOf(header) {
	let name = known.get(header);
	if (name === undefined && !known.has(header)) {
		name = isbot(header)
			? (/[\w-]*(?:bot|crawler|spider|slurp)[\w-]*/i.exec(header)?.[0] ??
				header.split("/")[0])
			: undefined;
		known.set(header, name);
	}
	return name;
}

const counts = { lines: 0, requests: 0, disallowed: 0 };
for await (const line of createInterface({
	input: createReadStream(logFile),
	crlfDelay: Number.POSITIVE_INFINITY,
})) {
	counts.lines++;
	const match = LINE.exec(line);
	if (!match) continue;
	const crawler = crawlerOf(match[2]);
	if (crawler === undefined) continue;
	counts.requests++;
	if (robots.isDisallowed(`http://example.com${match[1]}`, crawler))
		counts.disallowed++;
}
console.log(JSON.stringify(counts));
