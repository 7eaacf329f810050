import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { casesOf } from "../../../test/cases.ts";
import { Calendar, type Every, everyNames } from "../src/common/calendar.ts";
import { ALLOWED, isSeries, TimeSeries } from "../src/common/time-series.ts";
import { type AuditOptions, LogAudit } from "../src/index.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The start of the step of a time, as the report has it. */
function startOf(zone: string, every: Every | undefined, time: string) {
	const calendar = new Calendar(zone, every);
	const steps = every ? calendar.first : calendar.stepsOf(DAY);
	const at = steps?.startOf(steps.of(Date.parse(time))) ?? Number.NaN;
	return calendar.timestamp(at)?.replace(":00.000", "");
}

test.each<
	[zone: string, every: Every | undefined, time: string, start: string]
>([
	["UTC", "hour", "2026-03-29T01:30:00Z", "2026-03-29T01:00Z"],
	["UTC", "day", "2026-03-29T01:30:00Z", "2026-03-29T00:00Z"],
	["UTC", "week", "2026-03-29T01:30:00Z", "2026-03-23T00:00Z"],
	["UTC", "month", "2026-03-29T01:30:00Z", "2026-03-01T00:00Z"],
	["Europe/Berlin", "day", "2026-03-28T23:30:00Z", "2026-03-29T00:00+01:00"],
	// Of 23 and of 25 hours.
	["Europe/Berlin", "day", "2026-03-29T21:59:59Z", "2026-03-29T00:00+01:00"],
	["Europe/Berlin", "day", "2026-03-29T22:00:00Z", "2026-03-30T00:00+02:00"],
	["Europe/Berlin", "day", "2026-10-25T22:59:59Z", "2026-10-25T00:00+02:00"],
	["Europe/Berlin", "day", "2026-10-25T23:00:00Z", "2026-10-26T00:00+01:00"],
	// The hour that comes twice is two.
	["Europe/Berlin", "hour", "2026-10-25T00:30:00Z", "2026-10-25T02:00+02:00"],
	["Europe/Berlin", "hour", "2026-10-25T01:30:00Z", "2026-10-25T02:00+01:00"],
	["Europe/Berlin", "week", "2026-03-29T22:00:00Z", "2026-03-30T00:00+02:00"],
	["Europe/Berlin", "month", "2026-02-28T23:00:00Z", "2026-03-01T00:00+01:00"],
	["Europe/Berlin", "month", "2026-03-31T21:59:00Z", "2026-03-01T00:00+01:00"],
	[
		"Europe/Berlin",
		undefined,
		"2026-07-01T22:00:00Z",
		"2026-07-02T00:00+02:00",
	],
	["Asia/Kolkata", "hour", "2026-01-01T00:10:00Z", "2026-01-01T05:00+05:30"],
	["Asia/Kathmandu", "hour", "2026-01-01T00:10:00Z", "2026-01-01T05:00+05:45"],
	["Asia/Kathmandu", "day", "2026-01-01T18:15:00Z", "2026-01-02T00:00+05:45"],
	[
		"America/St_Johns",
		"hour",
		"2026-01-01T00:10:00Z",
		"2025-12-31T20:00-03:30",
	],
	["America/St_Johns", "day", "2026-01-01T03:29:00Z", "2025-12-31T00:00-03:30"],
	[
		"Pacific/Marquesas",
		"day",
		"2026-01-01T09:30:00Z",
		"2026-01-01T00:00-09:30",
	],
	["America/New_York", "day", "2026-01-01T04:59:00Z", "2025-12-31T00:00-05:00"],
	// Clocks are put forward at midnight: the day begins at one.
	["Africa/Cairo", "day", "2026-04-24T10:00:00Z", "2026-04-24T01:00+03:00"],
	["America/Santiago", "day", "2026-09-06T10:00:00Z", "2026-09-06T01:00-03:00"],
	// Half an hour more in winter.
	[
		"Australia/Lord_Howe",
		"hour",
		"2026-04-04T15:20:00Z",
		"2026-04-05T01:30+10:30",
	],
	["Pacific/Apia", "day", "2011-12-30T10:00:00Z", "2011-12-31T00:00+14:00"],
	["UTC", "month", "0099-02-03T00:00:00Z", "0099-02-01T00:00Z"],
])("in %s, the %s of %s begins at %s", (zone, every, time, start) =>
	expect(startOf(zone, every, time)).toBe(start),
);

