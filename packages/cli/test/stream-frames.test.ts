import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accessFor } from "../../../src/access.ts";
import { RobotsIndex, RobotsTxt, Verdict } from "../../../src/index.ts";
import { casesOf } from "../../../test/cases.ts";
import {
	answered,
	columnFrame,
	documented,
	errorReply,
	firstReply,
	frame,
	framesOf,
	offsetsFrame,
	recordFrame,
	repliedTo,
	reply,
} from "../../../test/frames.ts";
import { LONGEST_FRAME, LONGEST_URL } from "../src/stream/frames.ts";

const { Allowed, Disallowed, Invalid, Unknown } = Verdict;
const AGENT = "ExampleBot";
const ORIGIN = "https://h.example";
const ROBOTS = "User-agent: *\nDisallow: /a\n";
const record = recordFrame(ORIGIN, 200, ROBOTS);
const index = new RobotsIndex({ agent: AGENT });
index.set(ORIGIN, ROBOTS);

const [frames, allReplies] = documented();
const first = firstReply([AGENT]);
const replies = allReplies.subarray(first.length);
/** The reply to lines. */
const linesReply = (...runs: readonly Iterable<number>[]) =>
	repliedTo("L", ...runs);
const u32 = (number: number) => Buffer.from(Uint32Array.of(number).buffer);
const vectors: readonly {
	readonly url: string;
	readonly shards: Readonly<Record<string, number>>;
}[] = JSON.parse(
	readFileSync(
		new URL("../../../test/data/shard-vectors.json", import.meta.url),
		"utf8",
	),
);

/** Where the documented frames end, and the bytes of replies that are due there. */
function borders(): Map<number, number> {
	const ends = new Map([[0, 0]]);
	let due = 0;
	for (let at = 0; at < frames.length; ) {
		const type = String.fromCharCode(frames[at] ?? 0);
		at += 5 + frames.readUInt32LE(at + 1);
		if (type !== "R") due += 5 + replies.readUInt32LE(due + 1);
		ends.set(at, due);
	}
	return ends;
}

describe("The documented example", () => {
	const ends = borders();

	test("begins with the version, the dialect and the crawler", () => {
		expect(allReplies.subarray(0, first.length)).toEqual(first);
	});

	test("has three frames and is answered as documented", async () => {
		expect([...ends.keys()].at(-1)).toBe(frames.length);
		expect(ends.size).toBe(4);
		expect(await answered([frames], [AGENT])).toMatchObject({ replies });
	});

	test("cut at any byte, whole frames are answered, and the rest is an error", async () => {
		let due = 0;
		for (let cut = 0; cut < frames.length; cut++) {
			due = ends.get(cut) ?? due;
			const found = await answered([frames.subarray(0, cut)], [AGENT]);
			expect(found.replies).toEqual(replies.subarray(0, due));
			if (ends.has(cut)) expect(found.error).toBeUndefined();
			else
				expect(found.error).toMatch(
					/^frame \d( \([RAL]\))?: the input ends after \d+ of \d+ bytes$/,
				);
		}
	});

	test("any split into chunks gives the same replies", async () => {
		for (let at = 0; at <= frames.length; at++) {
			const chunks = [frames.subarray(0, at), frames.subarray(at)];
			expect((await answered(chunks, [AGENT])).replies).toEqual(replies);
		}
		for (const size of [1, 2, 3, 7]) {
			const chunks = Array.from(
				{ length: Math.ceil(frames.length / size) },
				(_, i) => frames.subarray(i * size, (i + 1) * size),
			);
			expect((await answered(chunks, [AGENT])).replies).toEqual(replies);
		}
	});
});

