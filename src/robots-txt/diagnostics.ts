import { shorten } from "../common/shorten.ts";
import type { Dialect } from "./dialect.ts";
import type { DiagnosticCode, RawDiagnostic } from "./raw-diagnostic.ts";

/**
 * `error`: something that its author surely meant to count does not. `warning`: it counts, but not for every crawler or
 * not as it looks. `info`: worth knowing, no fault.
 */
export type Severity = "error" | "warning" | "info";

/** A finding about one line of a robots.txt. */
export interface Diagnostic {
	/** Line number, from 1. CR, LF and CRLF end a line. */
	readonly line: number;
	/** What it is about. */
	readonly code: DiagnosticCode;
	/** How much it matters. */
	readonly severity: Severity;
	/** One sentence. */
	readonly message: string;
}

interface Wording {
	readonly severity: (dialect: Dialect) => Severity;
	readonly message: (text: string, dialect: Dialect, reason: string) => string;
}

const always = (severity: Severity) => () => severity;
/** An error, but a warning where the google dialect reads the line all the same. */
const unlessGoogle = (dialect: Dialect): Severity =>
	dialect === "google" ? "warning" : "error";
/** An error where Yandex reads the file, a warning where others do, who know no such line. */
const forYandex = (dialect: Dialect): Severity =>
	dialect === "yandex" ? "error" : "warning";

const wordings: Readonly<Record<DiagnosticCode, Wording>> = {
	"byte-order-mark": {
		severity: always("info"),
		message: () =>
			"The file begins with a byte order mark, which is skipped; save it as UTF-8 without one.",
	},
	"empty-allow": {
		severity: (dialect) => (dialect === "yandex" ? "warning" : "info"),
		message: (_, dialect) =>
			dialect === "yandex"
				? "Allow without a pattern disallows everything for Yandex; other crawlers ignore it."
				: "Allow without a pattern is ignored; for Yandex it disallows everything.",
	},
	"empty-disallow": {
		severity: always("info"),
		message: (_, dialect) =>
			dialect === "yandex"
				? "Disallow without a pattern allows everything."
				: "Disallow without a pattern is ignored.",
	},
	"empty-field": {
		severity: always("error"),
		message: (text) =>
			`The line ${text} has no field name in front of the colon and is ignored.`,
	},
	"file-too-large": {
		severity: always("error"),
		message: (text) =>
			`The file is larger than ${text} bytes: this dialect then allows everything.`,
	},
	"file-truncated": {
		severity: always("error"),
		message: (text) =>
			`The file is larger than ${text} bytes: from this line on it is ignored.`,
	},
	"invalid-agent": {
		severity: always("warning"),
		message: (text, dialect) => {
			const named = text || "An empty value";
			if (dialect === "yandex") {
				return /[\w-]/.test(text)
					? `${named} is more than a product token: Yandex looks for its robots' names in it.`
					: `${named} is no product token: no crawler obeys this line.`;
			}
			const [token, characters] =
				dialect === "google"
					? [/^[a-z_-]*/i, 'letters, "-" and "_"']
					: [/^[\w-]*/, 'letters, digits, "-" and "_"'];
			const read = token.exec(text)?.[0];
			return read
				? `${named} is read as ${read}: a product token has only ${characters}.`
				: `${named} is no product token: no crawler obeys this line.`;
		},
	},
	"invalid-host": {
		severity: forYandex,
		message: (text, _, reason) =>
			`Yandex ignores the line ${text}: ${reason}; it wants a host name, perhaps with ":" and a port.`,
	},
	"invalid-value": {
		severity: always("error"),
		message: (text, _, reason) => `The line ${text} is ignored: ${reason}.`,
	},
	"line-truncated": {
		severity: always("error"),
		message: (text) =>
			`The line is longer than ${text} bytes; the rest of it is ignored.`,
	},
	"misspelled-field": {
		severity: unlessGoogle,
		message: (text, dialect, meant) =>
			dialect === "google"
				? `${text} is read as ${meant} here; other crawlers ignore the line.`
				: `${text} is no field name and the line is ignored; ${meant} was meant?`,
	},
	"missing-colon": {
		severity: unlessGoogle,
		message: (text, dialect) =>
			dialect === "google" && /^\S+[ \t]+\S+$/.test(text)
				? `${text} has no colon; white space is read as one here, other crawlers ignore the line.`
				: `${text} has no colon and is ignored.`,
	},
	"nul-byte": {
		severity: always("error"),
		message: (_, dialect) =>
			dialect === "google"
				? "The line ends at a NUL byte."
				: "The line holds a NUL byte; some crawlers stop reading it there.",
	},
	"pattern-without-slash": {
		severity: (dialect) => (dialect === "google" ? "error" : "warning"),
		message: (text, dialect) =>
			dialect === "google"
				? `${text} does not begin with "/" or "*" and so matches nothing.`
				: `${text} does not begin with "/" or "*"; it is read as /${text}.`,
	},
	"repeated-host": {
		severity: forYandex,
		message: (text) =>
			`The line ${text} is ignored: Yandex takes the first valid Host line.`,
	},
	"rule-outside-group": {
		severity: always("error"),
		message: (text) =>
			`${text} stands in front of the first user-agent line and is ignored.`,
	},
	"unknown-field": {
		severity: always("info"),
		message: (text) => `${text} is no field that crawlers are known to read.`,
	},
};

/** A diagnostic with its severity and message. */
export function diagnosticOf(
	{ code, line, text = "", reason = "" }: RawDiagnostic,
	dialect: Dialect,
): Diagnostic {
	const shown = shorten(text);
	const wording = wordings[code];
	return {
		line,
		code,
		severity: wording.severity(dialect),
		message: wording.message(shown, dialect, reason),
	};
}
