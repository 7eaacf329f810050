import { describe, expect, test } from "vitest";
import { FORMAT_VERSION } from "../assembly/format/program.ts";
import {
	type Agent,
	type Dialect,
	Matcher,
	type RobotrieErrorCode,
	RobotsTxt,
} from "../src/index.ts";
import { sealMatcher } from "../src/matching/byte-code.ts";
import { disassemble } from "../src/matching/disassemble.ts";
import { thrownBy } from "./thrown.ts";

const robots = RobotsTxt.parse("User-agent: *\nDisallow: /a\nDisallow: /*b");
const matcher = robots.for("x");

/** What a caller without types may pass. */
const wrong = <T>(value: unknown) => value as T;

type Row = readonly [
	what: string,
	action: () => unknown,
	code: RobotrieErrorCode,
	...message: string[],
];

const disposed = () => {
	const own = robots.for("x");
	own.isAllowed("/a");
	own[Symbol.dispose]();
	own[Symbol.dispose]();
	return own;
};

const rows: readonly Row[] = [
	[
		"unknown dialect",
		() => RobotsTxt.parse("", { dialect: wrong<Dialect>("bing") }),
		"invalid-argument",
		'"bing"',
		"rfc9309, google, yandex",
	],
	[
		"dialect that every object has",
		() => RobotsTxt.parse("", { dialect: wrong<Dialect>("constructor") }),
		"invalid-argument",
		'"constructor"',
	],
	...[-1, Number.NaN, "1", null].map(
		(maxBytes): Row => [
			`maxBytes ${maxBytes}`,
			() => RobotsTxt.parse("", { maxBytes: wrong<number>(maxBytes) }),
			"invalid-argument",
			"maxBytes",
			String(maxBytes),
		],
	),
	...(["rfc9309", "yandex"] as const).flatMap((dialect) =>
		["User-agent: ", "Disallow: /", "Sitemap: ", ""].map(
			(field): Row => [
				`${dialect}, a line of 16 MiB and more: ${field}`,
				() =>
					RobotsTxt.parse(`\n${field}${"a".repeat(2 ** 24)}b`, {
						dialect,
						maxBytes: Number.POSITIVE_INFINITY,
					}),
				"limit-exceeded",
				"line 2",
				String(2 ** 24 + 1 + field.length),
				String(2 ** 24),
			],
		),
	),
	[
		"a file of 2 GiB",
		() =>
			RobotsTxt.parse(new Uint8Array(2 ** 31), {
				maxBytes: Number.POSITIVE_INFINITY,
			}),
		"limit-exceeded",
		String(2 ** 31),
		"512 MiB",
	],
	...[undefined, null, 1, {}, [1]].map(
		(source): Row => [
			`source ${JSON.stringify(source)}`,
			() => RobotsTxt.parse(wrong<string>(source)),
			"invalid-argument",
			"Uint8Array or a string",
		],
	),
	...[undefined, null, 1, [], ["a", 1], {}].map(
		(agent): Row => [
			`agent ${JSON.stringify(agent)}`,
			() => robots.for(wrong<Agent>(agent)),
			"invalid-argument",
			"product token",
		],
	),
	[
		"agent of isAllowed",
		() => robots.isAllowed("/", wrong<Agent>([])),
		"invalid-argument",
	],
	[
		"agent of crawlDelay",
		() => robots.crawlDelay(wrong<Agent>(1)),
		"invalid-argument",
	],
	...["", "a", "example.com/a", "://a", "1http://a", "?a", "#"].map(
		(url): Row => [
			`URL ${JSON.stringify(url)}`,
			() => matcher.isAllowed(url),
			"invalid-url",
			JSON.stringify(url),
			'"/"',
		],
	),
	["URL of match", () => matcher.match("a"), "invalid-url", '"a"'],
	["URL of explain", () => robots.explain("a", "x"), "invalid-url", '"a"'],
	[
		"URL of RobotsTxt.isAllowed",
		() => robots.isAllowed("a", "x"),
		"invalid-url",
		'"a"',
	],
	...[undefined, null, 1, ["/"], {}].map(
		(url): Row => [
			`URL that is no string: ${JSON.stringify(url)}`,
			() => matcher.isAllowed(wrong<string>(url)),
			"invalid-argument",
			"a string or a URL object",
		],
	),
	...[undefined, "/", [1, 2], new Uint16Array(2)].map(
		(lines): Row => [
			`lines ${JSON.stringify(lines)}`,
			() => matcher.matchLines(wrong<Uint8Array>(lines)),
			"invalid-argument",
			"Uint8Array",
		],
	),
	...[null, 3, [0, 0], new Uint16Array(2)].map(
		(into): Row => [
			`verdicts into ${JSON.stringify(into)}`,
			() => matcher.matchLines(new Uint8Array(2), wrong<Uint8Array>(into)),
			"invalid-argument",
			"Uint8Array",
		],
	),
	[
		"verdicts into too few bytes",
		() => matcher.matchLines(Buffer.from("/\n/\n/"), new Uint8Array(2)),
		"invalid-argument",
		"3 verdicts do not fit into 2 bytes",
	],
	...[undefined, "/", new Set(["/"])].map(
		(urls): Row => [
			`URLs ${JSON.stringify(urls)}`,
			() => matcher.matchMany(wrong<string[]>(urls)),
			"invalid-argument",
			"an array of strings or URL objects",
		],
	),
	["disposed: isAllowed", () => disposed().isAllowed("/"), "disposed"],
	["disposed: match", () => disposed().match("/"), "disposed"],
	["disposed: matchMany", () => disposed().matchMany([]), "disposed"],
	[
		"disposed: matchLines",
		() => disposed().matchLines(new Uint8Array()),
		"disposed",
	],
	["disposed: toBytes", () => disposed().toBytes(), "disposed"],
	["disposed: byteLength", () => disposed().byteLength, "disposed"],
	["disposed: disassemble", () => disassemble(disposed()), "disposed"],
];

