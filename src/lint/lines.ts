/**
 * Findings made of the parser's diagnostics: each gets the cause that is most likely, and an edit where nobody can have meant anything else.
 * lint.ts calls it for each dialect.
 */
import { parseUrl } from "../common/arguments.ts";
import { isAbsoluteUrl } from "../common/urls.ts";
import { shorten } from "../common/wording.ts";
import {
	type Diagnostic,
	diagnosticOf,
	type RawDiagnostic,
} from "../robots-txt/diagnostics.ts";
import { dialectNames, dialectRules } from "../robots-txt/dialect.ts";
import { findDiagnostics } from "../robots-txt/find-diagnostics.ts";
import { displayName } from "../robots-txt/other-fields.ts";
import { decodeText } from "../robots-txt/parse.ts";
import {
	closestField,
	isRuleField,
	isSwitchedOff,
	withoutColon,
} from "./field-names.ts";
import {
	type Change,
	type Found,
	fieldName,
	lineEnd,
	lineStart,
	nameEdit,
	valueEdit,
} from "./finding.ts";
import type { Reading } from "./reading.ts";
import { hostOf } from "./whole-file.ts";

/** The parser's diagnostics, each as what it most likely comes from. `location` says which host is the file's own. */
export function findLineOddities(
	reading: Reading,
	location: string | undefined,
): Found[] {
	const { file, dialect } = reading;
	const host = hostOf(location);
	// findSitemapSlips tells several URLs on a line, with a change that parts them.
	return findDiagnostics(file)
		.filter(({ code }) => code !== "missing-line-end")
		.map((raw) => refine(raw, diagnosticOf(raw, dialect), reading, host));
}

const latin1 = new TextDecoder("latin1");

const scheme = /^[a-z][a-z0-9+.-]*:\/\//i;

/** Whether a pattern is a URL with a scheme. */
export function isWholeUrl(pattern: string): boolean {
	return scheme.test(pattern);
}

function refine(
	{ text = "", reason = "" }: RawDiagnostic,
	diagnostic: Diagnostic,
	reading: Reading,
	host: string | undefined,
): Found {
	const { code, line } = diagnostic;
	switch (code) {
		case "pattern-without-slash":
			return scheme.test(text)
				? absoluteUrl(text, line, reading, host)
				: beginsWithHost(text, host)
					? hostInPath(text, line, reading, host)
					: withoutSlash(text, diagnostic, reading);
		case "byte-order-mark":
			return {
				...diagnostic,
				...(marksEnd(reading) > reading.file.extent.from ? secondMark : {}),
				edit: {
					...{ start: 0, end: marksEnd(reading), text: "" },
					why: "Delete the byte order mark: UTF-8 needs none.",
				},
			};
		case "invalid-agent":
			return isObeyed(text, line, reading)
				? { ...diagnostic, severity: "info" }
				: diagnostic;
		case "misspelled-field":
			return misspelledField(text, reason, diagnostic, reading);
		case "missing-colon":
			return missingColon(diagnostic, reading);
		case "unknown-field":
			return unknownField(text, diagnostic, reading);
		default:
			return diagnostic;
	}
}

/** A name with a version or a "*" behind it, and one of several words. */
const versioned = /^[\w-]+(?:\/v?[\d.]+[a-z]?|\*)$/i;
const severalWords = /^[\w-]+(?: +[\w.-]+)+$/;

/**
 * Whether the crawler that a line with more than a token means obeys it all the same. Browsers begin with "Mozilla", as do the headers of
 * most crawlers.
 */
function isObeyed(text: string, line: number, reading: Reading): boolean {
	if (/^mozilla\b/i.test(text)) return false;
	if (!versioned.test(text) && !severalWords.test(text)) return false;
	return reading.select(text).some((index) => {
		const { agents = [] } = reading.file.groups[index] ?? {};
		return line >= (agents[0]?.line ?? 0) && line <= (agents.at(-1)?.line ?? 0);
	});
}

/** Editors that put a mark in front of the one that is there make the first line unreadable. */
const secondMark = {
	severity: "error",
	message:
		"The file begins with more than one byte order mark: crawlers skip one and take the next for a part of the first line, so they ignore that line. Save the file as UTF-8 without any.",
} as const;

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
	host: string | undefined,
): Found {
	const url = parseUrl(text);
	const path = url && text.slice(text.indexOf("//") + 2).match(/\/.*|$/s)?.[0];
	return {
		line,
		code: "absolute-url",
		severity: "error",
		message: `${shorten(text)} is a whole URL, and a rule needs a path: ${pathAdvice(path ?? "", url?.host, host)}. Rules for another host belong in that host's robots.txt.`,
		...pathEdit(reading, line, path ?? "", url?.host, host),
	};
}

