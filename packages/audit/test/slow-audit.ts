import { createHash } from "node:crypto";
import { findCrawler } from "../../../src/crawlers/crawlers.ts";
import { RobotsTxt } from "../../../src/index.ts";
import { readFile } from "../../../test/fuzz/line-reader.ts";
import { latin1 } from "../../../test/latin1.ts";
import { type OracleRule, oracle } from "../../../test/oracle.ts";
import { classify } from "../src/who/classify.ts";

/**
 * An audit of logs in the combined format that shares nothing with the scanner but whose header is whose and Crawl-delays: lines are
 * read by a regular expression, robots.txt files by the naive reader, verdicts are the oracle's, and every number is found by
 * looking at all requests of a crawler again.
 */
interface Version {
	readonly file: string;
	readonly text: string;
	/** Milliseconds; undefined: always. */
	readonly since?: number | undefined;
}

const LINE =
	/^(\S+) (\S+) (.+?) \[(\d\d\/\w{3}\/\d{4}):(\d\d:\d\d:\d\d) ([+-]\d\d)(\d\d)\] "((?:[^"\\]|\\.)*)" (\d{3}) (\S+) "((?:[^"\\]|\\.)*)" "((?:[^"\\]|\\.)*)"/;

interface Request {
	readonly name: string;
	readonly agent: string;
	readonly category: string;
	readonly time: number;
	readonly target: string;
	readonly status: number;
	readonly bytes: number;
	readonly version: number;
	readonly delay: number | undefined;
	/** The line of the Disallow rule, "allowed", "robots" or "invalid". */
	readonly verdict: number | "allowed" | "robots" | "invalid";
	readonly isExempt: boolean;
}

