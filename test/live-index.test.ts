import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RobotsIndex } from "../src/index.ts";
import { CompactPrograms } from "../src/sites/compact-programs.ts";
import { decodeIndex } from "../src/sites/index-snapshot.ts";
import {
	newSharedMemory,
	SharedTable,
	SharedWriter,
} from "../src/sites/shared-index.ts";
import { runs } from "./differential.ts";

const ORIGINS = 40;
/** Rules have a version, of which the verdicts tell: one path of each site is disallowed. */
const VERSIONS = 8;
const GONE = -1;
const programs = new CompactPrograms("x", "rfc9309");
const originOf = (site: number) => `https://h${site}.example`;

/** No two are equal: each has memory of its own, which is given back with it. */
function programOf(site: number, version: number): Uint8Array | null {
	if (version < 0) return null;
	const rules = [`/${version}$`, ...Array(version).fill(`/*never*${site}`)];
	const lines = rules.map((pattern) => `Disallow: ${pattern}\n`);
	return programs.of(`User-agent: *\n${lines.join("")}`).slice();
}

const compiled = Array.from({ length: ORIGINS }, (_, site) =>
	Array.from({ length: VERSIONS }, (_, version) => programOf(site, version)),
);

/** An index that a writer and two readers share, all in this thread, so that a test says who does what when. */
class Scene {
	readonly writer: SharedWriter;
	readonly readers: readonly SharedTable[];
	/** For each site the versions that it has had, the current one last. */
	readonly history = Array.from({ length: ORIGINS }, () => [GONE]);

	constructor() {
		const shared = newSharedMemory();
		this.writer = new SharedWriter(shared);
		decodeIndex(new RobotsIndex({ agent: "x" }).toBytes(), this.writer.open);
		const index = this.writer.finish(2);
		this.readers = index.workspaces
			.slice(1)
			.map((workspace) => new SharedTable(index, workspace));
	}

	change(site: number, version: number): void {
		const program = compiled[site]?.[version] ?? null;
		this.writer.change({ origin: originOf(site), program });
		this.history[site]?.push(program ? version : GONE);
	}

	/** Which version a reader sees of each site while something else happens. */
	versions(reader: number, meanwhile: () => void): number[] {
		const urls = Array.from({ length: ORIGINS }, (_, site) =>
			Array.from({ length: VERSIONS }, (_, v) => `${originOf(site)}/${v}`),
		);
		const table = this.readers[reader] as SharedTable;
		return table.read((index) => {
			meanwhile();
			return urls.map((some) => versionOf(index.matchMany(some)));
		});
	}
}

function versionOf(verdicts: Uint8Array): number {
	if (verdicts.every((verdict) => verdict === 2)) return GONE;
	expect(verdicts.filter((verdict) => verdict === 1)).toHaveLength(
		VERSIONS - 1,
	);
	return verdicts.indexOf(0);
}

const change = fc.tuple(
	fc.nat(ORIGINS - 1),
	fc.integer({ min: -2, max: VERSIONS - 1 }),
);
const changes = fc.array(change, { maxLength: 60, size: "max" });

describe("A live index", () => {
	test("gives each site's old or new rules as a whole, whenever they change", () => {
		fc.assert(
			fc.property(
				fc.array(fc.tuple(changes, changes, changes, fc.nat(1)), {
					maxLength: 4,
				}),
				(steps) => {
					const scene = new Scene();
					const apply = (some: readonly (readonly [number, number])[]) => {
						for (const [site, version] of some) scene.change(site, version);
					};
					for (const [before, during, nested, reader] of steps) {
						apply(before);
						const first = scene.history.map((versions) => versions.length - 1);
						let second: number[] = [];
						let seenByOther: number[] = [];
						const seen = scene.versions(reader, () => {
							apply(during);
							second = scene.history.map((versions) => versions.length - 1);
							seenByOther = scene.versions(1 - reader, () => apply(nested));
						});
						for (const [site, versions] of scene.history.entries()) {
							expect(versions.slice(first[site])).toContain(seen[site]);
							expect(versions.slice(second[site])).toContain(seenByOther[site]);
						}
					}
					const current = scene.history.map((versions) => versions.at(-1));
					expect(scene.versions(0, () => {})).toEqual(current);
				},
			),
			runs(150),
		);
	});

	test("gives the memory of old rules back, once nobody reads them", () => {
		const scene = new Scene();
		const round = () => {
			for (let i = 0; i < 3000; i++)
				scene.change((i * 7) % ORIGINS, (i % (VERSIONS + 1)) - 1);
			return scene.writer.extent.byteLength;
		};
		round();
		// Slots may be in two places for a while.
		const most = 2 * round();
		for (let i = 0; i < 20; i++) expect(round()).toBeLessThan(most);
		scene.versions(0, () => {
			// Somebody reads: nothing is freed.
			expect(round()).toBeGreaterThan(10 * most);
		});
		expect(round()).toBeLessThan(most);
	});

	test("takes rules with many wildcards", () => {
		const scene = new Scene();
		const rules = Array.from(
			{ length: 5000 },
			(_, i) => `Disallow: /*${i}*a*b\nDisallow: /*${i}*a*c`,
		);
		const program = programs.of(`User-agent: *\n${rules.join("\n")}`).slice();
		scene.writer.change({ origin: originOf(0), program });
		const urls = [`${originOf(0)}/4999/a/c`, `${originOf(0)}/4999/a/d`];
		const verdicts = scene.readers[0]?.read((index) => index.matchMany(urls));
		expect(verdicts).toEqual(Uint8Array.of(0, 1));
	});
});
