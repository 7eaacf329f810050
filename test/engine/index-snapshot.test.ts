import { describe, expect, test } from "vitest";
import { FORMAT_VERSION } from "../../assembly/format/program.ts";
import { RobotrieError, RobotsIndex } from "../../src/index.ts";
import { sealIndex } from "../../src/sites/index-snapshot.ts";
import { dialects } from "../differential.ts";
import { thrownBy } from "../thrown.ts";

const agents = ["Googlebot-News", "Googlebot"];

function sampleIndex(
	dialect: (typeof dialects)[number] = "rfc9309",
	origins = 50,
) {
	const index = new RobotsIndex({ agent: agents, dialect });
	for (let i = 0; i < origins; i++)
		index.set(
			`https://h${i}.example`,
			`User-agent: *\nDisallow: /a${i % 7}\nAllow: /*${i % 5}$\n`,
		);
	index.set("http://[::1]:8080", "disallow-all");
	index.delete("https://h49.example");
	return index;
}

const urls = Array.from(
	{ length: 60 },
	(_, i) => `https://h${i}.example/a${i % 7}/${i}`,
);

function* chunksOf(bytes: Uint8Array, size: number): Generator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += size)
		yield bytes.subarray(at, at + size);
}

/** Some 90 letters and digits that no other number has. */
function randomPath(number: number): string {
	let seed = number + 1;
	return Array.from({ length: 14 }, () => {
		seed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
		return (seed >>> 0).toString(36);
	}).join("");
}

async function rejectionOf(promise: Promise<unknown>): Promise<Error> {
	try {
		await promise;
	} catch (error) {
		return error as Error;
	}
	throw new Error("nothing was thrown");
}

describe("a snapshot", () => {
	test.each(dialects)("in the %s dialect holds the same", (dialect) => {
		const index = sampleIndex(dialect);
		const loaded = RobotsIndex.fromBytes(index.toBytes());
		expect(loaded.agent).toEqual(agents);
		expect(loaded.dialect).toBe(dialect);
		expect(loaded.stats()).toMatchObject({
			...index.stats(),
			byteLength: loaded.byteLength,
		});
		expect([...loaded.origins()].sort()).toEqual([...index.origins()].sort());
		expect(loaded.matchMany(urls)).toEqual(index.matchMany(urls));
		loaded.set("https://new.example", "User-agent: Googlebot\nDisallow: /");
		expect([...loaded.matchMany(["https://new.example/"])]).toEqual([0]);
		loaded.delete("https://h0.example");
		expect(loaded.size).toBe(index.size);
	});

	test.each([
		["Googlebot"],
		["Googlebot-News"],
		[["Googlebot", "Googlebot-News"]],
		[["Googlebot-News", "Googlebot", "x"]],
	])("for other agents is none for %j", (agent) => {
		const bytes = sampleIndex().toBytes();
		const error = thrownBy(() => RobotsIndex.fromBytes(bytes, { agent }));
		expect(error).toMatchObject({ code: "invalid-argument" });
		expect(error.message).toMatch(/for Googlebot-News, Googlebot\b/);
		expect(RobotsIndex.fromBytes(bytes, { agent: agents }).agent).toEqual(
			agents,
		);
	});

	test.each(dialects)("in another dialect is none in %s", (dialect) => {
		const own = sampleIndex(dialect).toBytes();
		expect(RobotsIndex.fromBytes(own, { dialect }).dialect).toBe(dialect);
		for (const other of dialects.filter((each) => each !== dialect)) {
			const bytes = sampleIndex(other).toBytes();
			const error = thrownBy(() => RobotsIndex.fromBytes(bytes, { dialect }));
			expect(error).toMatchObject({ code: "invalid-argument" });
			expect(error.message).toContain(`in the ${other} dialect`);
		}
	});

	test.each([
		{ bytes: 100, chunk: 7 },
		{ bytes: 100, chunk: 300 },
		{ bytes: 9000, chunk: 1000 },
		{ bytes: 9000, chunk: 100_000 },
		{ bytes: 400_000, chunk: 30_000 },
		{ bytes: 400_000, chunk: 500_000 },
	])(
		"with programs of up to $bytes bytes comes in chunks of $chunk, each in the place of the one before",
		async ({ bytes, chunk }) => {
			const index = new RobotsIndex({ agent: "x" });
			for (let i = 0; i < 5; i++) {
				const rules = Array.from(
					{ length: bytes / 100 },
					(_, k) => `Disallow: /${i}/${randomPath(k)}`,
				);
				index.set(
					`https://h${i}.example`,
					`User-agent: *\n${rules.join("\n")}`,
				);
				index.set(`http://h${i}.example`, "User-agent: *\nDisallow: /");
			}
			const snapshot = index.toBytes();
			expect(snapshot.length).toBeGreaterThan(bytes * 3.5);
			const place = new Uint8Array(chunk);
			function* chunks() {
				for (const part of chunksOf(snapshot, chunk)) {
					place.fill(0xff).set(part);
					yield place.subarray(0, part.length);
				}
			}
			const loaded = await RobotsIndex.load(chunks());
			expect(loaded.stats()).toMatchObject({
				...index.stats(),
				byteLength: loaded.byteLength,
			});
			for (const origin of index.origins())
				expect(loaded.has(origin)).toBe(true);
			expect(loaded.matchMany(urls)).toEqual(index.matchMany(urls));
		},
	);

	test("of an empty index", () => {
		const bytes = new RobotsIndex({ agent: "x" }).toBytes();
		const loaded = RobotsIndex.fromBytes(bytes);
		expect([loaded.size, loaded.agent]).toEqual([0, "x"]);
	});

	test("with the same program under two numbers keeps both until their origins leave", () => {
		const index = new RobotsIndex({ agent: "x" });
		for (const i of [1, 2])
			index.set(`https://h${i}.example`, `User-agent: *\nDisallow: /a${i}`);
		const bytes = index.toBytes();
		const view = new DataView(bytes.buffer);
		const first = 20 + view.getUint32(8, true) + 4;
		const length = view.getUint16(first, true);
		const second = first + length + 3 + "h1.example".length + 4;
		expect(view.getUint16(second, true)).toBe(length);
		bytes.copyWithin(second, first, first + length);
		sealIndex(bytes);
		const loaded = RobotsIndex.fromBytes(bytes);
		const [a, b] = ["https://h1.example/a", "https://h2.example/a"];
		const both = [`${a}1`, `${b}1`, `${a}2`, `${b}2`];
		const verdicts = [...loaded.matchMany(both)];
		expect(verdicts[1]).toBe(verdicts[0]);
		expect(verdicts[3]).toBe(verdicts[2]);
		expect(verdicts[2]).toBe(1 - (verdicts[0] ?? 0));
		expect(loaded.stats().programs).toBe(2);
		const again = RobotsIndex.fromBytes(loaded.toBytes());
		expect([...again.matchMany(both)]).toEqual(verdicts);
		for (const origin of [...loaded.origins()]) loaded.delete(origin);
		expect(loaded.stats()).toMatchObject({ programs: 0, programBytes: 0 });
	});
	test("lies anywhere in a larger buffer, and may change afterwards", () => {
		const bytes = sampleIndex().toBytes();
		for (let offset = 0; offset < 5; offset++) {
			const buffer = new Uint8Array(bytes.length + 8).fill(0xaa);
			buffer.set(bytes, offset);
			const loaded = RobotsIndex.fromBytes(
				buffer.subarray(offset, offset + bytes.length),
			);
			buffer.fill(0);
			expect(loaded.matchMany(urls)).toEqual(sampleIndex().matchMany(urls));
		}
	});
});

