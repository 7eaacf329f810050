// Compares the table of crawlers with the public lists that npm has, and with files of names:
//
//     npm update crawler-user-agents isbot && npm run crawlers:check [-- FILE...]
//
// A file holds a name per line, a robots.txt (its user-agent lines count), or JSON whose keys are names or that is a list of them, such as
// robots.json of ai.robots.txt. Of each name that the table lacks it says what the audit takes it for, and what the file says of it: docs/crawlers.md
// has the steps of an hour a month.
import { readFileSync } from "node:fs";
import agents from "crawler-user-agents";
import { isbot } from "isbot";
import { crawlers, findCrawler } from "robotrie";

/** Names of a file, each with what it says of them. */
function namesOf(text) {
	try {
		const value = JSON.parse(text);
		return Array.isArray(value)
			? value.map((name) => [String(name), ""])
			: Object.entries(value).map(([name, about]) => [
					name,
					[about?.function, about?.operator]
						.filter(
							(each) => typeof each === "string" && !/unclear/i.test(each),
						)
						.join("; ")
						.slice(0, 100),
				]);
	} catch {
		const lines = text
			.split(/\r\n|\r|\n/)
			.map((line) => line.replace(/#.*/, "").trim())
			.filter((line) => line !== "");
		const named = lines.flatMap(
			(line) => /^user-agent\s*:\s*(.+)$/i.exec(line)?.[1] ?? [],
		);
		return (named.length > 0 ? named : lines).map((name) => [name, ""]);
	}
}

/** Names that are words: a rule for them, or a name in a report, would be about anybody. Lists have them all the same. */
const words = new Set(
	"code cursor lcc newsai openai operator spider trae yak".split(" "),
);

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

const isAi = (kind) => kind === "ai" || kind.startsWith("ai-");
list(
	"for AI in one of crawler-user-agents and the table, not in the other",
	agents.flatMap(({ instances = [], tags = [] }) =>
		instances.slice(0, 1).flatMap((header) => {
			const crawler = findCrawler(header);
			return crawler && isAi(crawler.kind) !== tags.includes("ai-crawler")
				? [`${crawler.name}: ${crawler.kind}, the list: ${tags.join(", ")}`]
				: [];
		}),
	),
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

for (const file of process.argv.slice(2)) {
	const lacking = namesOf(readFileSync(file, "utf8")).filter(
		([name]) =>
			name !== "*" &&
			!known.has(name.toLowerCase()) &&
			!findCrawler(name) &&
			!words.has(name.toLowerCase()),
	);
	list(
		`${file}, not in the table`,
		lacking.map(([name, about]) => {
			const listed = patterns.findIndex((pattern) => pattern.test(name));
			const tags = agents[listed]?.tags?.join(", ");
			const by = tags ? `crawler-user-agents: ${tags}` : "in no list";
			return `${name} (${[by, about].filter(Boolean).join("; ")})`;
		}),
	);
}

list(
	"use unknown: a page of the maker's would say it",
	crawlers
		.filter(({ kind }) => kind === "ai")
		.map(({ name, operator }) => `${name} (${operator})`),
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
const oldest = crawlers
	.filter(({ checked }) => checked)
	.sort((a, b) => (a.checked < b.checked ? -1 : 1))
	.slice(0, 20);
list(
	"compared with their page longest ago",
	oldest.map(
		({ name, checked, documentation }) =>
			`${checked} ${name}: ${documentation}`,
	),
);
console.log(
	`not compared with their page since this is recorded: ${crawlers.filter(({ checked }) => !checked).length} of ${crawlers.length}`,
);
