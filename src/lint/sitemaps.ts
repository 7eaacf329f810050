/**
 * Findings about Sitemap lines: values that are no URL but nearly one, addresses that nobody can fetch, and sitemaps that the file itself disallows.
 */
import { parseUrl } from "../common/arguments.ts";
import { isAbsoluteUrl } from "../common/urls.ts";
import { count, shorten } from "../common/wording.ts";
import type { Rule } from "../matching/rules.ts";
import type { OtherLine } from "../robots-txt/parse.ts";
import { agentsOf, type Closed, namesOf } from "./closed.ts";
import { ANYBODY, type Found, valueEdit } from "./finding.ts";
import { withoutQuotes } from "./meant.ts";
import { fieldAndPattern, type Reading } from "./reading.ts";
import { hostOf, originOf } from "./whole-file.ts";
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

/** The rule that keeps crawlers from a sitemap. */
interface Closing {
	readonly rule: Rule;
	readonly agents: string[];
}

/**
 * Sitemaps that crawlers may not follow, as a rule disallows them, one finding for a rule. Not told of crawlers that may fetch nothing at all:
 * `findClosed` tells of those that are hardly meant to stay away. Rules hold for the file's own site, `location` says which that is.
 */
export function findDisallowedSitemaps(
	reading: Reading,
	closedFor: Closed,
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
	const closed = new Map<number, Closing>();
	const seen = new Set<number>();
	for (const agent of agentsOf(reading)) {
		const groups = reading.select(agent);
		const id = reading.choiceId(groups);
		const isNew = !seen.has(id);
		seen.add(id);
		if (!isNew) continue;
		if (!work.affords(reading.ruleCount(groups) + sitemaps.length)) break;
		if (closedFor.ruleFor(agent)) continue;
		using matcher = reading.matcher(reading.ranges(groups));
		for (const { value, line } of sitemaps) {
			const { allowed, rule } = matcher.decide(value);
			if (allowed || !rule) continue;
			const known = closed.get(line);
			if (known) known.agents.push(agent);
			else closed.set(line, { rule, agents: [agent] });
		}
	}
	const findings = new Map<string, OtherLine[]>();
	for (const sitemap of sitemaps) {
		const one = closed.get(sitemap.line);
		if (!one) continue;
		const { host } = parseUrl(sitemap.value) ?? {};
		const key = [one.rule.line, host, ...one.agents].join(" ");
		const alike = findings.get(key);
		if (alike) alike.push(sitemap);
		else findings.set(key, [sitemap]);
	}
	return [...findings.values()].flatMap(([first, ...others]): Found[] => {
		const one = first && closed.get(first.line);
		if (!one) return [];
		const { value, line } = first;
		const { rule, agents } = one;
		const host = shorten(parseUrl(value)?.host ?? "");
		const where =
			origin === undefined ? `, if ${host} is the host of this file` : "";
		const more =
			others.length > 0 ? ` and ${count(others.length, "other")}` : "";
		return [
			{
				line,
				code: "disallowed-sitemap",
				// A site may well keep some crawlers from some of its parts.
				severity: agents.includes(ANYBODY) ? "warning" : "info",
				message: `Sitemap: ${shorten(value)}${more} may not be fetched by ${namesOf(agents)}: ${shorten(fieldAndPattern(rule))} (line ${rule.line}) disallows ${more ? "them" : "it"}${where}.`,
				relatedLine: rule.line,
			},
		];
	});
}

/** Hosts that no crawler on the web reaches, as `URL` has them. */
const unreachable =
	/^(?:localhost|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|172\.(?:1[6-9]|2\d|3[01])\.[\d.]+|0\.0\.0\.0|\[::1\]|.*\.(?:localhost|local|test|internal|invalid))$/;

/** Hosts that stand for the reader's own in what sites are copied from. */
const placeholder =
	/^(?:.*\.)?(?:example\.(?:com|org|net)|(?:your|my)-?(?:own-?)?(?:site|domain|website|web|blog|store|shop|host|company)(?:-?(?:name|url))?\.[a-z.]+)$/;

/** Addresses in Sitemap lines that can hardly be meant. */
export function findDoubtfulSitemaps(
	reading: Reading,
	location: string | undefined,
): Found[] {
	const own = hostOf(location);
	const isSecure = /^https:/i.test(location ?? "");
	const seen = new Map<string, number>();
	return reading.file.others.flatMap((other): Found[] => {
		const { field, value, line } = other;
		const url =
			field === "sitemap" && isAbsoluteUrl(value) ? parseUrl(value) : null;
		if (!url) return [];
		const shown = `Sitemap: ${shorten(value)}`;
		const found = (
			severity: Found["severity"],
			message: string,
			more: Partial<Found> = {},
		): Found[] => [
			{ line, code: "doubtful-sitemap", severity, message, ...more },
		];
		const [, twice] = /^https?:\/+(https?:?\/+.+)$/i.exec(value) ?? [];
		if (twice !== undefined) {
			const meant = twice.replace(/^(https?):?\/+/i, "$1://");
			const [from, to] = reading.valueAt(line) ?? [];
			return found(
				"error",
				`${shown} begins with two schemes, so its host is ${shorten(url.host)}: write ${shorten(meant)}.`,
				from === undefined || to === undefined || !isAbsoluteUrl(meant)
					? {}
					: {
							edit: valueEdit(
								reading.file.bytes,
								from,
								to,
								[meant],
								"Leave out the first scheme: a URL has one.",
							),
						},
			);
		}
		if (unreachable.test(url.hostname) && url.host !== own)
			return found(
				"warning",
				`${shown} is on ${shorten(url.hostname)}, which crawlers cannot reach: write the site's own host.`,
			);
		if (placeholder.test(url.hostname) && url.host !== own)
			return found(
				"warning",
				`${shown} is on ${shorten(url.hostname)}, which seems to stand for a host that was never filled in: write the site's own.`,
			);
		const earlier = seen.get(url.href);
		if (earlier !== undefined)
			return found("info", `${shown} is named in line ${earlier} already.`, {
				relatedLine: earlier,
			});
		seen.set(url.href, line);
		return isSecure &&
			url.protocol === "http:" &&
			url.hostname === hostname(own)
			? found(
					"info",
					`${shown} is http, and this file is on https: write https, or crawlers need a redirect.`,
				)
			: [];
	});
}

function hostname(host: string | undefined): string | undefined {
	return host?.replace(/:\d+$/, "");
}
