import { closeSync, openSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RobotsIndex } from "../../../src/index.ts";
import { sealIndex } from "../../../src/sites/index-snapshot.ts";
import {
	EntryVerifier,
	GrowingTable,
	newSharedMemory,
	SharedWriter,
} from "../../../src/sites/shared-index.ts";
import { casesOf } from "../../../test/cases.ts";
import { newPieces, PieceLoader, Pieces } from "../src/match/pieces.ts";
import { file, robotrie } from "./run.ts";

const COUNT = 3000;
const originOf = (i: number) => `https://h${i}.example`;

/** Sites of which some have the same rules. */
function sample(count: number, rules: number): Uint8Array {
	const index = new RobotsIndex({ agent: "x" });
	for (let i = 0; i < count; i++) {
		const lines = Array.from(
			{ length: i % 3 === 0 ? 1 : rules },
			(_, k) => `Disallow: /${i % 7}/${i * 31 + k}*${k * 17}x`,
		);
		index.set(originOf(i), `User-agent: *\n${lines.join("\n")}`);
	}
	return index.toBytes();
}

const u24 = (bytes: Uint8Array, at: number) =>
	(bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);

interface Entry {
	readonly at: number;
	/** Where its program is, and the bytes of that: none if it is another origin's. */
	readonly program: number;
	readonly size: number;
	readonly key: number;
	readonly end: number;
}

/** The entries of a snapshot (assembly/format/snapshot.ts). */
function entriesOf(bytes: Uint8Array): Entry[] {
	const view = new DataView(bytes.buffer, bytes.byteOffset);
	const entries: Entry[] = [];
	let programs = 0;
	for (let at = 20 + view.getUint32(8, true); at < bytes.length - 4; ) {
		const isNew = view.getUint32(at, true) === programs;
		const size = isNew ? u24(bytes, at + 4) : 0;
		if (isNew) programs++;
		const key = at + 4 + size + 3;
		const end = key + (u24(bytes, key - 3) >> 1);
		entries.push({ at, program: at + 4, size, key, end });
		at = end;
	}
	return entries;
}

const large = sample(COUNT, 20);
const entries = entriesOf(large);

/** The first entry from a number on that has a program. */
function withProgram(number: number): Entry {
	for (const entry of entries.slice(number)) if (entry.size > 0) return entry;
	throw new Error(`no program behind entry ${number}`);
}

type Change = (bytes: Uint8Array, view: DataView) => Uint8Array | undefined;

/** Another opcode at the end of a program: no code ends so. */
const inProgram =
	(number: number): Change =>
	(bytes) => {
		const { program, size } = withProgram(number);
		bytes.fill(0xff, program + size - 3, program + size);
	};

/** What is done to a file whose checksum is then right, and to one whose checksum stays. */
const changes: Readonly<Record<string, Change>> = {
	"nothing at all": () => undefined,
	"the first program": inProgram(0),
	"a program in the middle": inProgram(COUNT >> 1),
	"the last program": inProgram(COUNT - 10),
	"two programs": (bytes, view) => {
		inProgram(COUNT - 100)(bytes, view);
		inProgram(100)(bytes, view);
	},
	"a program and an origin in front of it": (bytes, view) => {
		inProgram(COUNT - 100)(bytes, view);
		bytes[entries[50]?.key ?? 0] = 0x20;
	},
	"an origin and a program in front of it": (bytes, view) => {
		inProgram(50)(bytes, view);
		bytes[entries[60]?.key ?? 0] = 0x20;
	},
	"the length of a program": (bytes) => {
		bytes.fill(0xff, withProgram(900).program, withProgram(900).program + 3);
	},
	"a length of zero": (bytes) => {
		bytes.fill(0, withProgram(900).program, withProgram(900).program + 3);
	},
	"the length of an origin": (bytes) => {
		const { key } = entries[1000] as Entry;
		bytes.fill(0xff, key - 3, key);
	},
	"no origin": (bytes) => {
		const { key } = entries[1000] as Entry;
		bytes.fill(0, key - 3, key);
	},
	"the number of a program": (_, view) => {
		view.setUint32((entries[2000] as Entry).at, 0xfffffff0, true);
	},
	"an origin that is there twice": (bytes) => {
		// The order of entries differs from run to run.
		const one = entries[1000] as Entry;
		const size = one.end - one.key;
		const other = entries.findLast(({ key, end }) => end - key === size);
		bytes.copyWithin((other as Entry).key, one.key, one.end);
	},
	"fewer origins than there are": (_, view) => {
		view.setUint32(16, COUNT - 1, true);
	},
	"more origins than there are": (_, view) => {
		view.setUint32(16, COUNT + 1, true);
	},
	"more origins than fit into memory": (_, view) => {
		view.setUint32(16, 0xffffffff, true);
	},
	"fewer programs than there are": (_, view) => {
		view.setUint32(12, 7, true);
	},
	"agents that are longer than the file": (_, view) => {
		view.setUint32(8, 0xfffffff0, true);
	},
	"agents that are no JSON": (bytes) => {
		bytes[20] = 0x7d;
	},
	"the first letter": (bytes) => {
		bytes[0] = 0x20;
	},
	"bytes behind the end": (bytes) => Buffer.concat([bytes, Buffer.alloc(9)]),
	"many bytes behind the end": (bytes) =>
		Buffer.concat([bytes, Buffer.alloc(34 * 1024 * 1024)]),
	"the second half": (bytes) => bytes.slice(0, bytes.length >> 1),
	"all but one read": (bytes) => bytes.slice(0, 256 * 1024),
	"all but the start": (bytes) => bytes.slice(0, entries[0]?.at),
	"all but ten bytes": (bytes) => bytes.slice(0, 10),
	"all bytes": () => new Uint8Array(),
};

