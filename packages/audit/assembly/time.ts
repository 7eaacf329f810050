/**
 * Reads the times of log lines: Apache's, ISO 8601, seconds since 1970, HAProxy's, and what is usual in JSON. Times are f64 milliseconds since
 * 1970; formats without times give NaN. A log has the same day for thousands of lines, so the last date of Apache's notation is remembered.
 */

import {
	TIME_CLF,
	TIME_CTIME,
	TIME_EPOCH,
	TIME_HAPROXY,
	TIME_ISO,
	TIME_SPLIT,
	TIME_USUAL,
} from "./format";

/** The result for a text that is not a time. */
export const NOT_A_TIME: f64 = Infinity;

const SECOND: i64 = 1000;
/** Days that every month has; in JSON later ones are left to the host. */
const EVERY_MONTH: u32 = 28;
const DAY: i64 = 86_400_000;

/** Days since 1970 of a date in the Gregorian calendar, years counted from March so that leap days come last. */
function dayNumber(year: i32, month: i32, day: i32): i64 {
	const y = month > 2 ? year : year - 1;
	const era = y / 400;
	const ofEra = y - era * 400;
	const ofYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
	return (
		<i64>era * 146097 +
		<i64>(ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear) -
		719468
	);
}

/** Whether a month, 1 to 12, has a day of this number. */
function hasDay(year: i32, month: i32, day: u32): bool {
	if (day - 1 < EVERY_MONTH) return true;
	if (day - 1 > 30) return false;
	// The first of the next month comes after it.
	const next =
		month == 12 ? dayNumber(year + 1, 1, 1) : dayNumber(year, month + 1, 1);
	return dayNumber(year, month, day) < next;
}

/** Two digits, or a number beyond 99. */
function twoDigits(at: usize): u32 {
	const tens = <u32>load<u8>(at) - 0x30;
	const ones = <u32>load<u8>(at, 1) - 0x30;
	return tens < 10 && ones < 10 ? tens * 10 + ones : 100;
}

/** "13:55:36" in milliseconds, -1 for anything else; all eight bytes at once. A leap second counts as the first of the next minute. */
function timeOfDay(at: usize): i64 {
	// Each byte less "00:00:00", modulo 256: at most 9 for digits, 0 for colons.
	const digits = load<u64>(at) ^ 0x30303a30303a3030;
	const beyond = digits + 0x76767f76767f7676;
	if ((digits | beyond) & 0x8080808080808080) return -1;
	// Tens times ten plus ones, in the byte of the tens.
	const numbers = digits * 10 + (digits >> 8);
	const hours = <u32>numbers & 255,
		minutes = <u32>(numbers >> 24) & 255,
		seconds = <u32>(numbers >> 48) & 255;
	if (hours > 23 || minutes > 59 || seconds > 60) return -1;
	return <i64>((hours * 60 + minutes) * 60 + seconds) * SECOND;
}

const NO_OFFSET: i64 = i64.MAX_VALUE;

/** "+0200" or "-02:00" in milliseconds; NO_OFFSET for anything else. */
function zoneOffset(at: usize, colon: usize): i64 {
	const sign: u32 = load<u8>(at);
	const hours = twoDigits(at + 1),
		minutes = twoDigits(at + 3 + colon);
	if ((sign != 0x2b && sign != 0x2d) || hours > 23 || minutes > 59)
		return NO_OFFSET;
	const offset = <i64>(hours * 60 + minutes) * 60 * SECOND;
	return sign == 0x2d ? -offset : offset;
}

/** 1 to 12 for "Jan" to "Dec", 0 for anything else. The three letters are one number, so that a comparison takes one instruction. */
function monthOf(at: usize): i32 {
	switch (load<u32>(at - 1) >> 8) {
		case 0x6e614a:
			return 1;
		case 0x626546:
			return 2;
		case 0x72614d:
			return 3;
		case 0x727041:
			return 4;
		case 0x79614d:
			return 5;
		case 0x6e754a:
			return 6;
		case 0x6c754a:
			return 7;
		case 0x677541:
			return 8;
		case 0x706553:
			return 9;
		case 0x74634f:
			return 10;
		case 0x766f4e:
			return 11;
		case 0x636544:
			return 12;
	}
	return 0;
}

/**
 * The last date and offset that were read, and the time of that midnight. Lines of a log are in the order of time: nearly all have the date
 * of the line before, so it is compared, not read.
 */
let lastDate: u64 = 0;
let lastYear: u32 = 0;
let lastOffset: u32 = 0;
let lastSign: u32 = 0;
let midnight: i64 = 0;

