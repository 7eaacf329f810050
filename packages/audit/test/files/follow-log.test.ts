import { appendFileSync, existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { RobotrieErrorCode } from "../../../../src/index.ts";
import type {
	FilesRemark,
	FollowLogOptions,
	LogFollower,
	LogSource,
} from "../../src/files.ts";
import { lines, robots, testFolder } from "./sample.ts";

/** What the build made, so that there is one class of errors. */
const { auditFiles, followLog, mergeStates } = (await import(
	new URL("../../dist/files.js", import.meta.url).href
)) as typeof import("../../src/files.ts");

const { folder, file: written } = testFolder();
let files = 0;
const path = (name: string) => join(folder, `${files++}-${name}`);
const file = (name: string, content: string | Uint8Array) =>
	written(`${files++}-${name}`, content);

const text = (from: number, to?: number) => lines.slice(from, to).join("");
const whole = file("whole.log", text(0));
const expected = (await auditFiles(whole, { robots })).report();
const same = (log: string) => ({ ...expected, logs: [log] });

/** Reads on until so many lines are counted. */
async function until(follower: LogFollower, count: number): Promise<void> {
	const events = follower[Symbol.asyncIterator]();
	while (follower.lines < count) await events.next();
}

test("what is there and what comes is counted, until the signal", async () => {
	const log = file("access.log", text(0, 1000));
	const stop = new AbortController();
	const follower = await followLog(log, { robots, signal: stop.signal });
	const seen: number[] = [];
	for await (const { lines: count } of follower) {
		seen.push(count);
		if (count === 1000) {
			expect((await follower.report()).lines).toBe(1000);
			appendFileSync(log, `${text(1000)}half a line`);
		}
		if (count === lines.length) stop.abort();
	}
	expect(seen).toEqual(seen.toSorted((a, b) => a - b));
	expect(await follower.report()).toEqual(same(log));
	expect(follower.formats).toEqual(["combined"]);
	await follower.close();
});

test("a log that is renamed is read to its end", async () => {
	const log = file("access.log", text(0, 1000));
	const follower = await followLog(log, { robots });
	await until(follower, 1000);
	renameSync(log, `${log}.1`);
	appendFileSync(`${log}.1`, text(1000, 1500));
	writeFileSync(log, text(1500));
	await until(follower, lines.length);
	// The new file may have been found before the old one's last lines.
	const { judged, purposes } = expected;
	expect(await follower.report()).toMatchObject({ judged, purposes });
	await follower.close();
});

test("with a state, the next one goes on, and each line counts once", async () => {
	const log = file("access.log", text(0, 1000));
	const state = path("live.state");
	const first = await followLog(log, { robots, state });
	await until(first, 1000);
	await first.save();
	await first.close();
	appendFileSync(log, text(1000, 2000));
	// One that is closed without saving leaves the state as it was, or as it saved it meanwhile.
	const second = await followLog(log, { robots, state });
	expect(second.lines).toBe(1000);
	await until(second, 2000);
	await second.close();
	appendFileSync(log, text(2000));
	await using third = await followLog(log, { robots, state, saveEvery: 0 });
	await until(third, lines.length);
	await third.save();
	expect(await third.report()).toEqual(same(log));
	expect((await mergeStates(state)).report()).toEqual(same(log));
});

test("a loop that is left ends the reading; a stream ends by itself", async () => {
	const follower = await followLog(whole, { robots });
	for await (const _ of follower) break;
	for await (const _ of follower) expect.unreachable();
	await follower.close();
	const stream = { name: whole, chunks: [gzipSync(text(0).trimEnd())] };
	const streamed = await followLog(stream, { robots });
	for await (const _ of streamed);
	expect(await streamed.report()).toEqual(expected);
	await streamed.close();
});

test("a stream that gives nothing ends with the signal, and by close", async () => {
	async function* silent() {
		yield Buffer.from(text(0));
		await new Promise(() => {});
	}
	const stop = new AbortController();
	const stream = { name: whole, chunks: silent() };
	const follower = await followLog(stream, { robots, signal: stop.signal });
	for await (const _ of follower) stop.abort();
	expect(await follower.report()).toEqual(expected);
	await follower.close();
	const other = await followLog({ ...stream, chunks: silent() }, { robots });
	const events = other[Symbol.asyncIterator]();
	await events.next();
	const next = events.next();
	await other.close();
	expect(await next).toEqual({ done: true, value: undefined });
});

test("a stream that breaks off while nobody waits for it ends the loop with its error", async () => {
	async function* broken() {
		yield Buffer.from(text(0, 10));
		throw new Error("connection reset");
	}
	const stream = { name: whole, chunks: broken() };
	const follower = await followLog(stream, { robots });
	await expect(
		(async () => {
			for await (const _ of follower)
				await new Promise((done) => setImmediate(done));
		})(),
	).rejects.toThrow("connection reset");
	expect((await follower.report()).lines).toBe(10);
	await follower.close();
});

test("after a write that failed nothing is reported or kept, so that the next one counts each line once", async () => {
	const log = file("access.log", text(0, 1000));
	const state = path("failed.state");
	const write = () => {
		throw new Error("disk full");
	};
	const first = await followLog(log, { robots, state, each: { write } });
	const next = first[Symbol.asyncIterator]().next();
	await expect(next).rejects.toThrow("disk full");
	await expect(first.report()).rejects.toThrow("disk full");
	await expect(first.save()).rejects.toThrow("disk full");
	await first.close();
	await using second = await followLog(log, { robots, state });
	await until(second, 1000);
	expect((await second.report()).lines).toBe(1000);
});

test("who leaves the loop has all rows of what was counted", async () => {
	let rows = "";
	const write = (bytes: Uint8Array) => {
		rows += Buffer.from(bytes);
	};
	const each = { write, all: true };
	const follower = await followLog(whole, { robots, each });
	for await (const _ of follower) break;
	expect(rows.split("\n").length - 1).toBe(follower.lines);
	await follower.close();
});

test("rows and violations are written as they are counted, with the log's name", async () => {
	const rows: Uint8Array[] = [];
	const violations: Uint8Array[] = [];
	const follower = await followLog(whole, {
		robots,
		each: { write: async (bytes) => void rows.push(bytes) },
		violations: (bytes) => void violations.push(bytes),
	});
	await until(follower, lines.length);
	const report = await follower.report();
	const texts = Buffer.concat(rows).toString().trimEnd().split("\n");
	expect(texts).toHaveLength(report.judged);
	expect(JSON.parse(texts[0] ?? "")).toMatchObject({ file: whole, line: 1 });
	const lost = Buffer.concat(violations).toString().trimEnd().split("\n");
	expect(lost).toHaveLength(
		report.crawlers.reduce((sum, { disallowed }) => sum + disallowed, 0),
	);
	await follower.close();
});

test("what writes rows may end it by its error", async () => {
	const error = new Error("no room");
	const write = () => Promise.reject(error);
	const follower = await followLog(whole, { robots, each: { write } });
	const all = async () => {
		await until(follower, lines.length);
		await follower.report();
	};
	await expect(all()).rejects.toBe(error);
	await follower.close();
});

test("a log that is emptied is told, by the report, too", async () => {
	const log = file("access.log", text(0, 1000));
	const remarks: FilesRemark[] = [];
	const onRemark = (_: string, remark: FilesRemark) => remarks.push(remark);
	const follower = await followLog(log, { robots, onRemark });
	await until(follower, 1000);
	writeFileSync(log, text(1000, 1100));
	await until(follower, 1100);
	expect(remarks).toEqual([{ code: "lines-missing", log }]);
	expect((await follower.report()).warnings.join()).toContain("is missing");
	await follower.close();
});

const merged = file(
	"merged.state",
	await (await auditFiles(whole, { robots, keepState: true })).state(),
);

describe("What cannot be followed is a RobotrieError", () => {
	const list = file("list.json", `[${JSON.stringify({ a: 1 })}]\n`);
	const packed = file("access.log.gz", gzipSync(text(0)));
	const other = path("other.state");
	const stream = { name: "a stream", chunks: [] };
	test.each<
		[string, unknown, RobotrieErrorCode, string, Partial<FollowLogOptions>?]
	>([
		["a number", 7, "invalid-argument", "log is a path or a stream, "],
		["no robots.txt", whole, "invalid-argument", "robots", { robots: [] }],
		[
			"no option",
			whole,
			"invalid-argument",
			"keepState",
			{ keepState: true } as object,
		],
		["no state", whole, "invalid-argument", "state", { state: 7 as never }],
		[
			"a state that is none",
			whole,
			"invalid-argument",
			"cannot go on from",
			{ state: list },
		],
		[
			"one of a whole log",
			whole,
			"invalid-argument",
			"how far a log was read",
			{ state: merged },
		],
		[
			"a folder as state",
			whole,
			"invalid-argument",
			"is kept in a file",
			{ state: folder },
		],
		[
			"no folder for it",
			whole,
			"store-unavailable",
			"cannot write",
			{ state: join(folder, "none", "a") },
		],
		[
			"a stream with one",
			stream,
			"invalid-argument",
			"how far a file was read",
			{ state: other },
		],
		["a missing file", join(folder, "none"), "unreadable", "cannot read"],
		["a packed file", packed, "invalid-argument", "it is compressed"],
		["no format", list, "invalid-argument", "format of"],
		[
			"rows that go nowhere",
			whole,
			"invalid-argument",
			"write",
			{ each: {} as never },
		],
	])("%s", async (_, log, code, message, options = {}) => {
		const follow = async () => {
			const given = { robots, ...options };
			const follower = await followLog(log as LogSource, given);
			try {
				await follower[Symbol.asyncIterator]().next();
			} finally {
				await follower.close();
			}
		};
		await expect(follow()).rejects.toMatchObject({
			name: "RobotrieError",
			code,
			message: expect.stringContaining(message),
		});
		expect(existsSync(other)).toBe(false);
	});

	test("a state that another process has written", async () => {
		const state = path("live.state");
		const follower = await followLog(whole, { robots, state });
		const second = await followLog(whole, { robots, state });
		await second.close();
		await expect(follower.save()).rejects.toMatchObject({
			code: "invalid-argument",
			message: expect.stringContaining("written by another process"),
		});
		await follower.close();
	});
});
