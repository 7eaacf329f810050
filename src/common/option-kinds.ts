// Kinds that `import "robotrie"` does without: it is to stay small.
import { isObject, isRecord, type Kind, listOf } from "./arguments.ts";
import { number } from "./kinds.ts";

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
		accepts: (value) => Array.isArray(value) && value.every(kind.accepts),
	};
}

/** An object that has these methods, and perhaps more. */
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