test.each<[zone: string, local: string, time: string]>([
	["UTC", "2026-03-29T00:00Z", "2026-03-29T00:00Z"],
	["Europe/Berlin", "2026-03-29T00:00Z", "2026-03-28T23:00Z"],
	["Europe/Berlin", "2026-07-01T12:00Z", "2026-07-01T10:00Z"],
	// Of two, the first.
	["Europe/Berlin", "2026-10-25T02:30Z", "2026-10-25T00:30Z"],
	// Not on any clock.
	["Europe/Berlin", "2026-03-29T02:30Z", "2026-03-29T01:30Z"],
])("in %s, clocks show %s at %s", (zone, local, time) =>
	expect(new Calendar(zone).timeOf(Date.parse(local))).toBe(Date.parse(time)),
);

/** What clocks in a zone show at a time, as if it were UTC: by Intl's dates, not by its names of offsets. */
function wallOf(timeZone: string): (time: number) => number {
	const two = "2-digit";
	const format = new Intl.DateTimeFormat("en-US", {
		...{ timeZone, hourCycle: "h23", year: "numeric", month: two, day: two },
		...{ hour: two, minute: two, second: two },
	});
	return (time) => {
		const parts = Object.fromEntries(
			format.formatToParts(time).map(({ type, value }) => [type, value]),
		);
		const { year, month, day, hour, minute, second } = parts;
		return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
	};
}

describe("As Intl's dates have it:", () => {
	const QUARTER = HOUR / 4;
	/** Half hours and quarters on both sides of UTC, and clocks that are changed by half an hour, at midnight or by a day. */
	const odd = [
		"America/St_Johns",
		"Pacific/Marquesas",
		"Asia/Kathmandu",
		"Australia/Lord_Howe",
		"Pacific/Chatham",
		"Pacific/Apia",
		"Europe/Berlin",
		"America/New_York",
		"Asia/Kolkata",
		"UTC",
	];
	/** Within two days of a change of clocks somewhere, or at any time. */
	const time = fc
		.oneof(
			fc.tuple(
				fc.constantFrom(
					"2026-03-08",
					"2026-11-01",
					"2026-03-29",
					"2026-10-25",
					"2026-04-05",
					"2026-09-27",
					"2026-10-04",
					"2011-12-31",
				),
				fc.integer({ min: -192, max: 192 }),
			),
			fc.tuple(fc.constant("2012-01-01"), fc.nat(20 * 365 * 96)),
		)
		.map(([day, quarters]) => Date.parse(day) + quarters * QUARTER);

	test("the clocks of all zones", () => {
		const at = [1980, 1992, 2004, 2016, 2027].flatMap((year) =>
			[0, 6].map((month) => Date.UTC(year, month, 15, 2 * month, 45)),
		);
		for (const zone of Intl.supportedValuesOf("timeZone")) {
			const calendar = new Calendar(zone);
			const wall = wallOf(zone);
			for (const time of at) {
				const text = calendar.timestamp(time) ?? "";
				const local = Date.parse(`${text.slice(0, 23)}Z`);
				expect([zone, local, Date.parse(text)]).toEqual([
					zone,
					wall(time),
					time,
				]);
			}
		}
	});

	const monthOf = (local: number) => new Date(local).toISOString().slice(0, 7);
	test.each<[every: Every, labelOf: (local: number) => unknown, runs: number]>([
		["hour", (local) => Math.floor(local / HOUR), 200],
		["day", (local) => Math.floor(local / DAY), 80],
		// 1970 began on a Thursday.
		["week", (local) => Math.floor((local / DAY + 3) / 7), 15],
		["month", monthOf, 8],
	])("where every %s begins", (every, labelOf, numRuns) =>
		fc.assert(
			fc.property(fc.constantFrom(...odd), time, (zone, time) => {
				const wall = wallOf(zone);
				// Back, a quarter of an hour at a time. An hour that comes twice is two.
				let start = time;
				for (;;) {
					const [before, after] = [wall(start - QUARTER), wall(start)];
					if (labelOf(before) !== labelOf(after)) break;
					if (every === "hour" && before >= after) break;
					start -= QUARTER;
				}
				const steps = new Calendar(zone, every).first;
				const found = steps.startOf(steps.of(time));
				expect([zone, new Date(found)]).toEqual([zone, new Date(start)]);
			}),
			{ seed: 9309, numRuns },
		),
	);
});

test.each(["Mars/Olympus", "", "Europe"])("%j is not a time zone", (zone) =>
	expect(() => new Calendar(zone)).toThrow(
		`"${zone}" is not a time zone such as Europe/Berlin or UTC`,
	),
);

const zones = [
	"UTC",
	"Europe/Berlin",
	"Asia/Kathmandu",
	"America/St_Johns",
	"Australia/Lord_Howe",
	"Pacific/Apia",
	"America/Santiago",
];

