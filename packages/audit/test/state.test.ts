import fc from "fast-check";
import { expect, test } from "vitest";
import { casesOf } from "../../../test/cases.ts";
import { packed } from "../src/count/packed-counts.ts";
import { EvenSteps } from "../src/count/totals.ts";
import { formatOf } from "../src/formats/formats.ts";
import { type AuditOptions, LogAudit } from "../src/index.ts";
import { scanSettings } from "../src/options/options.ts";
import { LogScanner } from "../src/scan/scanner.ts";
import { htmlReport } from "../src/show/html.ts";
import { sealState } from "../src/state/state.ts";
import { pack, unpack } from "../src/state/state-codec.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const options: AuditOptions = {
	robots: [
		{
			file: "robots.txt",
			bytes: encode("User-agent: *\nDisallow: /b\nCrawl-delay: 2\n"),
		},
	],
	format: "combined",
	keepState: true,
};

const request = fc.record({
	name: fc.integer({ min: 0, max: 30 }),
	target: fc.constantFrom("/", "/b", "/robots.txt", "*"),
	hour: fc.integer({ min: 10, max: 23 }),
});
type Request = typeof request extends fc.Arbitrary<infer T> ? T : never;

const line = ({ name, target, hour }: Request) =>
	`192.0.2.1 - - [14/Oct/2025:${hour}:00:00 +0000] "GET ${target} HTTP/1.1" 200 5 "-" "New${name}Bot/1.0"\n`;

/** Of no log. */
const empty = await new LogAudit(options).state();

async function auditOf(lines: readonly string[]): Promise<LogAudit> {
	const audit = new LogAudit(options);
	await audit.add("a.log", [encode(lines.join(""))]);
	return audit;
}

test("states of parts, added one after the other or merged two by two, give the report of the whole log", () =>
	fc.assert(
		fc.asyncProperty(
			fc.array(request, { maxLength: 60 }),
			fc.array(fc.nat(60), { maxLength: 3 }),
			async (requests, cuts) => {
				// States are added in the order of time.
				const lines = requests.toSorted((a, b) => a.hour - b.hour).map(line);
				const whole = (await auditOf(lines)).report();
				const bounds = [0, ...cuts.sort((a, b) => a - b), lines.length];
				const all = new LogAudit(options);
				const again = new LogAudit(options);
				for (const [index, end] of bounds.slice(1).entries()) {
					const part = await auditOf(lines.slice(bounds[index], end));
					await all.addState(await part.state());
					await part.addState(empty);
					await again.addState(await part.state());
				}
				const last = new LogAudit(options);
				await last.addState(await again.state());
				expect(all.report()).toEqual(whole);
				expect(last.report()).toEqual(whole);
			},
		),
		{ numRuns: casesOf(50) },
	));

test("a state that is damaged at its end adds nothing", async () => {
	const one = await (
		await auditOf([line({ name: 1, target: "/b", hour: 12 })])
	).state();
	const audit = new LogAudit(options);
	const before = audit.report();
	await expect(audit.addState(one.subarray(0, -1), "a.state")).rejects.toThrow(
		"cannot merge a.state: it is cut off",
	);
	expect(audit.report()).toEqual(before);
});

test("a state that begins before the one added last is refused", async () => {
	const [early, late] = await Promise.all(
		[12, 13].map(async (hour) =>
			(await auditOf([line({ name: 1, target: "/b", hour })])).state(),
		),
	);
	const audit = new LogAudit(options);
	await audit.addState(late as Uint8Array);
	await audit.addState(empty);
	const before = audit.report();
	await expect(
		audit.addState(early as Uint8Array, "early.state"),
	).rejects.toThrow(
		"cannot merge early.state: it begins at 2025-10-14T12:00:00.000Z, before the state added last (2025-10-14T13:00:00.000Z); add states in the order of time",
	);
	expect(audit.report()).toEqual(before);
});

