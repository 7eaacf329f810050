import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { afterAll, describe, expect, test } from "vitest";
import { auditRows, LogAudit } from "../../packages/audit/src/index.ts";
import { MemoryStore, RobotsClient } from "../../packages/client/src/index.ts";
import { encodeEntry } from "../../packages/client/src/stores/entry.ts";
import { accessFor } from "../../src/access.ts";
import {
	Matcher,
	type RobotrieError,
	RobotsIndex,
	RobotsTxt,
	Verdict,
} from "../../src/index.ts";
import { lint } from "../../src/lint.ts";
import type * as pools from "../../src/pool.ts";

/**
 * What callers give may lie about its length, change it during a call, lose its memory or be a Proxy. Every public door either judges
 * the bytes that are there or refuses them by `invalid-argument`, and whatever other objects hold in linear memory stays as it was.
 */

// The workers of a pool are a file that only the build makes.
const dist = new URL("../../dist/pool.js", import.meta.url).href;
const { RobotsPool } = (await import(dist)) as typeof pools;

const encode = (text: string): Uint8Array<ArrayBuffer> =>
	new Uint8Array(new TextEncoder().encode(text));

const TEXT = "User-agent: *\nDisallow: /private/\n";
const robots = RobotsTxt.parse(TEXT);
const ORIGIN = "https://h.example";

/** Enough of them that programs lie all over linear memory. */
const others = Array.from({ length: 300 }, (_, i) => {
	const more = Array.from({ length: i }, (_, n) => `Disallow: /${i}/${n}*x\n`);
	const text = `User-agent: *\n${more.join("")}Disallow: /no-${i}/\n`;
	const matcher = RobotsTxt.parse(text).for("x");
	matcher.isAllowed("/");
	return matcher;
});
function expectOthersUnharmed(): void {
	const wrong = others.filter(
		(matcher, i) =>
			matcher.isAllowed(`/no-${i}/a`) || !matcher.isAllowed(`/yes-${i}/a`),
	);
	expect(wrong.length).toBe(0);
}

/** Makes what a caller may give of bytes. */
type Make = (bytes: Uint8Array<ArrayBuffer>) => unknown;

function subclassed(members: object): Make {
	return (bytes) => {
		class Bytes extends Uint8Array {}
		Object.defineProperties(
			Bytes.prototype,
			Object.getOwnPropertyDescriptors(members),
		);
		return new Bytes(bytes);
	};
}

/** What TypeScript's libraries do not have yet. */
const resizable = (
	type: typeof ArrayBuffer | typeof SharedArrayBuffer,
	size: number,
	maxByteLength: number,
) => Reflect.construct(type, [size, { maxByteLength }]);
const resize = (buffer: unknown, size: number) =>
	(buffer as { resize(size: number): void }).resize(size);

function tracking(type: typeof ArrayBuffer | typeof SharedArrayBuffer): Make {
	return (bytes) => {
		const buffer = resizable(type, bytes.length, bytes.length + 100);
		const view = new Uint8Array(buffer);
		view.set(bytes);
		return view;
	};
}

/** Bytes that are judged as they are. */
const readable: readonly (readonly [string, Make])[] = [
	[
		"lengths and methods that lie",
		subclassed({
			get length() {
				return 10;
			},
			get byteLength() {
				return 10;
			},
			get byteOffset() {
				return 3;
			},
			subarray: () => new Uint8Array(5_000_000),
			slice: () => null,
			set() {},
			indexOf: () => -9,
			lastIndexOf: () => 1e9,
		}),
	],
	[
		"another species",
		(bytes) => {
			class Bytes extends Uint8Array {
				static get [Symbol.species](): Uint8ArrayConstructor {
					return (() => new Uint8Array(5_000_000)) as never;
				}
			}
			return new Bytes(bytes);
		},
	],
	["a view that tracks a resizable buffer", tracking(ArrayBuffer)],
	["a view that tracks a growable shared buffer", tracking(SharedArrayBuffer)],
	["a Buffer of Node", (bytes) => Buffer.from(bytes)],
];

