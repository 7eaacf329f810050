/**
 * From a User-Agent header to the class that the module judges by. `AgentDirectory` decides whether a header is a crawler's, a person's or
 * outside the audit: the user's patterns first, then the lists (classify.ts), then names the user added. `AgentClasses` numbers what remains,
 * one class for all headers that are judged by the same rules and counted together. LogScanner asks once per new header.
 */

import { type Dialect, findCrawler, RobotrieError } from "robotrie";
import { readingFor } from "robotrie/internal";
import { isProductToken } from "#robotrie/common/agents";
import { quote } from "#robotrie/common/quote";
import {
	AGENT_FIRST_CLASS,
	AGENT_LEFT_OUT,
	AGENT_MISSING,
	AGENT_PERSON,
} from "../../assembly/format.ts";
import type { AddressBook } from "../common/addresses.ts";
import type { ScannerModule } from "../common/scanner-module.ts";
import type { ScanSettings } from "../options/options.ts";
import { type Purpose, purposes } from "../options/purposes.ts";
import {
	type AutomaticAgent,
	classify,
	Header,
	LONGEST_NAME,
	saysNothing,
	signsBlock,
	tokenOf,
} from "./classify.ts";

/**
 * Headers that are judged by the same rules and counted together. A log has thousands of different
 * headers and some hundred classes: the module numbers classes, so that a program is looked up by
 * two small numbers and not by a text.
 */
export interface AgentClass {
	readonly name: string;
	readonly category: string;
	/** See `AutomaticAgent`. */
	readonly agent: string;
	/** The crawler whose published addresses verify it; undefined if it has none. */
	readonly publishedAs: string | undefined;
	/**
	 * When robots.txt does not bind them: always, or if no group names them. "without-group" is for
	 * crawlers that ignore `*` but obey a group that names them, such as AdsBot.
	 */
	readonly exempt: "always" | "without-group" | "never";
}

const DASH = 0x2d;

/** The category of people's headers, if they are counted. */
const PEOPLE = "person";

/** The class of people's headers where their requests are judged: by the group for all crawlers, which does not bind them. */
export const BROWSERS: AgentClass = {
	name: "(browsers)",
	category: PEOPLE,
	agent: "*",
	publishedAs: undefined,
	exempt: "always",
};

/** Categories that fetch when a person asks for it, so that robots.txt does not bind them unless our own table says that they obey. */
const userKinds: ReadonlySet<string> = new Set([
	"ai-agent",
	"ai-assistant",
	"feed",
	"monitoring",
	"preview",
]);

/** See `AgentClass.exempt`. */
function exemptionOf(
	name: string,
	category: string,
	choice: Dialect | "auto",
): AgentClass["exempt"] {
	const crawler = findCrawler(name);
	// A crawler that is only in a list: all that is known is its category.
	if (crawler?.name !== name)
		return userKinds.has(category) ? "always" : "never";
	if (!crawler.obeysRobotsTxt) return "always";
	const { obeysGlobal } =
		findCrawler(name, readingFor(choice, name)) ?? crawler;
	return obeysGlobal ? "never" : "without-group";
}

/**
 * The classes of crawlers, numbered in order of appearance. Invariant: a number keeps its class
 * until `forget`, which LogScanner calls only between segments; entries of a segment that is being
 * counted refer to classes by number.
 */
export class AgentClasses {
	readonly #module: ScannerModule;
	readonly #settings: ScanSettings;
	readonly #addresses: AddressBook;
	readonly #directory: AgentDirectory;
	#classes: AgentClass[] = [];
	readonly #indices = new Map<string, number>();

	constructor(
		// By `AgentClass.category` and the names in it.
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
		this.#placeSigns();
		this.#begin();
	}

	/** Whether the first class is BROWSERS (see `usePeople` in assembly/log.ts). */
	get judgesPeople(): boolean {
		// With them among the crawlers, as in a list of headers, there are no others.
		const { suspects, withPeople } = this.#settings;
		return suspects === true && !withPeople;
	}

