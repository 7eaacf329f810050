/**
 * Rules and a URL made to cost time, in a short form that a search can change at random: worst-run.ts looks for the worst ones,
 * scaling.ts times the worst one found so far, so that it stays in the tables.
 */

/**
 * Rules of one form: each has its number, in a few letters, in place of "#", and as many letters "a" in place of "+". "@" is what the URL
 * has somewhere, in another place for each rule; "~" likewise with its last letter changed, so that it nearly occurs.
 */
interface Rules {
	readonly pattern: string;
	/** How much of the file they get, beside the others' shares. */
	readonly share: number;
}

/** A word as often as it says. */
interface Run {
	readonly word: string;
	readonly times: number;
}

export interface Attack {
	readonly rules: readonly Rules[];
	/** What the URL repeats. */
	readonly path: readonly Run[];
	/** Digits of the numbers. */
	readonly letters: string;
}

/** What is read of a file by default, in bytes. */
const FILE = 500 * 1024;
/** "+" stands for this many letters at most. */
const MOST_LETTERS = 1500;

/** The worst one that searches of some 35 minutes in all have found. Each "*" of the path is escaped, which makes it three times as long. */
export const worstAttack: Attack = {
	rules: [
		{ pattern: "/**/**+*.b.*+*.b.b", share: 1 },
		{ pattern: "/*+%3A%*", share: 8 },
		{ pattern: "/%?*$*#*+", share: 1 },
	],
	path: [
		{ word: "a", times: 32 },
		{ word: "b%=b", times: 2 },
		{ word: "/%z3A%3A", times: 1 },
		{ word: "*", times: 256 },
	],
	letters: "abcdefgh",
};

/** A number in digits that are letters. */
function numeral(number: number, letters: string): string {
	const base = Math.max(2, letters.length);
	let text = "";
	for (let rest = number + 1; rest > 0; rest = Math.floor(rest / base))
		text += letters[rest % base] ?? "b";
	return text;
}

/** Bytes of a word of the URL in a rule. */
const WORD = 14;

/** The file of an attack; `share` of its usual size. Words of the URL are those of its first `length` bytes. */
export function robotsOf(attack: Attack, share = 1, length = 8 * 1024): string {
	const { rules, letters } = attack;
	const url = pathOf(attack, length);
	/** Of the path after its "/"; the step has no common divisor with any likely length. */
	const wordOf = (number: number, of: number) => {
		const from =
			1 + ((number * 7919 + of * 131) % Math.max(1, length - WORD - 1));
		return url.slice(from, from + WORD - (of % 3)).replaceAll("*", "a");
	};
	const nearly = (word: string) =>
		`${word.slice(0, -1)}${word.endsWith("a") ? "b" : "a"}`;
	const shares = rules.reduce((sum, rule) => sum + rule.share, 0);
	let text = "User-agent: *\n";
	for (const { pattern, share: own } of rules) {
		const end = text.length + (FILE * share * own) / shares;
		for (let number = 0; ; number++) {
			const written = pattern
				.replaceAll("#", () => numeral(number, letters))
				.replaceAll("+", "a".repeat((number % MOST_LETTERS) + 1))
				.replaceAll("@", (_, at: number) => wordOf(number, at))
				.replaceAll("~", (_, at: number) => nearly(wordOf(number, at)));
			const line = `Disallow: ${written}\n`;
			if (text.length + line.length > end) break;
			text += line;
			if (written === pattern) break;
		}
	}
	return text;
}

/** The path of an attack, in bytes. */
export function pathOf({ path }: Attack, length: number): string {
	let text = "/";
	while (text.length < length) {
		const before = text.length;
		for (const { word, times } of path) {
			const most = Math.ceil((length - text.length) / word.length);
			const written = word.replaceAll("#", "a").replaceAll("+", "aa");
			if (most > 0) text += written.repeat(Math.min(times, most));
		}
		if (text.length === before) text += "a";
	}
	return text.slice(0, length);
}
