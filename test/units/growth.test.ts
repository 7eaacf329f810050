import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { loadInto, moduleOf, sharedMemory } from "./module.ts";

const PAGE = 65536;
const BLOCK = 3 * PAGE;
const BLOCKS = 3000;

/** Allocates blocks; says where they are. */
const allocating = `
const { parentPort, workerData: { module, memory, blocks, size } } = require("node:worker_threads");
const { exports } = new WebAssembly.Instance(module, { env: { memory } });
// The first block takes all memory there is.
exports.allocate(size);
parentPort.postMessage("ready");
parentPort.postMessage(Array.from({ length: blocks }, () => exports.allocate(size) >>> 0));
`;

/** The heap grows a few times a round, and without the lock one round in six shows it. */
const ROUNDS = 12;

test("a thread that allocates never gets pages by which another one made memory grow", async () => {
	const module = moduleOf("shared");
	for (let round = 0; round < ROUNDS; round++)
		expect(await takenTwice(module)).toEqual([]);
});

/** Addresses of blocks in pages that are another thread's. */
async function takenTwice(module: WebAssembly.Module): Promise<number[]> {
	const memory = sharedMemory();
	const { growPages } = loadInto(module, memory);
	const workerData = { module, memory, blocks: BLOCKS, size: BLOCK };
	const worker = new Worker(allocating, { eval: true, workerData });
	await once(worker, "message");
	const answer = once(worker, "message");
	const pages: number[] = [];
	let blocks: number[] | undefined;
	void answer.then(([list]) => {
		blocks = list as number[];
	});
	while (!blocks) {
		for (let i = 0; i < 100 && pages.length < 20_000; i++)
			pages.push(growPages(1));
		await new Promise(setImmediate);
	}
	await worker.terminate();
	expect(blocks).not.toContain(0);
	expect(pages).not.toContain(-1);
	const taken = new Set(pages);
	return blocks.filter((start) => {
		const last = Math.floor((start + BLOCK - 1) / PAGE);
		for (let page = Math.floor(start / PAGE); page <= last; page++)
			if (taken.has(page)) return true;
		return false;
	});
}
