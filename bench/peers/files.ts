import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { shuffled } from "../mixed.ts";
import { type Hostile, hostileFiles } from "../scaling.ts";
import { type Data, linesOf, ownUrls, pathOf, type Site } from "../site.ts";

/** Lines of a site, or URLs of any. */
interface Job {
	/** Its number, -1 for URLs of any sites. */
	readonly site: number;
	readonly texts: readonly string[];
}

/** Lines to judge, as a file for drivers, and the verdicts: a character each. */
export interface Lines {
	readonly file: string;
	/** Of each job, how many lines. */
	readonly counts: readonly number[];
	readonly right: string;
}

/** What engines are asked, by kind. All but `paths` are whole URLs; `…Paths` the same as paths. */
export interface Files {
	readonly sites: string;
	readonly lines: Readonly<Record<LineKind, Lines>>;
	readonly hostile: readonly HostileFiles[];
}

export const lineKinds = [
	"paths",
	"urls",
	"shuffled",
	"derived",
	"derivedPaths",
	"largest",
	"largestPaths",
] as const;
export type LineKind = (typeof lineKinds)[number];

export interface HostileFiles {
	readonly name: string;
	readonly sites: string;
	/** A URL of so many KiB, and the same as a path. */
	readonly lines: readonly {
		readonly kib: number;
		readonly urls: Lines;
		readonly paths: Lines;
	}[];
}

/** Numbers of four bytes, the lowest first, and texts behind their lengths. */
class Writer {
	readonly #parts: Uint8Array[] = [];

	number(value: number): this {
		const bytes = Buffer.alloc(4);
		bytes.writeInt32LE(value);
		this.#parts.push(bytes);
		return this;
	}

	text(bytes: Uint8Array): this {
		this.number(bytes.length);
		this.#parts.push(bytes);
		return this;
	}

	save(file: string): string {
		writeFileSync(file, Buffer.concat(this.#parts));
		return file;
	}
}

/** Writes the file of sites that a driver reads. */
export function saveSites(
	file: string,
	sites: readonly Pick<Site, "host" | "robots">[],
): string {
	const to = new Writer().number(sites.length);
	for (const { host, robots } of sites)
		to.text(Buffer.from(`https://${host}`)).text(robots);
	return to.save(file);
}

/** Writes a file of jobs; `right` are their verdicts. */
export function saveLines(
	file: string,
	jobs: readonly Job[],
	right: string,
): Lines {
	const some = jobs.filter(({ texts }) => texts.length > 0);
	const to = new Writer().number(some.length);
	for (const { site, texts } of some)
		to.number(site).number(texts.length).text(linesOf(texts));
	const counts = some.map(({ texts }) => texts.length);
	return { file: to.save(file), counts, right };
}

/** URLs to a job of any sites. */
const BATCH = 1000;

/** Writes all that drivers read. All URLs are of their site's own origin. */
export function writeFiles(
	folder: string,
	data: Data,
	hostileShare: number,
): Files {
	const dialect = "google";
	const { sites, derived } = data;
	const at = (name: string) => join(folder, name);
	const digits = (site: Site) => data.verdicts(site, { dialect }).join("");
	const numberOf = new Map(sites.map(({ host }, i) => [host, i]));
	const jobsOf = (
		list: readonly Site[],
		textsOf: (site: Site) => readonly string[],
	) =>
		list.map((site) => ({
			site: numberOf.get(site.host) as number,
			texts: textsOf(site),
		}));
	// As a path, what begins with "//" is a URL without a scheme to some: URLs alone have it.
	const isPath = (text: string) => !text.startsWith("//");
	const pathsOf = ({ urls }: Site) => urls.map(pathOf).filter(isPath);
	const rightOf = (list: readonly Site[], isAsked: (path: string) => boolean) =>
		list
			.flatMap((site) =>
				[...digits(site)].filter((_, i) =>
					isAsked(pathOf(site.urls[i] as string)),
				),
			)
			.join("");
	const both = (name: string, list: readonly Site[]) =>
		[
			saveLines(
				at(`${name}.paths`),
				jobsOf(list, pathsOf),
				rightOf(list, isPath),
			),
			saveLines(
				at(`${name}.urls`),
				jobsOf(list, ownUrls),
				rightOf(list, () => true),
			),
		] as const;
	const mixed = shuffled(
		sites.flatMap((site) => {
			const right = digits(site);
			return ownUrls(site).map((url, i) => ({ url, right: right[i] }));
		}),
		2309,
	);
	const batches = Array.from(
		{ length: Math.ceil(mixed.length / BATCH) },
		(_, i) => mixed.slice(i * BATCH, (i + 1) * BATCH),
	);
	const largest = sites.reduce((a, b) =>
		a.robots.length > b.robots.length ? a : b,
	);
	const ofLargest = [...sites, ...derived].filter(
		({ host }) => host === largest.host,
	);
	const [paths, urls] = both("sites", sites);
	const [derivedPaths, derivedUrls] = both("derived", derived);
	const [largestPaths, largestUrls] = both("largest", ofLargest);
	return {
		sites: saveSites(at("sites"), sites),
		lines: {
			paths,
			urls,
			derivedPaths,
			derived: derivedUrls,
			largestPaths,
			largest: largestUrls,
			shuffled: saveLines(
				at("shuffled.urls"),
				batches.map((batch) => ({
					site: -1,
					texts: batch.map(({ url }) => url),
				})),
				mixed.map(({ right }) => right).join(""),
			),
		},
		hostile: hostileFiles(hostileShare).map((one) => writeHostile(at, one)),
	};
}

function writeHostile(
	at: (name: string) => string,
	{ name, robots, path }: Hostile,
): HostileFiles {
	const host = "hostile.test";
	const file = name.replaceAll(/\W+/g, "-");
	const bytes = Buffer.from(robots);
	return {
		name,
		sites: saveSites(at(`${file}.sites`), [{ host, robots: bytes }]),
		lines: [4, 64].map((kib) => {
			const text = path(kib * 1024);
			const lines = (kind: string, line: string) =>
				saveLines(
					at(`${file}.${kib}.${kind}`),
					[{ site: 0, texts: [line] }],
					"1",
				);
			return {
				kib,
				urls: lines("urls", `https://${host}${text}`),
				paths: lines("paths", text),
			};
		}),
	};
}