/** What is refused. */
const refused: readonly (readonly [string, Make])[] = [
	[
		"detached, of a subclass that says otherwise",
		(bytes) => {
			class Bytes extends Uint8Array {
				override get length() {
					return 10;
				}
			}
			const copy = new Bytes(bytes);
			structuredClone(copy.buffer, { transfer: [copy.buffer] });
			return copy;
		},
	],
	[
		"out of bounds",
		(bytes) => {
			const buffer = resizable(ArrayBuffer, bytes.length + 8, bytes.length + 8);
			const view = new Uint8Array(buffer, 4, bytes.length);
			resize(buffer, 2);
			return view;
		},
	],
	["a Proxy", (bytes) => new Proxy(bytes, {})],
	[
		"an object with the class's prototype",
		() => Object.create(Uint8Array.prototype),
	],
];

const LINES = encode(
	Array.from(
		{ length: 2000 },
		(_, i) => `${ORIGIN}/${i % 3 ? "a" : "private"}/${i}\n`,
	).join(""),
);
const OFFSETS = Int32Array.from({ length: 101 }, (_, i) => i * 24);
const COLUMN = encode(
	Array.from({ length: 100 }, (_, i) =>
		`${ORIGIN}/${i % 3 ? "another" : "private"}`.padEnd(24, "/").slice(0, 24),
	).join(""),
);
const LOG = encode(
	Array.from(
		{ length: 3000 },
		(_, i) =>
			`192.0.2.1 - - [14/Oct/2025:10:00:00 +0000] "GET /${i % 3 ? "a" : "private"}/${i} HTTP/1.1" 200 5 "-" "GPTBot/1.0"\n`,
	).join(""),
);
const FILE = encode(TEXT + "# more\n".repeat(5000));
const auditOptions = {
	robots: [{ file: "robots.txt", bytes: FILE }],
	format: "combined",
	keepState: true,
};

const newIndex = () => {
	const index = new RobotsIndex({ agent: "x" });
	index.set(ORIGIN, TEXT);
	return index;
};
const SNAPSHOT = newIndex().toBytes() as Uint8Array<ArrayBuffer>;
const ENTRY = encodeEntry(
	ORIGIN,
	accessFor({ status: 200, body: FILE }),
) as Uint8Array<ArrayBuffer>;

async function stateBytes(): Promise<Uint8Array<ArrayBuffer>> {
	const audit = new LogAudit(auditOptions);
	await audit.add("a.log", [LOG]);
	return new Uint8Array(await audit.state());
}

async function report(
	act: (audit: LogAudit) => Promise<void>,
): Promise<unknown> {
	const audit = new LogAudit(auditOptions);
	await act(audit);
	return audit.report();
}

const sharedPool = await RobotsPool.load(newIndex().toBytes(), {
	workers: 1,
});

async function withPool<T>(
	judge: (pool: pools.RobotsPool) => Promise<T>,
): Promise<T> {
	await sharedPool.set(ORIGIN, TEXT);
	return await judge(sharedPool);
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
	const list: T[] = [];
	for await (const item of items) list.push(item);
	return list;
}

/** A client that gets robots.txt files, or answers of its store, from the caller. */
async function clientAnswer(
	options: object,
	bytes?: Uint8Array,
): Promise<unknown> {
	await using client = new RobotsClient({
		agent: "x",
		fetch: async () => new Response(TEXT),
		...options,
	});
	if (bytes) return await client.matchLines(bytes);
	return [
		await client.isAllowed(`${ORIGIN}/private/a`),
		await client.isAllowed(`${ORIGIN}/a`),
	];
}

interface Door {
	readonly name: string;
	readonly bytes: Uint8Array<ArrayBuffer>;
	/** What comes of bytes, to be compared with what comes of others. */
	readonly pass: (bytes: Uint8Array) => unknown;
	/** Refused bytes do not lead to an error, but to this. */
	readonly otherwise?: unknown;
}

