/**
 * Findings about lines that are no rules: Sitemap values that are no URL or that the file itself disallows, Clean-param lines that can
 * hardly be meant, and fields that no crawler reads any more.
 */
import { parseUrl } from "../common/arguments.ts";
import { shorten } from "../common/wording.ts";
import {
	isAbsoluteUrl,
	parseCleanParam,
	valueFault,
} from "../robots-txt/other-fields.ts";
import type { OtherLine } from "../robots-txt/parse.ts";
import { ANYBODY, type Found, valueEdit } from "./finding.ts";
import { withoutQuotes } from "./meant.ts";
import { fieldAndPattern, type Reading } from "./reading.ts";
import { originOf } from "./whole-file.ts";
import { Budget } from "./witness.ts";

/** Values whose URL is plain to see, in a form that not every crawler takes. */
export function findSitemapSlips(reading: Reading): Found[] {
	return reading.file.others.flatMap((other) => {
		const found =
			other.field === "sitemap" ? slipIn(other, reading) : undefined;
		return found ? [found] : [];
	});
}

/** Longer values are no slip. */
const LONGEST = 2000;

function slipIn(
	{ value, line }: OtherLine,
	reading: Reading,
): Found | undefined {
	const [from, to] = reading.valueAt(line) ?? [];
	// Of a second field in the line raw-lines.ts tells.
	if (value.length > LONGEST || /sitemap\s*:/i.test(value)) return undefined;
	if (from === undefined || to === undefined) return undefined;
	const field = `Sitemap: ${shorten(value)}`;
	const bare = withoutQuotes(value);
	const urls = bare
		.replace(/\s+/g, " ")
		.split(/ ?[,;] ?(?=https?:\/\/)| (?=https?:\/\/)/i);
	const meant = urls.map((url) =>
		url.replaceAll(/&amp;/gi, "&").replace(/[,;]$/, "").replace(/\s+/g, "%20"),
	);
	if (!meant.every(isAbsoluteUrl)) return undefined;
	const edit = valueEdit(
		reading.file.bytes,
		from,
		to,
		meant,
		meant.length > 1
			? "Write each URL in a Sitemap line of its own."
			: `Write ${shorten(meant[0] ?? "")}, which is a URL.`,
	);
	if (bare !== value)
		return {
			line,
			code: "quotation-marks",
			severity: "error",
			message: `${field} has quotation marks, and so is no URL: write ${shorten(meant[0] ?? "")}.`,
			edit,
		};
	if (urls.length > 1)
		return {
			line,
			code: "missing-line-end",
			severity: "error",
			message: `${field} holds ${urls.length} URLs, which crawlers read as one: write each in a Sitemap line of its own.`,
			edit,
		};
	if (/\s/.test(value))
		return {
			line,
			code: "unescaped-character",
			severity: "warning",
			message: `${field} has a space, which no URL has: write ${shorten(meant[0] ?? "")}.`,
			edit,
		};
	if (/&amp;/i.test(value))
		return {
			line,
			code: "html-entity",
			severity: "warning",
			message: `${field} has an "&" as HTML writes it, and URLs have it as it is: write ${shorten(meant[0] ?? "")}.`,
			edit,
		};
	return undefined;
}

/** Rules that are compiled and sitemaps that are judged, counted anew for each crawler: a tenth of a second. */
const MOST_WORK = 50_000;

/** Crawlers that a finding names. */
const MOST_NAMED = 3;

/** A sitemap and the crawlers that may not fetch it, with the rule that says so. */
interface Closed {
	readonly rule: string;
	readonly ruleLine: number;
	readonly agents: string[];
}

/**
 * Sitemaps that crawlers may not follow, as a rule disallows them. Not told of crawlers that may not fetch the home page either:
 * these are meant to stay away. Rules hold for the file's own site, `location` says which that is.
 */
