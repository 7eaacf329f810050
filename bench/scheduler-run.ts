import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { storeResult } from "../scripts/store-result.mjs";
import { openStore } from "../src/client.ts";
import { schedulersDay } from "./scheduler.ts";

const { values } = parseArgs({
	options: {
		minutes: { type: "string", default: "10" },
		sites: { type: "string", default: "50000" },
		store: { type: "string" },
		/** Everything but robotrie's calls; not stored. */
		control: { type: "boolean", default: false },
	},
});
const minutes = Number(values.minutes);
const sites = Number(values.sites);
const folder = mkdtempSync(join(tmpdir(), "robotrie-scheduler-"));
const collect = (globalThis as { gc?: () => void }).gc ?? (() => {});
const print = (text: string) => process.stdout.write(`${text}\n`);
const MIB = 2 ** 20;

try {
	const { latencies, verdicts, changes, requests, memory } =
		await schedulersDay({
			minutes,
			sites,
			isControl: values.control,
			openStore: () => openStore(values.store ?? folder),
			collect,
			tell: (text) => process.stderr.write(`${text}\n`),
		});
	const machine = { node: process.version, cpu: cpus()[0]?.model };
	print(
		`A day in ${minutes} minutes: ${sites} sites, ${changes} changes, ${requests} requests, ${verdicts} verdicts, all right. Node ${machine.node}, ${machine.cpu}.`,
	);
	print(
		`\n| ms | calls | p50 | p99 | p99.9 | longest |\n|---|---:|---:|---:|---:|---:|`,
	);
	const rows = Object.fromEntries(
		latencies.names.sort().map((name) => [name, latencies.get(name)]),
	);
	for (const [name, { count, p50, p99, p999, longest }] of Object.entries(rows))
		print(
			`| ${name} | ${count} | ${[p50, p99, p999, longest].map((value) => value.toFixed(3)).join(" | ")} |`,
		);
	print(
		"\nmemory after garbage collection, MiB (JavaScript's and the index's; the process's):",
	);
	print(
		memory
			.map(
				({ heap, rss }) =>
					`${Math.round(heap / MIB)}; ${Math.round(rss / MIB)}`,
			)
			.join("\n"),
	);
	if (!values.control) {
		const file = storeResult("scheduler", {
			minutes,
			sites,
			changes,
			requests,
			verdicts,
			rows,
			memory,
		});
		print(`saved as ${file}`);
	}
} finally {
	rmSync(folder, { recursive: true, force: true });
}
