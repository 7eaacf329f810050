/**
 * Writes a row for each entry of a scan, with its crawler, verdict and rule. EntryCounter calls it beside counting, so rows and reports always
 * agree. The columns that repeat (crawler, verdict and rule) are made once for each pair; the rest is copied by RowBytes.
 */

import {
	ENTRY_AGENT,
	ENTRY_AGENT_END,
	ENTRY_BYTES,
	ENTRY_HOST,
	ENTRY_HOST_END,
	ENTRY_IP,
	ENTRY_IP_END,
	ENTRY_METHOD,
	ENTRY_METHOD_END,
	ENTRY_OUTCOME,
	ENTRY_PAIR,
	ENTRY_REFERRER,
	ENTRY_REFERRER_END,
	ENTRY_STATUS,
	ENTRY_TARGET,
	ENTRY_TARGET_END,
	ENTRY_TIME,
	OUTCOME_INVALID,
	OUTCOME_LEFT_OUT,
	OUTCOME_MISSING,
	OUTCOME_OUTSIDE,
	OUTCOME_PERSON,
	OUTCOME_ROBOTS_TXT,
	OUTCOME_UNPARSED,
	OUTCOME_WITHOUT_ROBOTS,
} from "../../assembly/format.ts";
import type { Verification } from "../common/addresses.ts";
import { Anonymizer, type AnonymizeSettings } from "../common/anonymize.ts";
import { type EachRows, type Notation, RowBytes } from "../common/row-bytes.ts";
import { addressBytes, type ScannerModule } from "../common/scanner-module.ts";
import { decodeHeader, type Escaping } from "../formats/log-format.ts";
import type { EachSettings } from "../options/options.ts";
import type { RuleBook } from "../options/rule-book.ts";
import type { AgentClass } from "../who/agent-classes.ts";
import type { Pair } from "./pairs.ts";

/**
 * The columns of a row after `file` and `line`. Stored in the documentation and in scripts: the
 * order never changes, and new columns go to the end.
 */
export const COLUMNS = [
	"time",
	"crawler",
	"category",
	"verification",
	"host",
	"path",
	"status",
	"bytes",
	"address",
	"verdict",
	"robots",
	"rule_line",
	"rule",
	"user_agent",
	"method",
	"referrer",
] as const;

/** Verdicts other than allowed and disallowed, named like the fields of a report. */
const verdicts: ReadonlyMap<number, string> = new Map([
	[OUTCOME_INVALID, "invalid"],
	[OUTCOME_ROBOTS_TXT, "robotsTxt"],
	[OUTCOME_UNPARSED, "unparsed"],
	[OUTCOME_WITHOUT_ROBOTS, "withoutRobots"],
	[OUTCOME_OUTSIDE, "outside"],
	[OUTCOME_PERSON, "people"],
	[OUTCOME_MISSING, "withoutAgent"],
	[OUTCOME_LEFT_OUT, "leftOut"],
]);

/** The byte by which a header shows that it may be escaped. */
const ESCAPE: Readonly<Record<Escaping, number | undefined>> = {
	none: undefined,
	backslash: 0x5c,
	plus: 0x2b,
	percent: 0x25,
};

/**
 * Bytes of rows after which they should be taken. Few enough that a thread's rows stay small as a
 * message.
 */
const MANY = 256 * 1024;
/** Pairs, and verdicts of each, whose columns are kept. All are dropped beyond: they are quickly made again. */
const MAX_KEPT = 2000;

/** Columns that are the same in many rows of a pair. */
interface PairTexts {
	/** The columns from `crawler` to `verification`. */
	readonly who: Map<Verification, Uint8Array>;
	/** The columns from `verdict` on, by outcome. */
	readonly verdicts: Map<number, Uint8Array>;
}

/**
 * Writes rows. `use` must be called before the first entry, which LogScanner does. One writer for
 * each scanner, whose owner takes the rows.
 */
export class RowWriter {
	readonly settings: EachSettings;
	readonly #notation: Notation;
	readonly #rows: RowBytes;
	readonly #encoder = new TextEncoder();
	readonly #pairs = new Map<Pair, PairTexts>();
	readonly #unjudged = new Map<number, Uint8Array>();
	readonly #nobody: Uint8Array;
	/** How the log that is read escapes headers. */
	escaping: Escaping = "none";
	#module: ScannerModule | undefined;
	#book: RuleBook | undefined;
	#crawlerOf: (agentClass: number) => Partial<AgentClass> = () => ({});
	/** Replaces addresses in fields; undefined if rows have them as they are. */
	#anonymizer: Anonymizer | undefined;