	#begin(): void {
		this.#classes = this.judgesPeople ? [BROWSERS] : [];
	}

	get size(): number {
		return this.#classes.length;
	}

	/** A class by its number, without AGENT_FIRST_CLASS. */
	at(index: number): AgentClass {
		return this.#classes[index] as AgentClass;
	}

	/** Tells the module who the header at FIELD_AGENT is: an AGENT_ number, or AGENT_FIRST_CLASS plus its class. */
	meet(header: Header): void {
		const { value, byShape } = this.#valueOf(header);
		this.#module.calls.setAgent(value, byShape && this.#directory.isPlain);
	}

	/** What the module needs to tell people's headers itself. */
	#placeSigns(): void {
		const index = this.#module.place(signsBlock(), "the names of crawlers");
		const people = this.judgesPeople ? AGENT_FIRST_CLASS : AGENT_PERSON;
		const answersPeople = this.#directory.isPlain && !this.#settings.withPeople;
		this.#module.calls.useSigns(index, answersPeople ? people : 0);
	}

	/**
	 * The value of a header, and whether those that differ from it in digits of versions only have the same: not where one has a name of its
	 * own, or a digit of its name may be a version's.
	 */
	#valueOf(header: Header): { value: number; byShape: boolean } {
		const { defaultAgent, groupBy, withPeople } = this.#settings;
		const { bytes } = header;
		const isMissing =
			bytes.length === 0 || (bytes.length === 1 && bytes[0] === DASH);
		// No header at all is no crawler and no person; it is counted apart, and a report warns when a
		// whole log has none.
		if (isMissing && defaultAgent === undefined)
			return { value: AGENT_MISSING, byShape: false };
		const known = isMissing ? Header.of(defaultAgent ?? "") : header;
		const found = this.#directory.find(known);
		if (found === "person" && !isMissing && !withPeople)
			return {
				value: this.judgesPeople ? AGENT_FIRST_CLASS : AGENT_PERSON,
				byShape: true,
			};
		if (found === "left-out") return { value: AGENT_LEFT_OUT, byShape: true };
		const { name, category, agent } =
			found === "person"
				? {
						name: known.text,
						category: isMissing ? "unknown" : PEOPLE,
						agent: tokenOf(known.text),
					}
				: found;
		// By address or category, headers of one name still share a class: EntryCounter and the report do the rest.
		const label = groupBy === "header" ? known.text : name;
		// One class per group of robots.txt (`agent`) and row of the report; a NUL is in neither.
		const key = `${category}\0${agent}\0${label}`;
		let index = this.#indices.get(key);
		if (index === undefined) {
			index = this.#classes.length;
			const publishedAs = this.#addresses.knows(name) ? name : undefined;
			const exempt = exemptionOf(
				name,
				category,
				this.#settings.reading.dialect ?? "auto",
			);
			this.#classes.push({ name: label, category, agent, publishedAs, exempt });
			this.#indices.set(key, index);
		}
		return {
			value: AGENT_FIRST_CLASS + index,
			byShape:
				found !== "person" && groupBy !== "header" && !/\d/.test(name + agent),
		};
	}

	/**
	 * Forgets all classes, and makes the module forget the headers that refer to them. The module's
	 * headers refer to classes by number, so both are forgotten together or neither.
	 */
	forget(): void {
		this.#module.calls.forgetAgents();
		this.#begin();
		this.#indices.clear();
	}
}

/**
 * Decides which headers are judged, and under which name. The order of questions matters and is the
 * documented one: what the user says about people, then the lists, then what the user says about
 * crawlers, then added names.
 */
export class AgentDirectory {
	readonly #only: ReadonlySet<string> | undefined;
	readonly #added: readonly { name: string; expression: RegExp }[];
	readonly #people: HeaderPatterns;
	readonly #crawlers: HeaderPatterns;

	/** Whether the lists alone decide: no pattern is tried, and no name that was added. */
	get isPlain(): boolean {
		return (
			this.#added.length === 0 && this.#people.isEmpty && this.#crawlers.isEmpty
		);
	}

	/**
	 * @param names Names to limit the audit to, in any case; one with "+" in front adds a crawler to the known ones. A name that no list
	 * knows is searched for in the headers, as a word.
	 * @param people Patterns of headers that are people's, whatever the lists say.
	 * @param crawlers Patterns of headers that are crawlers', whatever the lists say; "[PURPOSE]" says what those after it fetch for.
	 * @throws {RobotrieError} invalid-argument, for a pattern that matches every header, or a purpose that there is not.
	 */
	constructor(
		names: readonly string[],
		people: readonly string[] = [],
		crawlers: readonly string[] = [],
	) {
		this.#people = new HeaderPatterns(people);
		this.#crawlers = new HeaderPatterns(crawlers, true);
		const wanted = names.filter((name) => !name.startsWith("+"));
		this.#only =
			wanted.length > 0
				? new Set(wanted.map((name) => name.toLowerCase()))
				: undefined;
		this.#added = names
			.map((name) => name.replace(/^\+/, ""))
			.filter((name) => !findCrawler(name))
			.map((name) => ({
				name,
				// A whole word: "Bot" must not be found in "Googlebot", nor in "Bot-Image".
				expression: new RegExp(
					`(?<![\\w-])${name.replace(/[^\w\s]/g, "\\$&")}(?![\\w-])`,
					"i",
				),
			}));
	}