export function findDisallowedSitemaps(
	reading: Reading,
	location: string | undefined,
): Found[] {
	const work = new Budget(MOST_WORK);
	const origin = originOf(location);
	const sitemaps = reading.file.others.filter(
		({ field, value }) =>
			field === "sitemap" &&
			isAbsoluteUrl(value) &&
			(origin === undefined || parseUrl(value)?.origin === origin),
	);
	if (sitemaps.length === 0) return [];
	const closed = new Map<number, Closed>();
	const seen = new Set<number>();
	for (const agent of agentsOf(reading)) {
		const groups = reading.select(agent);
		const id = reading.choiceId(groups);
		const isNew = !seen.has(id);
		seen.add(id);
		if (!isNew) continue;
		if (!work.affords(reading.ruleCount(groups) + sitemaps.length)) break;
		using matcher = reading.matcher(reading.ranges(groups));
		if (!matcher.decide("http://a/").allowed) continue;
		for (const { value, line } of sitemaps) {
			const { allowed, rule } = matcher.decide(value);
			if (allowed || !rule) continue;
			const known = closed.get(line);
			if (known) known.agents.push(agent);
			else
				closed.set(line, {
					rule: fieldAndPattern(rule),
					ruleLine: rule.line,
					agents: [agent],
				});
		}
	}
	return sitemaps.flatMap(({ value, line }): Found[] => {
		const one = closed.get(line);
		if (!one) return [];
		const host = shorten(parseUrl(value)?.host ?? "");
		const where =
			origin === undefined ? `, if ${host} is the host of this file` : "";
		return [
			{
				line,
				code: "disallowed-sitemap",
				// A site may well keep some crawlers from some of its parts.
				severity: one.agents.includes(ANYBODY) ? "warning" : "info",
				message: `Sitemap: ${shorten(value)} may not be fetched by ${namesOf(one.agents)}: ${shorten(one.rule)} (line ${one.ruleLine}) disallows it${where}.`,
				relatedLine: one.ruleLine,
			},
		];
	});
}

/** Of each choice of groups one crawler is asked about; all others without a group are `*`. */
export function agentsOf(reading: Reading): Set<string> {
	const tokens = reading.file.groups.flatMap(({ agents }) =>
		agents.flatMap((agent) => agent.tokens),
	);
	return new Set([ANYBODY, ...tokens.filter((token) => token !== "")]);
}

/** Some crawlers, as a sentence names them. */
export function namesOf(agents: readonly string[]): string {
	const named = agents
		.slice(0, MOST_NAMED)
		.map((agent) =>
			agent === ANYBODY
				? "crawlers without a group of their own"
				: shorten(agent),
		);
	const more = agents.length - named.length;
	if (more > 0) return `${named.join(", ")} and ${more} more`;
	return named.length < 2
		? (named[0] ?? "")
		: `${named.slice(0, -1).join(", ")} and ${named.at(-1)}`;
}

/** Clean-param lines whose names are valid and can hardly be meant. */
export function findDoubtfulParameters({ file }: Reading): Found[] {
	return file.others.flatMap(({ field, value, line }): Found[] => {
		const doubt = field === "clean-param" ? doubtAbout(value) : undefined;
		return doubt === undefined
			? []
			: [
					{
						line,
						code: "doubtful-parameter",
						severity: "warning",
						message: `In Clean-param: ${shorten(value)} ${doubt}.`,
					},
				];
	});
}

function doubtAbout(value: string): string | undefined {
	const parsed = parseCleanParam(value);
	if (parsed.fault !== undefined) return undefined;
	if (/&[ \t]/.test(value))
		return 'what comes after the space is read as the path: write no space after "&"';
	for (const name of parsed.value.parameters) {
		const shown = `"${shorten(name)}"`;
		if (/[,;]/.test(name))
			return `${shown} is read as one parameter: separate names by "&"`;
		if (/^[?/]/.test(name))
			return `${shown} is read as the parameter's name: write it without "${name.charAt(0)}"`;
		if (name.includes("*"))
			return `"*" is no wildcard, as ${shown} is compared letter by letter: name each parameter`;
		if (name.includes("="))
			return `${shown} is read as the parameter's name: write the name without a value`;
	}
	return undefined;
}

const extended =
	"comes from a draft of 1996 that no large search engine documents. Bing reads Crawl-delay.";

const obsolete: Readonly<Record<string, string>> = {
	host: "Host has no effect: Yandex, the only crawler that read it, stopped in 2018. Redirect to the main host with status 301 instead.",
	"request-rate": `Request-rate ${extended}`,
	"visit-time": `Visit-time ${extended}`,
};

/** Fields that were documented once, each in the first of its lines that has a valid value. */
export function findObsoleteFields({ file }: Reading): Found[] {
	const first = new Map<string, OtherLine>();
	for (const other of file.others)
		if (
			Object.hasOwn(obsolete, other.field) &&
			!first.has(other.field) &&
			!valueFault(other.field, other.value)
		)
			first.set(other.field, other);
	return [...first.values()].map(({ field, line }) => ({
		line,
		code: "obsolete-field",
		severity: "info",
		message: obsolete[field] ?? "",
	}));
}