/** A host with a path behind it, which no folder is named like: "www.example.com/blog/". A file's name has no slash behind it. */
const hostAndPath =
	/^(?:www\.[\w.-]+|(?:[\w-]+\.)+[a-z]{2,})(?::\d+)?(?=\/|$)/i;

/** Whether a pattern begins with a host: a name that begins "www.", one with a path behind it, or the file's own. */
function beginsWithHost(text: string, own: string | undefined): boolean {
	const [host] = hostAndPath.exec(text) ?? [];
	return (
		host !== undefined &&
		(/^www\./i.test(host) ||
			host.toLowerCase() === own ||
			text.charAt(host.length) === "/")
	);
}

function hostInPath(
	text: string,
	line: number,
	reading: Reading,
	own: string | undefined,
): Found {
	const [host = ""] = hostAndPath.exec(text) ?? [];
	const path = text.slice(host.length);
	const isRead = reading.dialect.googleMatching
		? "matches nothing"
		: `is read as /${shorten(text)}`;
	return {
		line,
		code: "absolute-url",
		severity: "error",
		message: `${shorten(text)} seems to begin with a host, and a rule needs a path; it ${isRead}: ${pathAdvice(path, host.toLowerCase(), own)}.`,
		...pathEdit(reading, line, path, host.toLowerCase(), own),
	};
}

/** What to write in place of a URL, as the rest of a sentence. */
function pathAdvice(
	path: string,
	host: string | undefined,
	own: string | undefined,
): string {
	if (path === "") return "write what comes after the host";
	const condition =
		host === own ? "" : ` if ${shorten(host ?? "")} is the host of this file`;
	return `write ${shorten(path)}${condition}`;
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
		const means = `"${text}" is no word that crawlers know but a path, which ${isRead}`;
		if (isAllow && word === "")
			return {
				...diagnostic,
				severity: "error",
				message: `${means}: write Disallow: / if nothing is to be fetched, and delete the line if nothing is to be added.`,
			};
		return {
			...diagnostic,
			severity: "error",
			message: `${means}: write ${isAllow ? "Allow" : "Disallow"}:${word === "" ? "" : " /"}.`,
			...(isRuleField(fieldName(bytes, from))
				? {
						edit: valueEdit(
							bytes,
							from,
							to,
							[word],
							word === ""
								? "Leave the path out: an empty one disallows nothing."
								: 'Write "/", with which every path begins.',
						),
					}
				: {}),
		};
	}
	// ".js": of a name that begins so, or of all that end so?
	if (text.startsWith("?"))
		return {
			...diagnostic,
			message: `${diagnostic.message.replace(/\.$/, "")}; write /*${shorten(text)} for the query of all pages, as only the home page has ${shorten(`/${text}`)}.`,
		};
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
		...(isPath(text) && isRuleField(fieldName(bytes, from))
			? { edit: slashEdit(from) }
			: {}),
	};
}

/**
 * Whether a text is a path but for its first character: no sentence, list, markup or answer. "?a" may be meant for the queries of all paths.
 */
