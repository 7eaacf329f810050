import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { command, count } from "../../tools/command.mjs";
import { storeResult } from "../../tools/store-result.mjs";
import { loadData, partOf } from "../data.ts";
import { engines, Missing, pinned, toolchains } from "./engines.ts";
import { writeFiles } from "./files.ts";
import { measurePeers, type Ready } from "./measure.ts";
import { peersTable } from "./table.ts";

const values = command(
	"npm run bench:peers --",
	"Builds engines of other packages and languages, and times them beside robotrie.",
)
	.option("--only <names...>", "these engines, and robotrie")
	.option("--sites <number>", "so many of the sites", count)
	.option(
		"--rounds <number>",
		"rounds of each chunk and of whole passes",
		count,
		12,
	)
	.option("--processes <number>", "fresh processes of each engine", count, 3)
	.option("--seconds <number>", "for an engine and a kind of lines", count, 3)
	.option("--patience <number>", "seconds for a hostile URL", count, 6)
	.option(
		"--slow",
		"also Hyperscan, which compiles all sites in six minutes",
		false,
	)
	.option("--strict", "fail where a driver cannot be built", false)
	.parse()
	.opts<{
		only?: string[];
		sites?: number;
		rounds: number;
		processes: number;
		seconds: number;
		patience: number;
		slow: boolean;
		strict: boolean;
	}>();

const names = engines.map(({ name }) => name);
for (const name of values.only ?? [])
	if (!names.some((one) => one.includes(name))) {
		process.stderr.write(
			`no engine is called ${name}; engines: ${names.join(", ")}\n`,
		);
		process.exit(2);
	}

const all = loadData();
const few = values.sites ?? all.sites.length;
const hosts = new Set(all.sites.slice(0, few).map(({ host }) => host));
const data = {
	...all,
	sites: all.sites.slice(0, few),
	derived: all.derived.filter(({ host }) => hosts.has(host)),
};
const isSmall = few < all.sites.length;

const skipped: { name: string; why: string }[] = [];
const built = new Map<string, readonly string[] | Error>();
const ready = engines.flatMap((engine): Ready[] => {
	const { name, toolchain, isSlow } = engine;
	const isAsked = values.only?.some((one) => name.includes(one));
	if (values.only && !isAsked && !name.startsWith("robotrie")) return [];
	const skip = (why: string) => {
		skipped.push({ name, why });
		process.stderr.write(`skipped: ${name}: ${why}\n`);
		return [];
	};
	if (isSlow && !values.slow && !isAsked && !isSmall)
		return skip("it takes minutes to compile: --slow has it run");
	if (!built.has(toolchain)) {
		process.stderr.write(`building the driver of ${name} …\n`);
		try {
			built.set(toolchain, toolchains[toolchain]());
		} catch (error) {
			built.set(toolchain, error as Error);
		}
	}
	const driver = built.get(toolchain) ?? [];
	if (!(driver instanceof Error)) return [{ engine, command: driver }];
	if (!(driver instanceof Missing)) {
		if (values.strict) throw driver;
		return skip(`its driver cannot be built: ${driver.message.slice(0, 400)}`);
	}
	return skip(driver.message);
});

const folder = mkdtempSync(join(tmpdir(), "robotrie-peers-"));
try {
	const files = writeFiles(folder, data, isSmall ? 1 / 64 : 1);
	const results = await measurePeers(
		ready,
		files,
		values,
		(text) => void process.stderr.write(`${text}\n`),
		(name, why) => {
			if (values.strict) throw new Error(why);
			skipped.push({ name, why });
			process.stderr.write(`skipped: ${why}\n`);
		},
	);
	const { source, sites } = data;
	const lines = (list: readonly { urls: readonly string[] }[]) =>
		list.reduce((sum, { urls }) => sum + urls.length, 0);
	const stored = {
		data: {
			source,
			sites: sites.length,
			urls: lines(sites),
			derived: lines(data.derived),
		},
		pinned: pinned.length > 0,
		rounds: values.rounds,
		processes: values.processes,
		patience: values.patience,
		engines: results,
		skipped,
	};
	process.stdout.write(`${peersTable(stored)}\n`);
	const given = process.argv.slice(2).filter((one) => one !== "--slow");
	const file = storeResult("peers", stored, partOf(all, given.join(" ")));
	process.stdout.write(`saved as ${file}\n`);
} finally {
	rmSync(folder, { recursive: true, force: true });
}
