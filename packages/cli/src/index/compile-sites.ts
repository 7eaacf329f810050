import type { Access, Agent } from "robotrie";
import { RobotrieError, RobotsTxt } from "robotrie";
import {
	concatenate,
	originOf,
	parseUrl,
	urlWithHost,
} from "robotrie/internal";
import { shardOfUrl } from "../index-files/shard.ts";
import { doubtAbout, doubtText } from "../input/robots-file.ts";
import type { Moved, Site, SiteRecord } from "../sites/record.ts";
import { readTask, type SiteReading, type SiteTask } from "../sites/tasks.ts";
import type { BlockEnd, OtherRecord } from "../sites/warc-records.ts";
import { EntryWriter, type ShardedEntries } from "./entries.ts";

/** What an index is compiled for. */
export interface CompileSettings extends SiteReading {
	/** Crawlers, an index each. */
	readonly agents: readonly Agent[];
	/** See `ParseOptions`. */
	readonly maxBytes?: number | undefined;
	/** Shards of each index. */
	readonly shards: number;
}

/** A number of remarks and the first of them. */
export interface Remarks {
	count: number;
	readonly first: string[];
}

/** What came of a task. Plain data, to be sent to another thread. */
export interface CompiledSites {
	readonly entries: ShardedEntries;
	/** Where origins are moved to: of each what its last such record says. */
	readonly moves: ReadonlyMap<string, Move>;
	readonly faults: Remarks;
	readonly doubts: Remarks;
	/** Damaged bodies by their kind. */
	readonly damages: ReadonlyMap<string, number>;
	/** Answers at other paths, to which redirects may lead. */
	readonly targets: readonly Target[];
	/** Records about something else. */
	readonly others: number;
	/** Of a block of a WARC file. */
	readonly end: BlockEnd | undefined;
}

/** Where an answer for a robots.txt leads to. */
export interface Move {
	readonly status: number;
	readonly target: string;
}

/** An answer at another path than /robots.txt: where it leads to, or a compact program for each agent, one behind the other. */
export type Target = { readonly url: string } & (
	| Move
	| { readonly programs: Uint8Array }
);

/** Remarks that are told one by one. */
export const TOLD = 5;

/** Compiles the records of tasks. */
export class SiteCompiler {
	readonly #settings: CompileSettings;
	/** Programs of all agents, one behind the other. */
	readonly #states: Readonly<Record<Access, Uint8Array>>;
	readonly #entries: EntryWriter;
	#programs = new Uint8Array(1024 * 1024);

	constructor(settings: CompileSettings) {
		const { agents, dialect } = settings;
		this.#settings = settings;
		this.#entries = new EntryWriter(settings.shards);
		const stateOf = (text: string, agent: Agent) =>
			RobotsTxt.parse(text, { dialect }).compactFor(agent).slice();
		this.#states = {
			"allow-all": concatenate(agents.map((agent) => stateOf("", agent))),
			"disallow-all": concatenate(
				agents.map(() => stateOf("User-agent: *\nDisallow: /", "*")),
			),
		};
	}

	async run(task: SiteTask): Promise<CompiledSites> {
		const moves = new Map<string, Move>();
		const faults: Remarks = { count: 0, first: [] };
		const doubts: Remarks = { count: 0, first: [] };
		const damages = new Map<string, number>();
		const targets: Target[] = [];
		let others = 0;
		const add = (site: Exclude<SiteRecord, { fault: string }>) => {
			const urls = site.origins.map((origin) => urlWithHost(origin, "origin"));
			const isMoved = "target" in site;
			const programs = isMoved ? undefined : this.#compile(site.robots);
			for (const url of urls) {
				const origin = originOf(url);
				if (isMoved) {
					const { status, target } = site;
					moves.set(origin, { status, target });
				}
				const shard = shardOfUrl(url, this.#settings.shards);
				this.#entries.add(shard, origin, programs);
			}
		};
		const records = readTask(task, this.#settings);
		let end: BlockEnd | undefined;
		for (;;) {
			const { done, value } = await records.next();
			if (done) {
				end = value;
				break;
			}
			const record: SiteRecord | OtherRecord = value;
			if ("fault" in record) {
				remark(faults, `${record.where}: ${record.fault}`);
				continue;
			}
			try {
				if ("other" in record) {
					others++;
					if (record.answer) targets.push(this.#target(record.answer));
				} else add(record);
			} catch (error) {
				if (!isOfRecord(error)) throw error;
				const where = "other" in record ? record.answer?.url : record.where;
				remark(faults, `${where}: ${error.message}`);
				continue;
			}
			const site = "other" in record ? record.answer : record;
			if (site && "damage" in site && site.damage !== undefined)
				damages.set(site.damage, (damages.get(site.damage) ?? 0) + 1);
			if ("robots" in record && typeof record.robots !== "string")
				doubt(doubts, record.where, record.robots);
		}
		const entries = this.#entries.take();
		return {
			...{ entries, moves, faults, doubts, damages, targets, others, end },
		};
	}

	#target(answer: { readonly url: string } & (Site | Moved)): Target {
		const url = parseUrl(answer.url)?.href ?? answer.url;
		if ("target" in answer) {
			const { status, target } = answer;
			return { url, status, target };
		}
		return { url, programs: this.#compile(answer.robots).slice() };
	}

	/** The programs of a file, which is parsed once for all agents; valid until the next call. */
	#compile(robots: Uint8Array | Access): Uint8Array {
		if (typeof robots === "string") return this.#states[robots];
		const { agents, dialect, maxBytes } = this.#settings;
		const file = RobotsTxt.parse(robots, {
			dialect,
			...(maxBytes === undefined ? {} : { maxBytes }),
		});
		let size = 0;
		for (const agent of agents) {
			const program = file.compactFor(agent);
			this.#reserve(size, program.length);
			this.#programs.set(program, size);
			size += program.length;
		}
		return this.#programs.subarray(0, size);
	}

	/** Makes room behind `size` bytes, which stay. */
	#reserve(size: number, more: number): void {
		if (size + more <= this.#programs.length) return;
		const room = Math.max(size + more, this.#programs.length * 2);
		const larger = new Uint8Array(room);
		larger.set(this.#programs.subarray(0, size));
		this.#programs = larger;
	}
}

/** Whether an error is about one record alone. */
function isOfRecord(error: unknown): error is RobotrieError {
	return (
		error instanceof RobotrieError &&
		(error.code === "invalid-url" || error.code === "limit-exceeded")
	);
}

function remark(remarks: Remarks, text: string): void {
	if (++remarks.count <= TOLD) remarks.first.push(text);
}

function doubt(doubts: Remarks, where: string, robots: Uint8Array): void {
	const found = doubtAbout(robots);
	if (found !== undefined) remark(doubts, doubtText(where, found));
}