const matcher = robots.for("x");
const doors: readonly Door[] = [
	{
		name: "RobotsTxt.parse",
		bytes: FILE,
		pass: (bytes) => RobotsTxt.parse(bytes).for("x").toBytes(),
	},
	{
		name: "RobotsTxt.parse, asked again after another file",
		bytes: FILE,
		pass: (bytes) => {
			const file = RobotsTxt.parse(bytes);
			const before = file.for("x").toBytes();
			RobotsTxt.parse("User-agent: x\nDisallow: /\n").for("x");
			return [before, file.for("y").toBytes(), file.groups];
		},
	},
	{
		name: "RobotsTxt#canonicalLines",
		bytes: LINES,
		pass: (bytes) =>
			RobotsTxt.parse("Clean-param: a\n", { dialect: "yandex" }).canonicalLines(
				bytes,
			),
	},
	{ name: "lint", bytes: FILE, pass: (bytes) => lint(bytes) },
	{
		name: "Matcher#matchLines",
		bytes: LINES,
		pass: (bytes) => matcher.matchLines(bytes),
	},
	{
		name: "Matcher#matchLines, into",
		bytes: new Uint8Array(4000),
		pass: (into) => new Uint8Array(matcher.matchLines(LINES, into)),
	},
	{
		name: "Matcher#matchMany, into",
		bytes: new Uint8Array(3),
		pass: (into) =>
			new Uint8Array(matcher.matchMany(["/a", "/private/"], into)),
	},
	{
		name: "Matcher#matchColumn",
		bytes: COLUMN,
		pass: (bytes) => matcher.matchColumn(OFFSETS, bytes),
	},
	{
		name: "Matcher#matchColumn, validity",
		bytes: new Uint8Array(13).fill(0x55),
		pass: (validity) => matcher.matchColumn(OFFSETS, COLUMN, { validity }),
	},
	{
		name: "Matcher#matchColumn, into",
		bytes: new Uint8Array(100),
		pass: (into) =>
			new Uint8Array(matcher.matchColumn(OFFSETS, COLUMN, { into })),
	},
	{
		name: "Matcher.fromBytes",
		bytes: matcher.toBytes() as Uint8Array<ArrayBuffer>,
		pass: (bytes) => Matcher.fromBytes(bytes).toBytes(),
	},
	{
		name: "RobotsIndex#set",
		bytes: FILE,
		pass: (bytes) => {
			const index = newIndex();
			index.set(ORIGIN, bytes);
			return index.matchLines(LINES);
		},
	},
	{
		name: "RobotsIndex#matchLines",
		bytes: LINES,
		pass: (bytes) => newIndex().matchLines(bytes),
	},
	{
		name: "RobotsIndex#matchLines, into",
		bytes: new Uint8Array(2000),
		pass: (into) => new Uint8Array(newIndex().matchLines(LINES, into)),
	},
	{
		name: "RobotsIndex#matchLinesOf",
		bytes: LINES,
		pass: (bytes) => newIndex().matchLinesOf(ORIGIN, bytes),
	},
	{
		name: "RobotsIndex#matchLinesOf, into",
		bytes: new Uint8Array(2000),
		pass: (into) =>
			new Uint8Array(newIndex().matchLinesOf(ORIGIN, LINES, into)),
	},
	{
		name: "RobotsIndex#matchMany, into",
		bytes: new Uint8Array(2),
		pass: (into) => new Uint8Array(newIndex().matchMany([ORIGIN, "/"], into)),
	},
	{
		name: "RobotsIndex#matchColumn",
		bytes: COLUMN,
		pass: (bytes) => newIndex().matchColumn(OFFSETS, bytes),
	},
	{
		name: "RobotsIndex.fromBytes",
		bytes: SNAPSHOT,
		pass: (bytes) => RobotsIndex.fromBytes(bytes).matchLines(LINES),
	},
	{
		name: "RobotsIndex.load",
		bytes: SNAPSHOT,
		pass: async (bytes) => (await RobotsIndex.load([bytes])).matchLines(LINES),
	},
	{
		name: "new RobotsPool",
		bytes: SNAPSHOT,
		pass: async (bytes) => {
			await using pool = new RobotsPool(bytes, { workers: 1 });
			return await pool.matchLines(LINES);
		},
	},
	{
		name: "RobotsPool.load",
		bytes: SNAPSHOT,
		pass: async (bytes) => {
			await using pool = await RobotsPool.load([bytes], { workers: 1 });
			return await pool.matchLines(LINES);
		},
	},
	{
		name: "RobotsPool#matchLines",
		bytes: LINES,
		pass: (bytes) => withPool((pool) => pool.matchLines(bytes)),
	},
	{
		name: "RobotsPool#matchBatches",
		bytes: LINES,
		pass: (bytes) =>
			withPool(async (pool) => all(pool.matchBatches([bytes, bytes]))),
	},
	{
		name: "RobotsPool#matchMany, into",
		bytes: new Uint8Array(2),
		pass: async (into) =>
			new Uint8Array(
				await withPool((pool) => pool.matchMany([ORIGIN, "/"], into)),
			),
	},
	{
		name: "RobotsPool#matchColumn",
		bytes: COLUMN,
		pass: (bytes) => withPool((pool) => pool.matchColumn(OFFSETS, bytes)),
	},
	{
		name: "RobotsPool#set",
		bytes: FILE,
		pass: (bytes) =>
			withPool(async (pool) => {
				await pool.set(ORIGIN, bytes);
				return pool.matchLines(LINES);
			}),
	},
	{
		name: "LogAudit, robots",
		bytes: FILE,
		pass: async (bytes) => {
			const audit = new LogAudit({
				...auditOptions,
				robots: [{ file: "robots.txt", bytes }],
			});
			await audit.add("a.log", [LOG]);
			return [audit.report(), await audit.state()];
		},
	},
	{
		name: "LogAudit#add",
		bytes: LOG,
		pass: (bytes) => report((audit) => audit.add("a.log", [bytes])),
	},
	{
		name: "LogAudit#addState",
		bytes: await stateBytes(),
		pass: (bytes) => report((audit) => audit.addState(bytes)),
	},
	{
		name: "auditRows",
		bytes: LOG,
		pass: (bytes) =>
			all(
				auditRows({ robots: auditOptions.robots, format: "combined" }, [bytes]),
			),
	},
	{
		name: "accessFor, body",
		bytes: FILE,
		pass: (body) =>
			new Uint8Array(
				accessFor({ status: 200, body }, null, { now: 0 }).copy?.body ?? [],
			),
	},
	{
		name: "MemoryStore#set",
		bytes: ENTRY,
		pass: async (bytes) => {
			const store = new MemoryStore();
			await store.set("a", bytes);
			return await store.get("a");
		},
	},
	{
		name: "RobotsClient#matchLines",
		bytes: LINES,
		pass: (bytes) => clientAnswer({}, bytes),
	},
	{
		name: "RobotsClient, what its store gives",
		bytes: ENTRY,
		otherwise: [false, true],
		pass: (bytes) =>
			clientAnswer({
				store: {
					get: async () => bytes,
					set: async () => {},
					delete: async () => {},
					close: async () => {},
				},
			}),
	},
	{
		name: "RobotsClient, what fetch gives",
		bytes: FILE,
		otherwise: [false, false],
		pass: (bytes) =>
			clientAnswer({
				fetch: async () => ({
					status: 200,
					headers: new Headers(),
					body: new ReadableStream({
						start(controller) {
							controller.enqueue(bytes);
							controller.close();
						},
					}),
				}),
			}),
	},
];

