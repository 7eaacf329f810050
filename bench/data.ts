import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { generatedSites } from "./generate.ts";
import type { Data } from "./site.ts";

interface HostLine {
	readonly host: string;
	readonly robots_b64: string;
	readonly urls: readonly string[];
	readonly allowed: { readonly googlebot: string };
}

const CORPUS = "../shared/corpus/";

function readLines<Line>(name: string): Line[] {
	const text = gunzipSync(readFileSync(CORPUS + name)).toString();
	return text
		.trimEnd()
		.split("\n")
		.map((line) => JSON.parse(line) as Line);
}

/** The corpus where it is, else generated sites; either way a reference's verdicts come with the data. */
export function loadData(): Data {
	if (!existsSync(`${CORPUS}hosts.jsonl.gz`)) return generatedSites();
	const hosts = readLines<HostLine>("hosts.jsonl.gz");
	const robots = new Map(
		hosts.map(({ host, robots_b64 }) => [
			host,
			new Uint8Array(Buffer.from(robots_b64, "base64")),
		]),
	);
	const site = ({ host, urls, allowed }: Omit<HostLine, "robots_b64">) => ({
		host,
		robots: robots.get(host) ?? new Uint8Array(),
		urls,
		verdicts: allowed.googlebot,
	});
	return {
		source: "real sites and URLs",
		sites: hosts.map(site),
		derived: readLines<HostLine>("derived.jsonl.gz").map(site),
	};
}