test("a state may come in a Buffer, at an odd place of its memory", async () => {
	const audit = await auditOf([line({ name: 1, target: "/b", hour: 12 })]);
	const state = await audit.state();
	const padded = Buffer.concat([Buffer.of(1), state]);
	const other = new LogAudit(options);
	await other.addState(padded.subarray(1));
	expect(other.report()).toEqual(audit.report());
});

const plain: readonly (readonly [string, unknown])[] = [
	["numbers", [0, -1, 1.5, 2 ** 53 - 1, Number.NaN, Number.POSITIVE_INFINITY]],
	["texts", ["", "é", "\0", "a".repeat(300)]],
	["objects", { a: { b: [null, true, false] } }],
	["bytes", Uint8Array.of(1, 2, 3)],
	["doubles", Float64Array.of(1.5, Number.NaN, -1)],
	["an empty typed array", new Float64Array(0)],
	["floats", Float32Array.of(1.5)],
	["unsigned", Uint32Array.of(2 ** 32 - 1)],
	["signed", Int32Array.of(-1)],
	["short", Uint16Array.of(65535)],
	["a date", new Date(1.5e12)],
	["a map", new Map([["a", new Map([[1, [2]]])]])],
	["a set", new Set([1, "a"])],
];
test.each(plain)("%s come back from a state as they were", (_, value) => {
	expect(unpack(pack(value))).toEqual(value);
	expect(unpack(Buffer.from(pack([value])))).toEqual([value]);
});

test("segments that go into a state are the same, whichever scanner counted which of them", () => {
	const settings = scanSettings(options, false);
	const days = fc.record({
		name: fc.nat(3),
		target: fc.constantFrom("/", "/b", "/robots.txt", "*"),
		day: fc.integer({ min: 10, max: 28 }),
		hour: fc.integer({ min: 10, max: 23 }),
	});
	fc.assert(
		fc.property(
			fc.array(fc.record({ thread: fc.nat(2), requests: fc.array(days) }), {
				minLength: 2,
				maxLength: 6,
			}),
			(parts) => {
				const bytesOf = (threads: readonly number[]) => {
					const scanners: LogScanner[] = [];
					const steps = new EvenSteps();
					return parts.map(({ requests }, at) => {
						const thread = threads[at] ?? 0;
						scanners[thread] ??= new LogScanner(settings);
						const scanner = scanners[thread];
						scanner.begin(formatOf("combined"));
						for (const { day, ...request } of requests)
							scanner.feed(encode(line(request).replace("14/", `${day}/`)));
						return pack(packed(steps.of(scanner.end())));
					});
				};
				const threads = parts.map(({ thread }) => thread);
				expect(bytesOf(threads)).toEqual(bytesOf([]));
			},
		),
		{ numRuns: casesOf(60) },
	);
});

/** A state whose parts were changed by hand, with right checksums. */
let forgeable: LogAudit | undefined;
async function forged(
	change: (part: Record<string, unknown>, numbers: Float64Array) => void,
	changeSettings: (settings: Record<string, unknown>) => void = () => {},
): Promise<Uint8Array> {
	forgeable ??= await auditOf(
		(<const>[
			{ name: 1, target: "/b", hour: 12 },
			{ name: 1, target: "/robots.txt", hour: 13 },
			{ name: 1, target: "/", hour: 14 },
			{ name: 2, target: "/b", hour: 15 },
		]).map(line),
	);
	return changed(
		await forgeable.state(),
		(part) => {
			const { crawlers } = segmentOf(part) as { crawlers: never };
			change(part, (crawlers as { numbers: Float64Array }).numbers);
		},
		changeSettings,
	);
}