const none = Buffer.alloc(0);
const long = `${ORIGIN}/a${"x".repeat(70 * 1024)}`;
const texts: readonly [
	name: string,
	text: string | Uint8Array,
	verdict: number,
][] = [
	["a line feed", `${ORIGIN}/\na`, Disallowed],
	["line feeds alone", "\n\n", Invalid],
	["a line feed at the end", `${ORIGIN}/a\n`, Disallowed],
	["a CR at the end", `${ORIGIN}/b\r`, Allowed],
	["a CR within", `${ORIGIN}/\ra`, Disallowed],
	["a NUL", `${ORIGIN}/b\0c`, Allowed],
	["a NUL in the host", "https://h\0.example/", Invalid],
	["nothing", "", Invalid],
	["null", "null", Invalid],
	["70 KiB", long, Disallowed],
	["a path", "/a", Invalid],
	["another origin", "https://other.example/a", Unknown],
	["no UTF-8", Buffer.from(`${ORIGIN}/a\xff`, "latin1"), Disallowed],
	["no UTF-8 in the host", Buffer.from("https://\xff/", "latin1"), Invalid],
];

test.each(texts)(
	"a column: %s does not shift its neighbours",
	async (_, text, verdict) => {
		const column = [`${ORIGIN}/a`, text, `${ORIGIN}/b`, text];
		for (const width of [4, 8] as const) {
			const found = await answered(
				[record, columnFrame(column, width, width * 3)],
				[AGENT],
			);
			expect(found).toEqual({
				badOrigins: [],
				replies: reply([Disallowed, verdict, Allowed, verdict]),
			});
		}
	},
);

describe("A text that is too long for a URL", () => {
	const room = LONGEST_URL - Buffer.byteLength("https://é.example/");
	const most = `https://é.example/${"x".repeat(room)}`;
	const column = [`${ORIGIN}/a`, most, `${most}x`, `${ORIGIN}/b`];
	const wanted = [Disallowed, Unknown, Invalid, Allowed];

	test.each([4, 8] as const)("is invalid in a column of %i", async (width) => {
		const rules = [record, columnFrame(column, width, 9)];
		expect(await answered(rules, [AGENT, "OtherBot"])).toEqual({
			badOrigins: [],
			replies: reply(wanted, wanted),
		});
	});

	test.each(["\n", "\r\n"])("is invalid in lines ended by %j", async (end) => {
		for (const last of [end, ""]) {
			const lines = Buffer.from(column.join(end) + last);
			const found = await answered([record, frame("L", lines)], [AGENT]);
			expect(found).toEqual({ badOrigins: [], replies: linesReply(wanted) });
		}
		const alone = await answered(
			[record, frame("L", Buffer.from(`${most}x`))],
			[AGENT],
		);
		expect(alone.replies).toEqual(linesReply([Invalid]));
	});

	test("has a shard, and is the origin of no record", async () => {
		const frames = [
			frame("H", u32(9), columnFrame([most, `${most}x`]).subarray(5)),
			recordFrame(`${most}xx`, 200, ROBOTS),
		];
		const found = await answered(frames, [AGENT]);
		expect([found.error, found.badOrigins.length]).toEqual([undefined, 1]);
		expect(found.replies).toHaveLength(5 + 2 * 2);
		expect(found.replies.readUInt16LE(5 + 2)).toBe(0);
	});
});

test("a column's verdicts are those of matchMany", async () => {
	const piece = fc.constantFrom(
		ORIGIN,
		"https:",
		"//",
		"/a",
		"/b",
		"h.example",
		"\n",
		"\r",
		"\t",
		" ",
		"\0",
		"\\",
		"é",
		"?",
		"#",
		"%61",
		"@",
		":443",
	);
	const text = fc.array(piece, { maxLength: 6 }).map((all) => all.join(""));
	await fc.assert(
		fc.asyncProperty(fc.array(text), fc.nat(9), async (column, start) => {
			const wanted = reply(index.matchMany(column));
			for (const width of [4, 8] as const)
				expect(
					await answered([record, columnFrame(column, width, start)], [AGENT]),
				).toMatchObject({ replies: wanted });
		}),
		{ numRuns: casesOf(300) },
	);
});

