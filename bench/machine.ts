import { existsSync, readFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";

/** What times depend on. */
export interface Machine {
	/** As the system names it; in virtual machines, many are called alike. */
	readonly cpu: string;
	/** Family, model and stepping, where Linux tells. */
	readonly model?: string;
	readonly cores: number;
	readonly memory: number;
}

export function thisMachine(): Machine {
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
export function machineName({ cpu, model }: Machine): string {
	const words = cpu
		.replace(/\(.*?\)|@.*|\b(processor|cpu)\b/gi, "")
		.split(/[^a-z0-9]+/i);
	return [...words, model ?? ""]
		.filter((word) => word !== "")
		.join("-")
		.toLowerCase();
}
