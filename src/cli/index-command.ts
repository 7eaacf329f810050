import { type Command, Option } from "commander";
import { RobotrieError } from "../common/errors.ts";
import { RobotsIndex } from "../sites/robots-index.ts";
import { Failure } from "./failure.ts";
import { writeIndex } from "./index-file.ts";
import { inputsOf } from "./input.ts";
import {
	agentOf,
	agentOption,
	dialectOption,
	missing,
	type ReadingOptions,
} from "./options.ts";
import { count, tell } from "./output.ts";
import { doubtAbout, doubtText } from "./robots-file.ts";
import { readSites, type Schemes } from "./site-files.ts";
import { StatusLine } from "./status-line.ts";

interface IndexCommandOptions extends Pick<ReadingOptions, "dialect"> {
	readonly agent?: readonly string[];
	readonly out?: string;
	readonly scheme: "both" | "http" | "https";
	readonly strict?: boolean;
	readonly progress?: boolean;
	readonly summary?: boolean;
}

const schemes: Readonly<Record<IndexCommandOptions["scheme"], Schemes>> = {
	both: ["https", "http"],
	http: ["http"],
	https: ["https"],
};

/** Faults that are told one by one. */
const TOLD = 5;

/** `robotrie index`: many sites' rules in one file, for `match --index` and `RobotsIndex.fromBytes`. */
export function addIndex(program: Command): void {
	program
		.command("index")
		.usage("--agent <name> --out <file> [options] [folder|file...]")
		.summary("compile many sites' robots.txt files for match")
		.description(
			'Compiles the robots.txt files of many sites to one index for one crawler. "robotrie match --index" and RobotsIndex.fromBytes load it.\n\nIn a folder, files are named by host: example.com, example.com.txt, example.com_8080.txt or example.com/robots.txt. JSON lines look like {"origin": "https://example.com", "robots": "User-agent: …"}; instead of "robots" they may have "robots_b64" (Base64) or "access" ("allow-all" or "disallow-all"). If an origin comes twice, the later file counts.',
		)
		.argument(
			"[folder|file...]",
			'folders, or files of JSON lines; "-" or none: stdin; gzip, zstd and UTF-16 are decoded',
		)
		.addOption(agentOption())
		.option("-o, --out <file>", "where to write the index")
		.addOption(dialectOption())
		.addOption(
			new Option("--scheme <name>", "scheme of the hosts in a folder")
				.choices(Object.keys(schemes))
				.default("both"),
		)
		.option("--strict", "write nothing if any site cannot be read")
		.option(
			"--progress",
			"show progress on stderr (default: if stderr is a terminal)",
		)
		.option("--no-progress", "do not show it")
		.option(
			"--summary",
			"summarise the index on stderr (default: if stderr is a terminal)",
		)
		.option("--no-summary", "do not summarise it")
		.addHelpText(
			"after",
			`
Sites that cannot be read are left out and listed on stderr.

Exit codes: 0 done; 2 wrong options, unreadable input or, with --strict, an unreadable site.

Examples:
  robotrie index --agent Googlebot --out sites.index robots/
  zcat sites.ndjson.gz | robotrie index -a ExampleBot -o sites.index
  robotrie match --index sites.index urls.txt`,
		)
		.action(index);
}

async function index(
	places: readonly string[],
	options: IndexCommandOptions,
): Promise<void> {
	const agent = agentOf(options.agent);
	const out = options.out ?? missing("-o, --out <file>");
	const sites = new RobotsIndex({ agent, dialect: options.dialect });
	const status = new StatusLine(options.progress);
	let faults = 0;
	const fail = (fault: string) => {
		if (++faults > TOLD) return;
		status.clear();
		tell(fault);
	};
	let doubts = 0;
	const warn = (where: string, robots: Uint8Array) => {
		const doubt = doubtAbout(robots);
		if (doubt === undefined || ++doubts > TOLD) return;
		status.clear();
		tell(doubtText(where, doubt));
	};
	for (const place of inputsOf(places)) {
		for await (const site of readSites(place, schemes[options.scheme])) {
			if ("fault" in site) {
				fail(`${site.where}: ${site.fault}`);
				continue;
			}
			try {
				for (const origin of site.origins) sites.set(origin, site.robots);
				if (typeof site.robots !== "string") warn(site.where, site.robots);
			} catch (error) {
				if (!(error instanceof RobotrieError && error.code === "invalid-url"))
					throw error;
				fail(`${site.where}: ${error.message}`);
			}
			status.show(() => describe(sites));
		}
	}
	status.clear();
	if (doubts > TOLD)
		tell(
			`warning: ${count(doubts - TOLD, "more file")} ${doubts - TOLD === 1 ? "looks" : "look"} like no robots.txt`,
		);
	if (faults > 0) {
		const left = `${count(faults, "site")} could not be read`;
		if (options.strict) throw new Failure(`${left}; nothing was written`);
		tell(`${left} and ${faults === 1 ? "is" : "are"} left out`);
	}
	const bytes = await writeIndex(out, sites);
	if (options.summary ?? process.stderr.isTTY)
		tell(`${describe(sites)}: ${count(bytes, "byte")} in ${out}`);
}

function describe(sites: RobotsIndex): string {
	const { origins, programs } = sites.stats();
	return `${count(origins, "origin")}, ${count(programs, "different program")}`;
}