	/** @param notation The one for the settings' format. */
	constructor(settings: EachSettings, notation: Notation) {
		this.settings = settings;
		this.#notation = notation;
		this.#rows = new RowBytes(this.#notation);
		this.#nobody = this.#whoText(null, null, null);
	}

	/** Gives the module whose entries will be added, what their numbers refer to, and how addresses are replaced. */
	use(
		module: ScannerModule,
		book: RuleBook,
		crawlerOf: (agentClass: number) => AgentClass,
		anonymize?: AnonymizeSettings,
	): void {
		this.#anonymizer = anonymize && new Anonymizer(anonymize);
		this.#module = module;
		this.#book = book;
		// Without `useEntries`, the module makes no entry for lines that are not judged.
		this.#crawlerOf = crawlerOf;
		module.calls.useEntries(this.settings.all);
	}

	/** Adds the judged entry at an address; `line` is its line in the segment, from 0. */
	addJudged(
		// Two look-ups in small Maps in place of encoding seven columns again.
		at: number,
		line: number,
		pair: Pair,
		verification: Verification,
	): void {
		const texts = this.#textsOf(pair);
		let who = texts.who.get(verification);
		if (!who) {
			const { name, category } = pair.agentClass;
			who = this.#whoText(name, category, verification);
			texts.who.set(verification, who);
		}
		const outcome = this.#view.getInt32(at + ENTRY_OUTCOME, true);
		let verdict = texts.verdicts.get(outcome);
		if (!verdict) {
			verdict = this.#verdictOf(pair, outcome);
			if (texts.verdicts.size >= MAX_KEPT) texts.verdicts.clear();
			texts.verdicts.set(outcome, verdict);
		}
		this.#add(at, line, who, verdict);
	}

	/** Adds the entry of a line that was not judged. */
	addUnjudged(at: number, line: number): void {
		const outcome = this.#view.getInt32(at + ENTRY_OUTCOME, true);
		// Of lines that are not judged, only a request without a robots.txt has a crawler: it was
		// recognised, but nothing governs it.
		const { name = null, category = null } =
			outcome === OUTCOME_WITHOUT_ROBOTS
				? this.#crawlerOf(this.#view.getUint32(at + ENTRY_PAIR, true))
				: {};
		const who =
			name === null ? this.#nobody : this.#whoText(name, category, null);
		this.#add(at, line, who, this.#unjudgedText(outcome));
	}

	/** Adds the judged entry at an address as one that is left out or of a person (OUTCOME_), if there are rows for all lines. */
	addWithout(
		outcome: typeof OUTCOME_LEFT_OUT | typeof OUTCOME_PERSON,
		at: number,
		line: number,
	): void {
		if (this.settings.all)
			this.#add(at, line, this.#nobody, this.#unjudgedText(outcome));
	}

	/** Adds a line that could not be parsed, which has no fields. */
	addUnparsed(line: number): void {
		const verdict = this.#unjudgedText(OUTCOME_UNPARSED);
		this.#rows.add(
			...([line, Number.NaN, this.#nobody] as const),
			...([EMPTY, EMPTY, 0, 0, EMPTY, verdict] as const),
			...([EMPTY, EMPTY, EMPTY] as const),
		);
	}

	/** The verdict columns of a line that was not judged: the same for all lines of that outcome. */
	#unjudgedText(outcome: number): Uint8Array {
		let text = this.#unjudged.get(outcome);
		if (!text) {
			text = this.#verdictText(verdicts.get(outcome) ?? "");
			this.#unjudged.set(outcome, text);
		}
		return text;
	}

	get #view(): DataView {
		return (this.#module as ScannerModule).view;
	}

