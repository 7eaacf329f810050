import { once } from "node:events";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RobotsIndex } from "../src/index.ts";
import type { Capture } from "../src/sites/capture.ts";
import { CompactPrograms } from "../src/sites/compact-programs.ts";
import { decodeIndex } from "../src/sites/index-snapshot.ts";
import type { OriginTable } from "../src/sites/origin-table.ts";
import {
	newSharedMemory,
	type SharedIndex,
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
	readonly index: SharedIndex;
	readonly readers: readonly SharedTable[];
	/** As the writer sees it. */
	readonly #table: OriginTable;
	readonly #captures: Capture[] = [];
	/** For each site the versions that it has had, the current one last. */
	readonly history = Array.from({ length: ORIGINS }, () => [GONE]);

	constructor() {
		const shared = newSharedMemory();
		this.writer = new SharedWriter(shared);
		const empty = new RobotsIndex({ agent: "x" }).toBytes();
		const { writer } = this;
		let table: OriginTable | undefined;
		decodeIndex(empty, (head) => {
			table = writer.open(head);
			return table;
		});
		this.#table = table as unknown as OriginTable;
		this.index = writer.finish(2);
		this.readers = this.index.workspaces
			.slice(1)
			.map((workspace) => new SharedTable(this.index, workspace));
	}

	/** From now on so many captures are open, in which items stay as they are. */
	capture(count: number): void {
		while (this.#captures.length > count) this.#captures.shift()?.end();
		while (this.#captures.length < count)
			this.#captures.push(this.#table.capture());
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

/** Places of flags that two threads share. */
const LOOKED = 0;
const DONE = 1;
/** At least so many of both: without the fix one look-up in thirty found nothing. */
const CHANGES = 20_000;
const LOOKS = 20_000;
/** Looks one origin up again and again, and says how often it was not there. */
const LOOKING = `
const { parentPort, workerData } = require("node:worker_threads");
const { module, memory, workspace, origin, flags } = workerData;
const { exports } = new WebAssembly.Instance(module, { env: { memory } });
exports.enterWorkspace(workspace);
const at = exports.input(origin.length) >>> 0;
new Uint8Array(memory.buffer).set(Buffer.from(origin), at);
let missing = 0;
while (!Atomics.load(flags, ${DONE})) {
	exports.beginReading();
	if (exports.findOrigin(at, origin.length) === 0) missing++;
	exports.endReading();
	Atomics.add(flags, ${LOOKED}, 1);
}
parentPort.postMessage(missing);
`;

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
				fc.array(fc.tuple(changes, changes, changes, fc.nat(1), fc.nat(2)), {
					maxLength: 4,
				}),
				(steps) => {
					const scene = new Scene();
					const apply = (some: readonly (readonly [number, number])[]) => {
						for (const [site, version] of some) scene.change(site, version);
					};
					for (const [before, during, nested, reader, captures] of steps) {
						apply(before);
						scene.capture(captures);
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

	test("has rules at any time for an origin that gets others, while captures are open", async () => {
		const scene = new Scene();
		scene.change(0, 0);
		scene.capture(1);
		const { module, memory, workspaces } = scene.index;
		const flags = new Int32Array(new SharedArrayBuffer(8));
		const worker = new Worker(LOOKING, {
			eval: true,
			workerData: {
				module,
				memory,
				workspace: workspaces[1],
				origin: originOf(0),
				flags,
			},
		});
		const answer = once(worker, "message");
		// Not before the other thread looks.
		while (Atomics.load(flags, LOOKED) === 0)
			await new Promise((resolve) => setTimeout(resolve, 1));
		for (let i = 0; i < CHANGES || Atomics.load(flags, LOOKED) < LOOKS; i++)
			scene.change(0, i % 2);
		Atomics.store(flags, DONE, 1);
		const [missing] = await answer;
		expect(missing).toBe(0);
		await worker.terminate();
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
