/**
 * The conditions of the option `where`, as they are written. options.ts reads them to tell a wrong one before a log is opened, count/where.ts to
 * apply them.
 */

import { RobotrieError } from "robotrie";
import { quote } from "#robotrie/common/quote";

const whereFields = [
	"host",
	"path",
	"status",
	"method",
	"crawler",
	"purpose",
] as const;

export type WhereField = (typeof whereFields)[number];

export interface Condition {
	readonly field: WhereField;
	readonly isNot: boolean;
	/** The texts between the asterisks of the value, in lower case but for paths. */
	readonly texts: readonly string[];
	/** Of a path: whether the value names a query, so that the target's counts. */
	readonly hasQuery: boolean;
}

const SHAPE = /^\s*(\w+)\s*(!?)=\s*(.*?)\s*$/s;
const STATUS_VALUE = /^(?:\d{3}|\dxx|-)$/;

function conditionOf(text: string): Condition {
	const [, name = "", not = "", value = ""] = SHAPE.exec(text) ?? [];
	const field = whereFields.find((each) => each === name.toLowerCase());
	const fail = (reason: string): never => {
		throw new RobotrieError(
			"invalid-argument",
			`the condition ${quote(text)} ${reason}`,
		);
	};
	if (!field)
		return fail(
			`is not one of ${whereFields.join(", ")}, then = or !=, and a value`,
		);
	if (value === "") return fail("has no value");
	if (value.startsWith("=")) return fail("has one = too many");
	if (field === "status" && !STATUS_VALUE.test(value.toLowerCase()))
		return fail("needs a status such as 404 or 4xx, or - for none");
	const plain = field === "path" ? value : value.toLowerCase();
	return {
		field,
		isNot: not !== "",
		texts: field === "status" ? [plain.replace("xx", "")] : plain.split("*"),
		hasQuery: field === "path" && value.includes("?"),
	};
}

/** @throws {RobotrieError} invalid-argument, for anything but "field=value" and "field!=value". */
export function conditionsOf(texts: readonly string[]): readonly Condition[] {
	return texts.map(conditionOf);
}
