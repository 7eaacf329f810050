/**
 * What `fix` writes: a mistake that is made on purpose comes out as the file that was meant; what no edit is about keeps its verdict; and what
 * is no robots.txt stays as it is. All three dialects judge, whichever is repaired in.
 */
import { existsSync } from "node:fs";
import { diffArrays } from "diff";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Dialect, RobotsTxt } from "../../src/index.ts";
import { type Finding, fix, type LintCode, lint } from "../../src/lint.ts";
import { casesOf, isWhole } from "../cases.ts";
import { corpus, realFiles, robotsFile, slips } from "../data/robots-files.ts";
import { dialects, runs } from "../differential.ts";
import { subjectOf } from "./sentences.ts";

const encode = (text: string) => new TextEncoder().encode(text);

/** The file after `fix`, and what is wrong with what it did. */
function faultsOfFix(
	bytes: Uint8Array,
	dialect: (typeof dialects)[number],
	kinds = [false, true],
): string[] {
	const before = bytes.slice();
	return kinds.flatMap((unsafe) => {
		const options = { dialect, unsafe };
		const { bytes: now, fixed, findings, refused } = fix(bytes, options);
		const same = Buffer.compare(before, now) === 0;
		const again = fix(now, options);
		const isLeft = ({ edit }: Finding) => edit && (unsafe || edit.safe);
		return [
			...(same === (fixed.length === 0) ? [] : ["changed without a finding"]),
			...(!refused && findings.some(isLeft) ? ["an edit is left"] : []),
			...(again.fixed.length > 0 ? ["a second time changes it again"] : []),
			...(Buffer.compare(before, bytes) === 0 ? [] : ["the source changed"]),
		];
	});
}

describe("fix repairs what has an edit, once", () => {
	test.each(dialects)("in generated files, %s", (dialect) => {
		fc.assert(
			fc.property(robotsFile, (text) => {
				const bytes = new TextEncoder().encode(text);
				expect(faultsOfFix(bytes, dialect)).toEqual([]);
			}),
			runs(casesOf(400)),
		);
	});

	test.each(dialects)("of lines that are slips all over, %s", (dialect) => {
		fc.assert(
			fc.property(
				fc.array(
					fc.tuple(
						fc.constantFrom("Disallow", "Allow", "Sitemap", "User-agent"),
						slips,
					),
					{ maxLength: 4 },
				),
				(lines) => {
					const text = lines.map(
						([field, parts]) => `${field}: ${parts.join("")}\n`,
					);
					const bytes = new TextEncoder().encode(
						`User-agent: *\n${text.join("")}Disallow: /z\n`,
					);
					expect(faultsOfFix(bytes, dialect)).toEqual([]);
				},
			),
			runs(casesOf(800)),
		);
	});

	test.skipIf(!existsSync(corpus)).each(dialects)(
		"in real files, %s",
		(dialect) => {
			for (const { host, bytes } of realFiles()) {
				const faults =
					bytes.length < 100_000 ? faultsOfFix(bytes, dialect, [true]) : [];
				expect([host, ...faults]).toEqual([host]);
			}
		},
	);
});

/** A mistake in one line or two of a file that was right; undefined where it cannot be made there. */
type Mistake = (
	lines: readonly string[],
	at: number,
) => readonly string[] | undefined;

const inLine =
	(pattern: RegExp, text: string): Mistake =>
	(lines, at) => {
		const line = lines[at] ?? "";
		return pattern.test(line)
			? lines.with(at, line.replace(pattern, text))
			: undefined;
	};

/** Two rules of one kind become one line. */
const joined =
	(pattern: RegExp, text: string): Mistake =>
	(lines, at) => {
		const two = `${lines[at]}\n${lines[at + 1]}`;
		return pattern.test(two)
			? lines.toSpliced(at, 2, two.replace(pattern, text))
			: undefined;
	};

/** The rules of a group from here on get a group of their own, at the end of the file. */
const splitGroup: Mistake = (lines, at) => {
	const agent = lines.findLastIndex(
		(line, i) => i < at && /^User-agent/.test(line),
	);
	const end = lines.findIndex((line, i) => i > at && line === "");
	if (!/^(Dis)?allow/i.test(lines[at - 1] ?? "") || end < 0) return undefined;
	const moved = lines.slice(at, end);
	if (!moved.every((line) => /^(Dis)?allow/i.test(line)) || moved.length === 0)
		return undefined;
	// A group of several crawlers is split as a whole.
	let first = agent;
	while (/^User-agent/.test(lines[first - 1] ?? "")) first--;
	return [
		...lines.toSpliced(at, moved.length),
		"",
		...lines.slice(first, agent + 1),
		...moved,
	];
};

