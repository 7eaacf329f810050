/** What times depend on. */
export interface Machine {
	/** As the system names it; in virtual machines, many are called alike. */
	readonly cpu: string;
	/** Family, model and stepping, where Linux tells. */
	readonly model?: string;
	readonly cores: number;
	readonly memory: number;
}

export function thisMachine(): Machine;

/** Part of a file's name: "intel-xeon-6-85-7". */
export function machineName(machine: Pick<Machine, "cpu" | "model">): string;

/** The kinds of results, each with figures of its own. */
export type Kind =
	| "node"
	| "live"
	| "scheduler"
	| "duckdb"
	| "profile"
	| "worst"
	| "crawl"
	| "crawl-memory"
	| "bulk"
	| "generated"
	| "peers"
	| "sizes"
	| "curves"
	| "service";

/**
 * Stores a result in bench/results with the day, the processor and the versions, and returns the path of the file. It takes the place of
 * that machine's earlier one of the same day and kind. With `part`, only a part of the benchmark ran: that is for whoever ran it, and
 * gives no figures.
 */
export function storeResult(kind: Kind, result: object, part?: string): string;
