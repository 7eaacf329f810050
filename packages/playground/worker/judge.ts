/**
 * robots.txt and URLs, judged for the Test pane: verdicts in all dialects, groups, rules in order of decision, and why one URL is judged as
 * it is. judge-worker.ts holds one Judge. Each question parses the file anew: nothing is kept between questions but the bytes, so nothing
 * can be out of date.
 */
import {
	type Dialect,
	type DialectExplanations,
	dialectFor,
	dialectNames,
	findCrawler,
	type Matcher,
	RobotrieError,
	RobotsTxt,
	recognise,
} from "robotrie";
import {
	countedBytes,
	dialectRules,
	groupNotes,
	OwnDialects,
	readingFor,
} from "robotrie/internal";
import {
	BLANK,
	type Details,
	DIFFERS,
	type Judgement,
	type MatchingRule,
	type Setting,
	verdictName,
} from "../page/messages.ts";
import { sourceBytes } from "./source-bytes.ts";

const LF = 10;
/** Rules that are shown for one URL; each one costs a compilation of the file. */
const MOST_MATCHING = 25;

/** Rules in order of decision that are shown: more are a wall. */
const MOST_SORTED = 300;

/** A robots.txt and URLs, judged together. */
export class Judge {
	#bytes: Uint8Array = new Uint8Array(0);
	#urls: Uint8Array = new Uint8Array(0);

	setRobots(source: string | Uint8Array): void {
		this.#bytes = sourceBytes(source);
	}

	/** URLs, each on a line that LF ends. */
	setUrls(text: string): void {
		this.#urls = new TextEncoder().encode(text);
	}

