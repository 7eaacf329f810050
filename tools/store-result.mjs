// Keeps what a benchmark measured in bench/results, with the day, the processor and the versions.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";

/** What times depend on. */
export function thisMachine() {
	const all = cpus();
	const file = "/proc/cpuinfo";
	const text = existsSync(file) ? readFileSync(file, "utf8") : "";
	const numbers = ["cpu family", "model", "stepping"].map(
		(name) => new RegExp(`^${name}\\s*: (\\d+)$`, "m").exec(text)?.[1],
	);
	return {
		cpu: all[0]?.model.trim() ?? "unknown",
		...(numbers.every((one) => one !== undefined)
			? { model: numbers.join("-") }
			: {}),
		cores: all.length,
		memory: totalmem(),
	};
}

/** Part of a file's name: "intel-xeon-6-85-7". */
export function machineName({ cpu, model }) {
	const words = cpu
		.replace(/\(.*?\)|@.*|\b(processor|cpu)\b/gi, "")
		.split(/[^a-z0-9]+/i);
	return [...words, model ?? ""]
		.filter((word) => word !== "")
		.join("-")
		.toLowerCase();
}

/**
 * Stores a result and returns the path of the file. It takes the place of that machine's earlier one of the same day and kind. With
 * `part`, only a part of the benchmark ran: that is for whoever ran it, and gives no figures.
 */
export function storeResult(kind, result, part = "") {
	const machine = thisMachine();
	const stored = {
		kind,
		// With the time of day, so that the newest of two runs is known.
		date: new Date().toISOString().slice(0, 16),
		...machine,
		node: process.version,
		v8: process.versions.v8,
		...result,
	};
	const name = [
		...(part ? ["local"] : []),
		stored.date.slice(0, 10),
		kind,
		machineName(machine),
		...(part ? [part] : []),
	].join("-");
	const file = `bench/results/${name.replaceAll(/[^\w.-]+/g, "-")}.json`;
	mkdirSync("bench/results", { recursive: true });
	writeFileSync(file, `${JSON.stringify(stored, null, "\t")}\n`);
	return file;
}