/** A state whose segments or settings were changed, with right checksums. */
async function changed(
	state: Uint8Array,
	change: (part: Record<string, unknown>) => void,
	changeSettings: (settings: Record<string, unknown>) => void = () => {},
): Promise<Uint8Array> {
	const view = new DataView(state.buffer, state.byteOffset, state.length);
	const frames: Uint8Array[] = [];
	for (let at = 8; at < state.length; ) {
		const end = at + 8 + view.getUint32(at, true);
		const value = unpack(state.subarray(at + 8, end)) as Record<
			string,
			unknown
		> | null;
		if (value && "segment" in value) change(value);
		else if (value) changeSettings(value);
		const payload = pack(value);
		const head = new DataView(new ArrayBuffer(8));
		head.setUint32(0, payload.length, true);
		frames.push(new Uint8Array(head.buffer), payload);
		at = end;
	}
	const whole = Buffer.concat([state.subarray(0, 8), ...frames]);
	sealState(whole);
	return whole;
}

/** Each number of the counters in turn becomes one that no scanner counts. */
const strange = [
	Number.NaN,
	Number.POSITIVE_INFINITY,
	Number.NEGATIVE_INFINITY,
	-1,
	0.5,
	1e6,
	2 ** 32,
	2 ** 53,
	1e300,
];
test("a state whose numbers were changed, with right checksums, is refused or counts: nothing else, and at once", async () => {
	let size = 0;
	await forged((_, numbers) => {
		size = numbers.length;
	});
	let refused = 0;
	for (let place = 0; place < size; place++)
		for (let i = 0; i < 3; i++) {
			const number = strange[(place + 3 * i) % strange.length] as number;
			const state = await forged((_, numbers) => {
				numbers[place] = number;
			});
			const audit = new LogAudit(options);
			try {
				await audit.addState(state);
				htmlReport(audit.report());
			} catch (error) {
				expect(error).toMatchObject({
					code: "invalid-argument",
					message: "cannot merge the state: it is damaged",
				});
				expect(audit.lines).toBe(0);
				refused++;
			}
		}
	expect(refused).toBeGreaterThan(size);
});

/** Requests of browsers, of which only what is given is wrong. */
function visitsRows(
	rows: readonly (readonly [string, object | undefined])[],
): [string, (part: Part) => void][] {
	return rows.map(([name, change]) => [
		name,
		(part) => {
			const visits = change && {
				clients: ["192.0.2.1"],
				systems: [],
				log: Uint8Array.of(1, 0),
				...change,
			};
			Object.assign(segmentOf(part), { visits });
		},
	]);
}

type Part = Record<string, never>;
const segmentOf = (part: object) =>
	(part as { segment: Record<string, unknown> }).segment;
const crawlersOf = (part: object) =>
	segmentOf(part).crawlers as Record<string, unknown[]>;

test.each<[string, (part: Part, numbers: Float64Array) => void]>([
	["no texts", (part) => Object.assign(crawlersOf(part), { texts: [] })],
	["a text too many", (part) => void crawlersOf(part).texts?.push("a")],
	["no rules", (part) => Object.assign(crawlersOf(part), { rules: [] })],
	["a rule too many", (part) => void crawlersOf(part).rules?.push({})],
	[
		"a rule of no version",
		(part) =>
			Object.assign(crawlersOf(part).rules?.[0] as object, { version: 9 }),
	],
	[
		"a rule without examples",
		(part) =>
			Object.assign(crawlersOf(part).rules?.[0] as object, { examples: 5 }),
	],
	[
		"counters that are no numbers",
		(part) => void (segmentOf(part).counters as unknown[]).fill("1"),
	],
	[
		"counters below 0",
		(part) => void (segmentOf(part).counters as unknown[]).fill(-1),
	],
	[
		"a first time that is none",
		(part) => Object.assign(segmentOf(part), { firstTime: 1e300 }),
	],
	[
		"a last time that is none",
		(part) => Object.assign(segmentOf(part), { lastTime: Number.NaN }),
	],
	[
		"unparsed lines that are none",
		(part) => Object.assign(segmentOf(part), { unparsed: [{ index: "a" }] }),
	],
	[
		"no numbers",
		(part) =>
			Object.assign(crawlersOf(part), {
				numbers: new Float64Array(0) as never,
			}),
	],
	[
		"requests that are no bytes",
		(part) => Object.assign(crawlersOf(part), { requests: [0] }),
	],
	[
		"more requests than its crawlers have",
		(part) =>
			Object.assign(crawlersOf(part), { requests: Uint8Array.of(0, 0) }),
	],
	["bytes below 0", (part) => Object.assign(segmentOf(part), { bytes: -1 })],
	...visitsRows([
		["no requests of browsers", undefined],
		["clients that are no texts", { clients: [1] }],
		["systems that are none", { systems: "AS1" }],
		["more systems than clients", { systems: ["AS1", "AS2"] }],
		["a log that is no bytes", { log: [1, 1] }],
		["a request of no client", { log: Uint8Array.of(17, 0) }],
		["a request that is cut off", { log: Uint8Array.of(1) }],
		["a page without its hash", { log: Uint8Array.of(0, 0) }],
		["a number that goes on", { log: new Uint8Array(20).fill(255) }],
		[
			"a minute of no Date",
			{ log: Uint8Array.of(1, ...new Array(6).fill(255), 127) },
		],
	]),
	[
		"numbers of another type",
		(part) => Object.assign(crawlersOf(part), { numbers: [1] as never }),
	],
])("a part with %s is refused", async (_, change) => {
	const audit = new LogAudit(options);
	await expect(
		audit.addState(await forged(change as never), "a.state"),
	).rejects.toThrow("cannot merge a.state: it is damaged");
});

