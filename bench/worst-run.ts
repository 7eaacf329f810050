/**
 * Searches for rules and a URL that cost the most time: `npm run bench -- worst --minutes 60`. Hand-made attacks show what their
 * author thought of; this starts from nothing and keeps every change that makes one call of `isAllowed` slower. It prints the worst
 * case that it found, and where it started from, so that a run can be repeated with --seed.
 */
import { command, count } from "../tools/command.mjs";
import { storeResult } from "../tools/store-result.mjs";
import { type Attack, pathOf, robotsOf } from "./attack.ts";
import { AGENT } from "./case.ts";
import { isSmall } from "./data.ts";
import { library } from "./library.ts";

const LENGTHS = [4 * 1024, 64 * 1024];
/** Up to --length, URLs are so long: a short one may take longer than a long one. */
const SHARES = [1, 1, 1 / 2, 1 / 8, 1 / 32];

const values = command(
	"npm run bench -- worst",
	"Searches for the rules and URL that take the longest.",
)
	.option("--minutes <number>", "how long to search", count, 60)
	.option("--seed <number>", "where to start", count, 1)
	.option("--length <bytes>", "of the URL", count, LENGTHS[1])
	.parse()
	.opts<{ minutes: number; seed: number; length: number }>();

/** Marsaglia's xorshift: the search depends on its seed alone, but for what is faster by chance. */
let state = values.seed * 2654435769 || 1;
function random(below: number): number {
	state ^= state << 13;
	state ^= state >>> 17;
	state ^= state << 5;
	return (state >>> 0) % below;
}
const pick = <Item>(items: ArrayLike<Item>): Item =>
	items[random(items.length)] as Item;

const ATOMS = [
	..."aabbz/=?%.#+*$@~",
	"**",
	"%3A",
	"aaaaaaaa",
	"/a",
	"*#",
	"*+",
	"*@",
	"*~",
	"*@*~",
];
/** What a URL's words may be made of at random. */
const TOSSED = ["ab", "abc", "aaab", "ab/"];
const ALPHABETS = ["ab", "a", "abcdefgh", "az", "0123456789", "ab/=?"];

const word = (most: number) =>
	Array.from({ length: 1 + random(most) }, () => pick(ATOMS)).join("");

/** A word whose letters are tossed, some hundreds of them: most short texts of these letters occur in it, and most long ones do not. */
function tossed(): string {
	const letters = pick(TOSSED);
	return Array.from({ length: 100 << random(6) }, () => pick(letters)).join("");
}

function fresh(): Attack {
	return {
		rules: [{ pattern: `/${word(6)}`, share: 1 }],
		path: [
			{
				word: random(2) ? tossed() : pick(["a", "ab", "b", "az"]),
				times: 1 << 16,
			},
		],
		letters: pick(ALPHABETS),
	};
}

function changedText(text: string): string {
	const at = random(text.length + 1);
	const kind = random(4);
	if (kind === 0) return text.slice(0, at) + pick(ATOMS) + text.slice(at);
	if (kind === 1) return text.slice(0, at) + text.slice(at + 1 + random(3));
	if (kind === 2) return text.slice(0, at) + text.slice(random(text.length));
	return text.slice(0, at) + pick(ATOMS) + text.slice(at + 1);
}

function changed({ rules, path, letters }: Attack): Attack {
	const i = random(rules.length);
	const j = random(path.length);
	const rule = rules[i] as Attack["rules"][number];
	const run = path[j] as Attack["path"][number];
	switch (random(9)) {
		case 0:
			return { rules, path, letters: pick(ALPHABETS) };
		case 1:
			return {
				rules: [...rules, { pattern: `/${word(8)}`, share: 1 }].slice(-4),
				path,
				letters,
			};
		case 2:
			return {
				rules: rules.with(i, { ...rule, share: 1 + random(8) }),
				path,
				letters,
			};
		case 3:
			return {
				rules,
				path: [
					...path,
					{ word: random(3) ? word(4) : tossed(), times: 1 << random(12) },
				].slice(-4),
				letters,
			};
		case 4:
			return {
				rules,
				path: path.with(j, { ...run, times: 1 << random(17) }),
				letters,
			};
		case 5:
			return {
				rules,
				path: path.with(j, { ...run, word: changedText(run.word) || "a" }),
				letters,
			};
		default:
			return {
				rules: rules.with(i, {
					...rule,
					pattern: `/${changedText(rule.pattern).replace(/^\/+/, "")}`,
				}),
				path,
				letters,
			};
	}
}

/** Long words are shown by their beginning; the stored result has all of them. */
const shown = (attack: Attack) =>
	JSON.stringify(attack, (_, value) =>
		typeof value === "string" && value.length > 60
			? `${value.slice(0, 60)}… (${value.length})`
			: value,
	);

/** Milliseconds of one call, the fastest of a few. */
function timeOf(attack: Attack, length: number, calls = 3): number {
	using matcher = library.RobotsTxt.parse(robotsOf(attack, 1, length)).for(
		AGENT,
	);
	const url = pathOf(attack, length);
	let least = Number.POSITIVE_INFINITY;
	for (let call = 0; call < calls; call++) {
		const start = performance.now();
		matcher.isAllowed(url);
		least = Math.min(least, performance.now() - start);
		if (least < 0.3) break;
	}
	return least;
}

let length = values.length;
let worstLength = length;
const end = performance.now() + (isSmall ? 500 : values.minutes * 60_000);
let worst = fresh();
let worstTime = timeOf(worst, length);
let current = worst;
let currentTime = worstTime;
let tried = 1;
let since = 0;
while (performance.now() < end) {
	if (random(8) === 0) length = Math.ceil(values.length * pick(SHARES));
	const candidate = since > 400 ? fresh() : changed(current);
	const time = timeOf(candidate, length);
	tried++;
	if (since > 400 || time > currentTime) {
		since = 0;
		current = candidate;
		currentTime = time;
		if (time > worstTime * 1.02) {
			const again = timeOf(candidate, length, 7);
			if (again > worstTime) {
				worst = candidate;
				worstTime = again;
				worstLength = length;
				process.stderr.write(
					`${again.toFixed(2)} ms, ${length} bytes: ${shown(candidate)}\n`,
				);
			}
		}
	} else since++;
}
const times = [...LENGTHS, worstLength].map((bytes) => ({
	bytes,
	ms: timeOf(worst, bytes, 15),
}));
process.stdout.write(`${tried} attacks tried from seed ${values.seed}; the worst one:
${shown(worst)}
${times.map(({ bytes, ms }) => `URL of ${bytes / 1024} KiB: ${ms.toFixed(2)} ms`).join("\n")}
`);
process.stdout.write(
	`saved as ${storeResult("worst", { tried, seed: values.seed, attack: worst, times }, isSmall ? "small" : "")}\n`,
);