const mistakes: Readonly<Record<string, Mistake>> = {
	Disalow: inLine(/^Disallow/, "Disalow"),
	Disallows: inLine(/^Disallow/, "Disallows"),
	Dissalow: inLine(/^Disallow/, "Dissalow"),
	Alow: inLine(/^Allow/, "Alow"),
	"User-agnet": inLine(/^User-agent/, "User-agnet"),
	Useragent: inLine(/^User-agent/, "Useragent"),
	"no colon": inLine(/^(Dis)?(a)llow:/i, "$1$2llow"),
	"a whole URL": inLine(/: \/(?=\w)/, ": https://e.com/"),
	"an entity": inLine(/&/, "&amp;"),
	"a space": inLine(/%20/, " "),
	"a backslash": inLine(/(?<=: \/\w+)\//, "\\"),
	"a dot": inLine(/: \/(?=\w)/, ": ./"),
	"no slash": inLine(/: \/(?=\w)/, ": "),
	"quotation marks": inLine(/: (\/.*)$/, ': "$1"'),
	"curly quotation marks": inLine(/: (\/.*)$/, ": \u201c$1\u201d"),
	"a quoted line": inLine(/^(Dis.*)$/, '"$1"'),
	"an invisible end": inLine(/$/, "\u200b"),
	"an invisible start": inLine(/^(?=[UDA])/, "\u200b"),
	"a no-break space": inLine(/: (?=.)/, ":\u00a0"),
	"a no-break space before the colon": inLine(/(?<=^\S+):/, "\u00a0:"),
	"two paths": joined(/^((Allow|Disallow): \/.+)\n\2: (\/.+)$/, "$1, $3"),
	"two paths and a space": joined(
		/^((Allow|Disallow): \/\w.*)\n\2: (\/\w.*)$/,
		"$1 $3",
	),
	"two fields": joined(/^((?:A|D).*)\n((?:A|D).*)$/, "$1 $2"),
	"a line end as HTML": joined(/^((?:A|D).*)\n((?:A|D).*)$/, "$1<br>$2"),
	"a second name": inLine(/^(User-agent: .*)$/, "$1\n$1"),
	"a group in two": splitGroup,
};

const path = fc.constantFrom(
	"/",
	"/a",
	"/a/b",
	"/a/b/",
	"/shop",
	"/shop/cart",
	"/q?x=1&y=2",
	"/*?s=",
	"/a%20b.html",
	"/x*y",
	"/end$",
	"/*.pdf$",
	"/dir/",
	"/x/y/z",
	"/news",
);
const soundGroup = fc
	.tuple(
		fc.array(fc.tuple(fc.constantFrom("Disallow", "Disallow", "Allow"), path), {
			minLength: 1,
			maxLength: 5,
		}),
	)
	.map(([rules]) => rules.map(([field, value]) => `${field}: ${value}`));
/** Lines of files in which nothing is wrong. */
const soundFile = fc
	.tuple(
		fc.uniqueArray(
			fc.constantFrom("ExampleBot", "OtherBot", "Googlebot", "Yandex", "*"),
			{ minLength: 1, maxLength: 4 },
		),
		fc.array(soundGroup, { minLength: 4, maxLength: 4 }),
		fc.boolean(),
	)
	.map(([names, groups, twice]) => [
		...names.flatMap((name, i) => [
			...(twice && i === 0 ? ["User-agent: FirstBot"] : []),
			`User-agent: ${name}`,
			...(groups[i] ?? []),
			"",
		]),
		"Sitemap: https://e.com/sitemap.xml",
	]);

/** Verdicts of the crawlers that a file names, on paths about its rules, in all dialects. */
function verdictsOf(bytes: Uint8Array, from: Uint8Array): string {
	return dialects
		.map((dialect) => {
			const { agents, urls } = subjectOf(from, dialect);
			using robots = RobotsTxt.parse(bytes, { dialect });
			return agents
				.map((agent) => {
					using matcher = robots.for(agent);
					return `${agent} ${matcher.matchMany(urls).join("")}`;
				})
				.join("\n");
		})
		.join("\n");
}

describe("A mistake comes out as the file that was meant", () => {
	const kinds = Object.entries(mistakes);
	test.each(dialects)("%s", (dialect) => {
		const made = new Map<string, number>(kinds.map(([name]) => [name, 0]));
		fc.assert(
			fc.property(
				soundFile,
				fc.array(fc.tuple(fc.nat(kinds.length - 1), fc.nat(30)), {
					minLength: 1,
					maxLength: 3,
				}),
				fc.constantFrom("\n", "\r\n", "\r"),
				(sound, plan, lineEnd) => {
					const meant = encode(sound.join(lineEnd));
					fc.pre(!lint(meant).some(({ edit }) => edit));
					let lines: readonly string[] = sound;
					const used = new Set<string>();
					for (const [kind, at] of plan) {
						const [name, make] = kinds[kind] ?? [];
						const line = lines[at % lines.length] ?? "";
						// One mistake in a line: of two, the second may hide what the first was.
						if (!name || !sound.includes(line)) continue;
						if (!sound.includes(lines[(at % lines.length) + 1] ?? "")) continue;
						const next = make?.(lines, at % lines.length);
						if (!next) continue;
						lines = next.flatMap((one) => one.split("\n"));
						used.add(name);
					}
					fc.pre(used.size > 0);
					for (const name of used) made.set(name, (made.get(name) ?? 0) + 1);
					const wrong = encode(lines.join(lineEnd));
					const location = "https://e.com/robots.txt";
					const { bytes } = fix(wrong, { dialect, location, unsafe: true });
					expect(
						verdictsOf(bytes, meant),
						`${[...used]}\n${Buffer.from(wrong)}\n---\n${Buffer.from(bytes)}`,
					).toBe(verdictsOf(meant, meant));
				},
			),
			runs(casesOf(1500)),
		);
		const kindsMade = [...made].filter(([, count]) => count > 0);
		expect(kindsMade.length).toBeGreaterThan(kinds.length * 0.7);
		if (!isWhole) return;
		for (const [name, count] of made) expect(count, name).toBeGreaterThan(5);
	});
});

/** Of two files the lines, from 1, that are the same: numbers in one by those in the other. */
interface Changed {
	readonly after: ReadonlyMap<number, number>;
	readonly before: ReadonlyMap<number, number>;
}

function sameLines(before: Uint8Array, after: Uint8Array): Changed {
	const [a, b] = [before, after].map((bytes) =>
		Buffer.from(bytes)
			.toString("latin1")
			.split(/\r\n|\r|\n/),
	) as [string[], string[]];
	const same = { after: new Map<number, number>(), before: new Map() };
	let [lineA, lineB] = [1, 1];
	for (const { added, removed, count } of diffArrays(a, b))
		for (let i = 0; i < count; i++) {
			if (!added && !removed) {
				same.after.set(lineA, lineB);
				same.before.set(lineB, lineA);
			}
			if (!added) lineA++;
			if (!removed) lineB++;
		}
	return same;
}

/** The names of groups, by the lines of their rules and their own first lines. */
function headings(robots: RobotsTxt): ReadonlyMap<number, string> {
	return new Map(
		robots.groups.flatMap(({ agents, rules, line: own }) =>
			[own, ...rules.map(({ line }) => line)].map((line) => [
				line,
				agents.join("\n"),
			]),
		),
	);
}

/**
 * Verdicts that changed although the rules and groups that decide them, before and after, stand in unchanged lines below the same names: an oracle of
 * its own, as it knows the two files and not the edits.
 */
function otherVerdicts(before: Uint8Array, after: Uint8Array): string[] {
	const same = sameLines(before, after);
	const faults: string[] = [];
	for (const dialect of dialects) {
		using was = RobotsTxt.parse(before, { dialect });
		using is = RobotsTxt.parse(after, { dialect });
		const [heads, tops] = [headings(was), headings(is)];
		const subjects = [subjectOf(before, dialect), subjectOf(after, dialect)];
		const urls = [...new Set(subjects.flatMap((subject) => subject.urls))];
		for (const agent of new Set(subjects.flatMap(({ agents }) => agents))) {
			using old = was.for(agent);
			using now = is.for(agent);
			const [a, b] = [old.matchMany(urls), now.matchMany(urls)];
			urls.forEach((url, i) => {
				if (a[i] === b[i]) return;
				const [x, y] = [was.explain(url, agent), is.explain(url, agent)];
				const moved = [x.rule?.line, x.group?.line].some(
					(line) =>
						line && heads.get(line) !== tops.get(same.after.get(line) ?? 0),
				);
				const come = [y.rule?.line, y.group?.line].some(
					(line) =>
						line && tops.get(line) !== heads.get(same.before.get(line) ?? 0),
				);
				if (moved || come) return;
				faults.push(`${dialect} ${agent} ${url} ${x.allowed} ${y.allowed}`);
			});
		}
	}
	return faults;
}

/** Edits that are called safe and change a verdict. */
function changesOfSafe(
	bytes: Uint8Array,
	findings: readonly Finding[],
	most: number,
): string[] {
	const tried = new Map<LintCode, number>();
	return findings.flatMap(({ code, line, edit }) => {
		const before = tried.get(code) ?? 0;
		if (!edit?.safe || before >= most) return [];
		tried.set(code, before + 1);
		const { start, end, text } = edit;
		const changed = Buffer.concat([
			bytes.subarray(0, start),
			Buffer.from(text),
			bytes.subarray(end),
		]);
		const same = verdictsOf(changed, bytes) === verdictsOf(bytes, bytes);
		return same ? [] : [`${line} ${code} ${JSON.stringify(edit)}`];
	});
}

describe("No other verdict changes", () => {
	const faults = (bytes: Uint8Array, dialect: Dialect, most: number) => [
		...otherVerdicts(bytes, fix(bytes, { dialect, unsafe: true }).bytes),
		...changesOfSafe(bytes, lint(bytes, { dialect }), most),
	];

	test.each(dialects)("in generated files, %s", (dialect) => {
		fc.assert(
			fc.property(robotsFile, (text) => {
				expect(faults(encode(text), dialect, 5)).toEqual([]);
			}),
			runs(casesOf(800)),
		);
	});

	test.skipIf(!existsSync(corpus)).each(dialects)(
		"in real files, %s",
		(dialect) => {
			for (const { host, bytes } of realFiles())
				expect([host, ...faults(bytes, dialect, 1)]).toEqual([host]);
		},
	);
});
