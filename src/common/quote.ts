/** How messages show a value. Anything may be shown, revoked proxies included: a message that throws would hide the mistake it is about. */
import { RobotrieError } from "./errors.ts";

/** Says what an argument has to be, what was given and, for a likely mistake, what to pass. */
export function invalidArgument(
	wanted: string,
	value: unknown,
	hint?: string,
): RobotrieError {
	return new RobotrieError(
		"invalid-argument",
		`${wanted}, not ${quote(value)}${hint === undefined ? "" : `: ${hint}`}`,
	);
}

/** Longer texts would hide the sentence around them. */
const LONGEST_QUOTE = 80;

/** A value as an error message shows it: quoted, and cut when it is long. */
export function quote(value: unknown): string {
	let text: string;
	try {
		text = textOf(value);
	} catch {
		// A Proxy that was revoked, or whose traps throw.
		text = "an object that cannot be read";
	}
	return text.length > LONGEST_QUOTE
		? `${text.slice(0, LONGEST_QUOTE - 3)}…`
		: text;
}

function textOf(value: unknown): string {
	if (typeof value === "string")
		// Cut before it is quoted: a text of a gigabyte is not escaped first.
		return JSON.stringify(value.slice(0, LONGEST_QUOTE));
	if (typeof value === "function") return "a function";
	if (typeof value !== "object" || value === null) return String(value);
	const type = typeOf(value);
	// The first elements are enough to recognise an array.
	if (type === "Array")
		return jsonOf((value as unknown[]).slice(0, LONGEST_QUOTE)) ?? "an array";
	if (type === "Object") return jsonOf(value) ?? "an object";
	return `${/^[AEIO]/.test(type) ? "an" : "a"} ${type}`;
}

/** "Array", "Response", "Promise"; "Object" for literals and instances of classes. */
export function typeOf(value: object): string {
	return tagOf(value).slice(8, -1);
}

/** The same as "[object Array]": half the time, as no string is made. */
export function tagOf(value: object): string {
	try {
		return Object.prototype.toString.call(value);
	} catch {
		return "[object Proxy]";
	}
}

function jsonOf(value: object): string | undefined {
	try {
		return JSON.stringify(value);
	} catch {
		return undefined;
	}
}
