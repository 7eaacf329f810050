import fc from "fast-check";
import { expect, test } from "vitest";
import { type AuditOptions, LogAudit } from "../../src/audit.ts";
import { scanSettings } from "../../src/log/audit.ts";
import { EvenSteps } from "../../src/log/even-steps.ts";
import { formatOf } from "../../src/log/formats.ts";
import { packed } from "../../src/log/packed-counts.ts";
import { LogScanner } from "../../src/log/scanner.ts";
import { pack, unpack } from "../../src/log/state-codec.ts";

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
				const lines = requests.map(line);
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
		{ numRuns: 50 },
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
		{ numRuns: 60 },
	);
});
