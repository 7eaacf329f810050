/**
 * Compiles recorded answers to programs, in any thread (`SiteCompiler`), and follows the redirects among them once all are read (`Redirects`).
 * build.ts calls both. A record that is too large or names no origin is a remark, and leaves no trace in the entries.
 */
import {
	type Access,
	type Agent,
	type Dialect,
	RobotrieError,
	RobotsTxt,
	robotsUrlFor,
} from "robotrie";
import { doubtAbout, sitemapSteps, stateProgram } from "robotrie/internal";
import { parseUrl } from "#robotrie/common/arguments";
import { concatenate } from "#robotrie/common/chunks";
import { inOneGo } from "#robotrie/common/steps";
import { originOf, urlWithHost } from "#robotrie/common/urls";
import { doubtText } from "../files/hosts.ts";
import type { Moved, Site, SiteRecord } from "../records/records.ts";
import { readTask, type SiteReading, type SiteTask } from "../records/tasks.ts";
import type { BlockEnd, OtherRecord } from "../records/warc.ts";
import { shardOfUrl } from "../shards/shard.ts";
import { EntryWriter, entriesIn, type ShardedEntries } from "./entries.ts";
import { lineOf, type Move, type Target, timeOrNone } from "./facts.ts";

/**
 * What an index is compiled for. The same for all tasks of a run, and sent once to each thread.
 */
export interface CompileSettings extends SiteReading {
	/** Crawlers, an index each. */
	readonly agents: readonly Agent[];
	/** See `ParseOptions`. */
	readonly maxBytes?: number | undefined;
	/** Shards of each index. */
	readonly shards: number;
	/** Of several answers of an origin the newest up to this time counts, in milliseconds since 1970, not the last of the input. */
	readonly asOf?: number | undefined;
	/** Whether what is known of each origin is kept, see facts.ts; then there is one agent. */
	readonly facts?: boolean | undefined;
}

/** A number of remarks and the first of them. */
export interface Remarks {
	count: number;
	readonly first: string[];
}

/**
 * What came of a task. Plain data, to be sent to another thread. A task's answer is moved and not
 * copied where it can be: most of it is one buffer.
 */
export interface CompiledSites {
	readonly entries: ShardedEntries;
	/** Where origins are moved to: of each what its last such record says. */
	readonly moves: ReadonlyMap<string, Move>;
	readonly faults: Remarks;
	/** Records that say something about a site. */
	readonly used: number;
	readonly doubts: Remarks;
	/** Damaged bodies by their kind. */
	readonly damages: ReadonlyMap<string, number>;
	/** Answers at other paths, to which redirects may lead. */
	readonly targets: readonly Target[];
	/** With `asOf`: when the answer was recorded that counts, by origin. */
	readonly times: ReadonlyMap<string, number>;
	/** Records after `asOf`. */
	readonly later: number;
	/** Records about something else. */
	readonly others: number;
	/** Of a block of a WARC file. */
	readonly end: BlockEnd | undefined;
}

/**
 * The most remarks that are shown one by one. The rest is counted: a WARC file of a million pages
 * must not fill the terminal.
 */
export const MOST_SHOWN = 5;

/**
 * Compiles the records of tasks. A compiler reads one task after the other, with buffers that grow
 * to the largest of them.
 */
export class SiteCompiler {
	readonly #settings: CompileSettings;
	/** Programs of all agents, concatenated. */
	readonly #states: Readonly<Record<Access, Uint8Array>>;
	readonly #entries: EntryWriter;
	#programs = new Uint8Array(1024 * 1024);
	/** The file that was compiled last, for its facts; undefined for a state. */
	#file: RobotsTxt | undefined;

