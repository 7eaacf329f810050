/**
 * Findings made of the parser's diagnostics: each gets the cause that is most likely, and an edit where there is only one way to mend it.
 * lint.ts calls it for each dialect.
 */
import leven from "leven";
import { parseUrl } from "../common/arguments.ts";
import { shorten } from "../common/wording.ts";
import {
	type Diagnostic,
	diagnosticOf,
	type RawDiagnostic,
} from "../robots-txt/diagnostics.ts";
import { findDiagnostics } from "../robots-txt/find-diagnostics.ts";
import {
	displayName,
	isAbsoluteUrl,
	knownOtherFields,
} from "../robots-txt/other-fields.ts";
import { type Edit, type Found, nameEdit, valueEdit } from "./finding.ts";
import type { Reading } from "./reading.ts";

/** The parser's diagnostics, each as what it most likely comes from. */
export function findLineOddities(reading: Reading): Found[] {
	const { file, dialect } = reading;
	const hosts = hostsOf(reading);
	return findDiagnostics(file).map((raw) =>
		refine(raw, diagnosticOf(raw, dialect), reading, hosts),
	);
}

const scheme = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Whether a pattern is a URL with a scheme. */
export function isWholeUrl(pattern: string): boolean {
	return scheme.test(pattern);
}

/** The hosts that the file's Sitemap lines name: most likely its own, if there is but one. */
function hostsOf({ file }: Reading): ReadonlySet<string> {
	return new Set(
		file.others.flatMap(({ field, value }) =>
			field === "sitemap" && isAbsoluteUrl(value)
				? (parseUrl(value)?.host ?? [])
				: [],
		),
	);
}

function refine(
	{ text = "", reason = "" }: RawDiagnostic,
	diagnostic: Diagnostic,
	reading: Reading,
	hosts: ReadonlySet<string>,
): Found {
	const { code, line } = diagnostic;
	switch (code) {
		case "pattern-without-slash":
			return scheme.test(text)
				? absoluteUrl(text, line, reading, hosts)
				: withoutSlash(text, diagnostic, reading);
		case "byte-order-mark":
			return {
				...diagnostic,
				edit: {
					...{ start: 0, end: marksEnd(reading), text: "" },
					why: "Delete the byte order mark: UTF-8 needs none.",
				},
			};
		case "misspelled-field":
			return {
				...diagnostic,
				...nameEditOf(reading, line, reason),
			};
		case "missing-colon":
			return missingColon(text, diagnostic, reading);
		case "unknown-field":
			return unknownField(text, diagnostic, reading);
		default:
			return diagnostic;
	}
}

/** The end of the byte order marks that the file begins with: after one, the next would be the first. */
function marksEnd({ file: { bytes, extent } }: Reading): number {
	let end = extent.from;
	while (
		bytes[end] === 0xef &&
		bytes[end + 1] === 0xbb &&
		bytes[end + 2] === 0xbf
	)
		end += 3;
	return end;
}

function absoluteUrl(
	text: string,
	line: number,
	reading: Reading,
	hosts: ReadonlySet<string>,
): Found {
	const url = parseUrl(text);
	const path = url && text.slice(text.indexOf("//") + 2).match(/\/.*|$/s)?.[0];
	const [host] = hosts;
	const isOwn = hosts.size === 1 && url?.host === host;
	const advice =
		path === null || path === undefined || path === ""
			? "write what comes after the host"
			: `write ${shorten(path)}${isOwn ? "" : ` if ${shorten(url?.host ?? "")} is the host of this file`}`;
	return {
		line,
		code: "absolute-url",
		severity: "error",
		message: `${shorten(text)} is a whole URL, and a rule needs a path: ${advice}. Rules for another host belong in that host's robots.txt.`,
		...(isOwn && path ? pathEdit(reading, line, path, host) : {}),
	};
}

/** Words in place of a path, in lower case, and what stands for them: nothing or everything. */
const words: ReadonlyMap<string, "" | "/"> = new Map([
	["none", ""],
	["nothing", ""],
	["all", "/"],
	["everything", "/"],
]);

