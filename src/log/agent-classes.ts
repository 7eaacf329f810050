import {
	AGENT_FIRST_CLASS,
	AGENT_LEFT_OUT,
	AGENT_MISSING,
	AGENT_PERSON,
} from "../../assembly/format/log.ts";
import { AgentDirectory, tokenOf } from "./classify.ts";
import type { AddressBook } from "./ranges.ts";
import type { RuleBook, Ruling } from "./rule-book.ts";
import type { ScanSettings } from "./scan-settings.ts";
import type { ScannerModule } from "./scanner-module.ts";

/** Those whose requests are judged by the same rules and counted together. */
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
 * The classes of crawlers, numbered as they are met, and the module's table of programs, which has a row for each
 * robots.txt and in it a program for each class.
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
	#rulings: (Ruling | undefined)[] = [];
	/** Where programs are. */
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

	/** What a class has to keep by a robots.txt; the module has met it. */
	ruling(row: number, index: number): Ruling {
		return this.#rulings[row * this.#capacity + index] as Ruling;
	}

	/** What the module is told of a header: an AGENT_ number, or that of its class. */
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
		const key = [category, agent, label].join("\0");
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

	/** Puts the program of a class by a robots.txt into the module; equal ones share a place. */
	place(row: number, index: number): void {
		const ruling = this.#book.ruling(row, this.at(index).agent);
		let pointer = this.#programs.get(ruling.program);
		if (pointer === undefined) {
			pointer = this.#module.placeProgram(ruling.program);
			this.#programs.set(ruling.program, pointer);
		}
		const at = row * this.#capacity + index;
		this.#rulings[at] = ruling;
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
		this.#rulings = [];
		this.#capacity = 0;
		this.#grow(FIRST_CAPACITY);
	}

	/** Makes the table's rows longer. */
	#grow(capacity: number): void {
		const { rows } = this.#book;
		const before = this.#capacity;
		const size = rows.length * capacity * 4;
		const table = this.#module.allocate(size, "the table of programs");
		const { bytes } = this.#module;
		bytes.fill(0, table, table + size);
		const rulings: (Ruling | undefined)[] = [];
		for (let row = 0; row < rows.length; row++) {
			const from = this.#table + row * before * 4;
			bytes.copyWithin(table + row * capacity * 4, from, from + before * 4);
			for (let index = 0; index < before; index++) {
				const ruling = this.#rulings[row * before + index];
				if (ruling) rulings[row * capacity + index] = ruling;
			}
		}
		if (this.#table !== 0) this.#module.calls.release(this.#table);
		this.#table = table;
		this.#capacity = capacity;
		this.#rulings = rulings;
		this.#module.calls.usePrograms(table, capacity);
	}
}
