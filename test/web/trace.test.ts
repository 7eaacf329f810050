import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { OP_FLOAT, OP_ONCE } from "../../assembly/format/program.ts";
import { RobotsTxt } from "../../src/index.ts";
import { dialectNames } from "../../src/robots-txt/dialect.ts";
import { listingOf } from "../../web/listing.ts";
import { traceOf } from "../../web/trace.ts";

const sample = (name: string) =>
	readFileSync(new URL(`../../sample/${name}`, import.meta.url), "utf8");
const urls = [
	...sample("urls.txt").trimEnd().split("\n"),
	"/?a=1&sort=b&sessionid=3",
	"/tee/gr%C3%BC%6E/lager/1",
	"no url",
	"",
];

test.each(dialectNames)(
	"steps in %s come to the matcher's verdict, over instructions that are listed",
	(dialect) => {
		const robots = RobotsTxt.parse(sample("robots.txt"), { dialect });
		for (const agent of ["Googlebot", "GPTBot", "AhrefsBot", "Nobody"]) {
			const matcher = robots.for(agent);
			const { instructions } = listingOf(matcher);
			const offsets = new Set(instructions.map(({ offset }) => offset));
			let count = 0;
			for (const url of urls) {
				const [verdict = 0] = matcher.matchMany([url]);
				const trace = traceOf(matcher.program, url);
				expect(trace.verdict).toBe(
					["disallowed", "allowed", "unknown", "invalid"][verdict],
				);
				if (verdict < 2) expect(trace.rank).toBe(matcher.decide(url).rank);
				count += trace.steps.length;
				for (const { offset, at, best } of trace.steps) {
					expect(offsets).toContain(offset);
					expect(at).toBeLessThanOrEqual(Buffer.byteLength(trace.path) + 1);
					expect(best).toBeLessThanOrEqual(trace.rank);
				}
			}
			expect(count).toBeGreaterThan(50);
		}
	},
);

test("a pattern is tried once on a path, however long that is and often its literal", () => {
	const { program } = RobotsTxt.parse(
		"User-agent: *\nDisallow: /*zqz*a$\n",
	).for("a");
	const part = `zqz${"a".repeat(9000)}`;
	for (const path of [`/${part.repeat(4)}b`, `/${part.repeat(4)}%E4b`]) {
		const opcodes = traceOf(program, path).steps.map(
			({ offset }) => program[offset],
		);
		expect(opcodes.filter((opcode) => opcode === OP_FLOAT)).toHaveLength(1);
		expect(opcodes.filter((opcode) => opcode === OP_ONCE)).toHaveLength(4);
	}
});

test("what a rule's pattern says is not taken for a remark", () => {
	const robots = RobotsTxt.parse(
		'User-agent: *\nDisallow: /a"; line 9: disallow /x\nDisallow: /b#7 disallow ; line 8: y\n',
	);
	const { instructions, rules } = listingOf(robots.for("a"));
	expect(rules.map(({ line }) => line)).toEqual([2, 3]);
	expect(
		instructions.flatMap(({ line }) => (line === 0 ? [] : [line])).sort(),
	).toEqual([2, 3]);
});