	constructor(settings: CompileSettings) {
		const { agents, dialect } = settings;
		this.#settings = settings;
		this.#entries = new EntryWriter(settings.shards);
		// Compiled once, as millions of sites have them.
		this.#states = {
			"allow-all": statePrograms("allow-all", agents, dialect),
			"disallow-all": statePrograms("disallow-all", agents, dialect),
			later: statePrograms("later", agents, dialect),
		};
	}

	// Parsing, compiling and writing happen per record, so that one broken record costs no other.
	async run(task: SiteTask): Promise<CompiledSites> {
		const moves = new Map<string, Move>();
		const faults: Remarks = { count: 0, first: [] };
		const doubts: Remarks = { count: 0, first: [] };
		const damages = new Map<string, number>();
		const targets: Target[] = [];
		const times = new Map<string, number>();
		const { asOf } = this.#settings;
		let later = 0;
		let others = 0;
		let used = 0;
		// A record may name several origins: a folder's file stands for both schemes.
		const add = (site: Exclude<SiteRecord, { fault: string }>) => {
			// Parsed and compiled before the first entry is written: a record that is refused leaves nothing.
			const urls = site.origins.map((origin) => urlWithHost(origin, "origin"));
			const isMoved = "target" in site;
			const programs = isMoved ? undefined : this.#compile(site.robots);
			for (const url of urls) {
				const origin = originOf(url);
				if (asOf !== undefined) {
					if (isOlder(site.time, times.get(origin))) continue;
					times.set(origin, site.time as number);
				}
				if (isMoved) {
					const { status, target } = site;
					// Written down as it comes; whether the target is ever found, the last record decides.
					moves.set(origin, { status, target });
				}
				const shard = shardOfUrl(url, this.#settings.shards);
				this.#entries.add(shard, origin, programs, this.#factsOf(origin, site));
			}
		};
		// A WARC block says at its end whether a record continues in the next one.
		const records = readTask(task, this.#settings);
		let end: BlockEnd | undefined;
		for (;;) {
			const { done, value } = await records.next();
			if (done) {
				end = value;
				break;
			}
			const record: SiteRecord | OtherRecord = value;
			if (asOf !== undefined && (record.time ?? 0) > asOf) {
				later++;
				continue;
			}
			// A remark names the record, so that a person finds it in a file of millions.
			if ("fault" in record) {
				remark(faults, `${record.where}: ${record.fault}`);
				continue;
			}
			// Which of two is older could not be said.
			const isUndated = asOf !== undefined && !(Number(record.time) <= asOf);
			if (isUndated && !("other" in record)) {
				remark(faults, `${record.where}: no date, which --as-of needs`);
				continue;
			}
			try {
				if ("other" in record) {
					others++;
					const { answer, time } = record;
					if (answer && !isUndated) targets.push(this.#target(answer, time));
				} else {
					add(record);
					used++;
				}
			} catch (error) {
				if (!isOfRecord(error)) throw error;
				const where = "other" in record ? record.answer?.url : record.where;
				remark(faults, `${where}: ${error.message}`);
				continue;
			}
			const site = "other" in record ? record.answer : record;
			// Damages are counted by their kind, not named one by one.
			if (site && "damage" in site && site.damage !== undefined)
				damages.set(site.damage, (damages.get(site.damage) ?? 0) + 1);
			// A robots.txt that parses to nothing is most likely another file.
			if ("robots" in record && typeof record.robots !== "string")
				doubt(doubts, record.where, record.robots);
		}
		const entries = this.#entries.take();
		return {
			...{ entries, moves, faults, doubts, damages, targets, others, end },
			...{ times, later, used },
		};
	}

	#target(
		answer: { readonly url: string } & (Site | Moved),
		time = Number.NaN,
	): Target {
		const url = parseUrl(answer.url)?.href ?? answer.url;
		if ("target" in answer) {
			const { status, target } = answer;
			return { url, time, status, target };
		}
		return { url, time, programs: this.#compile(answer.robots).slice() };
	}

	/**
	 * The programs of a file, which is parsed once for all agents; valid until the next call. Parsing
	 * happens once for all agents; only the group that is compiled differs.
	 */
	#compile(robots: Uint8Array | Access): Uint8Array {
		this.#file = undefined;
		if (typeof robots === "string") return this.#states[robots];
		const { agents, dialect, maxBytes, facts } = this.#settings;
		const file = RobotsTxt.parse(robots, {
			dialect,
			...(maxBytes === undefined ? {} : { maxBytes }),
		});
		if (facts) this.#file = file;
		let size = 0;
		// Programs of all agents lie one after the other, which is also how an entry stores them.
		for (const agent of agents) {
			const program = file.compactFor(agent);
			this.#reserve(size, program.length);
			this.#programs.set(program, size);
			size += program.length;
		}
		return this.#programs.subarray(0, size);
	}

	/** A line about an origin whose record was compiled last; empty where facts are not kept. */
	#factsOf(
		origin: string,
		site: Exclude<SiteRecord, { fault: string }>,
	): string {
		const { facts, agents } = this.#settings;
		if (!facts) return "";
		const { time, status } = site;
		const about = { origin, status, time: timeOrNone(time) };
		if ("target" in site) return lineOf({ ...about, location: site.target });
		const file = this.#file;
		// What is relative in a file stands for something else in each scheme.
		const steps = sitemapSteps(file?.otherLines ?? [], robotsUrlFor(origin));
		const sitemaps = inOneGo(steps);
		return lineOf({
			...about,
			access: typeof site.robots === "string" ? site.robots : undefined,
			crawlDelay: file?.crawlDelay(agents[0] as Agent),
			sitemaps: sitemaps.length > 0 ? sitemaps : undefined,
		});
	}

	/** Makes room after `size` bytes, which stay. */
	#reserve(size: number, more: number): void {
		if (size + more <= this.#programs.length) return;
		const room = Math.max(size + more, this.#programs.length * 2);
		const larger = new Uint8Array(room);
		larger.set(this.#programs.subarray(0, size));
		this.#programs = larger;
	}
}

/** Whether an answer is older than another one of the same URL, so that it does not count. Of two of the same time the later record counts. */
export function isOlder(
	time: number | undefined,
	than: number | undefined,
): boolean {
	return time !== undefined && than !== undefined && time < than;
}

/** Whether an error is about one record alone. */
function isOfRecord(error: unknown): error is RobotrieError {
	return (
		error instanceof RobotrieError &&
		(error.code === "invalid-url" || error.code === "limit-exceeded")
	);
}

function remark(remarks: Remarks, text: string): void {
	if (++remarks.count <= MOST_SHOWN) remarks.first.push(text);
}

function doubt(doubts: Remarks, where: string, robots: Uint8Array): void {
	const found = doubtAbout(robots);
	if (found !== undefined) remark(doubts, doubtText(where, found));
}

/**
 * Redirects that are followed (RFC 9309 §2.3.1.2). It asks crawlers to follow at least five, and
 * lets them give up after these.
 */
const HOPS = 5;
/** Bytes of entries that are given at once. */
const CHUNK = 1024 * 1024;

/** What became of redirects. */
export interface RedirectCounts {
	/** Those that took the answer recorded for their target. */
	followed: number;
	/** Those whose target has no record, or that lead in a circle or over too many hops. */
	unanswered: number;
}

/**
 * Where the redirects of an origin lead in the end. A redirect may end at another origin's
 * robots.txt, at an answer that is none, or nowhere.
 */
interface End {
	/** Origins and URLs on the way. */
	readonly passed: readonly string[];
	/** They lead in a circle, or over too many hops. */
	readonly isEndless?: boolean;
	/** Programs of an answer at another path than /robots.txt. */
	readonly programs?: Uint8Array | undefined;
	/** The origin whose robots.txt it is. */
	readonly origin?: string;
}

/** The programs of some origins of a shard; of those that it does not have, none. */
type ProgramsOf = (
	shard: number,
	origins: ReadonlySet<string>,
) => Found | Promise<Found>;

type Found = ReadonlyMap<string, Uint8Array>;

/**
 * Redirects among the sites that are compiled. Each redirect is followed to its end by look-ups; a
 * target may itself be a redirect.
 */
export class Redirects {
	readonly #settings: CompileSettings;
	/** Origins whose last record is a redirect. */
	readonly #moves = new Map<string, Move>();
	/** Answers at other paths than /robots.txt. */
	readonly #targets = new Map<string, Target>();
	/** Of an update, the origins and URLs that are new or have changed: only redirects that lead past one of them are followed again. */
	#changed: Set<string> | undefined;

	constructor(settings: CompileSettings) {
		this.#settings = settings;
		// Only what has moved is kept: most sites answer themselves.
	}

	/** Answers at other paths that redirects may lead to. */
	get targets(): Iterable<Target> {
		return this.#targets.values();
	}

	/** Begins with the redirects of an index that is updated, and the answers at other paths that it has. */
	begin(moves: ReadonlyMap<string, Move>, targets: Iterable<Target>): void {
		for (const [origin, move] of moves) this.#moves.set(origin, move);
		for (const target of targets) this.#targets.set(target.url, target);
		this.#changed = new Set();
	}

	/** Takes the sites of a task; a later one of the same origin counts. */
	add({ entries, moves, targets }: CompiledSites): void {
		const isDated = this.#settings.asOf !== undefined;
		for (const target of targets) {
			const { url, time } = target;
			if (isDated && isOlder(time, this.#targets.get(url)?.time)) continue;
			this.#targets.set(url, target);
			this.#changed?.add(url);
		}
		if (moves.size === 0 && this.#moves.size === 0 && !this.#changed) return;
		for (const { origin, programs } of entriesIn(entries.bytes)) {
			this.#changed?.add(origin);
			// A later record of the same origin that is not a redirect takes the earlier one's place.
			const move = programs ? undefined : moves.get(origin);
			if (move) this.#moves.set(origin, move);
			else this.#moves.delete(origin);
		}
	}

	/** Entries for all origins that are moved, once all sites have been taken; counts them. */
	async *follow(
		programsOf: ProgramsOf,
		counts: RedirectCounts,
	): AsyncGenerator<ShardedEntries> {
		const { shards } = this.#settings;
		const writer = new EntryWriter(shards);
		/**
		 * By shard: origins that others lead to. By shard, so that the entries of one shard are read
		 * once for all redirects that lead to it.
		 */
		const waiting = new Map<number, Map<string, string[]>>();
		for (const origin of this.#moves.keys()) {
			const end = this.#endOf(origin);
			const changed = this.#changed;
			if (changed && !end.passed.some((one) => changed.has(one))) continue;
			if (end.origin !== undefined) {
				const shard = shardOfOrigin(end.origin, shards);
				const origins = waiting.get(shard) ?? new Map<string, string[]>();
				waiting.set(shard, origins);
				const others = origins.get(end.origin) ?? [];
				origins.set(end.origin, others);
				others.push(origin);
				continue;
				// What has its answer here needs no shard of its own.
			}
			if (end.programs) counts.followed++;
			else counts.unanswered++;
			const programs = end.programs ?? this.#unanswered(end);
			writer.add(shardOfOrigin(origin, shards), origin, programs);
			if (writer.size > CHUNK) yield writer.take();
		}
		for (const [shard, origins] of waiting) {
			// One read per shard, however many redirects lead into it.
			const found = await programsOf(shard, new Set(origins.keys()));
			for (const [target, others] of origins)
				for (const origin of others) {
					let programs = found.get(target);
					if (programs) counts.followed++;
					else {
						counts.unanswered++;
						programs = this.#unanswered();
					}
					writer.add(shardOfOrigin(origin, shards), origin, programs);
					if (writer.size > CHUNK) yield writer.take();
				}
		}
		yield writer.take();
	}

	#endOf(origin: string): End {
		// A chain may cross origins and then leave robots.txt altogether, so both are followed.
		let hops = 0;
		let from = origin;
		let target: Target | undefined;
		const passed = [origin];
		for (let move = this.#moves.get(from); move; ) {
			if (move.target === null) return { passed };
			hops++;
			from = originOfRobots(move.target) ?? "";
			const place = placeOf(move.target);
			target = from ? undefined : this.#targets.get(place);
			passed.push(place);
			// HOPS bounds circles as well as long chains.
			if (hops > HOPS) return { passed, isEndless: true };
			if (from) move = this.#moves.get(from);
			else move = target && "target" in target ? target : undefined;
		}
		if (from) return { passed, origin: from };
		const programs = target && "programs" in target && target.programs;
		return { passed, programs: programs || undefined };
	}

	/**
	 * The programs for redirects that lead to no recorded answer: what the target says is not known, so URLs are `later`. A circle and
	 * too many hops are known, and count as a 404 (RFC 9309 §2.3.1.2).
	 */
	#unanswered({ isEndless = false }: Partial<End> = {}): Uint8Array {
		const { dialect, agents } = this.#settings;
		return statePrograms(isEndless ? "allow-all" : "later", agents, dialect);
	}
}

/** What a state is compiled to for all agents, concatenated. */
export function statePrograms(
	access: Access,
	agents: readonly Agent[],
	dialect: Dialect,
): Uint8Array {
	return concatenate(
		agents.map((agent) => stateProgram(access, agent, dialect)),
	);
}

/**
 * The origin whose robots.txt a URL is. A target that is not a robots.txt is looked up by its whole
 * URL.
 */
function originOfRobots(text: string): string | undefined {
	const url = parseUrl(text);
	if (!url?.host || url.pathname !== "/robots.txt" || url.search !== "")
		return undefined;
	return originOf(url);
}

/** What a redirect's target is looked up by: the origin whose robots.txt it is, or its URL. */
export const placeOf = (target: string): string =>
	originOfRobots(target) ?? withoutHash(target);

/** A URL as it is asked for. */
function withoutHash(url: string): string {
	return url.replace(/#.*$/s, "");
}

function shardOfOrigin(origin: string, shards: number): number {
	const url = parseUrl(origin);
	return url ? shardOfUrl(url, shards) : 0;
}