describe("Errors name the value and the limit", () => {
	const cases = rows.map(([what, action, code, ...parts]) => ({
		what,
		action,
		code,
		parts,
	}));
	test.each(cases)("$what", ({ action, code, parts }) => {
		const error = thrownBy(action);
		expect(error.code).toBe(code);
		expect(error.name).toBe("RobotrieError");
		for (const part of parts) expect(error.message).toContain(part);
	});
	test("a long value is cut", () => {
		const error = thrownBy(() => matcher.isAllowed("x".repeat(10_000)));
		expect(error.message.length).toBeLessThan(200);
	});
	test("in the google dialect every text is a URL", () => {
		const google = RobotsTxt.parse("", { dialect: "google" }).for("x");
		expect(google.isAllowed("")).toBe(true);
	});
});

/** Bytes of the preamble and of the program's header that are changed, and why that cannot be. */
const PREAMBLE = 20;
const size = new DataView(matcher.toBytes().buffer).getUint32(8, true);
type Corruption = (
	bytes: Uint8Array<ArrayBuffer>,
	view: DataView,
) => Uint8Array;

const put =
	(at: number, byte: number): Corruption =>
	(bytes) => {
		bytes[at] = byte;
		return bytes;
	};

const corruptions: readonly (readonly [string, Corruption, ...string[]])[] = [
	["nothing", () => new Uint8Array(), "0 bytes", "20"],
	["too short", (bytes) => bytes.slice(0, 19), "19 bytes", "20"],
	["another magic", put(0, 0), '"RTM"'],
	[
		"a newer version",
		put(4, FORMAT_VERSION + 1),
		`version ${FORMAT_VERSION + 1}`,
		`version ${FORMAT_VERSION}`,
	],
	["a dialect too many", put(6, 3), "dialect 3"],
	[
		"a longer program",
		put(8, (size + 1) & 255),
		`${matcher.toBytes().length} bytes`,
		`${matcher.toBytes().length + 1}`,
	],
	["another byte", put(PREAMBLE + 9, 77), "checksum"],
	["another check sum", put(16, 0), "checksum"],
	[
		"a program of another length",
		(bytes, view) => {
			view.setUint32(PREAMBLE, size + 1, true);
			sealMatcher(bytes);
			return bytes;
		},
		"length",
	],
	[
		"an unknown opcode",
		(bytes) => {
			bytes[PREAMBLE + size - 1] = 200;
			sealMatcher(bytes);
			return bytes;
		},
		"opcode",
	],
	[
		"a rule table without its end",
		(bytes, view) => {
			view.setUint32(PREAMBLE + size + 5, 1e6, true);
			sealMatcher(bytes);
			return bytes;
		},
		"rule table",
	],
];

describe("Bytes that are not byte-code", () => {
	const cases = corruptions.map(([what, corrupt, ...parts]) => ({
		what,
		corrupt,
		parts,
	}));
	test.each(cases)("$what", ({ corrupt, parts }) => {
		const bytes = matcher.toBytes() as Uint8Array<ArrayBuffer>;
		const changed = corrupt(bytes, new DataView(bytes.buffer));
		const error = thrownBy(() => Matcher.fromBytes(changed));
		expect(error.code).toBe("invalid-byte-code");
		for (const part of parts) expect(error.message).toContain(part);
	});
	test("unchanged byte-code loads", () => {
		expect(Matcher.fromBytes(matcher.toBytes()).isAllowed("/a")).toBe(false);
	});
});