	/** What the lists know of a header, corrected by the patterns of `crawlers`: one with a purpose decides what the crawler is for. */
	#classified(header: Header): AutomaticAgent | undefined {
		const found = classify(header);
		const purpose = this.#crawlers.find(header);
		if (purpose === undefined) return found;
		if (found) return purpose === "" ? found : { ...found, category: purpose };
		const token = tokenOf(header.text);
		const name = saysNothing(token) ? header.text : token;
		return {
			name: name.slice(0, LONGEST_NAME),
			category: purpose || "unknown",
			agent: token,
		};
	}

	/**
	 * The agent of a header, "person", or "left-out" for a crawler that the audit was not limited to.
	 * Called once per new header, so that patterns may be tried one after the other.
	 */
	find(header: string | Header): AutomaticAgent | "person" | "left-out" {
		return this.#find(typeof header === "string" ? Header.of(header) : header);
	}

	#find(header: Header): AutomaticAgent | "person" | "left-out" {
		if (this.#people.find(header) !== undefined) return "person";
		const found = this.#classified(header);
		const isWanted = (name: string) =>
			!this.#only || this.#only.has(name.toLowerCase());
		// A list that knows the crawler beats a name the user added; one that only sees some bot does not.
		if (found && isWanted(found.name) && found.category !== "unknown")
			return found;
		for (const { name, expression } of this.#added) {
			if (!expression.test(header.text)) continue;
			return {
				name,
				category: found?.category ?? "unknown",
				agent: isProductToken(name) ? name : tokenOf(header.text),
			};
		}
		if (!found) return "person";
		return isWanted(found.name) ? found : "left-out";
	}
}

/**
 * Texts in lower case that a header must contain in this order, with anything between them. A list
 * of texts instead of a regular expression: a pattern from a file cannot make the matching slow.
 */
interface Pattern {
	readonly texts: readonly string[];
	/** What headers with it fetch for; "" if the pattern does not say. */
	readonly purpose: Purpose | "";
}

/** A set of patterns, as `patternsOf` gives them. */
class HeaderPatterns {
	readonly #patterns: Pattern[] = [];

	/**
	 * @param withPurposes Whether "[PURPOSE]" among the patterns says what those after it fetch for.
	 * @throws {RobotrieError} invalid-argument, for a pattern that matches every header, or a purpose that there is not.
	 */
	constructor(patterns: readonly string[], withPurposes = false) {
		let purpose: Pattern["purpose"] = "";
		for (const pattern of patterns) {
			const named = withPurposes && /^\[(.*)\]$/.exec(pattern)?.[1];
			if (typeof named === "string") {
				purpose = purposeNamed(named);
				continue;
			}
			const texts = pattern.toLowerCase().split("*").filter(Boolean);
			if (texts.length === 0)
				throw new RobotrieError(
					"invalid-argument",
					`the pattern ${quote(pattern)} matches every User-Agent header`,
				);
			this.#patterns.push({ texts, purpose });
		}
	}

	get isEmpty(): boolean {
		return this.#patterns.length === 0;
	}

	/** The purpose of the first pattern that a header has, "" if that one says none; undefined if it has no pattern. */
	find(header: Header): Pattern["purpose"] | undefined {
		if (this.isEmpty) return undefined;
		// Taking the first occurrence of each text is enough: a later one leaves less of the header for
		// the rest.
		const lower = header.text.toLowerCase();
		return this.#patterns.find(({ texts }) => {
			let at = 0;
			return texts.every((text) => {
				const found = lower.indexOf(text, at);
				at = found + text.length;
				return found >= 0;
			});
		})?.purpose;
	}
}

/** A purpose by its name; "" for none, as behind the last pattern of a file. */
function purposeNamed(text: string): Pattern["purpose"] {
	if (text === "") return "";
	const purpose = purposes.find((each) => each === text.trim().toLowerCase());
	if (purpose) return purpose;
	throw new RobotrieError(
		"invalid-argument",
		`[${text}] is no purpose of crawlers: write one of ${purposes.join(", ")}`,
	);
}
