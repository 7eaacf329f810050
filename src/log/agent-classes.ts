import {
	AGENT_FIRST_CLASS,
	AGENT_LEFT_OUT,
	AGENT_MISSING,
	AGENT_PERSON,
} from "../../assembly/format/log.ts";
import { AgentDirectory, tokenOf } from "./classify.ts";
import type { AddressBook } from "./ranges.ts";
import type { CompiledRules, RuleBook } from "./rule-book.ts";
import type { ScanSettings } from "./scan-settings.ts";
import type { ScannerModule } from "./scanner-module.ts";

/** Crawlers whose requests are judged by the same rules and counted together. */
export interface AgentClass {
	readonly name: string;
	readonly category: string;
	/** See `AutomaticAgent`. */
	readonly agent: string;
	/** The crawler whose published addresses tell whether it is what it says; undefined without any. */
	readonly publishedAs: string | undefined;
}

const FIRST_CAPACITY = 64;

/**
 * The classes of crawlers, numbered in order of appearance, and the module's table of programs: a row for each version of a
 * robots.txt, with a program for each class.
 */
export class AgentClasses {
	readonly #module: ScannerModule;
	readonly #settings: ScanSettings;
	readonly #book: RuleBook;
	readonly #addresses: AddressBook;
	readonly #directory: AgentDirectory;
	#classes: AgentClass[] = [];
	readonly #indices = new Map<string, number>();
	#capacity = 0;
	#table = 0;
	#compiled: (CompiledRules | undefined)[] = [];
	/** Addresses of programs in the module. */
	readonly #programs = new Map<Uint8Array, number>();

	constructor(
		module: ScannerModule,
		settings: ScanSettings,
		book: RuleBook,
		addresses: AddressBook,
	) {
		this.#module = module;
		this.#settings = settings;
		this.#book = book;
		this.#addresses = addresses;
		this.#directory = new AgentDirectory(settings.agents);
		this.#grow(FIRST_CAPACITY);
	}

	get size(): number {
		return this.#classes.length;
	}

	at(index: number): AgentClass {
		return this.#classes[index] as AgentClass;
	}

	/** The rules of a robots.txt for a class; `place` must have been called for both. */
	compiledRules(version: number, index: number): CompiledRules {
		return this.#compiled[version * this.#capacity + index] as CompiledRules;
	}

	/** The value of a header in the module: an AGENT_ number, or AGENT_FIRST_CLASS plus its class. */
	valueOf(header: string): number {
		const { defaultAgent, byHeader } = this.#settings;
		const isMissing = header === "" || header === "-";
		if (isMissing && defaultAgent === undefined) return AGENT_MISSING;
		const known = isMissing ? (defaultAgent ?? "") : header;
		const found = this.#directory.find(known);
		if (found === "person" && !isMissing) return AGENT_PERSON;
		if (found === "left-out") return AGENT_LEFT_OUT;
		const { name, category, agent } =
			found === "person"
				? { name: known, category: "unknown", agent: tokenOf(known) }
				: found;
		const label = byHeader ? known : name;
		const key = `${category}\0${agent}\0${label}`;
		let index = this.#indices.get(key);
		if (index === undefined) {
			index = this.#classes.length;
			const publishedAs = this.#addresses.knows(name) ? name : undefined;
			this.#classes.push({ name: label, category, agent, publishedAs });
			this.#indices.set(key, index);
			if (index >= this.#capacity) this.#grow(index * 2);
		}
		return AGENT_FIRST_CLASS + index;
	}

	/** Puts the program of a class for a robots.txt into the module. Equal programs are stored once. */
	place(version: number, index: number): void {
		const compiledRules = this.#book.compiledRules(
			version,
			this.at(index).agent,
		);
		let pointer = this.#programs.get(compiledRules.program);
		if (pointer === undefined) {
			pointer = this.#module.placeProgram(compiledRules.program);
			this.#programs.set(compiledRules.program, pointer);
		}
		const at = version * this.#capacity + index;
		this.#compiled[at] = compiledRules;
		this.#module.view.setUint32(this.#table + at * 4, pointer, true);
	}

	/** Forgets all of them, and has the module forget the headers. */
	forget(): void {
		const { calls } = this.#module;
		calls.forgetAgents();
		for (const pointer of this.#programs.values()) calls.release(pointer);
		this.#programs.clear();
		this.#classes = [];
		this.#indices.clear();
		this.#compiled = [];
		this.#capacity = 0;
		this.#grow(FIRST_CAPACITY);
	}

	/** Makes the table's rows longer. */
	#grow(capacity: number): void {
		const { versions } = this.#book;
		const before = this.#capacity;
		const size = versions.length * capacity * 4;
		const table = this.#module.allocate(size, "the table of programs");
		const { bytes } = this.#module;
		bytes.fill(0, table, table + size);
		const compiled: (CompiledRules | undefined)[] = [];
		for (let version = 0; version < versions.length; version++) {
			const from = this.#table + version * before * 4;
			bytes.copyWithin(table + version * capacity * 4, from, from + before * 4);
			for (let index = 0; index < before; index++) {
				const compiledRules = this.#compiled[version * before + index];
				if (compiledRules) compiled[version * capacity + index] = compiledRules;
			}
		}
		if (this.#table !== 0) this.#module.calls.release(this.#table);
		this.#table = table;
		this.#capacity = capacity;
		this.#compiled = compiled;
		this.#module.calls.usePrograms(table, capacity);
	}
}
