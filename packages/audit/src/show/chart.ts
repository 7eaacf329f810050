/**
 * Charts over time, drawn as SVG: bars of allowed and disallowed requests (timeChart), and a heat map of the busiest crawlers (heatMap). Long
 * gaps without requests are folded, so that a log of two visits a year apart still shows both. Colours come from classes, for light
 * and dark pages.
 */

import { scaleLinear, scaleUtc } from "d3-scale";
import {
	type AuditReport,
	type CrawlerReport,
	isBound,
	type SeriesPoint,
} from "../options/report.ts";
import {
	escapeHtml,
	label,
	number,
	shortLabel,
	time,
	wallTime,
} from "./html-parts.ts";

/** Room for the labels of the axes, in units of the drawing, which are pixels at its natural width. */
const MARGIN = { top: 8, right: 8, bottom: 24, left: 44 };

/** From bottom to top. Also the names of classes in the style sheet. */
const kinds = ["disallowed", "exempt", "allowed", "other"] as const;

/** A step of a chart. `exempt` are disallowed requests that robots.txt does not bind; `disallowed` has the others. */
export interface ChartPoint extends SeriesPoint {
	readonly exempt: number;
}

/**
 * The series of a crawler. Series do not keep exempt requests separate: those of a crawler that robots.txt never binds are exempt, those of one
 * that it binds at least somewhere are not.
 */
export function pointsOf(crawler: CrawlerReport): ChartPoint[] {
	const bound = isBound(crawler);
	return crawler.series.map((point) => ({
		...point,
		disallowed: bound ? point.disallowed : 0,
		exempt: bound ? 0 : point.disallowed,
	}));
}

/** Two drawings, of which the style sheet shows one: on a phone, the text of the wide one would be too small. */
export function chartOf(
	points: readonly ChartPoint[],
	{ from, to, step, every, timeZone }: AuditReport,
	height: number,
): string {
	// Months are drawn as wide as the shortest one, so that bars do not overlap.
	const width = every === "month" ? 28 * DAY : step * 1000;
	const shown = onTheWall(points, timeZone);
	const first = wallTime(from ?? "");
	// Charts begin where a step begins, as series do. The report's own `from` may lie within a step.
	const start = shown[0]?.at ?? first - (first % width);
	const period = {
		from: start - Math.max(0, Math.ceil((start - first) / width)) * width,
		to: Math.max(wallTime(to ?? ""), shown.at(-1)?.at ?? 0),
		step: width,
	};
	return `<div class="wide">${timeChart(shown, period, 920, height)}</div>
<div class="narrow">${timeChart(shown, period, 310, Math.min(height, 200))}</div>`;
}

/** A step where a chart shows it. */
interface DrawnPoint extends ChartPoint {
	/** What the clocks show when it begins; see `wallTime`. */
	readonly at: number;
	/** The same as its tooltip has it. */
	readonly text: string;
}

/** Steps by what clocks show; those of the hour that comes twice, where clocks are put back, are one. */
function onTheWall(
	points: readonly ChartPoint[],
	timeZone: string,
): readonly DrawnPoint[] {
	const drawn: DrawnPoint[] = [];
	for (const point of points) {
		const at = wallTime(point.start);
		const last = drawn.at(-1);
		const text = `${time(point.start)} ${timeZone}`;
		if (!last || last.at < at) drawn.push({ ...point, at, text });
		else
			drawn[drawn.length - 1] = {
				...last,
				allowed: last.allowed + point.allowed,
				disallowed: last.disallowed + point.disallowed,
				exempt: last.exempt + point.exempt,
				other: last.other + point.other,
			};
	}
	return drawn;
}

/** The time that a chart shows, in milliseconds. */
interface Period {
	/** Start of the first step, since 1970. */
	readonly from: number;
	/** The last request, since 1970. */
	readonly to: number;
	/** Width of a step. */
	readonly step: number;
}

/** A gap is folded if it has at least this many steps and this share of the whole time. */
const GAP_STEPS = 8;
const GAP_SHARE = 0.08;
/** Most ticks that are considered for the axis. */
const MOST_TICKS = 2000;
/** Width of a folded gap in the drawing. */
const GAP_WIDTH = 22;

