/** Header fields of an HTTP response, of whatever client. */

/** Header fields: a fetch `Headers` object, or an object with names in any case, such as `headers` of node:http. */
export type HeaderFields =
	| { get(name: string): string | null }
	| { readonly [name: string]: string | readonly string[] | undefined };

/**
 * A field's value, undefined where it is missing. Objects of any client are taken: fetch's Headers
 * by `get`, plain ones by names in any case.
 */
export function field(
	headers: HeaderFields | undefined,
	name: string,
): string | undefined {
	if (headers === undefined) return undefined;
	if (typeof headers.get === "function") return headers.get(name) ?? undefined;
	const fields = headers as Readonly<
		Record<string, string | readonly string[] | undefined>
	>;
	// Plain objects have the case that their maker chose.
	const key = Object.keys(fields).find((key) => key.toLowerCase() === name);
	const value = key === undefined ? undefined : fields[key];
	// Several lines of a field are one value (RFC 9110 §5.3).
	return typeof value === "object" ? value.join(", ") : value;
}
