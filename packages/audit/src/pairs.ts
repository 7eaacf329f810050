import {
	HOST_FIRST_SITE,
	HOST_WITHOUT_ROBOTS,
	SITE_SIZE,
} from "../assembly/format.ts";
import type { AgentClass } from "./agent-classes.ts";
import type { CrawlerCounts } from "./crawler-counts.ts";
import { type LogFormat, tells } from "./log-format.ts";
import type { CompiledRules, RuleBook } from "./rule-book.ts";
import { noMemory, type ScannerModule } from "./scanner-module.ts";

/** A class of crawlers under a version of a robots.txt. */
export interface Pair {
	readonly agentClass: AgentClass;
	/** Index in `RuleBook.versions`. */
	readonly version: number;
	/** Index in `RuleBook.sites`. */
	readonly site: number;
	readonly compiledRules: CompiledRules;
	/** robots.txt does not bind the crawlers. */
	readonly isExempt: boolean;
	/** The site has other versions of its robots.txt. */
	readonly isVersioned: boolean;
	/** Counters of the run, once the pair has met in it. */
	counts: CrawlerCounts | undefined;
	/** Where addresses tell whether a crawler is what it says, those of requests that are not verified. */
	claimed: CrawlerCounts | undefined;
	unknown: CrawlerCounts | undefined;
}

/** The pairs that have met in a log, as numbered by the module's table of programs (assembly/program-table.ts). */
export class Pairs {
	readonly #module: ScannerModule;
	readonly #book: RuleBook;
	#pairs: Pair[] = [];
	/** Addresses of programs in the module. */
	readonly #programs = new Map<Uint8Array, number>();

	constructor(module: ScannerModule, book: RuleBook) {
		this.#module = module;
		this.#book = book;
	}

	get size(): number {
		return this.#pairs.length;
	}

	at(index: number): Pair {
		return this.#pairs[index] as Pair;
	}

	/** Puts the pending program of a class into the module. Equal programs are stored once. */
	place(version: number, agentClass: AgentClass): void {
		const site = this.#book.versions[version]?.site ?? 0;
		const compiledRules = this.#book.compiledRules(version, agentClass.agent);
		const { program } = compiledRules;
		let pointer = this.#programs.get(program);
		if (pointer === undefined) {
			pointer = this.#module.placeProgram(program);
			this.#programs.set(program, pointer);
		}
		if (this.#module.calls.setProgram(pointer) === 0)
			throw noMemory("the table of programs");
		this.#pairs.push({
			agentClass,
			version,
			site,
			compiledRules,
			isExempt:
				agentClass.exempt === "always" ||
				(agentClass.exempt === "without-group" && !compiledRules.hasGroups),
			isVersioned: (this.#book.sites[site]?.versions ?? 0) > 1,
			counts: undefined,
			claimed: undefined,
			unknown: undefined,
		});
	}

	/** Forgets all of them, here and in the module. */
	forget(): void {
		const { calls } = this.#module;
		if (calls.forgetPrograms() === 0) throw noMemory("the table of programs");
		for (const pointer of this.#programs.values()) calls.release(pointer);
		this.#programs.clear();
		this.#pairs = [];
	}
}

/** The module's tables of sites and of the times from which robots.txt files hold. */
export class SiteTables {
	readonly #module: ScannerModule;
	readonly #book: RuleBook;
	readonly #sites: number;
	readonly #starts: number;

	constructor(module: ScannerModule, book: RuleBook) {
		this.#module = module;
		this.#book = book;
		const sites = new Uint32Array((book.sites.length * SITE_SIZE) / 4);
		book.sites.forEach(({ firstVersion, versions }, index) => {
			sites.set([firstVersion, versions], index * 2);
		});
		const starts = Float64Array.from(book.versions, ({ since }) => since);
		this.#sites = module.place(new Uint8Array(sites.buffer), "the sites");
		this.#starts = module.place(new Uint8Array(starts.buffer), "the sites");
	}

	/** Lines of a format without a host are all of the site that is given without one, or of the only one. */
	use(format: LogFormat): void {
		const { sites, hostless } = this.#book;
		// Of a format with directives, fields come later.
		const hasHost = format.directives
			? format.template.steps.length === 0 ||
				tells({ ...format, directives: false }, "host")
			: tells(format, "host");
		const only =
			this.#book.siteOf("-") ??
			(!hasHost && sites.length === 1 ? 0 : undefined);
		const single =
			hasHost && !hostless
				? 0
				: only === undefined
					? HOST_WITHOUT_ROBOTS
					: HOST_FIRST_SITE + only;
		this.#module.calls.useSites(this.#sites, this.#starts, single);
	}
}
