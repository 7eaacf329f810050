/**
 * Checks of arguments and options, for every public function: an error names the argument, what it has to be, what was given and, for a
 * likely mistake, what to pass. Values of another realm (a frame, a sandbox) are accepted, so nothing tests `instanceof` of a platform's
 * class.
 */
import { RobotrieError } from "./errors.ts";
import { invalidArgument, quote, tagOf, typeOf } from "./quote.ts";

/**
 * What an argument or option has to be. A kind says in one place what is accepted and how a message
 * puts it, so that messages cannot lie about checks.
 */
export interface Kind {
	/** Ends the sentence "NAME is …". */
	readonly text: string;
	readonly accepts: (value: unknown) => boolean;
	/** What to pass instead of a value that is a likely mistake. */
	readonly hint?: ((value: unknown) => string | undefined) | undefined;
}

/** A URL as callers give it. The type of `URL` objects comes from the platform's declarations, where there are any. */
export type Url =
	| string
	| (typeof globalThis extends { URL: { prototype: infer UrlObject } }
			? UrlObject
			: never);

/** A kind for every option of a type. */
export type OptionTable<Options> = {
	readonly [Name in keyof Options]-?: Kind;
};

/**
 * Called before anything else happens, so that a call with a wrong argument changes nothing.
 * @throws {RobotrieError} invalid-argument, with the argument's name, what it has to be, and the value.
 */
export function check(name: string, value: unknown, kind: Kind): void {
	if (!kind.accepts(value)) throw wrongArgument(name, value, kind);
}

export function wrongArgument(
	name: string,
	value: unknown,
	kind: Omit<Kind, "accepts">,
): RobotrieError {
	return invalidArgument(`${name} is ${kind.text}`, value, hintOf(kind, value));
}

function hintOf(
	{ hint }: Omit<Kind, "accepts">,
	value: unknown,
): string | undefined {
	try {
		return hint?.(value) ?? commonHint(value);
	} catch {
		// A Proxy that was revoked, or whose traps throw.
		return undefined;
	}
}

/** Forgetting `await` is a common mistake. */
function commonHint(value: unknown): string | undefined {
	return isObject(value) && typeOf(value) === "Promise"
		? "await it first"
		: undefined;
}

/**
 * Checks the names and values of options. An option that is undefined counts as not given.
 * @param owner What takes the options, for the message: "RobotsTxt.parse".
 * @throws {RobotrieError} invalid-argument.
 */
export function checkOptions<Options>(
	owner: string,
	options: unknown,
	table: OptionTable<Options>,
	required: readonly (keyof Options & string)[] = [],
): void {
	const kinds: Readonly<Record<string, Kind>> = table;
	if (required.length === 0 && fits(options, kinds)) return;
	const names = Object.keys(kinds);
	if (!isRecord(options))
		throw wrongArgument(`options of ${owner}`, options, {
			text: `an object with ${listOf(names)}`,
			hint: (value) =>
				typeof value === "string" && kinds.dialect?.accepts(value)
					? `pass { dialect: ${quote(value)} }`
					: undefined,
		});
	checkNames(`${owner} has no option`, options, names);
	// All names are checked before any value, so that a misspelt option is named even beside a wrong
	// value.
	for (const name of names) {
		const value = options[name];
		const isGiven =
			value !== undefined || (required as readonly string[]).includes(name);
		if (isGiven) check(name, value, kinds[name] as Kind);
	}
}

/** Whether all is well, without the lists of names that messages need: they took a seventh of a small file's time. */
function fits(
	options: unknown,
	kinds: Readonly<Record<string, Kind>>,
): boolean {
	if (!isRecord(options)) return false;
	for (const name in options) if (!Object.hasOwn(kinds, name)) return false;
	for (const name in kinds) {
		const value = options[name];
		if (value !== undefined && !kinds[name]?.accepts(value)) return false;
	}
	return true;
}

/** @throws {RobotrieError} invalid-argument, when an object has a property of another name; it tells the nearest one. */
function checkNames(
	complaint: string,
	value: object,
	names: readonly string[],
): void {
	for (const name of Object.keys(value)) {
		if (names.includes(name)) continue;
		const near = nearest(name, names);
		throw new RobotrieError(
			"invalid-argument",
			`${complaint} ${quote(name)}: ${near === undefined ? "" : `did you mean ${near}? `}there ${names.length === 1 ? "is" : "are"} ${listOf(names)}`,
		);
	}
}

export function listOf(names: readonly string[]): string {
	return names.join(", ");
}

/**
 * The name that has most pairs of letters in common with a wrong one, undefined when none has any.
 * Pairs of letters find swapped and missing letters without a distance of edits, in a few lines.
 */
function nearest(wrong: string, names: readonly string[]): string | undefined {
	const pairs = new Set(pairsOf(wrong));
	let best: string | undefined;
	let most = 0;
	for (const name of names) {
		const own = pairsOf(name);
		const common = own.filter((pair) => pairs.has(pair)).length;
		const likeness = common / (own.length + pairs.size);
		if (likeness > most) {
			most = likeness;
			best = name;
		}
	}
	return best;
}