function withoutSlash(
	text: string,
	diagnostic: Diagnostic,
	reading: Reading,
): Found {
	const { line } = diagnostic;
	const isRead = reading.dialect.googleMatching
		? "matches nothing"
		: `is read as /${shorten(text)}`;
	const word = words.get(text.toLowerCase());
	const [from, to] = reading.valueAt(line) ?? [0, 0];
	const { bytes } = reading.file;
	if (word !== undefined) {
		const isAllow = reading.isAllow(line);
		const meant =
			isAllow && word === ""
				? "Disallow: /"
				: `${isAllow ? "Allow" : "Disallow"}:${word === "" ? "" : " /"}`;
		return {
			...diagnostic,
			severity: "error",
			message: `"${text}" is no word that crawlers know but a path, which ${isRead}: write ${meant}.`,
			edit:
				isAllow && word === ""
					? {
							...nameEdit(bytes, from, "Disallow"),
							...{ end: to, text: meant },
							why: "Write Disallow: /, which allows nothing.",
						}
					: valueEdit(
							bytes,
							from,
							to,
							[word],
							word === ""
								? "Leave the path out: an empty one disallows nothing."
								: 'Write "/", with which every path begins.',
						),
		};
	}
	// ".js": of a name that begins so, or of all that end so?
	const [suffix] = /^\.\w{1,5}\$?$/.exec(text) ?? [];
	if (suffix !== undefined)
		return {
			...diagnostic,
			message: `${diagnostic.message.replace(/\.$/, "")}; write /*${suffix} for all paths that ${suffix.endsWith("$") ? "end in" : "hold"} ${suffix.replace("$", "")}.`,
		};
	return {
		...diagnostic,
		message: reading.dialect.googleMatching
			? `${diagnostic.message.replace(/\.$/, "")}: write /${shorten(text)}.`
			: diagnostic.message,
		// "?a" may be meant for the queries of all paths.
		...(/^[\w%~-]|^[^\0-\x7f]/.test(text) ? { edit: slashEdit(from) } : {}),
	};
}

/** "/" at the beginning of a path. */
function slashEdit(at: number): Edit {
	return {
		...{ start: at, end: at, text: "/" },
		why: 'Begin the path with "/", as the paths of all URLs do.',
	};
}

function missingColon(
	text: string,
	diagnostic: Diagnostic,
	reading: Reading,
): Found {
	const [, word = "", rest = ""] = /^(\S+)[ \t]+(\S.*)$/s.exec(text) ?? [];
	const field = word.toLowerCase();
	// A sentence may begin with "Allow"; a value of one word is none.
	if (!fields.includes(field) || (/\s/.test(rest) && !/^[/*]/.test(rest)))
		return diagnostic;
	return {
		...diagnostic,
		message: `${diagnostic.message.replace(/\.$/, "")}: write ${shorten(`${displayName(word)}: ${rest}`)}.`,
		...nameEditOf(reading, diagnostic.line, word),
	};
}

function unknownField(
	text: string,
	diagnostic: Diagnostic,
	reading: Reading,
): Found {
	const { line } = diagnostic;
	if (/^noindex$/i.test(text))
		return {
			line,
			code: "noindex",
			severity: "warning",
			message:
				"Noindex in robots.txt is not read by crawlers: Google stopped in 2019. Use a robots meta tag or an X-Robots-Tag header with noindex, and leave the page allowed.",
		};
	const meant = closestField(text.toLowerCase());
	if (meant === undefined) return diagnostic;
	return {
		line,
		code: "misspelled-field",
		severity: "error",
		message: `${shorten(text)} is not a field name, so the line is ignored: write ${displayName(meant)} if that was meant.`,
		...nameEditOf(reading, line, meant),
	};
}

/** Another name for the field of a line. */
function nameEditOf(
	reading: Reading,
	line: number,
	field: string,
): { edit?: Edit } {
	const [at] = reading.valueAt(line) ?? [];
	return at === undefined
		? {}
		: { edit: nameEdit(reading.file.bytes, at, displayName(field)) };
}

function pathEdit(
	reading: Reading,
	line: number,
	path: string,
	host: string | undefined,
): { edit?: Edit } {
	const [from, to] = reading.valueAt(line) ?? [];
	return from === undefined || to === undefined
		? {}
		: {
				edit: valueEdit(
					reading.file.bytes,
					from,
					to,
					[path],
					`Leave out the host, ${shorten(host ?? "")}, which the Sitemap lines name as this file's.`,
				),
			};
}

const fields = [
	...["user-agent", "disallow", "allow", "sitemap"],
	...knownOtherFields,
].filter((field) => field.length > 4 && field !== "content-signals");

/** A field whose name is written almost so. Short names are close to many words. */
function closestField(name: string): string | undefined {
	return fields.find((field) => {
		const distance = field.length > 5 ? 2 : 1;
		return (
			Math.abs(field.length - name.length) <= distance &&
			leven(field, name) <= distance
		);
	});
}