	judge(setting: Setting): Judgement {
		const { agent } = setting;
		const dialect = readingFor(setting.dialect, agent).dialect;
		let programSize = 0;
		const verdicts = this.verdicts(setting, (name, matcher) => {
			if (name === dialect) programSize = matcher.byteLength;
		});
		const own = verdicts[dialectNames.indexOf(dialect)] ?? new Uint8Array(0);
		return {
			...marksOf(own, verdicts, this.#urls),
			robotsSize: this.#bytes.length,
			dialect,
			byHand: setting.dialect !== "auto",
			own: dialectFor(agent),
			recognised: { agent, ...recognisedIn(setting) },
			groups: groupNotes(this.#bytes, setting),
			sorted: this.#sorted(setting),
			programSize,
		};
	}

	#sorted(setting: Setting): Judgement["sorted"] {
		using robots = this.robots(setting);
		const rules = robots.sortedRules(setting.agent);
		return { rules: rules.slice(0, MOST_SORTED), total: rules.length };
	}

	/** The verdicts of all lines in each dialect, in the order of `dialectNames`. */
	verdicts(
		setting: Setting,
		onMatcher: (dialect: Dialect, matcher: Matcher) => void = () => {},
	): readonly Uint8Array[] {
		const own = readingFor(setting.dialect, setting.agent).dialect;
		return dialectNames.map((dialect) => {
			using robots =
				dialect === own
					? this.robots(setting)
					: RobotsTxt.parse(this.#bytes, { dialect });
			using matcher = robots.for(setting.agent);
			onMatcher(dialect, matcher);
			return matcher.matchLines(this.#urls);
		});
	}

	/** As the crawler reads it, or in the dialect that was chosen by hand. */
	robots(setting: Setting, bytes: Uint8Array = this.#bytes): RobotsTxt {
		return new OwnDialects(bytes, setting.dialect).of(setting.agent);
	}

	/** As each crawler reads it, or in the dialect that was chosen by hand. */
	robotsOfAll({ dialect }: Pick<Setting, "dialect">): OwnDialects {
		return new OwnDialects(this.#bytes, dialect);
	}

	/** URLs, each on a line that LF ends. */
	get urls(): Uint8Array {
		return this.#urls;
	}

	/** The crawler's byte-code. */
	matcher(setting: Setting): Matcher {
		return this.robots(setting).for(setting.agent);
	}

	/**
	 * Rules that match are found by asking who decides, taking that rule out, and asking again: the engine gives only the deciding one, and a
	 * second matcher for this view would have to be kept equal to it.
	 */
	explain(url: string, setting: Setting): Details {
		const { agent } = setting;
		const dialect = readingFor(setting.dialect, agent).dialect;
		const byDialect = this.#explanations(url, setting);
		const matching: MatchingRule[] = [];
		let bytes = this.#bytes;
		let rule = byDialect[dialect]?.rule ?? null;
		while (rule && matching.length < MOST_MATCHING) {
			const { type, pattern, line } = rule;
			const count = countedBytes(pattern, dialect);
			matching.push({ type, pattern, line, bytes: count });
			bytes = withoutRule(bytes, line);
			using robots = this.robots(setting, bytes);
			rule = robots.explain(url, agent).rule;
			// The same line again: a rule that cannot be taken out this way. The loop would ask for it until the limit.
			if (matching.some((known) => known.line === rule?.line)) break;
		}
		return {
			url,
			dialect,
			byHand: setting.dialect !== "auto",
			byDialect,
			matching,
			more: rule !== null && matching.length === MOST_MATCHING,
		};
	}

	#explanations(url: string, setting: Setting): DialectExplanations {
		const { agent } = setting;
		try {
			using robots = this.robots(setting);
			return robots.explainByDialect(url, agent);
		} catch (error) {
			if (!(error instanceof RobotrieError && error.code === "invalid-url"))
				throw error;
			// To Google every text is a URL.
			const lenient =
				dialectNames.find((name) => dialectRules(name).googleMatching) ??
				dialectNames[0];
			using robots = RobotsTxt.parse(this.#bytes, { dialect: lenient });
			return robots.explainByDialect(url, agent);
		}
	}
}

/** Whose a name is, as the dialect has it. */
function recognisedIn({
	dialect,
	agent,
}: Setting): Pick<ReturnType<typeof recognise>, "crawler" | "token"> {
	const crawler = findCrawler(agent, readingFor(dialect, agent));
	return { crawler, token: recognise(agent).token };
}

function marksOf(
	own: Uint8Array,
	all: readonly Uint8Array[],
	urls: Uint8Array,
): Pick<Judgement, "marks" | "counts" | "differences"> {
	const marks = new Uint8Array(own.length);
	const counts = { allowed: 0, disallowed: 0, invalid: 0, differing: 0 };
	const differences = Object.fromEntries(
		dialectNames.map((name) => [name, 0]),
	) as Record<Dialect, number>;
	let from = 0;
	for (let line = 0; line < own.length; line++) {
		const found = urls.indexOf(LF, from);
		const end = found < 0 ? urls.length : found;
		const isBlank = end === from;
		from = end + 1;
		if (isBlank) {
			marks[line] = BLANK;
			continue;
		}
		const verdict = own[line] as number;
		// Of what is no URL to one of them, it is beside the point that they differ.
		const differs =
			all.some((verdicts) => verdicts[line] !== verdict) &&
			all.every((verdicts) => verdictName(verdicts[line] ?? 0) !== "invalid");
		marks[line] = differs ? verdict | DIFFERS : verdict;
		counts[verdictName(verdict)]++;
		if (!differs) continue;
		counts.differing++;
		dialectNames.forEach((name, at) => {
			if (all[at]?.[line] !== verdict) differences[name]++;
		});
	}
	return { marks, counts, differences };
}

/** No URL has this path. */
const NOWHERE = new TextEncoder().encode(
	"Disallow: /4f1d9d0c-0f7e-4a0e-9f5e-robotrie-nowhere$",
);

/**
 * The file with another rule on a line, one that matches nothing. Without any rule two groups' user-agent lines would follow each other and
 * become one group; and all other lines keep their numbers.
 */
function withoutRule(bytes: Uint8Array, line: number): Uint8Array {
	let from = 0;
	for (let number = 1; number < line; number++)
		from = lineEnd(bytes, from).next;
	const { end } = lineEnd(bytes, from);
	const result = new Uint8Array(from + NOWHERE.length + bytes.length - end);
	result.set(bytes.subarray(0, from));
	result.set(NOWHERE, from);
	result.set(bytes.subarray(end), from + NOWHERE.length);
	return result;
}

/** CR, LF and CRLF end a line. */
function lineEnd(
	bytes: Uint8Array,
	from: number,
): { end: number; next: number } {
	let end = from;
	while (end < bytes.length && bytes[end] !== LF && bytes[end] !== 13) end++;
	const crlf = bytes[end] === 13 && bytes[end + 1] === LF;
	return { end, next: Math.min(bytes.length, end + (crlf ? 2 : 1)) };
}
