import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { generatedSites } from "./generate.ts";
import { naiveDiagnostics, naiveVerdicts } from "./reference.ts";
import { type Data, pathOf, type Site } from "./site.ts";

interface HostLine {
	readonly host: string;
	readonly robots_b64: string;
	readonly urls: readonly string[];
	/** By Google's library: "1" or "0" for each URL, by agent. */
	readonly allowed: Readonly<Record<string, string>>;
}

const CORPUS = "../shared/corpus/";
export const REAL = "real sites and URLs";

function readLines<Line>(name: string): Line[] {
	const text = gunzipSync(readFileSync(CORPUS + name)).toString();
	return text
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line) as Line);
}

/** With `--small`: everything on little, which only shows that it works. Processes that are started inherit it. */
export const isSmall = process.env.ROBOTRIE_BENCH_SMALL === "1";

/** The corpus where it is, else generated sites. */
export function loadData(): Data {
	if (isSmall) return generatedSites({ sites: 40, urls: 12, largest: 300 });
	if (!existsSync(`${CORPUS}hosts.jsonl.gz`)) return generatedSites();
	const hosts = readLines<HostLine>("hosts.jsonl.gz");
	const robots = new Map(
		hosts.map(({ host, robots_b64 }) => [
			host,
			new Uint8Array(Buffer.from(robots_b64, "base64")),
		]),
	);
	const allowed = new Map<Site, HostLine["allowed"]>();
	const siteOf = (line: Omit<HostLine, "robots_b64">) => {
		const site = {
			host: line.host,
			robots: robots.get(line.host) ?? new Uint8Array(),
			urls: line.urls,
		};
		allowed.set(site, line.allowed);
		return site;
	};
	return {
		source: REAL,
		sites: hosts.map(siteOf),
		derived: readLines<HostLine>("derived.jsonl.gz").map(siteOf),
		verdicts: remembered((site, asked) => {
			const { dialect, agent = "googlebot", paths } = asked;
			const library = allowed.get(site)?.[agent.toLowerCase()];
			// Google's library was asked about whole URLs; to it a path that begins with "//" is a host.
			if (
				dialect !== "google" ||
				library === undefined ||
				(paths && site.urls.some((url) => pathOf(url).startsWith("//")))
			)
				return naiveVerdicts(site, asked);
			return Uint8Array.from(library, Number);
		}),
		diagnostics: naiveDiagnostics,
	};
}

/**
 * Says so where generated sites stand in for the corpus, and gives the part of the benchmark that a result is stored as: figures are taken
 * from runs over the corpus only.
 */
export function partOf({ source }: Data, only = ""): string {
	if (source === REAL) return only;
	if (isSmall) return [only, "small"].filter(Boolean).join("-");
	process.stderr.write(
		`${CORPUS} is not here: ${source} stand in for real ones. All cases run; ratios come out alike, not the same.\n`,
	);
	return [only, "generated"].filter(Boolean).join("-");
}

type Verdicts = Data["verdicts"];

/** Several cases ask for the same. */
function remembered(verdicts: Verdicts): Verdicts {
	const known = new Map<Site, Map<string, Uint8Array>>();
	return (site, asked) => {
		const ofSite = known.get(site) ?? new Map<string, Uint8Array>();
		known.set(site, ofSite);
		const key = JSON.stringify(asked);
		const found = ofSite.get(key) ?? verdicts(site, asked);
		ofSite.set(key, found);
		return found;
	};
}
