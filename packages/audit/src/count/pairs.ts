/**
 * Sites and pairs: which robots.txt version governs a request, and which program judges a crawler under it. The module holds a table of the
 * sites with their versions (`SiteTables`) and one of programs by class and version, which `Pairs` fills as they meet. A table of all pairs
 * would take gigabytes for many sites and many crawlers; test/many-sites.test.ts watches that.
 */

import {
	HOST_FIRST_SITE,
	HOST_WITHOUT_ROBOTS,
	SITE_SIZE,
} from "../../assembly/format.ts";
import { noMemory, type ScannerModule } from "../common/scanner-module.ts";
import { type LogFormat, tells } from "../formats/log-format.ts";
import type { CompiledRules, RuleBook } from "../options/rule-book.ts";
import type { AgentClass } from "../who/agent-classes.ts";
import type { CrawlerCounts } from "./crawler-counts.ts";

/**
 * A class of crawlers under a version of a robots.txt, and the counters of its requests. The module
 * numbers pairs from 0 in the order of their entry, and entries of lines carry that number.
 */
export interface Pair {
	readonly agentClass: AgentClass;
	/** Index in `RuleBook.versions`. */
	readonly version: number;
	/** Index in `RuleBook.sites`. */
	readonly site: number;
	readonly compiledRules: CompiledRules;
	/** robots.txt does not bind these crawlers. */
	readonly isExempt: boolean;
	/** The site has other versions of its robots.txt. */
	readonly isVersioned: boolean;
	/** Counters of the current segment; undefined until the pair is met in it. */
	counts: CrawlerCounts | undefined;
	/** If addresses are verified: the counters of requests whose address is not the crawler's, or not known. */
	claimed: CrawlerCounts | undefined;
	unknown: CrawlerCounts | undefined;
}

/** The pairs that were met, by the number that the module's table of programs gave them. Numbers start again after `forget`. */
export class Pairs {
	readonly #module: ScannerModule;
	readonly #book: RuleBook;
	#pairs: Pair[] = [];
	/** Addresses of programs in the module; equal programs are one object (`CompiledRules.program`) and are stored once. */
	readonly #programs = new Map<Uint8Array, number>();

	constructor(module: ScannerModule, book: RuleBook) {
		this.#module = module;
		this.#book = book;
	}

	get size(): number {
		return this.#pairs.length;
	}

	/**
	 * A pair by the number in ENTRY_PAIR. No look-up: the number is the index, which is what makes
	 * pairs cheap for every request.
	 */
	at(index: number): Pair {
		return this.#pairs[index] as Pair;
	}

	/** Gives the module the program that it lacks (SCAN_NO_PROGRAM), and adds the pair. */
	place(version: number, agentClass: AgentClass): void {
		const site = this.#book.versions[version]?.site ?? 0;
		const compiledRules = this.#book.compiledRules(version, agentClass.agent);
		// Equal programs are one object (`RuleBook`), so a log with a hundred crawlers and one group
		// uploads one program.
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
			// An exempt crawler is judged all the same: its requests are counted apart, not hidden.
			isExempt:
				agentClass.exempt === "always" ||
				(agentClass.exempt === "without-group" && !compiledRules.hasGroups),
			isVersioned: (this.#book.sites[site]?.versions ?? 0) > 1,
			counts: undefined,
			claimed: undefined,
			unknown: undefined,
		});
	}

	/**
	 * Forgets all pairs, here and in the module, and releases the programs. Called between segments
	 * only; entries of a segment refer to pairs by number.
	 */
	forget(): void {
		const { calls } = this.#module;
		if (calls.forgetPrograms() === 0) throw noMemory("the table of programs");
		for (const pointer of this.#programs.values()) calls.release(pointer);
		this.#programs.clear();
		this.#pairs = [];
	}
}

/**
 * The module's tables of sites and of the times from which their robots.txt versions apply. Both
 * tables are copied into the module once: it searches them for every line without asking.
 */
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

	/** Tells the module where the site of a line comes from: its host, or for a format without hosts the default or only site. */
	use(format: LogFormat): void {
		const { sites, hostless } = this.#book;
		// With directives, the fields are only known after #Fields; until then a host is assumed.
		const hasHost = format.directives
			? format.template.steps.length === 0 ||
				tells({ ...format, directives: false }, "host")
			: tells(format, "host");
		// A log without hosts belongs to the one site there is, or to the robots.txt for all hosts.
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