function changed(change: Change, isSealed: boolean): Uint8Array {
	const bytes = large.slice();
	const result = change(bytes, new DataView(bytes.buffer)) ?? bytes;
	if (isSealed && result.length >= 4) sealIndex(result);
	return result;
}

const urls = Array.from(
	{ length: COUNT },
	(_, i) => `${originOf(i)}/${i % 7}/${i * 31 + (i % 20)}/${(i % 20) * 17}x`,
);
const list = file("piece-urls.txt", `${urls.join("\n")}\n`);

describe.each([true, false])(
	"a file with a checksum that is right: %s",
	(isSealed) => {
		test.each(Object.entries(changes))(
			"is judged by or refused alike by one thread and by two: %s",
			async (what, change) => {
				const index = file(
					`pieces-${isSealed}-${what.replaceAll(" ", "-")}.index`,
					changed(change, isSealed),
				);
				const [one, two] = [
					await robotrie(["match", "-i", index, "--workers", "1", list]),
					await robotrie(["match", "-i", index, "--workers", "2", list]),
				];
				const expected =
					what === "nothing at all"
						? [0, ""]
						: [2, expect.stringMatching(/^robotrie: cannot read the index /)];
				expect([one.code, one.stderr]).toEqual(expected);
				expect([two.code, two.stderr]).toEqual([one.code, one.stderr]);
				expect(Buffer.compare(two.stdout, one.stdout)).toBe(0);
			},
		);
	},
);

/** What loading a file leads to: verdicts, or undefined if it is refused. `act` is called again and again. */
function verdictsFrom(
	path: string,
	{ ring, most, part }: { ring: number; most: number; part: number },
	act: (pieces: Pieces) => void,
): Uint8Array | undefined {
	const memory = newSharedMemory();
	const writer = new SharedWriter(memory);
	const pieces = new Pieces(newPieces(ring, most));
	const opened = openSync(path, "r");
	try {
		const verifier = new EntryVerifier(memory);
		const loader = new PieceLoader(pieces, writer, verifier, opened, part);
		if (!loader.load(() => act(pieces))) return undefined;
	} catch (error) {
		expect(error).toMatchObject({ code: "invalid-byte-code" });
		return undefined;
	} finally {
		closeSync(opened);
	}
	const [workspace = 0] = writer.workspaces(1);
	const table = new GrowingTable({ ...memory, dialect: "rfc9309" }, workspace);
	const lines = readFileSync(list);
	return table.withRoom(lines.length).read((index) => index.matchLines(lines));
}

function orUndefined<Result>(act: () => Result): Result | undefined {
	try {
		return act();
	} catch {
		return undefined;
	}
}

test("whatever the sizes, whoever verifies and whatever was changed, the verdicts are those of RobotsIndex or there are none", () => {
	const helper = new EntryVerifier(newSharedMemory());
	const small = sample(300, 6);
	const lines = readFileSync(list);
	const size = Math.max(...entriesOf(small).map(({ at, end }) => end - at));
	let refused = 0;
	fc.assert(
		fc.property(
			fc.integer({ min: 1, max: 3000 }),
			fc.integer({ min: 13, max: 16 }),
			fc.integer({ min: 1, max: 6 }),
			fc.array(fc.nat(3), { maxLength: 50 }),
			fc.array(fc.tuple(fc.nat(small.length - 1), fc.nat(255)), {
				maxLength: 2,
			}),
			fc.option(fc.nat(small.length)),
			(part, ringBits, most, helped, bytes, end) => {
				fc.pre(part + size <= 2 ** ringBits);
				const snapshot = small.slice(0, end ?? small.length);
				for (const [at, byte] of bytes)
					if (at < snapshot.length) snapshot[at] = byte;
				if (snapshot.length >= 4) sealIndex(snapshot);
				const path = file("pieces-some.index", snapshot);
				let turns = 0;
				const verdicts = verdictsFrom(
					path,
					{ ring: 2 ** ringBits, most, part },
					(pieces) => {
						for (let i = helped[turns++ % helped.length] ?? 0; i > 0; i--)
							pieces.verifyNext(helper);
					},
				);
				const right = orUndefined(() =>
					RobotsIndex.fromBytes(snapshot).matchLines(lines),
				);
				if (!right) refused++;
				expect(verdicts).toEqual(right);
			},
		),
		{ numRuns: casesOf(150) },
	);
	expect(refused).toBeGreaterThan(10);
});

test("an entry that is longer than what is read at once is loaded", () => {
	const index = new RobotsIndex({ agent: "x" });
	const rules = Array.from({ length: 3000 }, (_, i) => `Disallow: /${i * 7}*z`);
	index.set(originOf(0), `User-agent: *\n${rules.join("\n")}`);
	index.set(originOf(1), "User-agent: *\nDisallow: /");
	const path = file("pieces-long.index", index.toBytes());
	const sizes = { ring: 2 ** 17, most: 2, part: 1000 };
	expect(verdictsFrom(path, sizes, () => {})).toEqual(
		index.matchLines(readFileSync(list)),
	);
});

test("a thread that is to stop loads nothing more", () => {
	const path = file("pieces-stopped.index", large);
	const memory = newSharedMemory();
	const writer = new SharedWriter(memory);
	const pieces = new Pieces(newPieces());
	const opened = openSync(path, "r");
	const verifier = new EntryVerifier(memory);
	const loader = new PieceLoader(pieces, writer, verifier, opened);
	let turns = 0;
	expect(() =>
		loader.load(() => {
			if (++turns === 3) throw new Error("stopped");
		}),
	).toThrow("stopped");
	closeSync(opened);
	expect(writer.extent.size).toBeLessThan(COUNT);
});
