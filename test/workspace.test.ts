import { once } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { CHUNK } from "../src/common/chunks.ts";
import {
	type CommonExports,
	LinearMemory,
} from "../src/engine/linear-memory.ts";
import { RobotsIndex, Verdict } from "../src/index.ts";
import { decodeIndex } from "../src/sites/index-snapshot.ts";
import {
	newSharedMemory,
	SharedTable,
	SharedWriter,
} from "../src/sites/shared-index.ts";

const ORIGIN = "https://h.example";

/** Lines that fill a chunk to its last byte: what needs a normal form, what does not, and literals. */
const lines = [
	"/#",
	"?%41",
	"/",
	"/literal/literal",
	"/%D0%96%",
	"\\",
] as const;

function chunkOf(text: string): Uint8Array {
	const line = `${ORIGIN}${text}`.padEnd(63, "%");
	return Buffer.from(`${line}\n`.repeat(CHUNK / 64));
}

const cases = [true, false].flatMap((google) =>
	lines.map((text) => ({ text, google })),
);

test.each(cases)(
	"an instance writes to its workspace only: $text, google: $google",
	({ text, google }) => {
		const dialect = google ? "google" : "rfc9309";
		const robots = "User-agent: *\nDisallow: /*literal\nDisallow: /*l*e*r\n";
		const index = new RobotsIndex({ agent: "any", dialect });
		index.set(ORIGIN, robots);
		const shared = newSharedMemory();
		const { memory } = shared;
		const writer = new SharedWriter(shared);
		decodeIndex(index.toBytes(), writer.open);
		const loaded = writer.finish(2);
		const [, workspace = 0, next = 0] = loaded.workspaces;
		expect(next).toBeGreaterThan(workspace);

		const other = new SharedTable(loaded, workspace);
		const bytes = () => Buffer.from(memory.buffer);
		const before = Buffer.from(bytes());
		const chunk = chunkOf(text);
		const verdicts = other.read((table) => table.matchLines(chunk));
		for (const [from, to] of [
			[0, workspace],
			[next, before.length],
		] as const)
			expect(before.subarray(from, to).equals(bytes().subarray(from, to))).toBe(
				true,
			);
		expect(verdicts).toEqual(index.matchLines(chunk));
	},
);

/** Sends a memory and grows it, sooner or later: most often it has been received before, or is received later. */
const GROWS = `
const { parentPort, workerData: done } = require("node:worker_threads");
parentPort.on("message", ({ initial, more, pause }) => {
	const memory = new WebAssembly.Memory({ initial, maximum: 1000, shared: true });
	parentPort.postMessage(memory);
	for (let i = 0; i < pause; i++) Atomics.load(done, 0);
	memory.grow(more);
	Atomics.store(done, 0, 1);
	Atomics.notify(done, 0);
});`;

test("an instance sees all of a memory that another thread grew while it was sent", async () => {
	const { module } = newSharedMemory();
	const done = new Int32Array(new SharedArrayBuffer(4));
	const worker = new Worker(GROWS, { eval: true, workerData: done });
	const [initial, more] = [16, 300];
	const sizes = new Set<number>();
	for (let round = 0; round < 1000; round++) {
		Atomics.store(done, 0, 0);
		worker.postMessage({ initial, more, pause: (round * 20) % 10_000 });
		const [memory] = (await once(worker, "message")) as [WebAssembly.Memory];
		Atomics.wait(done, 0, 0);
		// What V8 itself tells of the growth has come by now.
		await turn();
		const linear = new LinearMemory<CommonExports>(() => module, memory);
		expect(linear.module.memory).toBe(memory);
		sizes.add(linear.bytes().length / 65536);
	}
	await worker.terminate();
	expect([...sizes]).toEqual([initial + more]);
});

/** Makes instances over a memory. */
const INSTANTIATES = `
const { parentPort, workerData: { module, memory, count } } = require("node:worker_threads");
parentPort.postMessage("ready");
for (let i = 0; i < count; i++)
	new WebAssembly.Instance(module, { env: { memory } });
parentPort.postMessage("done");`;

test("a new instance changes nothing that others read: escapes are judged while some are made", async () => {
	const index = new RobotsIndex({ agent: "any" });
	index.set(ORIGIN, "User-agent: *\nDisallow: /%C3%A9/secret\n");
	const { module, memory } = newSharedMemory();
	const writer = new SharedWriter({ module, memory });
	decodeIndex(index.toBytes(), writer.open);
	const loaded = writer.finish(1);
	const table = new SharedTable(loaded, loaded.workspaces[1] ?? 0);
	const chunk = Buffer.from(`${ORIGIN}/%c3%a9/%73ecret\n`.repeat(1000));
	const workerData = { module, memory, count: 5000 };
	const worker = new Worker(INSTANTIATES, { eval: true, workerData });
	await once(worker, "message");
	let isDone = false;
	worker.once("message", () => {
		isDone = true;
	});
	const found = new Set<number>();
	while (!isDone) {
		for (const verdict of table.read((each) => each.matchLines(chunk)))
			found.add(verdict);
		await turn();
	}
	await worker.terminate();
	expect([...found]).toEqual([Verdict.Disallowed]);
});
