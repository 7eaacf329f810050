/**
 * Rows of conformance/saved.jsonl: saved matchers and indexes as they are, with one bit or byte changed, cut off, or with agents that are no
 * list of names, and whether a host may load them. conformance-rows.ts stores them; the tests of every host in integrations/ ask for them.
 */
import {
	type Dialect,
	Matcher,
	RobotrieError,
	RobotsIndex,
	RobotsTxt,
} from "../src/index.ts";
import { sealMatcher } from "../src/matching/byte-code.ts";
import { dialectNames, dialectOf } from "../src/robots-txt/dialect.ts";
import { sealIndex } from "../src/sites/index-snapshot.ts";

export interface SavedRow {
	readonly form: "matcher" | "index";
	readonly bytes_b64: string;
	/** The dialect of what is loaded, null where the bytes are refused as damaged. */
	readonly dialect: Dialect | null;
	readonly origin: "robotrie";
	readonly where: string;
}

const ROBOTS = "User-agent: *\nDisallow: /a\n";
/** Bytes in front of what differs between matchers and indexes. */
const PREAMBLE = 20;
const [DIALECT, PROGRAMS, CHECKSUM] = [6, 12, 4];

interface Form {
	readonly name: SavedRow["form"];
	readonly bytes: Uint8Array;
	readonly seal: (bytes: Uint8Array) => void;
	readonly open: (bytes: Uint8Array) => Matcher | RobotsIndex;
}

function matcherOf(dialect: Dialect): Uint8Array {
	return RobotsTxt.parse(ROBOTS, { dialect }).for("x").toBytes();
}

/** Of one origin: several come in any order. */
function indexOf(dialect: Dialect): Uint8Array {
	const index = new RobotsIndex({ agent: ["x-news", "x"], dialect });
	index.set("https://a.example", ROBOTS);
	return index.toBytes();
}

const form = (name: SavedRow["form"], dialect: Dialect = "rfc9309"): Form =>
	name === "matcher"
		? {
				name,
				bytes: matcherOf(dialect),
				seal: sealMatcher,
				open: (bytes) => Matcher.fromBytes(bytes),
			}
		: {
				name,
				bytes: indexOf(dialect),
				seal: sealIndex,
				open: (bytes) => RobotsIndex.fromBytes(bytes),
			};

/** What the engine says: the dialect, or null for bytes that are damaged. Any other error is one of the engine. */
export function dialectIn({
	form: name,
	bytes_b64,
}: Pick<SavedRow, "form" | "bytes_b64">): Dialect | null {
	try {
		using opened = form(name).open(Buffer.from(bytes_b64, "base64"));
		return opened.dialect;
	} catch (error) {
		if (error instanceof RobotrieError && error.code === "invalid-byte-code")
			return null;
		throw error;
	}
}

function row(
	{ name }: Form,
	where: string,
	bytes: Uint8Array,
	dialect?: Dialect | null,
): SavedRow {
	const bytes_b64 = Buffer.from(bytes).toString("base64");
	return {
		form: name,
		bytes_b64,
		dialect:
			dialect === undefined ? dialectIn({ form: name, bytes_b64 }) : dialect,
		origin: "robotrie",
		where,
	};
}

/** What a changed byte of the preamble means; it is not asked of the engine. */
function dialectOfChanged({ name }: Form, changed: Uint8Array, at: number) {
	if (at === DIALECT) return dialectOf(changed[at] ?? 0) ?? null;
	// An index has at most so many programs: more do no harm, and there is one.
	const isMore = name === "index" && at >= PROGRAMS && at < PROGRAMS + 4;
	return isMore && changed.subarray(PROGRAMS, PROGRAMS + 4).some(Boolean)
		? "rfc9309"
		: null;
}

function changes(of: Form): SavedRow[] {
	const { bytes, seal } = of;
	const rows: SavedRow[] = [];
	const change = (at: number, mask: number, isSealed = true) => {
		const changed = bytes.slice();
		changed[at] = (changed[at] ?? 0) ^ mask;
		// A checksum is changed itself, not put right.
		if (isSealed && !(of.name === "matcher" && at < PREAMBLE)) seal(changed);
		return changed;
	};
	for (let at = 0; at < PREAMBLE; at++)
		for (let bit = 0; bit < 8; bit++) {
			const changed = change(at, 1 << bit);
			const expected = dialectOfChanged(of, changed, at);
			rows.push(row(of, `byte ${at}, bit ${bit}`, changed, expected));
		}
	for (const at of [...Array(PREAMBLE + 1).keys(), bytes.length - 1])
		rows.push(row(of, `byte ${at} ^ 255`, change(at, 255, false), null));
	const end = bytes.length - (of.name === "index" ? CHECKSUM : 0);
	for (let at = PREAMBLE; at < end; at++)
		rows.push(row(of, `byte ${at} ^ 1, sealed`, change(at, 1)));
	for (const size of [0, 1, 4, 6, 7, 8, 19, 20, 21, end - 1, end, end + 3])
		if (size < bytes.length)
			rows.push(row(of, `the first ${size} bytes`, bytes.slice(0, size), null));
	const longer = Buffer.concat([bytes, Buffer.of(0)]);
	rows.push(row(of, "a byte more", longer, null));
	seal(longer);
	rows.push(row(of, "a byte more, sealed", longer, null));
	return rows;
}

const AGENTS: readonly (readonly [
	json: string | Uint8Array,
	isList: boolean,
])[] = [
	['["x"]', true],
	[' [ "x" ,\t"y"\r\n] ', true],
	['["\\u0041\\n\\"\\\\\\/"]', true],
	['["é"]', true],
	['[""]', true],
	["", false],
	["[]", false],
	["[1]", false],
	["[null]", false],
	['["x",null]', false],
	['["x",]', false],
	['["x"]]', false],
	['["x"] y', false],
	['["x" "y"]', false],
	['{"x":"y"}', false],
	['[["x"]]', false],
	['"x"', false],
	["null", false],
	["['x']", false],
	['["\\x"]', false],
	['["\\u12"]', false],
	['["x\n"]', false],
	['\v["x"]', false],
	['\u00a0["x"]', false],
	['["x"\u2003]', false],
	['\ufeff["x"]', false],
	[Buffer.from('["\xe9"]', "latin1"), false],
	[Buffer.from('["x"]', "utf16le"), false],
];

/** An index whose agents are other bytes. */
function agentRows(of: Form): SavedRow[] {
	const before = Buffer.from(of.bytes);
	const end = PREAMBLE + before.readUInt32LE(8);
	return AGENTS.map(([json, isList]) => {
		const names = Buffer.from(json);
		const bytes = Buffer.concat([
			before.subarray(0, PREAMBLE),
			names,
			before.subarray(end),
		]);
		bytes.writeUInt32LE(names.length, 8);
		of.seal(bytes);
		const text = JSON.stringify(names.toString("latin1"));
		return row(of, `agents ${text}`, bytes, isList ? "rfc9309" : null);
	});
}

export function savedRows(): SavedRow[] {
	const forms = ["matcher", "index"] as const;
	return [
		...forms.flatMap((name) =>
			dialectNames.map((dialect) => {
				const of = form(name, dialect);
				return row(of, "as it was saved", of.bytes, dialect);
			}),
		),
		...forms.flatMap((name) => changes(form(name))),
		...agentRows(form("index")),
	];
}
