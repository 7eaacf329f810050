/**
 * What Content-Signal and Content-Usage lines say about the use of a URL's content. `RobotsTxt.preferences` calls it through answers.ts.
 * The most specific path decides, as with rules.
 */
import { PathPatterns } from "../engine/engine.ts";
import type { ParsedFile } from "../robots-txt/parse.ts";
import {
	type ReadStatement,
	readContentSignal,
	readContentUsage,
	type UseLevel,
	useLevels,
} from "../robots-txt/usage-statement.ts";

/** Whether one use of a page is wanted, and the line that says so. */
export interface Preference {
	/** Whether the site wants this use. */
	readonly allowed: boolean;
	/** Line number, from 1. */
	readonly line: number;
}

/**
 * By category of use; a category that nothing is said about is absent, and its preference unknown.
 * Names of uses are the site's: what later drafts add is passed on.
 */
export type UsagePreferences = Readonly<Record<string, Preference>>;

/** How far the site wants a page to be used, and the line that says so. */
export interface ContentUse {
	/** The most that is wanted. */
	readonly level: UseLevel;
	/** Line number, from 1. */
	readonly line: number;
}

/** What a site wants done with a page once it is fetched. */
export interface Preferences {
	/** Whether the crawler may fetch the page; when not, no preferences apply to it. */
	readonly allowed: boolean;
	/** Content-Signal: `search`, `ai-input`, `ai-train`. */
	readonly contentSignal: UsagePreferences;
	/** Content-Signal `use`: how far the page may be used; null where nothing is said about it. */
	readonly contentUse: ContentUse | null;
	/** Content-Usage: `train-ai`, `ai-use`, `search`, and what else later drafts name. */
	readonly contentUsage: UsagePreferences;
}

/** Of one line. */
interface Statement {
	readonly path: string;
	readonly uses: ReadonlyMap<string, boolean>;
	readonly level?: UseLevel | undefined;
	readonly line: number;
}

/**
 * The statements that hold for a crawler. Each kind of use has statements of its own: a folder's
 * line says nothing about what it does not mention.
 */
export class PreferenceIndex {
	readonly #usage: MostSpecific;
	/** For each signal what mentions it: a line for a folder leaves open what it does not mention. */
	readonly #signals: ReadonlyMap<string, MostSpecific>;
	readonly #levels: MostSpecific;

	/** `sections` are the crawler's, as indices. */
	constructor({ others }: ParsedFile, sections: ReadonlySet<number>) {
		const statementsOf = (
			names: readonly string[],
			read: (value: string) => ReadStatement,
			holds: (section: number) => boolean,
		): Statement[] =>
			others
				.filter(({ field, section }) => names.includes(field) && holds(section))
				.map(({ value, line }) => ({ ...read(value).statement, line }));
		this.#usage = new MostSpecific(
			statementsOf(["content-usage"], readContentUsage, (section) =>
				sections.has(section),
			),
		);
		// A signal before the first group is meant for the whole site, and so for every crawler.
		const signals = statementsOf(
			["content-signal", "content-signals"],
			readContentSignal,
			(section) => section < 0 || sections.has(section),
		);
		const names = new Set(signals.flatMap(({ uses }) => [...uses.keys()]));
		this.#signals = new Map(
			[...names].map((name) => [
				name,
				new MostSpecific(signals.filter(({ uses }) => uses.has(name))),
			]),
		);
		// A level is no yes or no, so it is compared by its place in a list.
		this.#levels = new MostSpecific(signals.filter(({ level }) => level));
	}

	release(): void {
		this.#usage.release();
		this.#levels.release();
		for (const statements of this.#signals.values()) statements.release();
	}

	contentUsage(url: string): UsagePreferences {
		return combine(this.#usage.of(url));
	}

	contentSignal(url: string): UsagePreferences {
		const found: [string, Preference][] = [];
		for (const [name, statements] of this.#signals) {
			const preference = combine(statements.of(url))[name];
			if (preference) found.push([name, preference]);
		}
		return Object.fromEntries(found);
	}

	contentUse(url: string): ContentUse | null {
		return least(this.#levels.of(url));
	}
}

/**
 * Of statements that contradict each other, the one for less use counts. Against the site's
 * interest only by its own words: where two lines contradict each other, the stricter one counts.
 */
function least(statements: readonly Statement[]): ContentUse | null {
	let found: ContentUse | null = null;
	for (const { level, line } of statements)
		if (
			level &&
			(!found || useLevels.indexOf(level) < useLevels.indexOf(found.level))
		)
			found = { level, line };
	return found;
}

/**
 * Statements by path, of which the longest that matches counts (draft-ietf-aipref-attach-05, after
 * RFC 9309 §2.2.2). The path decides as a rule's pattern does, by the module's own matcher of
 * patterns.
 */
class MostSpecific {
	readonly #byPath: readonly (readonly Statement[])[];
	readonly #patterns: PathPatterns;

	constructor(statements: readonly Statement[]) {
		// Statements with the same path say something about the same pages; they are combined, not
		// chosen from.
		const byPath = new Map<string, Statement[]>();
		for (const statement of statements) {
			const same = byPath.get(statement.path);
			if (same) same.push(statement);
			else byPath.set(statement.path, [statement]);
		}
		this.#byPath = [...byPath.values()];
		this.#patterns = new PathPatterns([...byPath.keys()]);
	}

	release(): void {
		this.#patterns.release();
	}

	/** All statements with that path. */
	of(url: string): readonly Statement[] {
		return this.#byPath[this.#patterns.longest(url)] ?? [];
	}
}

/** Of statements that contradict each other, the one against the use counts (draft-ietf-aipref-vocab-08, "Combining Preferences"). */
function combine(statements: readonly Statement[]): UsagePreferences {
	const found = new Map<string, Preference>();
	for (const { uses, line } of statements) {
		for (const [use, allowed] of uses) {
			const known = found.get(use);
			if (!known || (known.allowed && !allowed))
				found.set(use, { allowed, line });
		}
	}
	return Object.fromEntries(found);
}
