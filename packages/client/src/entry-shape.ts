import type { AccessCode, RobotsAccess, RobotsCopy } from "robotrie/access";

/** What an entry's description has to be: an object with these fields, each of which passes its check. */
type Checks<T> = { readonly [K in keyof T]-?: (value: unknown) => boolean };

const codes: { readonly [K in AccessCode]: true } = {
	dns: true,
	connection: true,
	tls: true,
	timeout: true,
	"invalid-response": true,
	"incomplete-body": true,
	"address-refused": true,
	success: true,
	"not-modified": true,
	"too-many-redirects": true,
	"redirect-loop": true,
	"redirect-nowhere": true,
	"client-error": true,
	"too-many-requests": true,
	"server-error": true,
	unusable: true,
	"too-large": true,
	"cached-copy": true,
	"long-unreachable": true,
};

const isString = (value: unknown) => typeof value === "string";
const isOneOf = (values: object) => (value: unknown) =>
	typeof value === "string" && Object.hasOwn(values, value);
/** Within the times that a Date can be. */
const isTime = (value: unknown) =>
	typeof value === "number" && Math.abs(value) <= 8.64e15;
const isTimeOrNull = (value: unknown) => value === null || isTime(value);
/** Fields that can be sent again. */
const isHeaders = (value: unknown) =>
	isObject(value) &&
	Object.values(value).every(
		(text) =>
			typeof text === "string" && /^[\t\x20-\x7e\x80-\xff]*$/.test(text),
	);

const copyChecks: Checks<Omit<RobotsCopy, "body">> = {
	truncated: (value) => typeof value === "boolean",
	url: isString,
	fetchedAt: isTime,
	expires: isTime,
	headers: isHeaders,
};

const accessChecks: Checks<Omit<RobotsAccess, "copy">> = {
	access: isOneOf({ rules: true, "allow-all": true, "disallow-all": true }),
	code: isOneOf(codes),
	reason: isString,
	askedAt: isTime,
	expires: isTime,
	retryAfter: isTimeOrNull,
	unreachableSince: isTimeOrNull,
	failures: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
	unreachableFor: (value) => isTime(value) && Number(value) >= 0,
};

/** Why a description cannot be that of an entry; undefined for one that can. */
export function shapeError(value: unknown): string | undefined {
	if (!isObject(value)) return "its description is not an object";
	const wrong = wrongField(value, accessChecks);
	if (wrong !== undefined) return `its field ${wrong} is wrong`;
	const { copy } = value;
	if (copy === null) {
		if (value.access === "rules") return "it has rules, but no copy";
	} else {
		if (!isObject(copy)) return "its field copy is wrong";
		const wrong = wrongField(copy, copyChecks);
		if (wrong !== undefined) return `its field copy.${wrong} is wrong`;
		if (Number(copy.expires) < Number(copy.fetchedAt))
			return "its copy expires before it was fetched";
	}
	if (Number(value.expires) < Number(value.askedAt))
		return "it expires before it was asked for";
	const isFailing = Number(value.failures) > 0;
	for (const name of ["unreachableSince", "retryAfter"])
		if ((value[name] !== null) !== isFailing)
			return `its fields failures and ${name} disagree`;
	if (!isFailing && value.unreachableFor !== 0)
		return "its fields failures and unreachableFor disagree";
	return undefined;
}

function wrongField<T>(
	value: Readonly<Record<string, unknown>>,
	checks: Checks<T>,
): string | undefined {
	return Object.entries<(value: unknown) => boolean>(checks).find(
		([name, check]) => !check(value[name]),
	)?.[0];
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