const good = sampleIndex().toBytes();
const nameSize = JSON.stringify(agents).length;
const entries = 20 + nameSize;
const programs = entries + 4;

const number24 = (view: DataView, at: number) =>
	view.getUint32(at, true) & 0xffffff;
/** Where the first origin stands, behind its program. */
const behindProgram = (view: DataView) => programs + number24(view, programs);
const firstKey = (view: DataView) => behindProgram(view) + 3;
const secondEntry = (view: DataView) =>
	firstKey(view) + (number24(view, behindProgram(view)) >> 1);

type Change = (bytes: Uint8Array, view: DataView) => Uint8Array | undefined;
const put =
	(at: number, byte: number): Change =>
	(bytes) => {
		bytes[at] = byte;
		return undefined;
	};
/** The change, with a checksum that goes with it. */
const sealed =
	(change: Change): Change =>
	(bytes, view) => {
		const changed = change(bytes, view) ?? bytes;
		sealIndex(changed);
		return changed;
	};

const refused: readonly (readonly [string, Change, ...string[]])[] = [
	["nothing", () => new Uint8Array(), "0 bytes"],
	["another file", put(0, 77), "RTO"],
	["a matcher", put(2, 77), "RTO"],
	[
		"another version",
		put(4, FORMAT_VERSION + 1),
		`version ${FORMAT_VERSION + 1}`,
		`version ${FORMAT_VERSION}`,
	],
	["a dialect too many", put(6, 3), "dialect 3"],
	["a byte of a program", put(programs + 40, 77), "checksum"],
	["one byte less", (bytes) => bytes.slice(0, -1), "checksum"],
	[
		"agents without end",
		sealed((_, view) => void view.setUint32(8, 1e6, true)),
		"agents are cut off",
	],
	["agents that are no JSON", sealed(put(20, 0)), "no JSON"],
	[
		"agents that are no names",
		sealed((bytes) => {
			bytes.set(new TextEncoder().encode(`[1${" ".repeat(nameSize - 3)}]`), 20);
			return undefined;
		}),
		"list of names",
	],
	[
		"a program of no length",
		sealed((_, view) => void view.setUint32(programs, 0, true)),
		"program 1 of",
		"length",
	],
	[
		"a program without end",
		sealed((_, view) => void view.setUint32(programs, 1e9, true)),
		"0 of 50 origins, 0 of 36 programs",
	],
	[
		"a header that ends elsewhere",
		sealed(put(programs + 3, 9)),
		"in program 1 of",
		"header",
	],
	[
		"an unknown opcode",
		sealed((bytes, view) => {
			// The STOP (assembly/format/compact.ts) that ends the code of unanchored patterns.
			expect(bytes[behindProgram(view) - 1]).toBe(0xc0);
			bytes[behindProgram(view) - 1] = 255;
			return undefined;
		}),
		"in program 1 of",
		"opcode",
	],
	[
		"fewer programs",
		sealed((_, view) => void view.setUint32(12, 3, true)),
		"36 of 3 programs",
	],
	[
		"more origins",
		sealed((_, view) => void view.setUint32(16, 51, true)),
		"50 of 51 origins, 36 of 36 programs, 0 bytes",
	],
	[
		"fewer origins",
		sealed((_, view) => void view.setUint32(16, 49, true)),
		"49 of 49 origins",
	],
	[
		"an origin of a program that comes later",
		sealed((_, view) => void view.setUint32(secondEntry(view), 2, true)),
		"origin 2 of 50 has a program that is not there",
	],
	[
		"an origin without end",
		sealed((bytes, view) => {
			bytes.fill(0xff, behindProgram(view), firstKey(view));
			return undefined;
		}),
		"0 of 50 origins, 0 of 36 programs",
	],
	[
		"an origin of no length",
		sealed((bytes, view) => {
			bytes.fill(0, behindProgram(view), firstKey(view));
			return undefined;
		}),
		"origin 1 of 50 is not as indexes write it",
	],
	...[0x0a, 0x00, 0x20, 0x7f, 0xe9].map(
		(byte) =>
			[
				`an origin with the byte ${byte}`,
				sealed((bytes, view) => {
					bytes[firstKey(view) + 1] = byte;
					return undefined;
				}),
				"origin 1 of 50 is not as indexes write it",
			] as const,
	),
	[
		"an origin whose scheme was not left out",
		sealed((bytes) => {
			const at = Buffer.from(bytes).indexOf("h1.example");
			bytes.set(new TextEncoder().encode("https://x."), at);
			bytes[at - 3] = 20;
			return undefined;
		}),
		"is not as indexes write it",
	],
	[
		"bytes behind the last origin",
		sealed((bytes) => Uint8Array.from([...bytes, 0])),
		"36 programs, 1 bytes",
	],
	[
		"an origin twice",
		sealed((bytes) => {
			const at = Buffer.from(bytes).indexOf("h1.example");
			bytes.set(new TextEncoder().encode("h2.example"), at);
			return undefined;
		}),
		"twice",
	],
];