	/** Adds a row of an entry's fields between the columns given. */
	#add(at: number, line: number, who: Uint8Array, verdict: Uint8Array): void {
		const module = this.#module as ScannerModule;
		const { view } = module;
		const address = addressBytes(module, at, ENTRY_IP, ENTRY_IP_END);
		this.#rows.add(
			line,
			view.getFloat64(at + ENTRY_TIME, true),
			who,
			this.#fieldAt(at + ENTRY_HOST, at + ENTRY_HOST_END),
			this.#fieldAt(at + ENTRY_TARGET, at + ENTRY_TARGET_END),
			view.getUint32(at + ENTRY_STATUS, true),
			view.getFloat64(at + ENTRY_BYTES, true),
			this.#anonymizer?.field(address) ?? address,
			verdict,
			this.#headerAt(at + ENTRY_AGENT, at + ENTRY_AGENT_END, this.escaping),
			this.#fieldAt(at + ENTRY_METHOD, at + ENTRY_METHOD_END),
			this.#headerAt(
				at + ENTRY_REFERRER,
				at + ENTRY_REFERRER_END,
				// Plus signs and percent signs may be those of the URL that it is.
				this.escaping === "backslash" ? "backslash" : "none",
			),
		);
	}

	/** A field as the log has it. */
	#fieldAt(from: number, to: number): Uint8Array {
		return this.#shown((this.#module as ScannerModule).bytesBetween(from, to));
	}

	/** A header as the client sent it. */
	#headerAt(from: number, to: number, escaping: Escaping): Uint8Array {
		const bytes = (this.#module as ScannerModule).bytesBetween(from, to);
		const sign = ESCAPE[escaping];
		return this.#shown(
			sign !== undefined && bytes.includes(sign)
				? this.#encoder.encode(decodeHeader(bytes, escaping))
				: bytes,
		);
	}

	/** Bytes as they may leave the scanner. */
	#shown(bytes: Uint8Array): Uint8Array {
		return this.#anonymizer?.bytes(bytes) ?? bytes;
	}

	/** The columns that say who sent a request; null where that is unknown. */
	#whoText(
		name: string | null,
		category: string | null,
		verification: Verification,
	): Uint8Array {
		// A name may be a whole header.
		const crawler = name === null ? name : this.#shownName(name);
		return this.#columns({ crawler, category, verification });
	}

	#shownName(name: string): string {
		return this.#anonymizer?.text(name) ?? name;
	}

	/** The repeated columns of a pair, made when they are first needed. */
	#textsOf(pair: Pair): PairTexts {
		let texts = this.#pairs.get(pair);
		if (!texts) {
			if (this.#pairs.size >= MAX_KEPT) this.#pairs.clear();
			texts = { who: new Map(), verdicts: new Map() };
			this.#pairs.set(pair, texts);
		}
		return texts;
	}

	/**
	 * The columns of a verdict. The outcome is OUTCOME_, 0 for no rule, 2 * rank for Disallow or 2 *
	 * rank + 1 for Allow.
	 */
	#verdictOf({ version, compiledRules }: Pair, outcome: number): Uint8Array {
		const special = verdicts.get(outcome);
		if (special !== undefined) return this.#verdictText(special);
		const rank = outcome >> 1;
		const isAllowed = outcome === 0 || (outcome & 1) === 1;
		return this.#verdictText(
			isAllowed ? "allowed" : "disallowed",
			this.#book?.versions[version]?.source.file,
			// Line 0 is that of what holds without any: robots.txt itself is always allowed.
			(rank > 0 && compiledRules.lines[rank]) || undefined,
			rank > 0 ? compiledRules.rules.at(rank)?.pattern : undefined,
		);
	}

	/** The columns of a verdict; without a rule they are null. */
	#verdictText(
		verdict: string,
		robots?: string,
		line?: number,
		rule?: string,
	): Uint8Array {
		return this.#columns({
			verdict,
			robots: robots ?? null,
			rule_line: line ?? null,
			rule: rule ?? null,
		});
	}

	/** Columns in the notation, as bytes. */
	#columns(
		values: Readonly<Record<string, string | number | null>>,
	): Uint8Array {
		const { before, value } = this.#notation;
		const texts = Object.entries(values).map(
			([column, each]) => before(column) + value(each),
		);
		return this.#encoder.encode(texts.join(""));
	}

	/** There are so many rows that they should be taken. */
	get isFull(): boolean {
		return this.#rows.size >= MANY;
	}

	/** The rows since the last call; undefined if there are none. */
	take(): EachRows | undefined {
		return this.#rows.take();
	}
}

const EMPTY = new Uint8Array(0);