test.each<[string, object]>([
	["no robots.txt files", { robots: undefined }],
	["a robots.txt without bytes", { robots: [{ file: "a" }] }],
	["a time that is none", { since: new Date(Number.NaN) }],
	["a time that is a text", { since: "2025" }],
	["agents that are numbers", { agents: [1] }],
	["an option of another name", { other: 1 }],
	[
		"a huge whole number",
		{ robots: [{ file: "a", bytes: new Uint8Array(), since: 1e300 }] },
	],
])("settings with %s are refused", async (_, changes) => {
	const state = await forged(
		() => {},
		(settings) => Object.assign(settings, changes),
	);
	const audit = new LogAudit(options);
	await expect(audit.addState(state, "a.state")).rejects.toMatchObject({
		code: "invalid-argument",
		message: expect.stringContaining("cannot merge a.state: it "),
	});
});

/** Of a crawler that took two paths, and of a browser that did. */
const forgedOptions: AuditOptions = { ...options, paths: true, suspects: true };
const forgedLog = [
	line({ name: 1, target: "/b", hour: 12 }),
	line({ name: 1, target: "/", hour: 14 }),
	line({ name: 2, target: "/b", hour: 15 }).replace(
		"New2Bot/1.0",
		"Mozilla/5.0 (Windows NT 10.0) Chrome/1 Safari/1",
	),
];

test("each byte of what was taken and visited becomes another one, with right checksums: refused or counted, and at once", async () => {
	const whole = new LogAudit(forgedOptions);
	await whole.add("a.log", [encode(forgedLog.join(""))]);
	const state = await whole.state();
	const logsOf = (part: object) => [
		crawlersOf(part).requests as unknown as Uint8Array,
		(segmentOf(part).visits as { log: Uint8Array }).log,
	];
	const sizes: number[] = [];
	await changed(state, (part) => {
		for (const log of logsOf(part)) sizes.push(log.length);
	});
	expect(sizes).toEqual([4, expect.any(Number)]);
	let refused = 0;
	for (const [which, size] of sizes.entries())
		for (let at = 0; at < size; at++)
			for (const byte of [0, 1, 2, 16, 127, 128, 255]) {
				const forged = await changed(state, (part) => {
					const log = logsOf(part)[which] as Uint8Array;
					log[at] = byte;
				});
				const audit = new LogAudit(forgedOptions);
				try {
					await audit.addState(forged);
					htmlReport(audit.report());
				} catch (error) {
					expect(error).toMatchObject({
						code: "invalid-argument",
						message: "cannot merge the state: it is damaged",
					});
					expect(audit.lines).toBe(0);
					refused++;
				}
			}
	expect(refused).toBeGreaterThan(10);
});
