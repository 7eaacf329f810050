import type { Dialect } from "robotrie";
import { crawlerIn, DEFAULT_DIALECT, knownCrawler } from "robotrie/internal";
import {
	AGENT_FIRST_CLASS,
	AGENT_LEFT_OUT,
	AGENT_MISSING,
	AGENT_PERSON,
} from "../assembly/format.ts";
import { AgentDirectory, tokenOf } from "./classify.ts";
import type { AddressBook } from "./ranges.ts";
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
	/** When robots.txt does not bind them: always, or where no group of it is for them. */
	readonly exempt: "always" | "without-group" | "never";
}

/** The category of people's headers, where these are counted. */
export const PEOPLE = "person";

/** Kinds that fetch because a person asks for it. Only the table of crawlers knows which of them obey robots.txt. */
const userKinds: ReadonlySet<string> = new Set([
	"ai-assistant",
	"feed",
	"monitoring",
	"preview",
]);

function exemptionOf(
	name: string,
	category: string,
	dialect: Dialect,
): AgentClass["exempt"] {
	const crawler = knownCrawler(name);
	if (crawler?.name !== name)
		return userKinds.has(category) ? "always" : "never";
	if (!crawler.obeysRobotsTxt) return "always";
	return crawlerIn(dialect, crawler).obeysGlobal ? "never" : "without-group";
}

/** The classes of crawlers, numbered in order of appearance. */
export class AgentClasses {
	readonly #module: ScannerModule;
	readonly #settings: ScanSettings;
	readonly #addresses: AddressBook;
	readonly #directory: AgentDirectory;
	#classes: AgentClass[] = [];
	readonly #indices = new Map<string, number>();

	constructor(
		module: ScannerModule,
		settings: ScanSettings,
		addresses: AddressBook,
	) {
		this.#module = module;
		this.#settings = settings;
		this.#addresses = addresses;
		this.#directory = new AgentDirectory(
			settings.agents,
			settings.people,
			settings.crawlers,
		);
	}

	get size(): number {
		return this.#classes.length;
	}

	at(index: number): AgentClass {
		return this.#classes[index] as AgentClass;
	}

	/** The value of a header in the module: an AGENT_ number, or AGENT_FIRST_CLASS plus its class. */
	valueOf(header: string): number {
		const { defaultAgent, groupBy, withPeople } = this.#settings;
		const isMissing = header === "" || header === "-";
		if (isMissing && defaultAgent === undefined) return AGENT_MISSING;
		const known = isMissing ? (defaultAgent ?? "") : header;
		const found = this.#directory.find(known);
		if (found === "person" && !isMissing && !withPeople) return AGENT_PERSON;
		if (found === "left-out") return AGENT_LEFT_OUT;
		const { name, category, agent } =
			found === "person"
				? {
						name: known,
						category: isMissing ? "unknown" : PEOPLE,
						agent: tokenOf(known),
					}
				: found;
		const label = groupBy === "header" ? known : name;
		const key = `${category}\0${agent}\0${label}`;
		let index = this.#indices.get(key);
		if (index === undefined) {
			index = this.#classes.length;
			const publishedAs = this.#addresses.knows(name) ? name : undefined;
			const exempt = exemptionOf(
				name,
				category,
				this.#settings.reading.dialect ?? DEFAULT_DIALECT,
			);
			this.#classes.push({ name: label, category, agent, publishedAs, exempt });
			this.#indices.set(key, index);
		}
		return AGENT_FIRST_CLASS + index;
	}

	/** Forgets all of them, and has the module forget the headers. */
	forget(): void {
		this.#module.calls.forgetAgents();
		this.#classes = [];
		this.#indices.clear();
	}
}