test("a column of several chunks", async () => {
	const column = Array.from(
		{ length: 100_000 },
		(_, i) => `${ORIGIN}/${"ab\n"[i % 3]}${i}`,
	);
	const found = await answered([record, columnFrame(column)], [AGENT]);
	expect(found.replies.equals(reply(index.matchMany(column)))).toBe(true);
});

const statuses = [
	0, 1, 99, 100, 200, 204, 299, 300, 301, 304, 308, 400, 403, 404, 410, 429,
	451, 500, 503, 599, 600, 999, 32767,
];

describe.each(["rfc9309", "google", "yandex"] as const)(
	"Records in the %s dialect",
	(dialect) => {
		test.each(statuses)(
			"status %i means what accessFor says",
			async (status) => {
				const outcome =
					status === 0
						? { failure: { code: "connection" as const, message: "none" } }
						: { status, body: Buffer.from(ROBOTS) };
				const later = [Verdict.Later, Verdict.Later];
				// A redirect that nobody followed: accessFor throws.
				const wanted = [300, 301, 308].includes(status)
					? later
					: {
							rules: [Disallowed, Allowed],
							"allow-all": [Allowed, Allowed],
							"disallow-all": later,
						}[accessFor(outcome, null, { dialect }).access];
				const found = await answered(
					[
						recordFrame(ORIGIN, status, ROBOTS),
						columnFrame([`${ORIGIN}/a`, `${ORIGIN}/b`]),
					],
					[AGENT],
					dialect,
				);
				expect(found.replies).toEqual(reply(wanted));
			},
		);
	},
);

describe("Shards", () => {
	const shardsFrame = (shards: number, urls: readonly string[]) =>
		frame("H", u32(shards), columnFrame(urls).subarray(5));
	const urls = vectors.map(({ url }) => url);

	test("of a host in capitals, where the URL standard leaves them", async () => {
		const alike = ["foo://EXAMPLE.com/", "https://example.com/"];
		const { replies } = await answered([shardsFrame(256, alike)], []);
		const shards = Buffer.from(Uint16Array.of(185, 185).buffer);
		expect(replies).toEqual(frame("H", shards));
	});

	test.each(["7", "16", "256"])("%s of the test vectors", async (shards) => {
		const { replies } = await answered(
			[shardsFrame(Number(shards), [...urls, "nonsense"])],
			[],
		);
		const numbers = [...vectors.map((one) => one.shards[shards] ?? -1), 0];
		expect(replies).toEqual(
			frame("H", Buffer.from(Uint16Array.from(numbers).buffer)),
		);
	});

	test.each([
		[0, "frame 1 (H): the number of shards is from 1 to 4096, not 0"],
		[4097, "frame 1 (H): the number of shards is from 1 to 4096, not 4097"],
	])("%i of them are an error", async (shards, error) => {
		const found = await answered([shardsFrame(shards, urls)], []);
		expect(found).toEqual({ replies: errorReply(error), badOrigins: [] });
	});
});

test("a record whose origin is none is left out", async () => {
	const found = await answered(
		[recordFrame("nonsense", 200, ROBOTS), columnFrame(["nonsense"])],
		[AGENT],
	);
	expect(found).toEqual({
		badOrigins: ["nonsense"],
		replies: reply([Invalid]),
	});
});

const snapshotReply = (bytes: Uint8Array) => frame("S", bytes);
const google = new RobotsIndex({ agent: AGENT, dialect: "google" });
google.set(ORIGIN, ROBOTS);
const other = new RobotsIndex({ agent: "OtherBot" });
other.set(ORIGIN, "User-agent: *\nDisallow: /b\n");
const ab = frame("L", Buffer.from(`${ORIGIN}/a\r\n${ORIGIN}/b`));