const table = doors.map((door) => [door.name, door] as const);

afterAll(() => sharedPool.close());

describe.each(table)("%s", (_, { bytes, pass, otherwise }) => {
	test.each(readable)(
		"takes bytes with %s for what they are",
		async (_, make) => {
			const wanted = await pass(bytes.slice());
			const found = await pass(make(bytes) as Uint8Array);
			expectOthersUnharmed();
			expect(found).toEqual(wanted);
		},
	);

	test.each(refused)("refuses bytes that are %s", async (_, make) => {
		const outcome = await Promise.resolve()
			.then(() => pass(make(bytes) as Uint8Array))
			.catch((error: unknown) => error);
		expectOthersUnharmed();
		if (otherwise) return expect(outcome).toEqual(otherwise);
		expect(outcome).toBeInstanceOf(Error);
		const { name, code } = outcome as RobotrieError;
		expect([name, code]).toEqual(["RobotrieError", "invalid-argument"]);
	});
});

/** A thread that grows a shared buffer at once, so soon after it is asked to. */
const GROWER = `
const { parentPort } = require("node:worker_threads");
parentPort.on("message", ({ buffer, asked, spin }) => {
	Atomics.store(asked, 0, 1);
	while (Atomics.load(asked, 0) === 1);
	for (let i = 0; i < spin; i++) Atomics.load(asked, 0);
	buffer.grow(buffer.maxByteLength);
	Atomics.store(asked, 0, 3);
});`;

