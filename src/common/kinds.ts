/**
 * Kinds of arguments that several functions share; arguments.ts checks values against them. Each is a constant or a pure function, so that
 * a bundle has only those it uses.
 */
import {
	areAll,
	isObject,
	isRecord,
	isUrl,
	type Kind,
	listOf,
} from "./arguments.ts";
import { isBytes } from "./bytes.ts";
import { typeOf } from "./quote.ts";

export const textKind: Kind = {
	text: "a string",
	accepts: (value) => typeof value === "string",
	hint: (value) =>
		isBytes(value)
			? "pass new TextDecoder().decode(bytes)"
			: isUrl(value)
				? "pass url.href"
				: undefined,
};

/**
 * `what` completes the message: "of bytes". Infinity is a number here; a limit of Infinity means
 * none.
 */
export function number(
	least: number,
	most = Number.POSITIVE_INFINITY,
	what = "",
): Kind {
	return {
		text: `a number ${what === "" ? "" : `${what} `}${rangeText(least, most)}`,
		accepts: (value) =>
			typeof value === "number" && value >= least && value <= most,
		hint: numberHint,
	};
}

/** A limit of bytes; Infinity is none. */
export const maxBytesKind: Kind = /* @__PURE__ */ number(
	0,
	Number.POSITIVE_INFINITY,
	"of bytes",
);

function rangeText(least: number, most: number): string {
	return most === Number.POSITIVE_INFINITY
		? `from ${least} on`
		: `from ${least} to ${most}`;
}

function numberHint(value: unknown): string | undefined {
	// "5" for 5 comes from a query string or an environment variable.
	return typeof value === "string" &&
		value.trim() !== "" &&
		!Number.isNaN(Number(value))
		? `pass the number ${Number(value)}`
		: undefined;
}

export function oneOf(names: readonly string[]): Kind {
	return {
		text: `one of ${listOf(names)}`,
		accepts: (value) => typeof value === "string" && names.includes(value),
	};
}

/**
 * Chunks of bytes that come one after another, as from a stream. Bytes themselves are iterable as
 * numbers, which is never meant.
 */
export const chunksKind: Kind = {
	text: "an iterable or async iterable of Uint8Arrays",
	accepts: (value) =>
		isObject(value) &&
		!isBytes(value) &&
		(Symbol.asyncIterator in value || Symbol.iterator in value),
	hint: (value) => {
		if (isBytes(value)) return "put it in an array";
		if (typeof value === "string")
			return "pass createReadStream(file), or bytes in an array";
		if (isObject(value) && typeOf(value) === "Response")
			return "pass response.body";
		return undefined;
	},
};

export const flagKind: Kind = {
	text: "true or false",
	accepts: (value) => typeof value === "boolean",
};

export const functionKind: Kind = {
	text: "a function",
	accepts: (value) => typeof value === "function",
};

export function wholeNumber(
	least: number,
	most = Number.POSITIVE_INFINITY,
	what = "",
): Kind {
	const kind = number(least, most, what);
	return {
		...kind,
		text: kind.text.replace("a number", "a whole number"),
		accepts: (value) => Number.isInteger(value) && kind.accepts(value),
	};
}

/** `text` and `hint` of the kind are those of the whole. */
export function either(kinds: readonly Kind[], kind: Omit<Kind, "accepts">) {
	return {
		...kind,
		accepts: (value: unknown) => kinds.some(({ accepts }) => accepts(value)),
	};
}

/** A list of a kind; `plural` names the items: "strings". */
export function list(kind: Kind, plural: string): Kind {
	return {
		text: `an array of ${plural}`,
		accepts: (value) => Array.isArray(value) && areAll(value, kind.accepts),
	};
}

/**
 * An object that has these methods, and perhaps more. Stores may be of any class, so only their
 * methods are asked for.
 */
export function withMethods(
	what: string,
	methods: readonly string[],
	hint?: Kind["hint"],
): Kind {
	return {
		text: `${what} (an object with ${listOf(methods)})`,
		accepts: (value) =>
			isObject(value) &&
			methods.every(
				(name) =>
					typeof (value as Record<string, unknown>)[name] === "function",
			),
		hint,
	};
}

/** An object of any properties. */
export const objectKind: Kind = { text: "an object", accepts: isRecord };
