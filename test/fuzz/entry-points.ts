import { LogAudit } from "../../packages/audit/src/index.ts";
import { RobotsClient } from "../../packages/client/src/index.ts";
import {
	type Dialect,
	Matcher,
	RobotrieError,
	RobotsIndex,
	RobotsTxt,
	Verdict,
} from "../../src/index.ts";
import { type ColumnArguments, columnOf, layouts } from "../columns.ts";
import { bytes } from "../latin1.ts";

/** One crawler's questions about one file. */
export interface Question {
	/** Bytes as a Latin-1 string. */
	readonly robots: string;
	/** A product token. */
	readonly agent: string;
	readonly dialect: Dialect;
	readonly urls: readonly string[];
}

/** Null for what is no URL with a host. Not by URL.canParse, which Node 20 gets wrong for Latin-1 once it is compiled. */
export function originOf(url: string): string | null {
	try {
		const { host, protocol } = new URL(url);
		return host === "" ? null : `${protocol}//${host}`;
	} catch {
		return null;
	}
}

/** A line feed, or a carriage return at the end, ends a line. */
export const isLine = (url: string) => !/\n|\r$/.test(url);
const linesOf = (urls: readonly string[]) =>
	new TextEncoder().encode(urls.map((url) => `${url}\n`).join(""));

/**
 * Asks every entry point of the library: `isAllowed` first, then all others, each of which has to say the same. Returns its verdicts.
 * @throws {Error} that names the entry point and the URL that differ.
 */
export async function agreedVerdicts(question: Question): Promise<number[]> {
	const verdicts = matcherVerdicts(question);
	const compare = new Comparison(question.urls, verdicts);
	const body = bytes(question.robots);
	compareIndexes(compare, question, body);
	await compareClient(compare, question, body);
	await compareAudit(compare, question, body);
	return verdicts;
}

/** The same of RobotsTxt and Matcher only, which takes a tenth of the time. */
export function matcherVerdicts(question: Question): number[] {
	const { robots, agent, dialect, urls } = question;
	const body = bytes(robots);
	using file = RobotsTxt.parse(body, { dialect });
	const verdicts = urls.map((url) =>
		verdictOf(() => file.isAllowed(url, agent)),
	);
	const compare = new Comparison(urls, verdicts);
	const explained = urls.map((url) => answerOr(() => file.explain(url, agent)));
	compare.all(
		"explain",
		explained.map((one) => verdictOf(() => one?.allowed)),
	);
	using matcher = file.for(agent);
	using loaded = Matcher.fromBytes(matcher.toBytes());
	for (const [name, each] of [
		["matcher", matcher],
		["Matcher.fromBytes", loaded],
	] as const) {
		compare.all(
			`${name}.isAllowed`,
			urls.map((url) => verdictOf(() => each.isAllowed(url))),
		);
		urls.forEach((url, i) => {
			const rule = answerOr(() => each.match(url));
			compare.same(`${name}.match`, url, rule, explained[i]?.rule);
		});
		compare.all(`${name}.matchMany`, each.matchMany(urls));
		compare.lines(`${name}.matchLines`, (lines) => each.matchLines(lines));
		compare.columns(`${name}.matchColumn`, (column) =>
			each.matchColumn(...column),
		);
		compare.into(`${name}.matchMany`, (into) => each.matchMany(urls, into));
		const backwards = each.matchMany(urls.toReversed()).toReversed();
		compare.all(`${name}.matchMany backwards`, backwards);
	}
	return verdicts;
}

function compareIndexes(
	compare: Comparison,
	{ agent, dialect, urls }: Question,
	body: Uint8Array,
): void {
	using index = new RobotsIndex({ agent, dialect });
	const hosted = compare.only((url) => originOf(url) !== null);
	for (const url of hosted.urls) index.set(url, body);
	using snapshot = RobotsIndex.fromBytes(index.toBytes());
	for (const [name, each] of [
		["index", index],
		["RobotsIndex.fromBytes", snapshot],
	] as const) {
		hosted.all(`${name}.matchMany`, each.matchMany(hosted.urls));
		hosted.into(`${name}.matchMany`, (into) =>
			each.matchMany(hosted.urls, into),
		);
		hosted.lines(`${name}.matchLines`, (lines) => each.matchLines(lines));
		const [first = ""] = hosted.urls;
		if (first)
			hosted.lines(`${name}.matchLinesOf`, (lines) =>
				each.matchLinesOf(first, lines),
			);
		hosted.columns(`${name}.matchColumn`, (column) =>
			each.matchColumn(...column),
		);
		hosted.all(
			`${name}.isAllowed`,
			hosted.urls.map((url) => verdictOf(() => each.isAllowed(url))),
		);
		hosted.all(
			`${name}.explain`,
			hosted.urls.map((url) => each.explain(url).verdict),
		);
		each.matchMany(urls).forEach((verdict, i) => {
			const url = urls[i] ?? "";
			const isKnown = originOf(url) !== null;
			compare.same(`${name} knows`, url, verdict < Verdict.Unknown, isKnown);
		});
	}
}

async function compareClient(
	compare: Comparison,
	{ agent, dialect }: Question,
	body: Uint8Array,
): Promise<void> {
	const fetchable = compare.only((url) => /^https?:/.test(originOf(url) ?? ""));
	await using client = new RobotsClient({
		agent,
		dialect,
		allowPrivateNetwork: true,
		userAgent: "test",
		fetch: async () => new Response(new Uint8Array(body)),
	});
	const { urls } = fetchable;
	fetchable.all("client.matchMany", await client.matchMany(urls));
	fetchable.all("client.matchMany again", await client.matchMany(urls));
	const own = fetchable.only(isLine);
	own.all("client.matchLines", await client.matchLines(linesOf(own.urls)));
	const allowed = new Set(await client.filter(urls));
	fetchable.all(
		"client.filter",
		urls.map((url) => Number(allowed.has(url))),
	);
	for (const [i, url] of urls.entries())
		fetchable.same(
			"client.isAllowed",
			url,
			Number(await client.isAllowed(url)),
			fetchable.verdicts[i],
		);
}

