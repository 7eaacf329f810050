import { RobotrieError } from "../../common/errors.ts";
import { parseUrl } from "../../common/parse-url.ts";
import type { Agent } from "../../matching/agents.ts";
import { RobotsTxt } from "../../matching/robots-txt.ts";
import type { Access } from "../../sites/compact-programs.ts";
import { originOf, urlWithHost } from "../../sites/scope.ts";
import { shardOfUrl } from "../../sites/shard.ts";
import { doubtAbout, doubtText } from "../input/robots-file.ts";
import type { Moved, Site, SiteRecord } from "../sites/record.ts";
import { readTask, type SiteReading, type SiteTask } from "../sites/tasks.ts";
import type { BlockEnd, OtherRecord } from "../sites/warc-records.ts";

/** What an index is compiled for. */
export interface CompileSettings extends SiteReading {
	/** Crawlers, an index each. */
	readonly agents: readonly Agent[];
	/** Shards of each index. */
	readonly shards: number;
}

/** A number of remarks and the first of them. */
export interface Remarks {
	count: number;
	readonly first: string[];
}

/** What came of a task, in the order of its records. Plain data, to be sent to another thread. */
export interface CompiledSites {
	/** As the URL standard writes them. */
	readonly origins: readonly string[];
	readonly shards: readonly number[];
	/** Compact programs: for each origin one for each agent, or none if it is moved. */
	readonly programs: Uint8Array;
	/** Where each of them ends. */
	readonly ends: readonly number[];
	/** Redirects of origins, by index. */
	readonly moves: ReadonlyMap<number, Move>;
	readonly faults: Remarks;
	readonly doubts: Remarks;
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

/** An answer at another path than /robots.txt: where it leads to, or a compact program for each agent. */
export type Target = { readonly url: string } & (
	| Move
	| { readonly programs: readonly Uint8Array[] }
);

/** Remarks that are told one by one. */
export const TOLD = 5;

/** Compiles the records of tasks. */
export class SiteCompiler {
	readonly #settings: CompileSettings;
	readonly #states: Readonly<Record<Access, readonly Uint8Array[]>>;
	#programs = new Uint8Array(1024 * 1024);
	#size = 0;

	constructor(settings: CompileSettings) {
		const { agents, dialect } = settings;
		this.#settings = settings;
		const stateOf = (text: string, agent: Agent) =>
			RobotsTxt.parse(text, { dialect }).compactFor(agent).slice();
		this.#states = {
			"allow-all": agents.map((agent) => stateOf("", agent)),
			"disallow-all": agents.map(() =>
				stateOf("User-agent: *\nDisallow: /", "*"),
			),
		};
	}

	async run(task: SiteTask): Promise<CompiledSites> {
		const origins: string[] = [];
		const shards: number[] = [];
		const ends: number[] = [];
		const moves = new Map<number, Move>();
		const faults: Remarks = { count: 0, first: [] };
		const doubts: Remarks = { count: 0, first: [] };
		const targets: Target[] = [];
		let others = 0;
		this.#size = 0;
		const add = (site: Exclude<SiteRecord, { fault: string }>) => {
			const urls = site.origins.map((origin) => urlWithHost(origin, "origin"));
			const from = this.#size;
			const isMoved = "target" in site;
			const own = isMoved ? [] : this.#compile(site.robots);
			const programs = this.#programs.slice(from, this.#size);
			urls.forEach((url, i) => {
				if (isMoved) {
					const { status, target } = site;
					moves.set(origins.length, { status, target });
				} else {
					// The same rules for its other schemes.
					if (i > 0) this.#append(programs);
					for (const end of own) ends.push(end + i * programs.length);
				}
				origins.push(originOf(url));
				shards.push(shardOfUrl(url, this.#settings.shards));
			});
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
			const size = this.#size;
			try {
				if ("other" in record) {
					others++;
					if (record.answer) targets.push(this.#target(record.answer));
				} else add(record);
			} catch (error) {
				if (!isOfRecord(error)) throw error;
				// What was compiled for the first agents would be taken for a part of the next site's.
				this.#size = size;
				const where = "other" in record ? record.answer?.url : record.where;
				remark(faults, `${where}: ${error.message}`);
				continue;
			}
			if ("robots" in record && typeof record.robots !== "string")
				doubt(doubts, record.where, record.robots);
		}
		const programs = this.#programs.slice(0, this.#size);
		return {
			origins,
			shards,
			programs,
			ends,
			moves,
			targets,
			faults,
			doubts,
			others,
			end,
		};
	}

	#target(answer: { readonly url: string } & (Site | Moved)): Target {
		const url = parseUrl(answer.url)?.href ?? answer.url;
		if ("target" in answer) {
			const { status, target } = answer;
			return { url, status, target };
		}
		let from = this.#size;
		const start = from;
		const programs = this.#compile(answer.robots).map((end) => {
			const program = this.#programs.slice(from, end);
			from = end;
			return program;
		});
		this.#size = start;
		return { url, programs };
	}

	/** Appends a file's programs, which is parsed once for all agents; returns their ends. */
	#compile(robots: Uint8Array | Access): number[] {
		const { agents, dialect } = this.#settings;
		const file =
			typeof robots === "string"
				? undefined
				: RobotsTxt.parse(robots, { dialect });
		return agents.map((agent, i) => {
			this.#append(
				file
					? file.compactFor(agent)
					: (this.#states[robots as Access][i] as Uint8Array),
			);
			return this.#size;
		});
	}

	#append(program: Uint8Array): void {
		const size = this.#size + program.length;
		if (size > this.#programs.length) {
			const larger = new Uint8Array(Math.max(size, this.#programs.length * 2));
			larger.set(this.#programs);
			this.#programs = larger;
		}
		this.#programs.set(program, this.#size);
		this.#size = size;
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
