/**
 * Which clients with a browser's User-Agent behave like crawlers. A suspicion, and never a verdict: nobody can tell a careful crawler from a
 * person by a log, nor one person's odd program from a crawler. So a suspect has read many pages, and shows at least two signs, one of which
 * is something that browsers do by themselves and that it does not; a sign that also holds for most other clients in the log does not count.
 * make-report.ts calls it; visits.ts counts.
 */

import type { Calendar } from "../common/calendar.ts";
import type { Visitor, Visitors } from "../count/visits.ts";
import type {
	SuspectReport,
	SuspectSign,
	SuspectsReport,
} from "../options/report.ts";
import { compare } from "./crawler-report.ts";

/**
 * Different pages that a suspect has read at least. Even avid readers stay below it in a day, and those behind one address who do not bring
 * images and referrers with them. Low enough to be counted exactly (`Distinct`).
 */
const MIN_PAGES = 50;

/** Signs that a suspect shows at least: with one alone, a full cache or a browser that keeps its referrers to itself would make a suspect. */
const MIN_SIGNS = 2;

/** "Next to none": one for so many pages. Not none at all, as crawlers take a picture now and then. */
const PAGES_PER_ASSET = 50;
const PAGES_PER_REFERRER = 50;

/**
 * Pages in a minute, on average over the minutes in which there were any. A person who opens a list of links in tabs does so for a minute;
 * nobody keeps to one page in three seconds.
 */
const PAGES_PER_MINUTE = 20;

/**
 * The share of other clients that must take assets, or send referrers, for their lack to be a sign. Below it the log does not have them:
 * images come from another host, lines have no referrer, or the site asks browsers not to send one. So low since in some logs most
 * addresses are those of programs that fetch one page and never come again.
 */
const USUAL = 0.05;

/** Suspects in a report. */
const MOST = 100;

/** The suspects among the clients, those of most disallowed requests first. */
export function suspectsReport(
	visitors: Visitors,
	calendar: Calendar,
): SuspectsReport {
	const all = [...visitors.values()].filter(
		({ pageRequests }) => pageRequests > 0,
	);
	const share = (isSo: (visitor: Visitor) => boolean) =>
		all.filter(isSo).length / all.length;
	const unusable: SuspectSign[] = [];
	if (!(share(({ assets }) => assets > 0) >= USUAL)) unusable.push("assets");
	if (!(share(({ referrers }) => referrers > 0) >= USUAL))
		unusable.push("referrers");
	const suspects = all
		.map((visitor) => suspectOf(visitor, unusable, calendar))
		.filter((suspect) => suspect !== undefined)
		.sort(
			(a, b) =>
				b.disallowed - a.disallowed ||
				b.pages - a.pages ||
				b.requests - a.requests ||
				compare(a.address, b.address),
		);
	return {
		top: suspects.slice(0, MOST),
		different: suspects.length,
		clients: visitors.size,
		uncounted: visitors.bound,
		unusable,
	};
}

/** The suspect that a client is; undefined if it behaves like a browser. */
function suspectOf(
	visitor: Visitor,
	unusable: readonly SuspectSign[],
	calendar: Calendar,
): SuspectReport | undefined {
	const { pages, pageRequests, assets, referrers, robotsTxt } = visitor;
	if (pages.count < MIN_PAGES) return undefined;
	const perMinute = pageRequests / visitor.minutes.count;
	const found: Readonly<Record<SuspectSign, boolean>> = {
		assets: assets * PAGES_PER_ASSET <= pageRequests,
		referrers: referrers * PAGES_PER_REFERRER <= pageRequests,
		robotsTxt: robotsTxt > 0,
		rate: perMinute >= PAGES_PER_MINUTE && visitor.minutes.count > 0,
	};
	const signs = signNames.filter(
		(sign) => found[sign] && !unusable.includes(sign),
	);
	// Of many people behind one address, one may look at robots.txt, and together they are quick.
	const isUnlikeBrowsers = signs.some(
		(sign) => sign === "assets" || sign === "referrers",
	);
	if (signs.length < MIN_SIGNS || !isUnlikeBrowsers) return undefined;
	const rate = Number.isFinite(perMinute) ? Math.round(perMinute) : null;
	return {
		address: visitor.text,
		system: visitor.system === "" ? null : visitor.system,
		requests: visitor.requests,
		pages: pages.count,
		pagesEstimated: !pages.isExact,
		pageRequests,
		assets,
		referrers,
		robotsTxt,
		disallowed: visitor.disallowed,
		pagesPerMinute: rate,
		firstSeen: calendar.timestamp(visitor.firstMinute * MINUTE),
		lastSeen: calendar.timestamp(visitor.lastMinute * MINUTE),
		signs,
		reason: signs.map((sign) => wordsFor(sign, visitor, rate)).join("; "),
	};
}

const MINUTE = 60_000;

/** In the order in which a reason names them. */
const signNames = [
	"assets",
	"referrers",
	"robotsTxt",
	"rate",
] as const satisfies readonly SuspectSign[];

const number = (value: number) => value.toLocaleString("en-US");

function wordsFor(
	sign: SuspectSign,
	{ assets, referrers, pageRequests }: Visitor,
	rate: number | null,
): string {
	switch (sign) {
		case "assets":
			return assets === 0
				? "no images, styles or scripts"
				: `only ${number(assets)} ${assets === 1 ? "image, style or script" : "images, styles or scripts"}`;
		case "referrers":
			return referrers === 0
				? "never says which page it comes from"
				: `says in ${number(referrers)} of ${number(pageRequests)} requests which page it comes from`;
		case "robotsTxt":
			return "asked for robots.txt";
		case "rate":
			return `${number(rate ?? 0)} pages a minute`;
		default:
			return sign satisfies never;
	}
}
