/**
 * Findings about the file as a whole: it is no text, a page of HTML, nearly too large, or has a name that no crawler asks for. The command
 * line uses `foreignFile` and `htmlPage` without the rest of lint, so this file imports no matcher.
 */
import { parseUrl } from "../common/arguments.ts";
import { shorten } from "../common/wording.ts";
import type { DialectRules } from "../robots-txt/dialect.ts";
import type { Found } from "./finding.ts";
import type { Reading } from "./reading.ts";

/** A file that fills more than this part of the limit will soon be over it. */
const NEARLY_FULL = 0.9;

/** What other files begin with, in hexadecimal; a dot stands for any digit. */
const signatures: readonly (readonly [start: RegExp, what: string])[] = [
	[/^1f8b/, "compressed by gzip"],
	[/^28b52ffd/, "compressed by Zstandard"],
	[/^504b0304/, "a ZIP archive"],
	[/^d0cf11e0a1b11ae1/, "a document of Microsoft Word or Office (.doc)"],
	[/^25504446/, "a PDF document"],
	[/^89504e470d0a1a0a/, "a PNG image"],
	[/^ffd8ff/, "a JPEG image"],
	[/^47494638/, "a GIF image"],
	[/^52494646........57454250/, "a WebP image"],
	[/^00000100/, "an icon"],
	[/^7f454c46/, "a program"],
	[/^0061736d/, "a WebAssembly module"],
];

const LONGEST_SIGNATURE = 12;

/**
 * Bytes of which nothing is left to look at, whatever the dialect: UTF-16, an image, compressed data, JSON. UTF-16 with a byte order mark is read by
 * a dialect that `decodesUtf16`, so there it is a warning.
 */
export function foreignFile(
	bytes: Uint8Array,
	decodesUtf16 = false,
): Found | undefined {
	if (hasUtf16Mark(bytes))
		return {
			line: 1,
			code: "utf-16",
			severity: decodesUtf16 ? "warning" : "error",
			message:
				"The file is UTF-16: the dialects rfc9309 and yandex decode it, Google finds no rule in it and fetches everything. Save it as UTF-8.",
		};
	if (isUtf16(bytes))
		return {
			line: 1,
			code: "utf-16",
			severity: "error",
			message:
				"The file is UTF-16, which no crawler reads: save it as UTF-8, or none of its rules count.",
		};
	if (hexOf(bytes.subarray(0, RTF.length / 2)) === RTF)
		return {
			line: 1,
			code: "not-robots-txt",
			severity: "error",
			message:
				"This is not a robots.txt but a document of a word processor (RTF): crawlers read only lines that happen to be rules. Save it as plain text, in UTF-8.",
		};
	const what = contentOf(bytes);
	if (what === undefined) return undefined;
	const advice = what.includes("document of")
		? " Save it as plain text, in UTF-8."
		: "";
	return {
		line: 1,
		code: "not-robots-txt",
		severity: "error",
		message: `This is not a robots.txt but ${what}: crawlers find no rule in it and fetch everything.${advice}`,
	};
}

/** "{\rtf" */
const RTF = "7b5c727466";

function contentOf(bytes: Uint8Array): string | undefined {
	const start = hexOf(bytes.subarray(0, LONGEST_SIGNATURE));
	const known = signatures.find(([signature]) => signature.test(start));
	if (known?.[1] === "a ZIP archive") return archiveOf(bytes);
	if (known) return known[1];
	if (isJson(bytes)) return "JSON";
	return isErrorText(bytes) ? "an error message" : undefined;
}

/** Longer texts are no message. */
const LONGEST_MESSAGE = 2048;

/** What servers say in place of a file. "User-agent" may well hold one of these words, a comment too. */
const errorText =
	/^\W*(?:(?:http|error|status)\W+)*(?:40[0134]|410|429|50[0234])\b|\b(?:(?:page|file|object|resource|site|url|key) (?:was |is |could )?not (?:be )?(?:found|exist)|does not exist|not found|no such (?:file|key|bucket)|access (?:is )?denied|forbidden|unauthori[sz]ed|internal server error|bad gateway|service (?:temporarily )?unavailable|permission denied|an error (?:has )?occurred)\b|^(?:fatal )?error\b/i;