const unescaped = (text: string) =>
	text.replace(
		/\\(?:x([0-9a-fA-F]{2})|(["\\])|([bnrtv]))/g,
		(_, hex?: string, plain?: string, letter = "") =>
			plain ??
			(hex === undefined
				? String.fromCharCode("btnv_r".indexOf(letter) + 8)
				: String.fromCharCode(Number.parseInt(hex, 16))),
	);

const DAY = 86_400_000;
const statusName = (status: number) => `${Math.floor(status / 100)}xx`;
const isRefusal = (status: number) => [403, 429, 451].includes(status);
const iso = (time: number) => new Date(time).toISOString();
const share = (part: number, whole: number) =>
	whole === 0 ? null : Math.floor((part / whole) * 10_000) / 100;

function countsBy<Item>(items: readonly Item[], of: (item: Item) => string) {
	const counts: Record<string, number> = {};
	for (const item of items) counts[of(item)] = (counts[of(item)] ?? 0) + 1;
	return counts;
}

function rankingOf(texts: readonly string[]) {
	const sorted = Object.entries(countsBy(texts, (text) => text))
		.map(([text, count]) => ({ text, count }))
		.sort((a, b) => b.count - a.count || (a.text < b.text ? -1 : 1));
	return { top: sorted.slice(0, 20), different: sorted.length, uncounted: 0 };
}

/** The rules of a file for a crawler: those of the first token that is named, else those for all. */
function rulesOf(text: string, agent: string) {
	const { groups } = readFile(latin1(text), "rfc9309");
	const crawler = findCrawler(agent);
	const isKnown = crawler?.name === agent;
	const named = (token: string) =>
		groups.filter(({ agents }) =>
			agents.some(
				(name) =>
					/^[a-z0-9_-]*/i.exec(name)?.[0].toLowerCase() ===
					/^[a-z0-9_-]*/i.exec(token)?.[0].toLowerCase(),
			),
		);
	const isGlobal = (name: string) => /^\*($|[ \t-\r])/.test(name);
	const own = (isKnown ? crawler.tokens : agent === "*" ? [] : [agent])
		.map(named)
		.find(({ length }) => length > 0);
	const global =
		!isKnown || crawler.obeysGlobal
			? groups.filter(({ agents }) => agents.some(isGlobal))
			: [];
	const chosen = own ?? global;
	return {
		hasGroups: chosen.length > 0,
		rules: chosen
			.flatMap(({ rules }) => rules)
			.filter(({ pattern }) => pattern !== ""),
	};
}

function isExemptOf(name: string, category: string, hasGroups: boolean) {
	const crawler = findCrawler(name);
	if (crawler?.name !== name)
		return ["ai-assistant", "feed", "monitoring", "preview"].includes(category);
	return !crawler.obeysRobotsTxt || (!crawler.obeysGlobal && !hasGroups);
}

function remembering<Answer>(ask: (path: string) => Answer) {
	const answers = new Map<string, Answer>();
	return (path: string): Answer => {
		const answer = answers.get(path) ?? ask(path);
		answers.set(path, answer);
		return answer;
	};
}

export function slowAudit(log: string, versions: readonly Version[]) {
	const lines = log.split("\n").filter((line) => line !== "");
	const senderOf = remembering(classify);
	const judges = new Map<string, ReturnType<typeof judgeOf>>();
	const judgeOf = (version: number, agent: string) => {
		const text = versions[version]?.text ?? "";
		const { rules, hasGroups } = rulesOf(text, agent);
		const robots = RobotsTxt.parse(text);
		return {
			says: remembering(oracle(rules as OracleRule[], "rfc9309")),
			delay: robots.crawlDelay(agent),
			hasGroups,
		};
	};
	const requests: Request[] = [];
	const counts = { unparsed: 0, people: 0, withoutAgent: 0, withoutRobots: 0 };
	let from = Number.POSITIVE_INFINITY;
	let to = Number.NEGATIVE_INFINITY;
	for (const line of lines) {
		const match = LINE.exec(line);
		if (!match) {
			counts.unparsed++;
			continue;
		}
		const [, , , , day = "", clock, hours, minutes, request = ""] = match;
		const time = Date.parse(
			`${day.replaceAll("/", " ")} ${clock} ${hours}${minutes}`,
		);
		from = Math.min(from, time);
		to = Math.max(to, time);
		const header = unescaped(match[12] ?? "");
		const sender = senderOf(header);
		if (header === "" || header === "-") counts.withoutAgent++;
		else if (!sender) counts.people++;
		else {
			const version = versions.findLastIndex(
				({ since }) => since === undefined || since <= time,
			);
			if (version < 0) {
				counts.withoutRobots++;
				continue;
			}
			const { name, agent, category } = sender;
			const key = `${version} ${agent}`;
			const judge = judges.get(key) ?? judgeOf(version, agent);
			judges.set(key, judge);
			const [, raw = ""] =
				/^[A-Za-z_-]+ (.*?)(?: HTTP\/\S*)?$/s.exec(request) ?? [];
			const target = unescaped(raw);
			const path = target
				.replace(/[\t\n\r]/g, "")
				.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "")
				.replace(/#.*/s, "");
			const verdict = (): Request["verdict"] => {
				if (/^(\w+:\/\/[^/]*)?\/robots\.txt(\?|$)/.test(target))
					return "robots";
				// The URL standard drops tabs and line ends, wherever they are.
				const plain = target.replace(/[\t\n\r]/g, "");
				if (!/^(\/|[a-z][a-z0-9+.-]*:\/\/)/i.test(plain)) return "invalid";
				const { allowed, line: rule } = judge.says(
					latin1(path.startsWith("/") ? path : `/${path}`),
				);
				return allowed ? "allowed" : rule;
			};
			requests.push({
				name,
				agent,
				category,
				time,
				target,
				status: Number(match[9]),
				bytes: Number(/^\d+/.exec(match[10] ?? "")?.[0] ?? 0),
				version,
				delay: judge.delay === undefined ? undefined : judge.delay * 1000,
				verdict: verdict(),
				isExempt: isExemptOf(name, category, judge.hasGroups),
			});
		}
	}
	const names = [...new Set(requests.map(({ name }) => name))];
	return {
		lines: lines.length,
		...counts,
		judged: requests.length,
		from: iso(from),
		to: iso(to),
		robots: versions.map(({ file, text, since }) => ({
			file,
			bytes: Buffer.byteLength(text),
			sha256: createHash("sha256").update(text).digest("hex"),
			since: since === undefined ? null : iso(since),
		})),
		crawlers: new Map(
			names.map((name) => [
				name,
				crawlerOf(
					requests.filter((request) => request.name === name),
					versions,
				),
			]),
		),
	};
}

const isDisallowed = ({ verdict }: Request) => typeof verdict === "number";
const isFetch = ({ verdict }: Request) => verdict === "robots";
const isAllowed = ({ verdict }: Request) => verdict === "allowed";

function quantile(sorted: readonly number[], part: number) {
	const found = sorted[Math.ceil(sorted.length * part) - 1];
	return found === undefined ? null : found / 1000;
}

/** By time, and of the same time those without a Crawl-delay first. */
function byTime(requests: readonly Request[]): Request[] {
	return requests.toSorted(
		(a, b) => a.time - b.time || (a.delay ?? -1) - (b.delay ?? -1),
	);
}

function gapsOf(requests: readonly Request[]): number[] {
	return requests
		.slice(1)
		.map(({ time }, at) => Math.max(time - (requests[at]?.time ?? 0), 0));
}

function crawlerOf(requests: readonly Request[], versions: readonly Version[]) {
	const number = (of: (request: Request) => boolean) =>
		requests.filter(of).length;
	const bytes = (of: (request: Request) => boolean) =>
		requests.filter(of).reduce((sum, request) => sum + request.bytes, 0);
	const disallowed = requests.filter(isDisallowed);
	const fetches = requests.filter(isFetch);
	const gaps = gapsOf(byTime(requests));
	const sorted = gaps.toSorted((a, b) => a - b);
	const bound = requests.filter(
		(request) =>
			!request.isExempt && (isAllowed(request) || isDisallowed(request)),
	);
	const firstFetch = requests.findIndex(isFetch);
	const times = requests.map(({ time }) => time);
	const paths = disallowed.map(
		({ target }) =>
			target.replace(/\?.*/s, "").replace(/^[a-z]+:\/\/[^/]*/i, "") || "/",
	);
	return {
		requests: requests.length,
		robotsTxt: fetches.length,
		allowed: number(isAllowed),
		disallowed: disallowed.length,
		invalid: number(({ verdict }) => verdict === "invalid"),
		exempt: number(
			(request) =>
				request.isExempt && (isAllowed(request) || isDisallowed(request)),
		),
		compliance: share(bound.filter(isAllowed).length, bound.length),
		disallowedAfterRobotsTxt:
			firstFetch < 0
				? 0
				: requests.slice(firstFetch).filter(isDisallowed).length,
		firstSeen: iso(Math.min(...times)),
		lastSeen: iso(Math.max(...times)),
		statuses: countsBy(requests, ({ status }) => statusName(status)),
		disallowedStatuses: countsBy(disallowed, ({ status }) =>
			isRefusal(status) ? "refused" : statusName(status),
		),
		bytes: {
			allowed: bytes(isAllowed),
			disallowed: bytes(isDisallowed),
			other: bytes((request) => !isAllowed(request) && !isDisallowed(request)),
		},
		medianGap: quantile(sorted, 0.5),
		p10Gap: quantile(sorted, 0.1),
		bursts: burstsOf(gaps),
		robotsFetches: fetchesOf(requests, fetches),
		versions: versions.length > 1 ? versionsOf(requests, versions) : [],
		disallowedPaths: rankingOf(paths),
		disallowedDirectories: rankingOf(
			paths.map(
				(path) =>
					/^\/[^/]+\//.exec(path)?.[0] ?? (path.startsWith("//") ? "//" : "/"),
			),
		),
		crawlDelay: delayOf(requests),
		rules: rulesBroken(disallowed, versions),
	};
}

function burstsOf(gaps: readonly number[]) {
	const runs = [1];
	for (const gap of gaps)
		if (gap <= 1000) runs.push((runs.pop() ?? 0) + 1);
		else runs.push(1);
	const bursts = runs.filter((length) => length >= 10);
	return { count: bursts.length, longest: Math.max(0, ...bursts) };
}

function fetchesOf(requests: readonly Request[], fetches: readonly Request[]) {
	const intervals = gapsOf(fetches).sort((a, b) => a - b);
	const minute = (time: number) => Math.floor(time / 60_000);
	let last = Number.NaN;
	let stale = 0;
	for (const request of requests)
		if (isFetch(request)) last = minute(request.time);
		else if (minute(request.time) - last > DAY / 60_000) stale++;
	return {
		medianInterval: quantile(intervals, 0.5),
		longestInterval: quantile(intervals, 1),
		stale,
	};
}

function versionsOf(
	requests: readonly Request[],
	versions: readonly Version[],
) {
	return versions.flatMap(({ file, since }, version) => {
		const own = requests.filter((request) => request.version === version);
		if (own.length === 0) return [];
		const firstFetch = own.findIndex(isFetch);
		const after = firstFetch < 0 ? [] : own.slice(firstFetch);
		const allowed = own.filter(isAllowed).length;
		const disallowed = own.filter(isDisallowed).length;
		const fetched = Math.min(...own.filter(isFetch).map(({ time }) => time));
		const allowedAfter = after.filter(isAllowed).length;
		const disallowedAfter = after.filter(isDisallowed).length;
		return {
			file,
			requests: own.length,
			robotsTxt: own.filter(isFetch).length,
			allowed,
			disallowed,
			compliance: share(allowed, allowed + disallowed),
			firstRequest: iso(Math.min(...own.map(({ time }) => time))),
			firstRobotsTxt: firstFetch < 0 ? null : iso(fetched),
			secondsToRobotsTxt:
				firstFetch < 0 || since === undefined ? null : (fetched - since) / 1000,
			allowedAfterRobotsTxt: allowedAfter,
			disallowedAfterRobotsTxt: disallowedAfter,
			complianceAfterRobotsTxt: share(
				allowedAfter,
				allowedAfter + disallowedAfter,
			),
		};
	});
}

function delayOf(requests: readonly Request[]) {
	const sorted = byTime(requests);
	const last = sorted.findLast(({ delay }) => delay !== undefined)?.delay;
	if (last === undefined) return null;
	const gaps = gapsOf(sorted);
	const delayed = gaps.filter((_, at) => sorted[at + 1]?.delay !== undefined);
	// Times are whole seconds.
	const shorter = gaps.filter(
		(gap, at) => gap < Math.floor((sorted[at + 1]?.delay ?? 0) / 1000) * 1000,
	).length;
	const median = quantile(
		gaps.toSorted((a, b) => a - b),
		0.5,
	);
	return {
		seconds: last / 1000,
		medianGap: median,
		shorter,
		pauses: delayed.length,
		shorterShare: share(shorter, delayed.length),
		kept: delayed.length === 0 ? null : shorter < delayed.length / 2,
		late: 0,
	};
}

function rulesBroken(
	disallowed: readonly Request[],
	versions: readonly Version[],
) {
	const keys = new Set(
		disallowed.map(({ version, verdict }) => `${version} ${verdict}`),
	);
	return [...keys]
		.map((key) => {
			const own = disallowed.filter(
				({ version, verdict }) => key === `${version} ${verdict}`,
			);
			return {
				file: versions[own[0]?.version ?? 0]?.file ?? "",
				line: Number(own[0]?.verdict),
				count: own.length,
				examples: [...new Set(own.map(({ target }) => target))].slice(0, 3),
			};
		})
		.sort(
			(a, b) =>
				b.count - a.count ||
				(a.file < b.file ? -1 : a.file > b.file ? 1 : 0) ||
				a.line - b.line,
		);
}
