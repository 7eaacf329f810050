import { RobotsTxt } from "robotrie";
import type { Redirect } from "robotrie/access";
import { accessFor } from "robotrie/access";
import { concatenate, originOf, parseUrl } from "robotrie/internal";
import { shardOfUrl } from "../index-files/shard.ts";
import type {
	CompiledSites,
	CompileSettings,
	Move,
	Target,
} from "./compile-sites.ts";
import { EntryWriter, entriesIn, type ShardedEntries } from "./entries.ts";

/** Redirects that are followed (RFC 9309 §2.3.1.2). */
const HOPS = 5;
/** Bytes of entries that are given at once. */
const PART = 1024 * 1024;

/** What became of redirects. */
export interface RedirectCounts {
	/** Those that took the answer recorded for their target. */
	followed: number;
	/** Those whose target has no record, or that lead in a circle or over too many hops. */
	unanswered: number;
}

/** Where the redirects of an origin lead in the end. */
interface End {
	readonly redirects: readonly Redirect[];
	/** Programs of an answer at another path than /robots.txt. */
	readonly programs?: Uint8Array | undefined;
	/** The origin whose robots.txt it is. */
	readonly origin?: string;
}

/** The programs of some origins of a shard; of those that it does not have, none. */
export type ProgramsOf = (
	shard: number,
	origins: ReadonlySet<string>,
) => ReadonlyMap<string, Uint8Array>;

/** Redirects among the sites that are compiled. */
export class Redirects {
	readonly #settings: CompileSettings;
	/** Origins whose last record is a redirect. */
	readonly #moves = new Map<string, Move>();
	/** Answers at other paths than /robots.txt. */
	readonly #targets = new Map<string, Target>();

	constructor(settings: CompileSettings) {
		this.#settings = settings;
	}

	/** Takes the sites of a task; a later one of the same origin counts. */
	add({ entries, moves, targets }: CompiledSites): void {
		for (const target of targets) this.#targets.set(target.url, target);
		if (moves.size === 0 && this.#moves.size === 0) return;
		for (const { origin, programs } of entriesIn(entries.bytes)) {
			const move = programs ? undefined : moves.get(origin);
			if (move) this.#moves.set(origin, move);
			else this.#moves.delete(origin);
		}
	}

	/** Entries for all origins that are moved, once all sites have been taken; counts them. */
	*follow(
		programsOf: ProgramsOf,
		counts: RedirectCounts,
	): Generator<ShardedEntries> {
		const { shards } = this.#settings;
		const writer = new EntryWriter(shards);
		/** By shard: origins that others lead to. */
		const waiting = new Map<number, Map<string, string[]>>();
		for (const origin of this.#moves.keys()) {
			const end = this.#endOf(origin);
			if (end.origin !== undefined) {
				const shard = shardOfOrigin(end.origin, shards);
				const origins = waiting.get(shard) ?? new Map<string, string[]>();
				waiting.set(shard, origins);
				const others = origins.get(end.origin) ?? [];
				origins.set(end.origin, others);
				others.push(origin);
				continue;
			}
			if (end.programs) counts.followed++;
			else counts.unanswered++;
			const programs = end.programs ?? this.#unanswered(origin, end.redirects);
			writer.add(shardOfOrigin(origin, shards), origin, programs);
			if (writer.size > PART) yield writer.take();
		}
		for (const [shard, origins] of waiting) {
			const found = programsOf(shard, new Set(origins.keys()));
			for (const [target, others] of origins)
				for (const origin of others) {
					let programs = found.get(target);
					if (programs) counts.followed++;
					else {
						counts.unanswered++;
						const { redirects } = this.#endOf(origin);
						programs = this.#unanswered(origin, redirects);
					}
					writer.add(shardOfOrigin(origin, shards), origin, programs);
					if (writer.size > PART) yield writer.take();
				}
		}
		yield writer.take();
	}

	#endOf(origin: string): End {
		const redirects: Redirect[] = [];
		let from = origin;
		let target: Target | undefined;
		for (let move = this.#moves.get(from); move; ) {
			redirects.push({ status: move.status, url: move.target });
			from = originOfRobots(move.target) ?? "";
			target = from ? undefined : this.#targets.get(withoutHash(move.target));
			if (redirects.length > HOPS) return { redirects };
			if (from) move = this.#moves.get(from);
			else move = target && "target" in target ? target : undefined;
		}
		if (from) return { redirects, origin: from };
		const programs = target && "programs" in target && target.programs;
		return { redirects, programs: programs || undefined };
	}

	/** The programs for redirects that lead to no recorded answer. */
	#unanswered(origin: string, redirects: readonly Redirect[]): Uint8Array {
		const { dialect, agents } = this.#settings;
		const { status } = redirects.at(-1) as Redirect;
		const url = `${origin}/robots.txt`;
		const { access } = accessFor({ url, status, redirects }, null, { dialect });
		const text = access === "allow-all" ? "" : "User-agent: *\nDisallow: /";
		const file = RobotsTxt.parse(text, { dialect });
		return concatenate(
			agents.map((agent) =>
				file.compactFor(access === "allow-all" ? agent : "*").slice(),
			),
		);
	}
}

/** The origin whose robots.txt a URL is. */
function originOfRobots(text: string): string | undefined {
	const url = parseUrl(text);
	if (!url?.host || url.pathname !== "/robots.txt" || url.search !== "")
		return undefined;
	return originOf(url);
}

/** A URL as it is asked for. */
function withoutHash(url: string): string {
	return url.replace(/#.*$/s, "");
}

function shardOfOrigin(origin: string, shards: number): number {
	const url = parseUrl(origin);
	return url ? shardOfUrl(url, shards) : 0;
}