const rows: readonly [
	name: string,
	input: readonly Uint8Array[],
	agents: readonly (string | readonly string[])[],
	wanted: readonly Uint8Array[],
][] = [
	["no frames", [], [AGENT], []],
	[
		"lines end in LF, CRLF or the end",
		[record, ab],
		[AGENT],
		[linesReply([0, 1])],
	],
	["no lines", [record, frame("L")], [AGENT], [linesReply([])]],
	["an empty column", [columnFrame([])], [AGENT], [reply([])]],
	["no rules", [ab], [AGENT], [linesReply([Unknown, Unknown])]],
	["clear", [record, frame("C"), ab], [AGENT], [linesReply([2, 2])]],
	[
		"a snapshot names the crawler",
		[frame("I", index.toBytes()), ab],
		[],
		[linesReply([0, 1])],
	],
	[
		"a snapshot names the dialect",
		[frame("I", google.toBytes()), ab],
		[],
		[linesReply([0, 1])],
	],
	[
		"a snapshot replaces all rules",
		[
			recordFrame("https://gone.example", 404, ""),
			frame("I", index.toBytes()),
			frame("L", Buffer.from("https://gone.example/")),
		],
		[AGENT],
		[linesReply([Unknown])],
	],
	[
		"after a snapshot and clear, records count for its crawler",
		[
			frame("I", other.toBytes()),
			frame("C"),
			recordFrame(ORIGIN, 200, "User-agent: OtherBot\nDisallow: /b\n"),
			ab,
		],
		[],
		[linesReply([1, 0])],
	],
	["save", [record, frame("S")], [AGENT], [snapshotReply(index.toBytes())]],
	[
		"each crawler has its run",
		[
			recordFrame(
				ORIGIN,
				200,
				"User-agent: OtherBot\nDisallow: /b\n\nUser-agent: *\nDisallow: /a\n",
			),
			ab,
			columnFrame([`${ORIGIN}/a`, `${ORIGIN}/b`, "x"]),
		],
		[AGENT, "OtherBot"],
		[linesReply([0, 1], [1, 0]), reply([0, 1, 3], [1, 0, 3])],
	],
	[
		"a snapshot replaces the rules of its crawler",
		[record, frame("I", other.toBytes()), ab, frame("S")],
		[AGENT, "OtherBot"],
		[
			linesReply([0, 1], [1, 0]),
			snapshotReply(index.toBytes()),
			snapshotReply(other.toBytes()),
		],
	],
	[
		"tokens to fall back to",
		[recordFrame(ORIGIN, 200, "User-agent: OtherBot\nDisallow: /\n"), ab],
		[[AGENT, "OtherBot"]],
		[linesReply([0, 0])],
	],
];

test.each(rows)("%s", async (_, input, agents, wanted) => {
	expect(await answered(input, agents)).toEqual({
		replies: Buffer.concat(wanted),
		badOrigins: [],
	});
});

/** A frame whose header names a length that it does not have. */
const claiming = (type: string, length: number) => {
	const bytes = frame(type);
	bytes.writeUInt32LE(length, 1);
	return bytes;
};
const damaged = index.toBytes();
damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1;

