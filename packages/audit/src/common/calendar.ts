/**
 * The steps of time series: which step a time falls into, and when a step begins. By default steps are as long as the log needs, from minutes
 * to years of weeks, in UTC; with `every` they are hours, days, weeks or months, and with `timeZone` those of that zone. TimeSeries counts in
 * steps, states store their numbers, and reports show their beginnings.
 *
 * Invariant: each step lies within one step of the next width, so that series may be widened and merged in any order.
 */

import { RobotrieError } from "robotrie";
import { check } from "#robotrie/common/arguments";
import { textKind } from "#robotrie/common/kinds";
import { quote } from "#robotrie/common/quote";
import { timeOf } from "#sites/files/dates";

/** What the steps of a series can be asked to be. */
export const everyNames = ["hour", "day", "week", "month"] as const;

/** The steps of a series, if they are not as long as the log needs. */
export type Every = (typeof everyNames)[number];

/** What steps are widened to if there are too many of those that were asked for. */
export type WiderStep = "year" | "52 weeks";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/** About the most steps of a series: with `every` for 41 days of hours, or 2.7 years of days. */
const MOST_STEPS = 400;
const MOST_ASKED = 1000;

/** Steps of one width. */
export interface Steps {
	/** Milliseconds; of months and of days in a time zone the usual length. Stored in states, so it names the steps there. */
	readonly width: number;
	/** What they are called, if they were asked for. */
	readonly name: Every | WiderStep | null;
	/** The number of the step of a time, in milliseconds since 1970. */
	of(time: number): number;
	/** When a step begins. */
	startOf(step: number): number;
	/** The number that the step has among wider ones. */
	among(wider: Steps, step: number): number;
	/** Some time that contains a given one, within its step: [start, end). */
	readonly cell: number;
}

/** Steps of equal length, counted from 1970 in UTC. */
class EqualSteps implements Steps {
	readonly name = null;
	readonly cell: number;

	constructor(readonly width: number) {
		this.cell = width;
	}

	of(time: number): number {
		return Math.floor(time / this.width);
	}

	startOf(step: number): number {
		return step * this.width;
	}

	among(wider: Steps, step: number): number {
		return Math.floor(step / (wider.width / this.width));
	}
}

/**
 * Offsets are rounded to these, and looked up for each of them: all zones change by multiples of it since 1980, at times that are multiples
 * of it but in Newfoundland before 2011.
 */
const QUARTER = 15 * MINUTE;
/** Offsets that are remembered; those of a year are 35,040. */
const MOST_OFFSETS = 100_000;

/** The clock of a time zone. */
class Clock {
	readonly #format: Intl.DateTimeFormat;
	readonly #offsets = new Map<number, number>();

	constructor(timeZone: string) {
		this.#format = new Intl.DateTimeFormat("en-US", {
			timeZone,
			timeZoneName: "longOffset",
		});
	}

	/** Milliseconds that its clocks are ahead of UTC at a time. */
	offsetAt(time: number): number {
		const quarter = Math.floor(time / QUARTER);
		let offset = this.#offsets.get(quarter);
		if (offset === undefined) {
			offset = this.#ask(quarter * QUARTER);
			// Anybody can send a log of all years.
			if (this.#offsets.size >= MOST_OFFSETS) this.#offsets.clear();
			this.#offsets.set(quarter, offset);
		}
		return offset;
	}

	#ask(time: number): number {
		const bounded = Math.max(-LAST_TIME, Math.min(time, LAST_TIME));
		const name = this.#format
			.formatToParts(bounded)
			.find(({ type }) => type === "timeZoneName")?.value;
		const [, sign, hours, minutes = "0"] =
			/([+-])(\d+)(?::(\d+))?/.exec(name ?? "") ?? [];
		if (sign === undefined) return 0;
		const ahead = Number(hours) * HOUR + Number(minutes) * MINUTE;
		const rounded = Math.round(ahead / QUARTER) * QUARTER;
		return sign === "-" ? -rounded : rounded;
	}
}

/** The latest time of a Date, in milliseconds since 1970. */
const LAST_TIME = 8.64e15;

function remainder(number: number, divisor: number): number {
	return number - Math.floor(number / divisor) * divisor;
}

function divisorOf(a: number, b: number): number {
	return b === 0 ? a : divisorOf(b, a % b);
}

/** Steps up to an hour: of equal length, but they begin where the zone's hours do. */
class HourSteps implements Steps {
	readonly cell: number;