/** Whether a text without any field begins with what servers say of an error. */
function isErrorText(bytes: Uint8Array): boolean {
	if (bytes.length > LONGEST_MESSAGE) return false;
	const lines = new TextDecoder()
		.decode(bytes)
		.split(/[\r\n]+/)
		.map((line) => line.trim())
		.filter((line) => line !== "");
	const [first = ""] = lines;
	return (
		!/^[#<]/.test(first) &&
		errorText.test(first) &&
		!lines.some((line) => anyField.test(line))
	);
}

/** Bytes at the start of an archive in which the names of a document's parts stand. */
const ARCHIVE_SAMPLE = 4096;

function archiveOf(bytes: Uint8Array): string {
	const text = new TextDecoder("latin1").decode(
		bytes.subarray(0, ARCHIVE_SAMPLE),
	);
	if (text.includes("application/vnd.oasis.opendocument.text"))
		return "a document of a word processor (.odt)";
	return /\[Content_Types\]\.xml|word\/|_rels\/\.rels/.test(text)
		? "a document of Microsoft Word or Office (.docx)"
		: "a ZIP archive";
}

function hexOf(bytes: Uint8Array): string {
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(
		"",
	);
}

/** Bytes at the start of a file in which half are NUL if it is UTF-16 text of ASCII characters. */
const UTF_16_SAMPLE = 64;

function hasUtf16Mark([first, second]: Uint8Array): boolean {
	return (
		(first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)
	);
}

/** Without a mark. */
function isUtf16(bytes: Uint8Array): boolean {
	const sample = bytes.subarray(0, UTF_16_SAMPLE & ~1);
	if (sample.length < 4) return false;
	for (const parity of [0, 1]) {
		const isNul = (byte: number, at: number) => at % 2 !== parity || byte === 0;
		const isText = (byte: number, at: number) =>
			at % 2 === parity || (byte > 0 && byte < 128);
		if (sample.every(isNul) && sample.every(isText)) return true;
	}
	return false;
}

/** Larger files are hardly JSON with the name robots.txt. */
const LARGEST_JSON = 1024 * 1024;

/** "{", "[" and a quotation mark. */
const JSON_STARTS = [0x7b, 0x5b, 0x22];

function isJson(bytes: Uint8Array): boolean {
	if (bytes.length > LARGEST_JSON) return false;
	const first = bytes.find((byte) => byte > 32) ?? 0;
	// Beyond ASCII it may be a mark or white space.
	if (first < 128 && !JSON_STARTS.includes(first)) return false;
	const text = new TextDecoder().decode(bytes).trim();
	if (!/^[{["]/.test(text)) return false;
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}

const anyField =
	/^(?:user-?agent|disallow|allow|sitemap|host|crawl-?delay|clean-param)\b/i;

const LESS_THAN = 60;

/** A page of markup in place of a robots.txt; a few tags around lines that are rules make none. */
export function htmlPage(bytes: Uint8Array): Found | undefined {
	if (!beginsAsMarkup(bytes) || isMostlyFields(bytes)) return undefined;
	return {
		line: 1,
		code: "html-page",
		severity: "error",
		message:
			"This is not a robots.txt but a page of markup: crawlers read only lines that happen to be rules.",
	};
}

/** What bytes are that are no text of lines. */
export function otherFile(bytes: Uint8Array): Found | undefined {
	return foreignFile(bytes) ?? htmlPage(bytes);
}

function beginsAsMarkup(bytes: Uint8Array): boolean {
	const head = bytes.subarray(0, 200);
	return (
		head.includes(LESS_THAN) &&
		/^\s*<[!?a-z]/i.test(new TextDecoder().decode(head))
	);
}

const fieldLine = /^\s*(?:user-agent|disallow|allow|sitemap|crawl-delay)\s*:/i;

/** Bytes in which lines are counted: a page of a few megabytes is read no further. */
const MOST_COUNTED = 1024 * 1024;

/** Whether at least half of the lines, comments and blank ones aside, are fields. */
function isMostlyFields(bytes: Uint8Array): boolean {
	const lines = new TextDecoder("latin1")
		.decode(bytes.subarray(0, MOST_COUNTED))
		.split(/[\r\n]+/)
		.filter((line) => /^\s*[^\s#]/.test(line));
	const fields = lines.filter((line) => fieldLine.test(line)).length;
	return fields > 0 && fields * 2 >= lines.length;
}

/** Markup around lines that are rules: they count, and the tags are lines of no meaning. */
function markupAround(bytes: Uint8Array): Found | undefined {
	if (!beginsAsMarkup(bytes) || !isMostlyFields(bytes)) return undefined;
	return {
		line: 1,
		code: "html-page",
		severity: "info",
		message:
			'The file begins with markup, which crawlers skip; the lines that are rules count. A comment begins with "#".',
	};
}

/** Findings about the whole file. */
export function findFileOddities(
	bytes: Uint8Array,
	maxBytes: number,
	{ formerMaxBytes }: DialectRules,
): Found[] {
	const html = htmlPage(bytes) ?? markupAround(bytes);
	const findings: Found[] = html ? [html] : [];
	if (bytes.length > maxBytes * NEARLY_FULL && bytes.length <= maxBytes)
		findings.push({
			line: 1,
			code: "near-size-limit",
			severity: "warning",
			message: `The file has ${bytes.length} bytes; crawlers may stop reading after ${maxBytes}.`,
		});
	else if (
		formerMaxBytes !== null &&
		bytes.length > formerMaxBytes &&
		bytes.length <= maxBytes
	)
		findings.push({
			line: 1,
			code: "near-size-limit",
			severity: "info",
			message: `The file has ${bytes.length} bytes; Yandex's text of 2013 reads files of more than 32 KB as ones that allow everything.`,
		});
	return findings;
}

/** A page of markup without a single rule: nothing else about it is worth a finding. */
export function isMarkupAlone({ file }: Reading): boolean {
	return file.groups.length === 0 && htmlPage(file.bytes) !== undefined;
}

/** Names that are robots.txt but for a slip, in lower case. */
const nearNames: ReadonlySet<string> = new Set([
	"robots.txt",
	"robot.txt",
	"robots.text",
	"robot.text",
	"robots",
	"robots.txt.txt",
	"robots.tx",
	"robots.rtf",
	"robots.doc",
	"robots.docx",
	"robots.odt",
	"robots.htm",
	"robots.html",
	"robotstxt",
	"robots_txt",
	"robots-txt",
	"robots,txt",
	"robos.txt",
	"rotobs.txt",
	"robtos.txt",
]);

/** The origin of a location that is a URL. */
export function originOf(location: string | undefined): string | undefined {
	return location !== undefined && /^(?:https?|ftp):\/\//i.test(location)
		? parseUrl(location)?.origin
		: undefined;
}

/** The host of a location that is a URL, with its port, in lower case. */
export function hostOf(location: string | undefined): string | undefined {
	const origin = originOf(location);
	return origin === undefined ? undefined : parseUrl(origin)?.host;
}

/** A file that crawlers never ask for, by its name: a path on a disk, or a URL. */
export function findMisnamed(location: string | undefined): Found[] {
	if (location === undefined) return [];
	const isUrl = originOf(location) !== undefined;
	const path = isUrl ? (parseUrl(location)?.pathname ?? "") : location;
	const name = path.split(/[/\\]/).at(-1) ?? "";
	const isElsewhere = isUrl && name === "robots.txt" && path !== "/robots.txt";
	if (
		!isElsewhere &&
		(name === "robots.txt" || !nearNames.has(name.toLowerCase()))
	)
		return [];
	return [
		{
			line: 1,
			code: "misnamed-file",
			severity: "warning",
			message: isElsewhere
				? `The file is at ${shorten(path)}, and crawlers ask for /robots.txt only: put it there.`
				: `The file is named ${shorten(name)}, and crawlers ask for robots.txt only, in small letters: rename it.`,
		},
	];
}
