import { createReadStream, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { RobotrieErrorCode } from "../../../../src/index.ts";
import type {
	FilesRemark,
	LogSource,
	MergeStatesOptions,
} from "../../src/files.ts";
import { lines, robots, testFolder } from "./sample.ts";

/** Threads run what the build made; all else here runs it, too, so that there is one class of errors. */
const { auditFiles, mergeStates } = (await import(
	new URL("../../dist/files.js", import.meta.url).href
)) as typeof import("../../src/files.ts");

const { folder, file } = testFolder();
const cuts = [0, 900, 1700, lines.length];
const logs = cuts
	.slice(1)
	.map((end, i) => file(`part-${i}.log`, lines.slice(cuts[i], end).join("")));
const whole = await auditFiles(logs, { robots, keepState: true });
const expected = whole.report();
const wholeState = await whole.state();
const states = await Promise.all(
	logs.map(async (log, i) => {
		const audit = await auditFiles(log, { robots, keepState: true });
		return file(`part-${i}.state`, await audit.state());
	}),
);
const [first = "", second = "", third = ""] = states;
const other = file(
	"other.state",
	await (
		await auditFiles(logs, { robots, keepState: true, groupBy: "category" })
	).state(),
);

test("states in any order, packed or from streams, are one report and one state", async () => {
	const packed = file("packed.state.gz", gzipSync(readFileSync(second)));
	const stream = { name: "a stream", chunks: createReadStream(first) };
	const parts: Uint8Array[] = [];
	const merged = await mergeStates([third, packed, stream], {
		keepState: true,
		state: async (bytes) => void parts.push(bytes),
	});
	expect(merged.report()).toEqual(expected);
	expect(merged.formats).toEqual(["combined"]);
	expect(merged.lines).toBe(expected.lines);
	for (const state of [await merged.state(), Buffer.concat(parts)])
		expect(Buffer.compare(state, wholeState)).toBe(0);
});

test("more states can be added, but no logs", async () => {
	const merged = await mergeStates([first, second]);
	await merged.addState(readFileSync(third));
	expect(merged.report()).toEqual(expected);
	await expect(merged.add("a.log", [Buffer.from("")])).rejects.toThrow(
		"what mergeStates gives takes no logs",
	);
});

test("a state that begins before those that were merged cannot be added", async () => {
	const merged = await mergeStates([second, third]);
	await expect(merged.addState(readFileSync(first))).rejects.toThrow(
		"before the state added last",
	);
	expect(merged.lines).toBe(lines.length - 900);
});

test("a state that counts twice is told", async () => {
	const copy = file("copy.state", readFileSync(first));
	const remarks: [string, FilesRemark][] = [];
	await mergeStates([first, second, copy], {
		onRemark: (...remark) => remarks.push(remark),
	});
	expect(remarks).toEqual([
		[
			`${copy} has the same content as ${first}, so that its requests count twice`,
			{ code: "same-content", log: copy, other: first },
		],
	]);
});

/** Open files of this process, as far as the system tells. */
const openFiles = () => {
	try {
		return readdirSync("/proc/self/fd").length;
	} catch {
		return 0;
	}
};

test("no file stays open", async () => {
	const before = openFiles();
	await mergeStates(states);
	await expect(mergeStates([first, other])).rejects.toThrow("groupBy");
	await expect(mergeStates(logs)).rejects.toThrow("not an audit's state");
	await expect.poll(openFiles).toBe(before);
});

/** A state that says when it is ended. */
function endingStream(path: string, ended: string[], before = () => {}) {
	async function* chunks() {
		try {
			before();
			for (const byte of readFileSync(path)) yield Uint8Array.of(byte);
		} finally {
			ended.push(path);
		}
	}
	return { name: path, chunks: chunks() };
}

test.each<[string, string]>([
	["of other settings", other],
	["that is none", logs[0] ?? ""],
])("streams are ended with a state %s", async (_, wrong) => {
	const ended: string[] = [];
	const streams = [first, wrong].map((path) => endingStream(path, ended));
	await expect(mergeStates(streams)).rejects.toThrow("cannot merge");
	expect(ended.toSorted()).toEqual([first, wrong].toSorted());
});

test("a file that becomes a state of other settings meanwhile is refused", async () => {
	const path = file("replaced.state", readFileSync(first));
	const stream = endingStream(second, [], () => {
		file("replaced.state", readFileSync(other));
	});
	await expect(mergeStates([path, stream])).rejects.toThrow(
		`cannot merge ${path}: it was made with other settings`,
	);
});

describe("What cannot be merged is a RobotrieError", () => {
	const cut = file("cut.state", readFileSync(first).subarray(0, -9));
	const zip = file("cut.gz", gzipSync(readFileSync(first)).subarray(0, 99));
	test.each<[string, unknown, RobotrieErrorCode, string, unknown?]>([
		["no state", [], "invalid-argument", "a merge needs a state"],
		["a number", 7, "invalid-argument", "states"],
		["a missing file", join(folder, "none"), "unreadable", "cannot read"],
		["another file", logs, "invalid-argument", "it is not an audit's state"],
		["half a state", [first, cut], "invalid-argument", "it is cut off"],
		["half of gzip", zip, "malformed", "damaged gzip"],
		["other settings", [first, other], "invalid-argument", "groupBy"],
		["no option", first, "invalid-argument", "no option", { robots }],
		["no signal", first, "invalid-argument", "signal", { signal: 1 }],
	])("%s", async (_, given, code, message, options = {}) => {
		await expect(
			mergeStates(given as LogSource, options as MergeStatesOptions),
		).rejects.toMatchObject({
			name: "RobotrieError",
			code,
			message: expect.stringContaining(message),
		});
	});

	test("a signal that is aborted ends a merge with its reason", async () => {
		const controller = new AbortController();
		const reason = new Error("enough");
		const { signal } = controller;
		const state = () => controller.abort(reason);
		await expect(mergeStates(states, { signal, state })).rejects.toBe(reason);
		await expect(mergeStates(states, { signal })).rejects.toBe(reason);
	});

	test("nothing is written after a signal is aborted", async () => {
		const controller = new AbortController();
		const { signal } = controller;
		let release = () => {};
		const held = new Promise<void>((resolve) => {
			release = resolve;
		});
		const ended: string[] = [];
		let calls = 0;
		const merged = mergeStates(endingStream(first, ended), {
			signal,
			state: () => {
				calls++;
				controller.abort();
				return held;
			},
		});
		await expect(merged).rejects.toThrow("aborted");
		release();
		await expect.poll(() => ended).toEqual([first]);
		expect(calls).toBe(1);
	});
});