test("a buffer that another thread grows while programs are loaded harms no other matcher", async () => {
	const rules = Array.from({ length: 20_000 }, (_, i) => `Disallow: /${i}*x\n`);
	const program = RobotsTxt.parse(`User-agent: *\n${rules.join("")}`)
		.for("x")
		.toBytes();
	const worker = new Worker(GROWER, { eval: true });
	for (let round = 0; round < 30; round++) {
		// It is loaded between the moment that the length is read and that of the copy.
		const large = Matcher.fromBytes(program);
		const buffer = resizable(SharedArrayBuffer, 64, 8_000_000);
		const bytes = new Uint8Array(buffer).fill(10);
		const asked = new Int32Array(new SharedArrayBuffer(4));
		worker.postMessage({ buffer, asked, spin: round * 2000 });
		while (Atomics.load(asked, 0) !== 1) await sleep(1);
		Atomics.store(asked, 0, 2);
		// 65 if this thread was stopped until it had grown: zeros after the last line end are a line.
		expect([64, 65]).toContain(large.matchLines(bytes).length);
		while (Atomics.load(asked, 0) !== 3) await sleep(1);
		expectOthersUnharmed();
	}
	await worker.terminate();
});

/** Objects and arrays with code in them, which runs during a call. */
describe("code of the caller that runs during a call", () => {
	const detach = (bytes: Uint8Array) =>
		structuredClone(bytes.buffer, { transfer: [bytes.buffer as ArrayBuffer] });

	test.each<[string, (into: Uint8Array) => unknown]>([
		[
			"a URL's href",
			(into) =>
				matcher.matchMany(
					[
						Object.defineProperty(new URL(ORIGIN), "href", {
							get() {
								detach(into);
								return "/";
							},
						}),
					],
					into,
				),
		],
		[
			"an element of a Proxy",
			(into) =>
				newIndex().matchMany(
					new Proxy(["/"], {
						get(list, key) {
							if (key === "0") detach(into);
							return Reflect.get(list, key);
						},
					}),
					into,
				),
		],
		[
			"an option",
			(into) =>
				matcher.matchColumn(OFFSETS, COLUMN, {
					get bitOffset() {
						// Node 22 transfers no buffer twice.
						if (into.length > 0) detach(into);
						return 0;
					},
					into,
				}),
		],
	])("%s that detaches `into`", (_, call) => {
		expect(() => call(new Uint8Array(100))).toThrow(
			expect.objectContaining({ code: "invalid-argument" }),
		);
		expectOthersUnharmed();
	});

	test("bytes of a robots.txt that lose their memory, or change, after they were read", () => {
		const bytes = encode(TEXT + "Disallow: /b\n".repeat(500));
		const file = RobotsTxt.parse(bytes, { dialect: "yandex" });
		expect(file.groups.length).toBe(1);
		// Another file takes its place in linear memory: it is read again, as it is now.
		const other = () => RobotsTxt.parse("User-agent: *\nDisallow: /").for("x");
		other();
		bytes.fill(32);
		expect(file.for("x").isAllowed("/private/")).toBe(true);
		detach(bytes);
		other();
		expect(() => file.for("y")).toThrow(/bytes of a robots.txt changed/);
		expectOthersUnharmed();
	});
});

describe("arrays of URLs", () => {
	const many = [
		["a Matcher", (urls: never) => matcher.matchMany(urls)],
		["a RobotsIndex", (urls: never) => newIndex().matchMany(urls)],
		["a RobotsPool", (urls: never) => withPool((pool) => pool.matchMany(urls))],
	] as const;
	class Urls extends Array<string> {
		static override get [Symbol.species](): ArrayConstructor {
			return Object as never;
		}
	}
	const list = Array.from(
		{ length: 30_000 },
		(_, i) => `${ORIGIN}/${i % 2 ? "a" : "private/"}`,
	);
	const verdicts = Uint8Array.from(list, (_, i) =>
		i % 2 ? Verdict.Allowed : Verdict.Disallowed,
	);
	const lengthOf = (length: unknown) =>
		new Proxy(list, {
			get: (target, key) =>
				key === "length" ? length : Reflect.get(target, key),
		});

	describe.each(many)("of %s", (_, matchMany) => {
		test.each<[string, () => unknown]>([
			["a Proxy", () => new Proxy(list, {})],
			["of a subclass with another species", () => Urls.from(list)],
		])("%s", async (_, make) => {
			expect(await matchMany(make() as never)).toEqual(verdicts);
		});

		test.each<[string, () => unknown]>([
			["a Proxy with a length of -1", () => lengthOf(-1)],
			[
				"a Proxy with a length that is too long",
				() => lengthOf(list.length + 1),
			],
		])("%s is refused", async (_, make) => {
			const error = await Promise.resolve()
				.then(() => matchMany(make() as never))
				.catch((error: unknown) => error);
			const { name, code } = error as RobotrieError;
			expect([name, code]).toEqual(["RobotrieError", "invalid-argument"]);
		});
	});
});