/** The spans of time that are shown, without long gaps, as a flat list of their starts and ends. */
function spansOf(
	points: readonly DrawnPoint[],
	{ from, step }: Period,
	end: number,
): number[] {
	// Both limits: a short gap in a long log would be folded to nothing visible, and a few steps in a
	// short one are no gap.
	const least = Math.max(GAP_STEPS * step, GAP_SHARE * (end - from));
	const bounds = [from];
	let last = from;
	for (const { at: start } of points) {
		if (start - last > least) {
			// Before a gap right at the beginning, one step is shown.
			bounds.push(Math.max(last, (bounds.at(-1) ?? from) + step), start);
		}
		last = start + step;
	}
	// The last step stays visible after a gap, as the first does before one.
	if (end - last > least) bounds.push(last, end - step);
	bounds.push(end);
	return bounds;
}

/** Narrowest bar with a tooltip; narrower ones cannot be pointed at. */
const NARROWEST_HINT = 2;

/** A bar for each step of time, disallowed requests at the bottom, as an SVG drawing of this width and height. */
function timeChart(
	points: readonly DrawnPoint[],
	{ from, to, step }: Period,
	width: number,
	height: number,
): string {
	const right = width - MARGIN.right;
	const bottom = height - MARGIN.bottom;
	// The last step is shown in full.
	const end = from + Math.ceil((to - from + 1) / step) * step;
	const bounds = spansOf(points, { from, to, step }, end);
	// `bounds` has two entries per span, so one gap less than spans.
	const gaps = bounds.length / 2 - 1;
	const shown = bounds.reduce(
		(sum, bound, at) => sum + (at % 2 === 0 ? -bound : bound),
		0,
	);
	const unit = (right - MARGIN.left - gaps * GAP_WIDTH) / shown;
	// A piecewise linear scale: each span takes its share of the width, each folded gap GAP_WIDTH.
	let place = MARGIN.left;
	const x = scaleUtc(
		bounds,
		bounds.map((bound, at) => {
			if (at > 0)
				place +=
					at % 2 === 0 ? GAP_WIDTH : (bound - (bounds[at - 1] ?? 0)) * unit;
			return place;
		}),
	);
	const folds = Array.from({ length: gaps }, (_, at) => {
		const first = bounds[2 * at + 1] ?? 0;
		const next = bounds[2 * at + 2] ?? 0;
		const left = x(first);
		return `<g class="gap"><rect x="${round(left)}" y="${MARGIN.top}" width="${GAP_WIDTH}" height="${bottom - MARGIN.top}"/><path d="M${round(left + 8)} ${bottom + 5}l3 -10m3 10l3 -10"/><title>no requests for ${lengthOf(next - first)}</title></g>`;
	});
	const y = scaleLinear(
		[0, Math.max(...points.map(totalOf), 1)],
		[bottom, MARGIN.top],
	).nice(4);
	const slot = step * unit;
	const bar = Math.max(slot - (slot > 4 ? 1 : 0), 0.5);
	// One path for each kind, not an element for each bar: a page with 100 charts stays small.
	const paths = { disallowed: "", exempt: "", allowed: "", other: "" };
	const hints: string[] = [];
	for (const point of points) {
		const left = x(point.at);
		let base = 0;
		for (const kind of kinds) {
			const count = point[kind];
			if (count === 0) continue;
			const top = y(base + count);
			paths[kind] +=
				`M${round(left)} ${round(top)}h${round(bar)}V${round(y(base))}h${round(-bar)}z`;
			base += count;
		}
		if (slot < NARROWEST_HINT) continue;
		hints.push(
			`<rect x="${round(left)}" y="${MARGIN.top}" width="${round(slot)}" height="${bottom - MARGIN.top}"><title>${escapeHtml(hintOf(point))}</title></rect>`,
		);
	}
	// Whole numbers only: there are no half requests.
	const rows = y
		.ticks(4)
		.filter(Number.isInteger)
		.map(
			(tick) =>
				`<path class="grid" d="M${MARGIN.left} ${round(y(tick))}H${right}"/><text x="${MARGIN.left - 6}" y="${round(y(tick) + 4)}" text-anchor="end">${short(tick)}</text>`,
		);
	// How much time is shown decides, not how much the log covers: folded gaps need no labels.
	const format = tickFormat(shown);
	const columns = x
		.ticks(
			Math.min(
				Math.max(2, (Math.floor(width / 110) * (end - from)) / shown),
				MOST_TICKS,
			),
		)
		// Ticks within a fold, and ticks that would overlap the one before, are dropped.
		.filter(apart(x, bounds, width < 400 ? 60 : 80))
		.map(
			(tick) =>
				`<text x="${round(x(tick))}" y="${height - 6}" text-anchor="middle">${escapeHtml(format(tick))}</text>`,
		);
	return `<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Requests over time">${rows.join("")}${folds.join("")}${columns.join("")}${kinds
		.map((kind) => `<path class="${kind}" d="${paths[kind]}"/>`)
		.join("")}<g class="hints">${hints.join("")}</g></svg>`;
}