/** "10/Oct/2000:13:55:36 -0700" */
function readClf(from: usize, end: usize): f64 {
	// The form has one length, and its fields fixed places.
	if (end - from != 26) return NOT_A_TIME;
	const clock = timeOfDay(from + 12);
	if (clock < 0) return NOT_A_TIME;
	if (
		load<u64>(from) != lastDate ||
		load<u32>(from, 8) != lastYear ||
		load<u16>(from, 20) != lastSign ||
		load<u32>(from, 22) != lastOffset
	) {
		const day = twoDigits(from);
		const month = monthOf(from + 3);
		const century = twoDigits(from + 7),
			year = twoDigits(from + 9);
		const offset = zoneOffset(from + 21, 0);
		if (
			month == 0 ||
			century > 99 ||
			year > 99 ||
			!hasDay(century * 100 + year, month, day) ||
			offset == NO_OFFSET ||
			load<u8>(from, 2) != 0x2f ||
			load<u8>(from, 6) != 0x2f ||
			load<u8>(from, 11) != 0x3a ||
			load<u8>(from, 20) != 0x20
		)
			return NOT_A_TIME;
		lastDate = load<u64>(from);
		lastYear = load<u32>(from, 8);
		lastSign = load<u16>(from, 20);
		lastOffset = load<u32>(from, 22);
		midnight = dayNumber(century * 100 + year, month, day) * DAY - offset;
	}
	return <f64>(midnight + clock);
}

/** "10/Oct/2000:13:55:36.123", see TIME_HAPROXY. */
function readHaproxy(from: usize, end: usize): f64 {
	if (end - from < 20) return NOT_A_TIME;
	const day = twoDigits(from);
	const month = monthOf(from + 3);
	const century = twoDigits(from + 7),
		year = twoDigits(from + 9);
	if (
		month == 0 ||
		century > 99 ||
		year > 99 ||
		!hasDay(century * 100 + year, month, day) ||
		load<u8>(from, 2) != 0x2f ||
		load<u8>(from, 6) != 0x2f ||
		(load<u8>(from, 11) != 0x3a && load<u8>(from, 11) != 0x20)
	)
		return NOT_A_TIME;
	const midnight = dayNumber(century * 100 + year, month, day) * DAY;
	return readClock(from + 12, end, midnight);
}

/** See TIME_CTIME. A day of one digit has a blank in front. */
function readCtime(from: usize, end: usize): f64 {
	if (end - from != 24) return NOT_A_TIME;
	const month = monthOf(from + 4);
	const ones = <u32>load<u8>(from, 9) - 0x30;
	const day: u32 =
		load<u8>(from, 8) != 0x20 ? twoDigits(from + 8) : ones < 10 ? ones : 0;
	const clock = timeOfDay(from + 11);
	const century = twoDigits(from + 20),
		year = twoDigits(from + 22);
	if (
		month == 0 ||
		clock < 0 ||
		century > 99 ||
		year > 99 ||
		!hasDay(century * 100 + year, month, day) ||
		load<u8>(from, 19) != 0x20
	)
		return NOT_A_TIME;
	return <f64>(dayNumber(century * 100 + year, month, day) * DAY + clock);
}

/** "2000-10-10" in milliseconds, -1 for anything else. */
function readDate(at: usize): i64 {
	const century = twoDigits(at),
		year = twoDigits(at + 2),
		month = twoDigits(at + 5),
		day = twoDigits(at + 8);
	if (
		century > 99 ||
		year > 99 ||
		month - 1 > 11 ||
		!hasDay(century * 100 + year, month, day) ||
		load<u8>(at, 4) != 0x2d ||
		load<u8>(at, 7) != 0x2d
	)
		return -1;
	return dayNumber(century * 100 + year, month, day) * DAY;
}

/** Where the digits end that `readFraction` read. */
let fractionEnd: usize = 0;

/** The milliseconds of a fraction's digits. */
function readFraction(at: usize, end: usize): i64 {
	let value: i64 = 0;
	// After three digits the scale is 0: more precise times are cut, as the host's Date does.
	let scale: i64 = 100;
	for (; at < end && <u32>load<u8>(at) - 0x30 < 10; at++) {
		value += <i64>(<u32>load<u8>(at) - 0x30) * scale;
		scale /= 10;
	}
	fractionEnd = at;
	return value;
}

/** "13:55:36", perhaps with a fraction and an offset ("Z", "+02:00", "+0200"), on a day that begins at `day`. */
function readClock(from: usize, end: usize, day: i64): f64 {
	if (end - from < 8 || day < 0) return NOT_A_TIME;
	const clock = timeOfDay(from);
	if (clock < 0) return NOT_A_TIME;
	let milliseconds: i64 = day + clock;
	let at = from + 8;
	if (at < end && (load<u8>(at) == 0x2e || load<u8>(at) == 0x2c)) {
		milliseconds += readFraction(at + 1, end);
		at = fractionEnd;
	}
	// A space may stand before the offset.
	if (at < end && load<u8>(at) == 0x20) at++;
	if (at == end) {
		// UTC, as in W3C's format.
	} else if ((load<u8>(at) | 0x20) == 0x7a) {
		if (at + 1 != end) return NOT_A_TIME;
	} else {
		const colon: usize = end - at == 6 && load<u8>(at, 3) == 0x3a ? 1 : 0;
		if (end - at != 5 + colon) return NOT_A_TIME;
		const offset = zoneOffset(at, colon);
		if (offset == NO_OFFSET) return NOT_A_TIME;
		milliseconds -= offset;
	}
	return <f64>milliseconds;
}