const faults: readonly [
	name: string,
	input: Uint8Array,
	error: RegExp | string,
][] = [
	[
		"unknown type",
		frame("X"),
		"frame 2: its type is 0x58, not one of I, R, C, A, L, S, H, P, B, T",
	],
	[
		"unknown type, a line feed",
		Buffer.alloc(5, "\n"),
		"frame 2: its type is 0x0a, not one of I, R, C, A, L, S, H, P, B, T",
	],
	[
		"length over the limit",
		claiming("L", LONGEST_FRAME + 1),
		"frame 2 (L): its length of 1073741825 bytes is above the limit of 1073741824",
	],
	[
		"length at the limit",
		claiming("A", LONGEST_FRAME),
		"frame 2 (A): the input ends after 90 of 1073741824 bytes",
	],
	[
		"clear with a payload",
		frame("C", none, u32(1)),
		"frame 2 (C): its length is 4, not 0",
	],
	[
		"save with a payload",
		frame("S", u32(1)),
		"frame 2 (S): its length is 4, not 0",
	],
	[
		"offset width 2",
		frame("A", Buffer.from([2]), u32(0), u32(0)),
		"frame 2 (A): the offset width is 4 or 8, not 2",
	],
	[
		"no number of rows",
		frame("A", u32(4)),
		/^frame 2 \(A\): 4 bytes are fewer than the 5 /,
	],
	[
		"too few offsets",
		frame("A", Buffer.from([4]), u32(3), u32(0)),
		"frame 2 (A): 4 offsets of 4 bytes need 21 bytes, and there are 9",
	],
	[
		"more rows than bytes",
		frame("A", Buffer.from([8]), u32(0xffffffff)),
		/^frame 2 \(A\): 4294967296 offsets of 8 bytes need 34359738373 /,
	],
	[
		"offsets that fall",
		offsetsFrame(4, [0, 2, 1], Buffer.from("ab")),
		/^frame 2 \(A\): offsets\[2\] is from 2, .* to 2, .* not 1$/,
	],
	[
		"offsets that fall, 8 bytes",
		offsetsFrame(8, [0, 2, 1], Buffer.from("ab")),
		/^frame 2 \(A\): offsets\[2\] is from 2, .* to 2, .* not 1$/,
	],
	[
		"a negative offset",
		offsetsFrame(4, [-1, 0], Buffer.from("ab")),
		/^frame 2 \(A\): .*-1/,
	],
	[
		"an offset beyond the bytes",
		offsetsFrame(4, [0, 3], Buffer.from("ab")),
		/^frame 2 \(A\): offsets\[1\] is from 0, .* to 2, .* not 3$/,
	],
	[
		"an offset beyond 2 ** 53",
		offsetsFrame(8, [0, 2 ** 60], Buffer.from("ab")),
		/^frame 2 \(A\): .* not 1152921504606846976$/,
	],
	[
		"a lone offset beyond the bytes",
		offsetsFrame(4, [7], Buffer.from("ab")),
		/^frame 2 \(A\): offsets\[0\] is from 0 to 2, .* not 7$/,
	],
	[
		"a short record",
		frame("R", u32(0)),
		"frame 2 (R): 4 bytes are fewer than the 6 of a record without origin and body",
	],
	[
		"an origin beyond its record",
		frame("R", u32(9), Buffer.alloc(6)),
		"frame 2 (R): its origin of 9 bytes does not fit in the 4 that are left",
	],
	[
		"a negative status",
		recordFrame(ORIGIN, -1, ""),
		"frame 2 (R): its status is -1, less than 0",
	],
	[
		"no number of shards",
		frame("H", Buffer.alloc(3)),
		"frame 2 (H): 3 bytes are fewer than the 4 of its number of shards",
	],
	["no snapshot", frame("I"), /^frame 2 \(I\): /],
	["a damaged snapshot", frame("I", damaged), /^frame 2 \(I\): /],
	[
		"half a snapshot",
		frame("I", index.toBytes().subarray(0, 40)),
		/^frame 2 \(I\): /,
	],
	[
		"a snapshot of another crawler",
		frame("I", other.toBytes()),
		"frame 2 (I): the snapshot is for OtherBot, not for ExampleBot",
	],
	[
		"a snapshot in another dialect",
		frame("I", google.toBytes()),
		"frame 2 (I): the snapshot is in the google dialect, not in rfc9309",
	],
];

const LF = 10;
const isFatal = (sentence: string) =>
	/ is above the limit of |: the input ends after /.test(sentence);

test.each(faults)("%s is answered with a sentence", async (_, input, error) => {
	const found = await answered([ab, input, ab, ab], [AGENT]);
	const [before, told, ...after] = framesOf(found.replies);
	expect(before).toEqual({ type: "L", payload: Buffer.of(Unknown, Unknown) });
	const sentence = found.error ?? told?.payload.toString() ?? "";
	expect(sentence).toEqual(
		typeof error === "string" ? error : expect.stringMatching(error),
	);
	expect(sentence).not.toContain("\n");
	if (isFatal(sentence) || input[0] === LF) return expect(told).toBeUndefined();
	expect(found.error).toBeUndefined();
	expect(told?.type).toBe("E");
	// Faults of frames without replies take the place of the next reply, others are replies of their own.
	const isSilent = ["I", "R", "C"].includes(String.fromCharCode(input[0] ?? 0));
	expect(after).toEqual(Array(isSilent ? 1 : 2).fill(before));
});