function isPath(text: string): boolean {
	return (
		/^(?:[\w%~-]|[^\0-\x7f])[^\s,;|"'<>(){}\\^]*$/.test(text) &&
		!/^(?:yes|no|true|false|on|off|null|undefined|n\/a|\d+)$/i.test(text)
	);
}

/** "/" at the beginning of a path. */
function slashEdit(at: number): Change {
	return {
		...{ start: at, end: at, text: "/" },
		why: 'Begin the path with "/", as the paths of all URLs do.',
	};
}

/** A line without any colon, or with one in its value only. */
function missingColon(diagnostic: Diagnostic, reading: Reading): Found {
	return colonAfterFirstWord(diagnostic, reading) ?? diagnostic;
}

/** What is said of a line whose first word is a field and whose colon is missing; undefined for other lines. */
function colonAfterFirstWord(
	diagnostic: Diagnostic,
	reading: Reading,
): Found | undefined {
	const { line } = diagnostic;
	const { bytes } = reading.file;
	const [at = 0] = reading.valueAt(line) ?? [];
	const start = lineStart(bytes, at);
	const [end] = lineEnd(bytes, at);
	// One character a byte, so that places in the text are places in the file.
	const text = latin1.decode(bytes.subarray(start, end));
	const [written = ""] = /^[^#]*/.exec(text) ?? [];
	const meant = withoutColon(written);
	if (!meant) return undefined;
	const field = displayName(meant.field);
	const whole = decodeText(bytes, start, start + written.length).trim();
	const value = decodeText(
		bytes,
		start + meant.before,
		start + meant.before + meant.value.length,
	);
	const blank = written.length - written.trimStart().length;
	const isCut = whole.includes(":");
	return {
		line,
		code: "missing-colon",
		severity: diagnostic.severity,
		message: isCut
			? `${shorten(whole)} has its first colon in the value, so crawlers misread the line or ignore it: write ${shorten(`${field}: ${value}`)}.`
			: `${noColonText(diagnostic, whole)}: write ${shorten(`${field}: ${value}`)}.`,
		edit: {
			start: start + blank,
			end: start + meant.before,
			text: `${field}: `,
			why: `Put the colon after ${field}: most crawlers ignore the line without one.`,
		},
	};
}

/** What the diagnostic says; a line of "=" has no colon, and none that white space could stand for. */
function noColonText({ code, message }: Diagnostic, whole: string): string {
	return code === "missing-colon"
		? message.replace(/\.$/, "")
		: `${shorten(whole)} has no colon and is ignored`;
}

/** A name that some reader takes for a field's: it is nearly one, or begins with one. */
function misspelledField(
	text: string,
	reads: string,
	diagnostic: Diagnostic,
	reading: Reading,
): Found {
	const cut = colonAfterFirstWord(diagnostic, reading);
	if (cut) return cut;
	const { line } = diagnostic;
	if (reads === "content-signal" || closestField(text) === reads)
		return { ...diagnostic, ...nameEditOf(reading, line, reads) };
	const lenient = dialectNames.filter(
		(name) => dialectRules(name).lenientFields,
	);
	const others = dialectNames.filter((name) => !lenient.includes(name));
	return {
		...diagnostic,
		severity: "warning",
		message: reading.dialect.lenientFields
			? `${shorten(text)} is read as ${reads} here, as only the first letters of a name are compared; ${others.join(" and ")} ignore the line. Begin it with "#" if it is for nobody.`
			: `${shorten(text)} is not a field that crawlers are known to read: ${others.join(" and ")} ignore the line, ${lenient.join(" and ")} compares only the first letters of a name and reads it as ${reads}. Begin it with "#" if it is for nobody.`,
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
	if (isSwitchedOff(text))
		return {
			...diagnostic,
			message: `${shorten(text)} is not a field name, so the line is ignored. Comments begin with "#".`,
		};
	const bare = bareUrl(text, diagnostic, reading);
	if (bare) return bare;
	const cut = colonAfterFirstWord(
		{ ...diagnostic, severity: "error" },
		reading,
	);
	if (cut) return cut;
	const meant = closestField(text);
	if (meant === undefined) return diagnostic;
	return {
		line,
		code: "misspelled-field",
		severity: "error",
		message: `${shorten(text)} is not a field name, so the line is ignored: write ${displayName(meant)} if that was meant.`,
		...nameEditOf(reading, line, meant),
	};
}

/** A line that is nothing but the URL of a sitemap. */
function bareUrl(
	scheme: string,
	{ line }: Diagnostic,
	reading: Reading,
): Found | undefined {
	const [from, to] = reading.valueAt(line) ?? [];
	if (!/^https?$/i.test(scheme) || from === undefined || to === undefined)
		return undefined;
	const { bytes } = reading.file;
	const url = `${scheme}:${decodeText(bytes, from, to)}`;
	if (!/sitemap|\.xml(?:\.gz)?$/i.test(url) || !isAbsoluteUrl(url))
		return undefined;
	const start = lineStart(bytes, from);
	return {
		line,
		code: "doubtful-sitemap",
		severity: "error",
		message: `${shorten(url)} stands alone, and a line without a field is ignored: write Sitemap: ${shorten(url)}.`,
		edit: {
			...{ start, end: start, text: "Sitemap: " },
			why: "Write Sitemap: in front of the sitemap's URL.",
		},
	};
}

/** Another name for the field of a line. */
function nameEditOf(
	reading: Reading,
	line: number,
	field: string,
): { edit?: Change } {
	const [at] = reading.valueAt(line) ?? [];
	return at === undefined
		? {}
		: { edit: nameEdit(reading.file.bytes, at, displayName(field)) };
}

/** A path in place of a URL, where that is of the file's own host. */
function pathEdit(
	reading: Reading,
	line: number,
	path: string,
	host: string | undefined,
	own: string | undefined,
): { edit?: Change } {
	const [from, to] = reading.valueAt(line) ?? [];
	if (host !== own || host === undefined || path === "") return {};
	return from === undefined || to === undefined || /\s/.test(path)
		? {}
		: {
				edit: valueEdit(
					reading.file.bytes,
					from,
					to,
					[path],
					`Leave out the host, ${shorten(host)}, which is this file's own.`,
				),
			};
}