/** See TIME_ISO. */
function readIso(from: usize, end: usize): f64 {
	if (end - from < 19) return NOT_A_TIME;
	// "T" in either case or a space (RFC 3339).
	const separator: u32 = load<u8>(from, 10);
	if (separator != 0x54 && separator != 0x74 && separator != 0x20)
		return NOT_A_TIME;
	return readClock(from + 11, end, readDate(from));
}

/** See TIME_EPOCH. The number of digits tells the unit. */
function readEpoch(from: usize, end: usize): f64 {
	let value: i64 = 0;
	let at = from;
	for (; at < end && <u32>load<u8>(at) - 0x30 < 10; at++) {
		// More digits need not fit in 64 bits.
		if (at - from > 18) return NOT_A_TIME;
		value = value * 10 + <i64>(<u32>load<u8>(at) - 0x30);
	}
	const digits = at - from;
	if (digits == 0) return NOT_A_TIME;
	// Up to 11 digits are seconds, 14 milliseconds, 17 microseconds, else nanoseconds. No two units overlap for years from 1973 to 5138.
	if (digits <= 11) {
		value *= 1000;
		if (at < end && load<u8>(at) == 0x2e) {
			value += readFraction(at + 1, end);
			at = fractionEnd;
		}
	} else if (digits > 17) value /= 1_000_000;
	else if (digits > 14) value /= 1000;
	return at == end ? <f64>value : NOT_A_TIME;
}

/** Whether a time ends in "Z", "+02:00" or "+0200". */
function endsInZone(end: usize): bool {
	if (load<u8>(end - 1) == 0x5a) return true;
	if (load<u8>(end - 3) == 0x3a) return load<u8>(end - 6) != 0x20;
	const sign: u32 = load<u8>(end - 5);
	return sign == 0x2b || sign == 0x2d;
}

/** See TIME_USUAL. */
function readUsual(from: usize, end: usize): f64 {
	const length = end - from;
	if (length < 10) return NOT_A_TIME;
	if (load<u8>(from, 4) == 0x2d) {
		// "2025-10-14T12:30:45.123Z"; without a zone, or with one in another form, it is left to the host.
		if (
			length < 20 ||
			load<u8>(from, 10) != 0x54 ||
			twoDigits(from + 8) > EVERY_MONTH ||
			load<u16>(from, 17) == 0x3036 ||
			(load<u8>(from, 19) == 0x2e && <u32>load<u8>(from, 20) - 0x30 > 9) ||
			!endsInZone(end)
		)
			return NOT_A_TIME;
		for (let at = from; at < end; at++)
			if (load<u8>(at) == 0x20 || load<u8>(at) == 0x2c) return NOT_A_TIME;
		const time = readIso(from, end);
		return time >= 0 ? time : NOT_A_TIME;
	}
	if (load<u8>(from, 2) == 0x2f) {
		if (twoDigits(from) > EVERY_MONTH || load<u16>(from, 18) == 0x3036)
			return NOT_A_TIME;
		const time = readClf(from, end);
		return time >= 0 ? time : NOT_A_TIME;
	}
	// Seconds with up to six digits of a fraction, milli-, micro- or nanoseconds: where the host's doubles give the same time.
	let point = from;
	while (point < end && <u32>load<u8>(point) - 0x30 < 10) point++;
	const digits = point - from;
	if (load<u8>(from) == 0x30 || point + 1 == end) return NOT_A_TIME;
	if (digits == 10) {
		if (length > 17) return NOT_A_TIME;
	} else if (
		length != digits ||
		(digits != 13 && digits != 16 && digits != 19) ||
		// The last microsecond of a millisecond.
		(digits == 19 &&
			load<u8>(from, 13) == 0x39 &&
			load<u16>(from, 14) == 0x3939)
	)
		return NOT_A_TIME;
	return readEpoch(from, end);
}

/** The time of a text of a TIME_ kind; [date, dateEnd) is only used for TIME_SPLIT. */
export function readTime(
	kind: i32,
	from: usize,
	end: usize,
	date: usize,
	dateEnd: usize,
): f64 {
	switch (kind) {
		case TIME_CLF:
			return readClf(from, end);
		case TIME_ISO:
			return readIso(from, end);
		case TIME_EPOCH:
			return readEpoch(from, end);
		case TIME_HAPROXY:
			return readHaproxy(from, end);
		case TIME_CTIME:
			return readCtime(from, end);
		case TIME_USUAL:
			return readUsual(from, end);
		case TIME_SPLIT:
			return dateEnd - date == 10
				? readClock(from, end, readDate(date))
				: NOT_A_TIME;
	}
	return NaN;
}