describe("bytes that are not a snapshot are refused", () => {
	test.each(
		refused.map(([what, change, ...parts]) => ({ what, change, parts })),
	)("$what", ({ change, parts }) => {
		const bytes = good.slice();
		const changed = change(bytes, new DataView(bytes.buffer)) ?? bytes;
		const error = thrownBy(() => RobotsIndex.fromBytes(changed));
		expect(error.code).toBe("invalid-byte-code");
		expect(error.message).toContain("not a valid index");
		for (const part of parts) expect(error.message).toContain(part);
	});

	test.each(
		refused.map(([what, change, ...parts]) => ({ what, change, parts })),
	)("$what, in chunks", async ({ change }) => {
		const bytes = good.slice();
		const changed = change(bytes, new DataView(bytes.buffer)) ?? bytes;
		for (const size of [7, 1000]) {
			const error = await rejectionOf(
				RobotsIndex.load(chunksOf(changed, size)),
			);
			expect(error).toMatchObject({ code: "invalid-byte-code" });
			expect(error.message).toContain("not a valid index");
		}
	});

	test("any changed byte is refused or harmless, with or without a right check sum", () => {
		const good = sampleIndex("rfc9309", 4).toBytes();
		const long = `https://h1.example/${"a1".repeat(500)}`;
		for (let at = 0; at < good.length; at++) {
			for (const byte of [0, 0xff, (good[at] ?? 0) ^ 0x80]) {
				const bytes = good.slice();
				bytes[at] = byte;
				if (byte !== good[at] && at > 7)
					expect(() => RobotsIndex.fromBytes(bytes)).toThrow("checksum");
				sealIndex(bytes);
				try {
					const loaded = RobotsIndex.fromBytes(bytes);
					loaded.matchMany([...urls, long]);
				} catch (error) {
					expect(error).toBeInstanceOf(RobotrieError);
				}
			}
		}
	});
});