describe("A fault in a frame without reply", () => {
	const wrong = frame("C", u32(1));
	const sentence = "frame 2 (C): its length is 4, not 0";

	test("is told in place of the next reply, whatever comes between", async () => {
		const input = [record, wrong, frame("R"), frame("I"), record, ab, ab];
		const found = await answered(input, [AGENT]);
		expect(found.replies).toEqual(
			Buffer.concat([errorReply(sentence), linesReply([0, 1])]),
		);
	});

	test("that no reply has told ends it", async () => {
		const found = await answered([record, wrong, record], [AGENT]);
		expect(found).toEqual({
			replies: none,
			badOrigins: [],
			error: sentence,
		});
	});

	test("of a snapshot that is cut at any byte is told, and the next frame is found", async () => {
		const bytes = index.toBytes();
		for (let size = 0; size < bytes.length; size++) {
			const cut = frame("I", bytes.subarray(0, size));
			const found = await answered([record, cut, ab, ab], [AGENT]);
			const [told, next, ...more] = framesOf(found.replies);
			expect([told?.type, more]).toEqual(["E", []]);
			expect(next).toEqual({ type: "L", payload: Buffer.of(0, 1) });
		}
		const longer = frame("I", bytes, Buffer.alloc(300_000));
		const found = await answered([longer, ab], [AGENT]);
		expect(framesOf(found.replies)).toHaveLength(1);
	});
});

test("faulty frames between good ones change nothing of their replies", async () => {
	const good = fc.constantFrom(
		ab,
		columnFrame([`${ORIGIN}/a`, "x"]),
		frame("S"),
		frame("H", u32(9), columnFrame([ORIGIN]).subarray(5)),
	);
	const faulty = fc.constantFrom(
		frame("X", u32(7)),
		frame("S", u32(1)),
		frame("H"),
		frame("A"),
		offsetsFrame(4, [0, 9], none),
		frame("P"),
		frame("P", Buffer.of(0xff)),
	);
	const some = fc.array(fc.oneof(good, faulty), { maxLength: 12 });
	const badOnes = new Set(["X", "P"]);
	await fc.assert(
		fc.asyncProperty(some, async (all) => {
			const found = await answered([record, ...all], [AGENT]);
			expect(found.error).toBeUndefined();
			const replied = framesOf(found.replies);
			expect(replied).toHaveLength(all.length);
			for (const [i, input] of all.entries()) {
				const alone = await answered([record, input], [AGENT]);
				const [wanted] = framesOf(alone.replies);
				const type = String.fromCharCode(input[0] as number);
				if (badOnes.has(type)) expect(wanted?.type).toBe("E");
				if (wanted?.type === "E") expect(replied[i]?.type).toBe("E");
				else expect(replied[i]).toEqual(wanted);
			}
		}),
		{ numRuns: casesOf(100) },
	);
});

test.each([
	["A", columnFrame([])],
	["L", ab],
	["S", frame("S")],
])("%s without a crawler is an error", async (type, input) => {
	expect(await answered([input], [])).toEqual({
		replies: errorReply(
			`frame 1 (${type}): no crawler is named: pass --agent or --index, or send a snapshot first`,
		),
		badOrigins: [],
	});
});

test("a robots.txt is read up to the size limit of its dialect", async () => {
	const body = Buffer.concat([
		Buffer.from("User-agent: *\n"),
		Buffer.alloc(600_000, "#\n"),
		Buffer.from("Disallow: /a\n"),
	]);
	const isAllowed = RobotsTxt.parse(body).isAllowed("/a", AGENT);
	const found = await answered([recordFrame(ORIGIN, 200, body), ab], [AGENT]);
	expect(found.replies).toEqual(linesReply([Number(isAllowed), 1]));
});
