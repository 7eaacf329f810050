import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { amount, command, count } from "../../../tools/command.mjs";
import { storeResult } from "../../../tools/store-result.mjs";
import { openStore } from "../src/index.ts";
import { schedulersDay } from "./scheduler.ts";
import { StopRecorder } from "./stops.ts";

const { minutes, sites, store, control } = command(
	"npm run bench -- scheduler",
	"A scheduler's day, made shorter, with RobotsClient and an index that changes.",
)
	.option("--minutes <number>", "how long it takes", amount, 10)
	.option("--sites <number>", "sites", count, 50_000)
	.option("--store <place>", "what openStore takes (default: LMDB)")
	.option("--control", "all but robotrie's calls; not stored", false)
	.parse()
	.opts<{
		minutes: number;
		sites: number;
		store?: string;
		control: boolean;
	}>();
const folder = mkdtempSync(join(tmpdir(), "robotrie-scheduler-"));
const collect = (globalThis as { gc?: () => void }).gc ?? (() => {});
const print = (text: string) => process.stdout.write(`${text}\n`);
const MIB = 2 ** 20;

try {
	const recorder = await StopRecorder.start(folder);
	if (!recorder)
		process.stderr.write(
			"perf cannot tell here when the machine stops the process\n",
		);
	const { latencies, verdicts, changes, requests, memory } =
		await schedulersDay({
			minutes,
			sites,
			isControl: control,
			openStore: () => openStore(store ?? folder),
			collect,
			recorder,
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
	if (!control) {
		const result = {
			minutes,
			sites,
			changes,
			requests,
			verdicts,
			rows,
			memory,
		};
		// With other options than the usual ones it is for whoever asked.
		const part = process.argv.slice(2).join(" ");
		const file = storeResult("scheduler", result, part);
		print(`saved as ${file}`);
	}
} finally {
	rmSync(folder, { recursive: true, force: true });
}