/** Targets that an audit judges: neither robots.txt itself, nor what no request line holds. */
const isTarget = (url: string) =>
	/^(\/|[a-z][a-z0-9+.-]*:\/\/)/i.test(url) &&
	!/^([^/]*\/\/[^/]*)?\/robots\.txt(\?|$)/.test(url) &&
	isLine(url);

async function compareAudit(
	compare: Comparison,
	{ agent, dialect }: Question,
	body: Uint8Array,
): Promise<void> {
	if (!/^[\w-]+$/.test(agent)) return;
	const judged = compare.only(isTarget);
	const audit = new LogAudit({
		robots: [{ file: "robots.txt", bytes: body }],
		agents: [`+${agent}`],
		groupBy: "header",
		format: "combined",
		dialect,
	});
	// A header of its own for each URL tells the verdicts apart.
	const headers = judged.urls.map((_, i) => `${agent}/${i}.0`);
	const log = judged.urls.map((url, i) => logLine(url, headers[i] ?? ""));
	await audit.add("access.log", log);
	const { crawlers } = audit.report();
	const found = new Map(crawlers.map((crawler) => [crawler.name, crawler]));
	judged.all(
		"audit",
		headers.map((header) => {
			const { allowed, disallowed, invalid } = found.get(header) ?? {};
			if (allowed === 1) return Verdict.Allowed;
			if (disallowed === 1) return Verdict.Disallowed;
			return invalid === 1 ? Verdict.Invalid : -1;
		}),
	);
}

/** A request in the combined format, escaped as Apache and Nginx do. */
export function logLine(target: string, header: string): Uint8Array {
	const written = [...Buffer.from(target)].map((byte) =>
		byte < 32 || byte > 126 || byte === 34 || byte === 92
			? `\\x${byte.toString(16).toUpperCase().padStart(2, "0")}`
			: String.fromCharCode(byte),
	);
	return bytes(
		`192.0.2.1 - - [14/Oct/2025:00:00:00 +0000] "GET ${written.join("")} HTTP/1.1" 200 5 "-" "${header}"\n`,
	);
}

/** Undefined for what is no URL. */
function answerOr<T>(action: () => T): T | undefined {
	try {
		return action();
	} catch (error) {
		if (error instanceof RobotrieError && error.code === "invalid-url")
			return undefined;
		throw error;
	}
}

const verdictOf = (action: () => boolean | undefined): number =>
	Number(answerOr(action) ?? Verdict.Invalid);

/** URLs with the verdicts that every entry point has to give. */
class Comparison {
	readonly urls: readonly string[];
	readonly verdicts: readonly number[];

	constructor(urls: readonly string[], verdicts: readonly number[]) {
		this.urls = urls;
		this.verdicts = verdicts;
	}

	only(test: (url: string) => boolean): Comparison {
		const verdicts = this.verdicts.filter((_, i) => test(this.urls[i] ?? ""));
		return new Comparison(this.urls.filter(test), verdicts);
	}

	all(entryPoint: string, verdicts: ArrayLike<number>): void {
		if (verdicts.length !== this.urls.length)
			throw new Error(`${entryPoint}: ${verdicts.length} verdicts`);
		this.urls.forEach((url, i) => {
			this.same(entryPoint, url, verdicts[i], this.verdicts[i]);
		});
	}

	lines(entryPoint: string, ask: (lines: Uint8Array) => Uint8Array): void {
		const own = this.only(isLine);
		own.all(entryPoint, ask(linesOf(own.urls)));
	}

	/** Asks for the verdicts of columns, with a null between URLs. */
	columns(entryPoint: string, ask: (column: ColumnArguments) => Uint8Array) {
		for (const layout of layouts) {
			const hasNulls = layout.bitOffset !== undefined;
			const rows = this.urls.flatMap((url) => (hasNulls ? [url, null] : [url]));
			const found = [...ask(columnOf(rows, layout))];
			const isNull = (i: number) => hasNulls && i % 2 === 1;
			const own = found.filter((_, i) => !isNull(i));
			this.all(`${entryPoint} ${JSON.stringify(layout)}`, own);
			if (found.some((one, i) => isNull(i) && one !== Verdict.Invalid))
				throw new Error(`${entryPoint}: a null is not invalid`);
		}
	}

	/** Asks for verdicts in an array that is longer. */
	into(entryPoint: string, ask: (into: Uint8Array) => Uint8Array): void {
		const array = new Uint8Array(this.urls.length + 2).fill(9);
		const verdicts = ask(array);
		this.all(`${entryPoint} into an array`, verdicts);
		const behind = array.subarray(verdicts.length);
		if (verdicts.buffer !== array.buffer || behind.some((byte) => byte !== 9))
			throw new Error(`${entryPoint}: verdicts are not in the array's front`);
	}

	same(entryPoint: string, url: string, found: unknown, wanted: unknown): void {
		const [a, b] = [found, wanted].map((value) => JSON.stringify(value));
		if (a !== b)
			throw new Error(
				`${entryPoint}: ${a}, not ${b}, for ${JSON.stringify(url)}`,
			);
	}
}
