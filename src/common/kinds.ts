import { isObject, isUrl, type Kind, listOf } from "./arguments.ts";
import { isBytes } from "./bytes.ts";
import { typeOf } from "./errors.ts";

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

/** `what` completes the message: "of bytes". */
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

function rangeText(least: number, most: number): string {
	return most === Number.POSITIVE_INFINITY
		? `from ${least} on`
		: `from ${least} to ${most}`;
}

function numberHint(value: unknown): string | undefined {
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

/** Chunks of bytes that come one after another, as from a stream. */
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
