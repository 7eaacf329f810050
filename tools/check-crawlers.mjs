// Compares the table of crawlers with packages that list crawlers, and with files of names:
//
//     npm run crawlers:check [-- FILE...]
//
// A file holds a name per line, a robots.txt (its user-agent lines count), or JSON whose keys are names or that is a list of them, such as
// robots.json of ai.robots.txt.
import { readFileSync } from "node:fs";
import agents from "crawler-user-agents";
import { isbot } from "isbot";
import { crawlers, findCrawler } from "robotrie";

/** Names of a file. */
function namesOf(text) {
	try {
		const value = JSON.parse(text);
		return Array.isArray(value) ? value.map(String) : Object.keys(value);
	} catch {
		const lines = text
			.split(/\r\n|\r|\n/)
			.map((line) => line.replace(/#.*/, "").trim())
			.filter((line) => line !== "");
		const named = lines.flatMap(
			(line) => /^user-agent\s*:\s*(.+)$/i.exec(line)?.[1] ?? [],
		);
		return named.length > 0 ? named : lines;
	}
}

const known = new Set(
	crawlers.flatMap(({ tokens }) => tokens.map((token) => token.toLowerCase())),
);

function list(title, names) {
	const sorted = [...new Set(names)].sort((a, b) =>
		a.localeCompare(b, "en", { sensitivity: "base" }),
	);
	console.log(`${title}: ${sorted.length}`);
	for (const name of sorted) console.log(`  ${name}`);
}

const missing = agents.filter(({ instances = [], pattern }) => {
	const headers = [...instances, pattern.replaceAll("\\", "").replace("/", "")];
	return !headers.some((header) => findCrawler(header));
});
const tags = new Set(missing.flatMap(({ tags = [] }) => tags));
for (const tag of ["ai-crawler", "search-engine"])
	if (tags.has(tag))
		list(
			`crawler-user-agents, ${tag}, not in the table`,
			missing
				.filter((entry) => entry.tags?.includes(tag))
				.map(({ pattern }) => pattern.replaceAll("\\", "")),
		);
console.log(
	`crawler-user-agents, with any tag, not in the table: ${missing.length} of ${agents.length}`,
);

const patterns = agents.map(({ pattern }) => new RegExp(pattern, "i"));
const requesting = crawlers.filter(({ sendsRequests }) => sendsRequests);
list(
	"in the table, not in crawler-user-agents",
	requesting
		.map(({ name }) => name)
		.filter((name) => !patterns.some((pattern) => pattern.test(`${name}/1.0`))),
);
list(
	"in the table, no robot for isbot",
	requesting.map(({ name }) => name).filter((name) => !isbot(`${name}/1.0`)),
);

for (const file of process.argv.slice(2))
	list(
		`${file}, not in the table`,
		namesOf(readFileSync(file, "utf8")).filter(
			(name) =>
				name !== "*" && !known.has(name.toLowerCase()) && !findCrawler(name),
		),
	);

list(
	"without a page of the operator's",
	crawlers
		.filter(({ documentation }) => !documentation)
		.map(({ name, operator }) => `${name} (${operator})`),
);
list(
	"domains of host names, by the page that names them",
	crawlers
		.filter(({ hostDomains }) => hostDomains.length > 0)
		.map(
			({ hostDomains, hostDomainsSource }) =>
				`${hostDomains.join(", ")}: ${hostDomainsSource}`,
		),
);
console.log(
	`not compared with their page since this is recorded: ${crawlers.filter(({ checked }) => !checked).length} of ${crawlers.length}`,
);