const DAY = 86_400_000;
const HOUR = 3_600_000;
const MINUTE = 60_000;

/** "3 days": a unit is used from two of it on, so that 30 hours are not "1 days". */
function lengthOf(milliseconds: number): string {
	const [size, name] =
		milliseconds >= 2 * DAY
			? [DAY, "days"]
			: milliseconds >= 2 * HOUR
				? [HOUR, "hours"]
				: [MINUTE, "minutes"];
	return `${Math.round(milliseconds / size).toLocaleString("en-US")} ${name}`;
}

/** A filter for ticks: keeps those outside gaps that are at least `least` units from the one before. */
function apart(
	x: (time: Date | number) => number,
	bounds: readonly number[],
	least: number,
): (tick: Date) => boolean {
	let last = Number.NEGATIVE_INFINITY;
	return (tick) => {
		const time = tick.getTime();
		const isShown = bounds.some(
			(bound, at) =>
				at % 2 === 0 && time >= bound && time < (bounds[at + 1] ?? bound),
		);
		if (!isShown || x(time) - last < least) return false;
		last = x(time);
		return true;
	};
}

/** How ticks are written: times of day up to a week, days up to five months, then months. */
function tickFormat(span: number): (time: Date) => string {
	const format = (options: Intl.DateTimeFormatOptions) => {
		const { format: text } = new Intl.DateTimeFormat("en-GB", {
			...options,
			timeZone: "UTC",
		});
		return text;
	};
	const day = format({ day: "numeric", month: "short" });
	if (span > 150 * DAY) return format({ month: "short", year: "numeric" });
	if (span > 7 * DAY) return day;
	const clock = format({ hour: "2-digit", minute: "2-digit" });
	return (time) => (time.getTime() % DAY === 0 ? day(time) : clock(time));
}

function totalOf({ allowed, disallowed, exempt, other }: ChartPoint): number {
	return allowed + disallowed + exempt + other;
}

/** The tooltip of a step. */
function hintOf(point: DrawnPoint): string {
	const counts = kinds.map((kind) =>
		point[kind] > 0 ? [`${number(point[kind])} ${kind}`] : [],
	);
	return `${point.text}: ${counts.flat().join(", ")}`;
}

/** "1.2K" */
function short(value: number): string {
	return Intl.NumberFormat("en-US", { notation: "compact" }).format(value);
}

/** One decimal: a tenth of a pixel is enough, and halves the size of paths. */
function round(value: number): string {
	return String(Math.round(value * 10) / 10);
}

/**
 * Most crawlers and most steps of time in the heat map. More rows or columns do not fit a page; the
 * table and the JSON report have all.
 */
const MOST_ROWS = 15;
const MOST_COLUMNS = 48;
/**
 * Widths of a cell. Each is a multiple of every width that a series can have and that is not wider, so that a step is never split between two
 * cells. Those below a day divide into it, so that cells begin at midnight.
 */
const CELLS: readonly number[] = [
	...[1, 2, 5, 10, 20, 30].map((minutes) => minutes * MINUTE),
	...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
	...[1, 2, 7, 14, 28, 56, 91, 182, 364].map((days) => days * DAY),
];

