import {
	check,
	checkOptions,
	isRecord,
	type Kind,
	type OptionTable,
} from "../common/arguments.ts";
import { bytesKind } from "../common/bytes.ts";
import { invalidArgument, typeOf } from "../common/errors.ts";
import { number, oneOf, textKind } from "../common/kinds.ts";
import {
	flagKind,
	list,
	objectKind,
	wholeNumber,
} from "../common/option-kinds.ts";
import { failureTexts } from "./classify.ts";
import type { Failure, HttpOutcome, Redirect } from "./outcome.ts";
import type { RobotsAccess, RobotsCopy } from "./robots-access.ts";

const headersKind: Kind = {
	text: "a Headers object or an object of strings",
	accepts: (value) =>
		(typeof value === "object" &&
			value !== null &&
			"get" in value &&
			typeof value.get === "function") ||
		(isRecord(value) &&
			Object.values(value).every(
				(field) => field === undefined || typeof field === "string",
			)),
	hint: (value) =>
		Array.isArray(value) ? "pass Object.fromEntries(headers)" : undefined,
};

const outcomeFields: OptionTable<HttpOutcome> = {
	url: textKind,
	redirects: list(objectKind, "{ status, url } objects"),
	status: wholeNumber(0),
	ftpReply: wholeNumber(0),
	headers: headersKind,
	body: bytesKind,
	truncated: flagKind,
	failure: objectKind,
};

const redirectFields: OptionTable<Redirect> = {
	status: wholeNumber(0),
	url: textKind,
};

const failureFields: OptionTable<Failure> = {
	code: oneOf(Object.keys(failureTexts)),
	message: textKind,
};

/** @throws {RobotrieError} invalid-argument. */
export function checkOutcome(outcome: HttpOutcome): void {
	if (typeof outcome === "object" && outcome && typeOf(outcome) === "Response")
		throw invalidArgument(
			"outcome is an object with status or failure",
			outcome,
			"pass { status: response.status, headers: response.headers, body: new Uint8Array(await response.arrayBuffer()) }",
		);
	checkOptions("outcome", outcome, outcomeFields);
	const { status, redirects = [], failure } = outcome;
	redirects.forEach((redirect, i) => {
		checkOptions(`outcome.redirects[${i}]`, redirect, redirectFields, [
			"status",
			"url",
		]);
	});
	if (failure !== undefined)
		checkOptions("outcome.failure", failure, failureFields, [
			"code",
			"message",
		]);
	else if (status === undefined)
		throw invalidArgument("an outcome has a status or a failure", outcome);
}

const nullOr = (kind: Kind): Kind => ({
	...kind,
	text: `${kind.text} or null`,
	accepts: (value) => value === null || kind.accepts(value),
});

/** What is used of them: results that another version stored may have more. */
const previousFields: readonly (readonly [keyof RobotsAccess, Kind])[] = [
	["copy", nullOr(objectKind)],
	["unreachableSince", nullOr(wholeNumber(0))],
	["failures", wholeNumber(0)],
	["askedAt", number(0)],
	["retryAfter", nullOr(number(0))],
	["unreachableFor", number(0)],
];
const copyFields: readonly (readonly [keyof RobotsCopy, Kind])[] = [
	["body", bytesKind],
	["url", textKind],
	["headers", objectKind],
];

/** @throws {RobotrieError} invalid-argument. */
export function checkPrevious(previous: RobotsAccess | null | undefined): void {
	if (previous === undefined || previous === null) return;
	check("previous", previous, {
		...objectKind,
		text: "what accessFor gave before, or null",
	});
	for (const [name, kind] of previousFields)
		check(`previous.${name}`, previous[name], kind);
	const { copy } = previous;
	if (copy === null) return;
	for (const [name, kind] of copyFields)
		check(`previous.copy.${name}`, copy[name], kind);
}