function pairsOf(name: string): string[] {
	// 80 characters are enough for a name; a longer one cannot be meant.
	const text = name.toLowerCase().slice(0, 80);
	return Array.from({ length: text.length + 1 }, (_, at) =>
		` ${text} `.slice(at, at + 2),
	);
}

export function isObject(value: unknown): value is object {
	return typeof value === "object" && value !== null;
}

/** As `every`, which skips the holes of a list such as `[,]`. */
export function areAll(
	values: readonly unknown[],
	accepts: (value: unknown) => boolean,
): boolean {
	return values.findIndex((value) => !accepts(value)) === -1;
}

/** An object literal or an instance of a class; not an array, Map, Response, Promise, … */
export function isRecord(
	value: unknown,
): value is Readonly<Record<string, unknown>> {
	// By the tag, as an object of another realm is no `instanceof` our own Object.
	return isObject(value) && tagOf(value) === "[object Object]";
}

/** A `URL`, of this or another realm (a frame's, a sandbox's). */
export function isUrl(value: unknown): value is Extract<Url, object> {
	return isObject(value) && typeOf(value) === "URL" && "href" in value;
}

export const urlKind: Kind = {
	text: "a string or a URL object",
	accepts: (value) => typeof value === "string" || isUrl(value),
	hint(value) {
		if (Array.isArray(value)) return "matchMany takes many URLs";
		if (value instanceof Uint8Array) return "matchLines takes bytes";
		if (isObject(value) && typeOf(value) === "Request")
			return "pass request.url";
		return isUrl(value) ? "its href cannot be read" : undefined;
	},
};

/**
 * A URL argument as text. Callers on hot paths look for strings themselves first. A string is by
 * far the most common, so it is tested first.
 * @throws {RobotrieError} invalid-argument.
 */
export function urlText(url: unknown, name = "url"): string {
	if (typeof url === "string") return url;
	const href = hrefOf(url);
	if (href === undefined) throw wrongArgument(name, url, urlKind);
	return href;
}

/** The text of a URL object; undefined for anything else, and for a Proxy of one, which platforms refuse to read. */
export function hrefOf(url: unknown): string | undefined {
	if (!isUrl(url)) return undefined;
	try {
		const href: unknown = url.href;
		return typeof href === "string" ? href : undefined;
	} catch {
		return undefined;
	}
}

const urlsKind: Omit<Kind, "accepts"> = {
	text: "an array of strings or URL objects",
	hint: (value) => {
		if (typeof value === "string" || isUrl(value))
			return "isAllowed takes one URL";
		if (value instanceof Uint8Array) return "matchLines takes bytes";
		return isObject(value) && Symbol.iterator in value
			? "pass Array.from(…)"
			: undefined;
	},
};

/** As long as an array can be. */
const LONGEST_ARRAY = 2 ** 32 - 1;
/**
 * Elements that room is made for at once, so that the array does not grow. What the caller says
 * about its length may be wrong. A Proxy may claim any length; room is made as elements come.
 */
const MOST_AT_ONCE = 2 ** 16;

/**
 * The texts of URLs, in an array of our own. The caller's may be a Proxy or of a subclass, with
 * code for its length, its elements and its `Symbol.species`: each of these is read once, and
 * before any room is reserved. Everything is read once, as a getter may give another value the
 * second time.
 * @throws {RobotrieError} invalid-argument, for anything but an array, and when an element is neither a string nor a URL.
 */
export function urlTexts(urls: unknown): readonly string[] {
	if (!isArray(urls)) throw wrongArgument("urls", urls, urlsKind);
	const { length } = urls;
	if (!(Number.isInteger(length) && length >= 0 && length <= LONGEST_ARRAY))
		throw invalidArgument("urls has a length that arrays can have", length);
	const texts = new Array<string>(Math.min(length, MOST_AT_ONCE));
	for (let i = 0; i < length; i++) {
		const url: unknown = urls[i];
		texts[i] = typeof url === "string" ? url : urlText(url, `urls[${i}]`);
	}
	return texts;
}

/** As `instanceof`, which throws for a Proxy that was revoked. */
export function isA<Type>(
	value: unknown,
	type: object & { readonly prototype: Type },
): value is Type {
	try {
		return value instanceof (type as never);
	} catch {
		return false;
	}
}

/** As Array.isArray, which throws for a Proxy that was revoked. */
function isArray(value: unknown): value is readonly unknown[] {
	try {
		return Array.isArray(value);
	} catch {
		return false;
	}
}

/**
 * Characters of a URL that is parsed, at most: each may take nine when it is escaped, and Node
 * aborts when the result has more than a string can hold. Bounded here rather than by the platform,
 * which ends the process.
 */
const MOST_PARSED = 2 ** 25;

/**
 * The URL that a text is by the URL standard, relative to a base if one is given, or null. Not by URL.canParse: Node 20 compiles calls of it to ones that
 * read Latin-1 strings as UTF-8, and then refuses "https://münchen.example".
 */
export function parseUrl(text: string, base?: string): URL | null {
	if (text.length > MOST_PARSED)
		throw new RobotrieError(
			"limit-exceeded",
			`a URL of ${text.length} characters is longer than the limit of ${MOST_PARSED}`,
		);
	try {
		return new URL(text, base);
	} catch {
		return null;
	}
}