	constructor(
		readonly clock: Clock,
		readonly width: number,
		readonly name: "hour" | null = null,
	) {
		this.cell = divisorOf(QUARTER, width);
	}

	of(time: number): number {
		const shifted = time + remainder(this.clock.offsetAt(time), HOUR);
		return Math.floor(shifted / this.width);
	}

	startOf(step: number): number {
		const shifted = step * this.width;
		const guess = shifted - remainder(this.clock.offsetAt(shifted), HOUR);
		const start = shifted - remainder(this.clock.offsetAt(guess), HOUR);
		return this.of(start) === step ? start : guess;
	}

	among(wider: Steps, step: number): number {
		const hours = Math.floor((step * this.width) / HOUR);
		return wider instanceof LocalSteps
			? wider.ofHour(hours)
			: Math.floor(step / (wider.width / this.width));
	}
}

/** Steps of more than an hour: what a calendar on the wall says, so that a day may have 23 or 25 hours. */
class LocalSteps implements Steps {
	readonly cell = QUARTER;
	readonly #clock: Clock;
	readonly #hours: HourSteps;

	constructor(
		clock: Clock,
		readonly width: number,
		/** The step of a time on the wall, and back. */
		readonly ofLocal: (local: number) => number,
		readonly localOf: (step: number) => number,
		readonly name: Every | WiderStep | null = null,
	) {
		this.#clock = clock;
		this.#hours = new HourSteps(clock, HOUR);
	}