describe("series of parts add up to the whole, in any order and zone", () => {
	const time = fc
		.tuple(fc.constantFrom(7 * 60_000, HOUR / 2, DAY / 3, 1e9), fc.nat(1500))
		.map(([unit, count]) => Date.UTC(2009, 9, 1) + unit * count);
	test.each([undefined, ...everyNames])("every %s", (every) =>
		fc.assert(
			fc.property(
				fc.constantFrom(...zones),
				fc.array(fc.array(time, { minLength: 1, maxLength: 9 }), {
					minLength: 1,
				}),
				(zone, parts) => {
					const calendar = new Calendar(zone, every);
					const seriesOf = (times: readonly number[]) => {
						const series = new TimeSeries(calendar);
						for (const each of times) series.add(each, ALLOWED);
						expect(isSeries(series.toData(), calendar)).toBe(true);
						return series.toData();
					};
					const merged = (all: readonly (readonly number[])[]) => {
						const series = new TimeSeries(calendar);
						for (const part of all) series.merge(seriesOf(part));
						return series.entries();
					};
					const times = parts.flat();
					const whole = merged([times]);
					expect(merged(parts)).toEqual(whole);
					expect(merged(parts.toReversed())).toEqual(whole);
					const [first, last] = [Math.min(...times), Math.max(...times)];
					const steps = calendar.stepsFor(first, last);
					// Widened or not, they are the steps of the times themselves.
					const starts = times.map((each) => steps.startOf(steps.of(each)));
					expect(whole.map(([start]) => start)).toEqual(
						[...new Set(starts)].sort((a, b) => a - b),
					);
					expect(whole.reduce((sum, [, [allowed]]) => sum + allowed, 0)).toBe(
						times.length,
					);
				},
			),
			{ numRuns: casesOf(50) },
		),
	);
});

const line = (time: string, path = "/", agent = "GPTBot/1.0") =>
	`192.0.2.1 - - [${time}] "GET ${path} HTTP/1.1" 200 5 "-" "${agent}"\n`;
const robots = [
	{ file: "r", bytes: Buffer.from("User-agent: *\nDisallow: /p\n") },
];

test.each<[every: Every, steps: string[], shown: string]>([
	[
		"hour",
		["2026-01-01T00:00:00.000+01:00", "2026-01-01T12:00:00.000+01:00"],
		"hour",
	],
	["month", ["2026-01-01T00:00:00.000+01:00"], "month"],
])("the log's own offset counts: every %s", async (every, steps, shown) => {
	const options = { robots, timeZone: "europe/berlin", every };
	const audit = new LogAudit({ ...options, keepState: true });
	const lines = [
		line("31/Dec/2025:20:30:00 -0300"),
		line("01/Jan/2026:11:30:00 +0000"),
	];
	await audit.add("a.log", [Buffer.from(lines.join(""))]);
	const report = audit.report();
	expect(report).toMatchObject({
		timeZone: "Europe/Berlin",
		every: shown,
		from: "2026-01-01T00:30:00.000+01:00",
		to: "2026-01-01T12:30:00.000+01:00",
		crawlers: [{ firstSeen: "2026-01-01T00:30:00.000+01:00" }],
	});
	expect(report.crawlers[0]?.series.map(({ start }) => start)).toEqual(steps);
	const merged = new LogAudit(options);
	await merged.addState(await audit.state());
	expect(merged.report()).toEqual(report);
	const other = new LogAudit({ ...options, timeZone: "UTC" });
	await expect(other.addState(await audit.state())).rejects.toThrow(
		"timeZone is Europe/Berlin, not not set",
	);
});

test("too many steps are put together to wider ones", async () => {
	const audit = new LogAudit({ robots, every: "hour" });
	const lines = ["01/Jan", "01/Feb", "12/Feb"].map((day) =>
		line(`${day}/2026:12:30:00 +0000`),
	);
	await audit.add("a.log", [Buffer.from(lines.join(""))]);
	const { every, step, crawlers } = audit.report();
	expect([every, step]).toEqual(["day", 86_400]);
	expect(crawlers[0]?.series[0]?.start).toBe("2026-01-01T00:00:00.000Z");
});

test("a state has a zone by its name, and patterns one by one", async () => {
	const robots = [{ file: "robots.txt", bytes: Buffer.from("") }];
	const stateOf = (options: Partial<AuditOptions>) =>
		new LogAudit({ robots, keepState: true, ...options }).state();
	const state = await stateOf({
		timeZone: "Europe/Berlin",
		people: ["Firefox", "a*b"],
		crawlers: ["[seo]", "Example"],
	});
	expect(
		await stateOf({
			timeZone: "europe/berlin",
			people: "# of people\r\nFirefox\n\n a*b",
			crawlers: "\ufeff[seo]\nExample\n",
		}),
	).toEqual(state);
	const usual = await stateOf({});
	expect(await stateOf({ timeZone: "Etc/UTC", people: "" })).toEqual(usual);
	expect(usual).not.toEqual(state);
});
