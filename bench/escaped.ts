import { type Case, floorsOf } from "./case.ts";
import { engineOf } from "./engine.ts";
import { randomizer } from "./generate.ts";
import type { Library } from "./library.ts";
import { linesOf } from "./site.ts";

const BATCH = 4_000;

/** Letters and their share: Thai, Cyrillic, Chinese, Polish. */
const scripts = [
	"กขคงจฉชซญดตถทธนบปผพฟมยรลวศสหอ",
	"абвгдежзиклмнопрстуфхцчшщыэюя",
	"天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往",
	"aąbcćdeęfghijklłmnńoópqrsśtuwxyzźż",
];

/** The same of the letters that plain paths have. */
const plainScripts = ["abcde", "fghij", "klmno", "pqrst"];

/** What begins so is disallowed, and what has this below a folder. */
interface Disallowed {
	readonly start: string;
	readonly folder: string;
}

const disallowedOf = (letters: readonly string[]): Disallowed[] =>
	letters.map((script) => ({
		start: `/${script.slice(0, 2)}`,
		folder: `/${script.slice(2, 5)}`,
	}));

const robotsOf = (rules: readonly Disallowed[]) =>
	`User-agent: *\n${rules.map(({ start, folder }) => `Disallow: ${start}\nDisallow: /*${folder}\n`).join("")}`;

function verdictOf(rules: readonly Disallowed[], path: string): number {
	return Number(
		!rules.some(
			({ start, folder }) =>
				path.startsWith(start) || path.indexOf(folder, 1) > 0,
		),
	);
}

/** Half as UTF-8, half percent-encoded in upper and lower case. */
function escapedPaths(count: number): string[] {
	const random = randomizer(9309);
	const word = () => {
		const letters = [...(scripts[random(scripts.length)] as string)];
		return Array.from(
			{ length: 4 + random(8) },
			() => letters[random(letters.length)],
		).join("");
	};
	return Array.from({ length: count }, (_, i) => {
		const path = `/${word()}/${word()}.html`;
		if (i % 2) return path;
		return encodeURI(path).replace(/%../g, (byte) =>
			random(2) ? byte : byte.toLowerCase(),
		);
	});
}

/** ASCII paths with the same bytes per line. */
function plainPaths(lines: readonly string[]): string[] {
	const random = randomizer(3986);
	const letters = "abcdefghijklmnopqrstuvwxyz/-0123456789";
	return lines.map((line) => {
		const length = Buffer.byteLength(line);
		const rest = Array.from(
			{ length: length - 1 },
			() => letters[random(letters.length)],
		);
		return `/${rest.join("")}`;
	});
}

/** Percent-encoding: UTF-8 and escapes in either case, held against plain ASCII. */
export function escapedCase(library: Library, count = 100_000): Case {
	const name = "escaped paths";
	const escaped = escapedPaths(count);
	const worksOf = (paths: readonly string[], letters: readonly string[]) => {
		const rules = disallowedOf(letters);
		const matcher = library.RobotsTxt.parse(robotsOf(rules), {
			dialect: "rfc9309",
		}).for("any");
		const jobs = Array.from({ length: Math.ceil(count / BATCH) }, (_, i) => {
			const batch = paths.slice(i * BATCH, (i + 1) * BATCH);
			return {
				lines: linesOf(batch),
				count: batch.length,
				right: batch.map((path) => verdictOf(rules, decodeURI(path))),
			};
		});
		type Job = (typeof jobs)[number];
		const size = (job: Job) => job.count;
		const work = { name, jobs, size, chunkItems: BATCH };
		const engine = (engineName: string) =>
			engineOf(work, {
				name: engineName,
				run: ({ lines }) => matcher.matchLines(lines),
				found: (verdicts) => verdicts,
				right: ({ right }) => right,
			});
		return { work, engine };
	};
	const { work, engine } = worksOf(escaped, scripts);
	return {
		name,
		why: "Sites not in English: UTF-8 and percent-encoding in mixed case, normalised while matching (rfc9309).",
		items: count,
		unit: "line",
		bytes: work.jobs.reduce((sum, { lines }) => sum + lines.length, 0),
		engines: [
			...floorsOf(library, work),
			worksOf(plainPaths(escaped), plainScripts).engine("plain ASCII"),
			engine("robotrie"),
		],
	};
}
