import { countLines } from "../src/engine/engine.ts";
import { RobotsTxt } from "../src/index.ts";
import { type Case, expectCount } from "./cases.ts";
import { randomizer } from "./generate.ts";
import { chunked } from "./measure.ts";
import { linesOf } from "./site.ts";

const PATHS = 100_000;
const BATCH = 4_000;

/** Letters and their share: Thai, Cyrillic, Chinese, Polish. */
const scripts = [
	"กขคงจฉชซญดตถทธนบปผพฟมยรลวศสหอ",
	"абвгдежзиклмнопрстуфхцчшщыэюя",
	"天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往",
	"aąbcćdeęfghijklłmnńoópqrsśtuwxyzźż",
];

const robots = `User-agent: *
${scripts.map((script) => `Disallow: /${script.slice(0, 2)}\nDisallow: /*/${script.slice(2, 5)}\n`).join("")}`;

/** Half as UTF-8, half percent-encoded in upper and lower case. */
function escapedPaths(): string[] {
	const random = randomizer(9309);
	const word = () => {
		const letters = [...(scripts[random(scripts.length)] as string)];
		return Array.from(
			{ length: 4 + random(8) },
			() => letters[random(letters.length)],
		).join("");
	};
	return Array.from({ length: PATHS }, (_, i) => {
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

/** Percent-encoding: the same verdicts through UTF-8 and escapes in either case, held against plain ASCII. */
export function escapedCase(): Case {
	const matcher = RobotsTxt.parse(robots, { dialect: "rfc9309" }).for("any");
	const escaped = escapedPaths();
	const plain = plainPaths(escaped);
	const batches = (lines: readonly string[]) =>
		Array.from({ length: Math.ceil(lines.length / BATCH) }, (_, i) =>
			linesOf(lines.slice(i * BATCH, (i + 1) * BATCH)),
		);
	const escapedBatches = batches(escaped);
	const plainBatches = batches(plain);
	const size = () => BATCH;
	const run = (batch: Uint8Array) => matcher.matchLines(batch);
	return {
		name: "escaped paths",
		why: "Sites not in English: UTF-8 and percent-encoding in mixed case, normalised while matching (rfc9309).",
		items: PATHS,
		unit: "line",
		bytes: escapedBatches.reduce((sum, batch) => sum + batch.length, 0),
		check: () => {
			const disallowed = (lines: readonly string[]) =>
				batches(lines)
					.flatMap((batch) => [...run(batch)])
					.filter((verdict) => verdict === 0).length;
			const expected = disallowed(escaped.map((line) => decodeURI(line)));
			if (expected === 0) throw new Error("escaped paths: none is disallowed");
			expectCount("escaped paths", disallowed(escaped), expected);
		},
		engines: [
			{
				name: "newline scan",
				chunks: chunked(escapedBatches, size, BATCH, countLines),
			},
			{ name: "plain ASCII", chunks: chunked(plainBatches, size, BATCH, run) },
			{ name: "robotrie", chunks: chunked(escapedBatches, size, BATCH, run) },
		],
	};
}