	/** Through the hour, so that no hour is split between two days, wherever clocks are put back. */
	of(time: number): number {
		return this.ofHour(this.#hours.of(time));
	}

	ofHour(hour: number): number {
		const start = this.#hours.startOf(hour);
		return this.ofLocal(start + this.#clock.offsetAt(start));
	}

	startOf(step: number): number {
		const local = this.localOf(step);
		// Clocks are put forward and back within a day at most.
		const [earlier, later] = [local - DAY, local + DAY].map(
			(time) => local - this.#clock.offsetAt(time),
		) as [number, number];
		const starts = [Math.min(earlier, later), Math.max(earlier, later)];
		return (
			starts.find((time) => time + this.#clock.offsetAt(time) === local) ??
			// Where the day has no midnight, it begins when clocks are put forward.
			earlier
		);
	}

	among(wider: Steps, step: number): number {
		return (wider as LocalSteps).ofLocal(this.localOf(step));
	}
}

/** Steps of equal length on the wall. `from` is where one of them begins. */
function equalOnTheWall(
	clock: Clock,
	width: number,
	from = 0,
	name: Every | WiderStep | null = null,
): Steps {
	return new LocalSteps(
		clock,
		width,
		(local) => Math.floor((local - from) / width),
		(step) => from + step * width,
		name,
	);
}

/** Months and years, whose number is that of the first month. */
function months(clock: Clock, count: 1 | 12): Steps {
	return new LocalSteps(
		clock,
		count === 1 ? 30 * DAY : 365 * DAY,
		(local) => {
			const date = new Date(Math.max(-LAST_TIME, Math.min(local, LAST_TIME)));
			const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
			return Math.floor(month / count);
		},
		(step) => {
			const first = new Date(0);
			first.setUTCFullYear(0, step * count, 1);
			return first.getTime();
		},
		count === 1 ? "month" : "year",
	);
}

/** A Monday. */
const MONDAY = -3 * DAY;

/** What `every` and `timeZone` come to. */
export class Calendar {
	/** The zone's name as Intl has it: "UTC", "Europe/Berlin". */
	readonly timeZone: string;
	/** The narrowest first. */
	readonly #steps: readonly Steps[];
	readonly #most: number;
	readonly #clock: Clock | undefined;

	/** @throws {RobotrieError} invalid-argument, for a zone that does not exist. */
	constructor(timeZone = "UTC", every?: Every) {
		this.timeZone = zoneOf(timeZone);
		this.#most = every === undefined ? MOST_STEPS : MOST_ASKED;
		const isUtc = this.timeZone === "UTC";
		if (isUtc && every === undefined) {
			// 364 days and not a year: a whole number of weeks, which 365 days are not.
			this.#steps = [
				...[1, 10, 60, 6 * 60].map((minutes) => minutes * MINUTE),
				DAY,
				WEEK,
				52 * WEEK,
			].map((width) => new EqualSteps(width));
			return;
		}
		const clock = new Clock(this.timeZone);
		if (!isUtc) this.#clock = clock;
		const weeks = [
			equalOnTheWall(clock, WEEK, MONDAY, every && "week"),
			equalOnTheWall(clock, 52 * WEEK, MONDAY, every && "52 weeks"),
		];
		if (every === undefined)
			this.#steps = [
				new HourSteps(clock, MINUTE),
				new HourSteps(clock, 10 * MINUTE),
				new HourSteps(clock, HOUR),
				equalOnTheWall(clock, 6 * HOUR),
				equalOnTheWall(clock, DAY),
				...weeks,
			];
		else if (every === "week") this.#steps = weeks;
		else {
			const all = [
				new HourSteps(clock, HOUR, "hour"),
				equalOnTheWall(clock, DAY, 0, "day"),
				months(clock, 1),
				months(clock, 12),
			];
			this.#steps = all.slice(all.findIndex(({ name }) => name === every));
		}
	}

	/** The narrowest steps. */
	get first(): Steps {
		return this.#steps[0] as Steps;
	}

	/** Whether steps of this width have no wider ones: then there may be any number of them. */
	isLast(width: number): boolean {
		return this.#steps.at(-1)?.width === width;
	}

	/** The steps of a width; undefined if there are none. */
	stepsOf(width: number): Steps | undefined {
		return this.#steps.find((steps) => steps.width === width);
	}

	/**
	 * The steps for a time from `first` to `last`. Beyond the last width, series get longer than
	 * they should.
	 */
	stepsFor(first: number, last: number): Steps {
		const span = last - first;
		return (this.#steps.find(({ width }) => span / width <= this.#most) ??
			this.#steps.at(-1)) as Steps;
	}

	/** The longest time for steps of a width, in milliseconds. */
	longestFor(width: number): number {
		return this.#most * width;
	}

	/** RFC 3339 with the zone's offset, given milliseconds since 1970; null if they are not finite. */
	timestamp(time: number): string | null {
		if (!Number.isFinite(time)) return null;
		const offset = this.#clock?.offsetAt(time);
		if (offset === undefined) return new Date(time).toISOString();
		const minutes = Math.abs(offset) / MINUTE;
		const two = (number: number) => String(number).padStart(2, "0");
		return new Date(time + offset)
			.toISOString()
			.replace(
				"Z",
				`${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`,
			);
	}

	/** The time at which the zone's clocks show a date and time, given as if it were UTC. */
	timeOf(local: number): number {
		const steps = new LocalSteps(
			this.#clock ?? new Clock("UTC"),
			1,
			(time) => time,
			(time) => time,
		);
		return steps.startOf(local);
	}
}

/** UTC, in steps as long as the log needs. */
export const plainCalendar = new Calendar();

/** The options that make a calendar. */
export interface CalendarOptions {
	readonly timeZone?: string | undefined;
	readonly every?: Every | undefined;
}

/** The calendar of options. @throws {RobotrieError} invalid-argument, for a zone that does not exist. */
export function calendarOf({ timeZone, every }: CalendarOptions): Calendar {
	return timeZone === undefined && every === undefined
		? plainCalendar
		: new Calendar(timeZone, every);
}

/**
 * A time as `--since` takes it: a day, which means its midnight, or a day and a time of it. Without an offset it is that of a time zone's clocks.
 * @param timeZone An IANA time zone. Default "UTC".
 * @example
 * parseTime("2026-03-01", "Europe/Berlin").toISOString(); // "2026-02-28T23:00:00.000Z"
 * parseTime("2026-03-01T12:00+01:00").getTime(); // 1772362800000
 * @throws {RobotrieError} invalid-argument, for what is no time or no time zone.
 */
export function parseTime(text: string, timeZone?: string): Date {
	check("text", text, textKind);
	if (timeZone !== undefined) check("timeZone", timeZone, textKind);
	const time = timeOf(text, calendarOf({ timeZone }));
	if (Number.isNaN(time))
		throw new RobotrieError(
			"invalid-argument",
			`${quote(text)} is not a time such as 2026-03-01 or 2026-03-01T12:00:00Z`,
		);
	return new Date(time);
}

/** @throws {RobotrieError} invalid-argument, for what is no time zone. */
export function zoneOf(timeZone: string): string {
	try {
		const name = new Intl.DateTimeFormat("en-US", {
			timeZone,
		}).resolvedOptions().timeZone;
		return /^(?:Etc\/)?(?:UTC|GMT|UCT|Zulu|Universal|Greenwich)$/.test(name)
			? "UTC"
			: name;
	} catch {
		throw new RobotrieError(
			"invalid-argument",
			`${quote(timeZone)} is not a time zone such as Europe/Berlin or UTC`,
		);
	}
}