/** The narrowest cell with which a row has at most MOST_COLUMNS. */
function cellFor(first: number, last: number, step: number): number {
	const isFew = (each: number) => (last - first) / each <= MOST_COLUMNS - 1;
	return (
		CELLS.find((each) => each >= step && isFew(each)) ??
		// Decades: years of 364 days, as series have.
		Math.ceil((last - first) / (MOST_COLUMNS - 1) / (364 * DAY)) * 364 * DAY
	);
}

/** The heat map: requests of the busiest crawlers by hour, day or longer. Empty for less than three steps. */
export function heatMap({
	crawlers,
	from,
	to,
	step,
	every,
	timeZone,
}: AuditReport): string {
	// Cells are as wide as each other, and months are not; the chart above shows them.
	if (every === "month" || every === "year") return "";
	const first = wallTime(from ?? "");
	const last = wallTime(to ?? "");
	const width = cellFor(first, last, step * 1000);
	const begin = Math.floor(first / width) * width;
	const columns = Math.floor((last - begin) / width) + 1;
	if (columns < 3) return "";
	const shown = crawlers
		.toSorted((a, b) => b.requests - a.requests)
		.slice(0, MOST_ROWS);
	// All rows share one scale, so that colours can be compared between crawlers.
	const rows = shown.map((crawler) => cells(crawler, begin, width, columns));
	const most = Math.max(...rows.map((row) => Math.max(...row)), 1);
	return `<h2 class="screen">Who came when</h2>
<div class="card screen"><div class="bars heat">${rows
		.map((row, at) => {
			const crawler = shown[at] as CrawlerReport;
			return `<div><span class="name" title="${label(crawler)}">${shortLabel(crawler)}</span><svg class="bar" viewBox="0 0 ${columns} 1" preserveAspectRatio="none" role="img" aria-label="Requests of ${label(crawler)} over time">${row
				.map((count, column) =>
					// The square root lifts the few: by shares alone, all but the busiest crawler would be
					// pale.
					count === 0
						? ""
						: `<rect class="allowed" x="${column}" width="1" height="1" fill-opacity="${(0.12 + 0.88 * Math.sqrt(count / most)).toFixed(2)}"><title>${escapeHtml(time(new Date(begin + column * width).toISOString()))} ${escapeHtml(timeZone)}: ${number(count)} requests</title></rect>`,
				)
				.join(
					"",
				)}</svg><span class="count">${number(crawler.requests)}</span></div>`;
		})
		.join("\n")}</div>
<p class="faint note">A cell is ${spanName(width / 1000)}; the darkest has ${number(most)} requests. ${escapeHtml(time(from))} to ${escapeHtml(time(to))} ${escapeHtml(timeZone)}.</p></div>`;
}

/** A crawler's requests in each column. */
function cells(
	{ series }: CrawlerReport,
	begin: number,
	width: number,
	columns: number,
): number[] {
	const row = new Array<number>(columns).fill(0);
	for (const { start, allowed, disallowed, other } of series) {
		const column = Math.max(Math.floor((wallTime(start) - begin) / width), 0);
		row[column] = (row[column] ?? 0) + allowed + disallowed + other;
	}
	return row.slice(0, columns);
}

const spans: readonly [seconds: number, name: string][] = [
	[604_800, "week"],
	[86_400, "day"],
	[3600, "hour"],
	[60, "minute"],
];

/** What a step of a report's series is: "an hour", "a month". */
export function stepName({ step, every }: AuditReport): string {
	return every === "month" || every === "year" ? `a ${every}` : spanName(step);
}

/** "an hour", "10 minutes" */
function spanName(seconds: number): string {
	// The largest unit that divides the step: 1800 s are "30 minutes", not "0.5 hours".
	for (const [size, name] of spans) {
		if (seconds % size !== 0) continue;
		const count = seconds / size;
		return count === 1
			? `${name === "hour" ? "an" : "a"} ${name}`
			: `${count} ${name}s`;
	}
	return `${seconds} seconds`;
}
