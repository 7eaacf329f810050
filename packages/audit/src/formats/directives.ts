/**
 * Reads log formats out of a server's configuration as it is pasted: Nginx's `log_format` and Apache's `LogFormat` directives, a part of one, or
 * a whole file with several. What comes out is the text that the server itself sees, without quotes and escapes; template.ts
 * compiles it.
 */

import { RobotrieError } from "robotrie";
import { quote } from "#robotrie/common/quote";
import type { Escaping } from "./log-format.ts";

/** Whose variables and directives a format string has. */
export type Notation = "nginx" | "apache";

/** A format string of a configuration. */
export interface FormatString {
	readonly notation: Notation;
	/** Undefined for a text without a directive, and for a format that has no name. */
	readonly name?: string | undefined;
	readonly text: string;
	/** How the server escapes values: `escape=` of Nginx's directive. */
	readonly escaping: Escaping;
}

/** A word of a directive. */
interface Word {
	/** Without quotes and escapes. */
	readonly text: string;
	/** Whether it was quoted, and by what. */
	readonly quote: string;
	/** Whether a line break is between it and the word before. */
	readonly isBroken: boolean;
}

/** @throws {RobotrieError} invalid-argument. */
function fail(reason: string): never {
	throw new RobotrieError("invalid-argument", reason);
}

/**
 * The one format string of a text: of the directive with that name, where there are several.
 * @param notation Detected where it is undefined.
 * @throws {RobotrieError} invalid-argument, if there is none or more than one.
 */
export function formatStringOf(
	text: string,
	name?: string,
	notation?: Notation,
): FormatString {
	// A backslash at the end of a line continues it, in httpd.conf as in shell scripts that write nginx.conf.
	const whole = text.replace(/\\\r?\n/g, "");
	const all = directivesOf(whole, notation);
	if (all.length === 0) {
		if (name !== undefined)
			fail(
				`there is no log format ${quote(name)}: no line begins with log_format or LogFormat`,
			);
		return bareString(whole, notation);
	}
	// A later directive replaces an earlier one of that name.
	const found = all.findLast(
		(each) => name === undefined || each.name === name,
	);
	const names = [
		...new Set(all.map((each) => each.name ?? "one without a name")),
	];
	if (!found)
		fail(`there is no log format ${quote(name)}, but ${names.join(", ")}`);
	if (name === undefined && all.some((each) => each.text !== found.text))
		fail(
			`there are ${all.length} log formats (${names.join(", ")}): choose one by its name`,
		);
	return found;
}

/** The format strings of the directives in a text. Those in comments count if there are no others, as nginx.conf is delivered with one. */
function directivesOf(
	text: string,
	notation: Notation | undefined,
): readonly FormatString[] {
	const comments = /^[ \t]*#+/gm;
	const plain = text.replace(/^[ \t]*#.*/gm, "");
	const of = (source: string) => [
		...(notation === "apache" ? [] : nginxDirectives(source)),
		...(notation === "nginx" ? [] : apacheDirectives(source)),
	];
	const found = of(plain);
	return found.length > 0 ? found : of(text.replace(comments, ""));
}

function nginxDirectives(text: string): readonly FormatString[] {
	return Array.from(
		text.matchAll(/(?:^|[;{}])[ \t]*log_format(?=\s)/gm),
		({ 0: begin, index }) =>
			nginxString(wordsOf(text.slice(index + begin.length), NGINX_WORD)),
	).flatMap((found) => found ?? []);
}

/** The format string of the words after `log_format`, or of a part of them; undefined without any. */
function nginxString(words: readonly Word[]): FormatString | undefined {
	const [first] = words;
	// A name has no variables.
	const name = first?.text.includes("$") ? undefined : first?.text;
	const rest = name === undefined ? words : words.slice(1);
	const escaping = /^escape=(.*)$/.exec(rest[0]?.text ?? "")?.[1];
	const strings = escaping === undefined ? rest : rest.slice(1);
	if (strings.length === 0) return undefined;
	if (escaping !== undefined && !/^(?:default|json|none)$/.test(escaping))
		fail(`${quote(`escape=${escaping}`)} is not escape=default, json or none`);
	return {
		notation: "nginx",
		name,
		text: strings.map((word) => word.text).join(""),
		escaping: escaping === "none" ? "none" : "backslash",
	};
}

/** A string in quotes, or characters up to a blank. */
const NGINX_WORD =
	/'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"|[^\s;'"][^\s;]*/y;
const APACHE_WORD = /'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"|[^\s'"]\S*/y;

/**
 * The words of a directive up to its semicolon, or the end of the text.
 * @throws {RobotrieError} invalid-argument, for a quote that is not closed.
 */
function wordsOf(text: string, shape: RegExp): readonly Word[] {
	const words: Word[] = [];
	for (let at = 0; ; ) {
		const [blanks = ""] = /^(?:\s+|#.*)*/.exec(text.slice(at)) ?? [];
		at += blanks.length;
		if (at >= text.length || text[at] === ";") return words;
		shape.lastIndex = at;
		const [word] = shape.exec(text) ?? [];
		if (word === undefined)
			fail(
				`the log format ${quote(text.slice(at, at + 60))} has a quote that is not closed`,
			);
		// The semicolon before it is missing.
		if (/^(?:log_format|access_log)$/.test(word)) return words;
		const sign = /^["']/.exec(word)?.[0] ?? "";
		words.push({
			text: unescaped(sign ? word.slice(1, -1) : word),
			quote: sign,
			isBroken: blanks.includes("\n"),
		});
		at += word.length;
	}
}

/** Escapes of Nginx's and Apache's configuration; other backslashes are what they are. */
const escapes: Readonly<Record<string, string>> = {
	n: "\n",
	r: "\r",
	t: "\t",
};

function unescaped(text: string): string {
	return text.replace(
		/\\([nrt"'\\])/g,
		(_, byte: string) => escapes[byte] ?? byte,
	);
}

/** `LogFormat "…" name`, and `CustomLog file "…"`, which may have a name in place of the format. */
function apacheDirectives(text: string): readonly FormatString[] {
	return Array.from(
		text.matchAll(/^[ \t]*(LogFormat|CustomLog)[ \t]+(.*)$/gim),
		([, directive = "", list = ""]): FormatString | undefined => {
			const words = wordsOf(list, APACHE_WORD);
			const isFormat = directive.toLowerCase() === "logformat";
			const string = words[isFormat ? 0 : 1]?.text ?? "";
			if (!string.includes("%")) return undefined;
			const name = isFormat ? words[1]?.text : undefined;
			return { notation: "apache", name, text: string, escaping: "backslash" };
		},
	).flatMap((found) => found ?? []);
}

/**
 * A format string without its directive: as it is, or in the configuration's quotes.
 * @throws {RobotrieError} invalid-argument, for several lines that are no strings.
 */
function bareString(
	text: string,
	// A format string of Apache has "%", one of Nginx has "$": no string of one is a string of the other by accident, and errors
	// name the right notation.
	notation: Notation = /\$\{?[a-z]/.test(text) || !text.includes("%")
		? "nginx"
		: "apache",
): FormatString {
	const trimmed = text.trim();
	if (/^['"]|^(?:[\w-]+\s+)?(?:escape=\w+\s+)?'/.test(trimmed)) {
		const words = wordsOf(
			trimmed,
			notation === "nginx" ? NGINX_WORD : APACHE_WORD,
		);
		const strings = words.filter((word) => word.quote !== "");
		const [first, nickname, ...others] = words;
		const isOne = others.length === 0 && !nickname?.text.includes("%");
		if (notation === "apache" && first?.quote && isOne)
			return { notation, text: first.text, escaping: "backslash" };
		if (notation === "nginx" && areStrings(strings, trimmed))
			return nginxString(words) as FormatString;
	}
	if (/[\r\n]/.test(trimmed))
		fail(
			"the log format has several lines, of which none begins with log_format or LogFormat (without one Nginx writes the format combined)",
		);
	return {
		notation,
		text: unescaped(text.replace(/[\r\n]+$/, "")),
		escaping: "backslash",
	};
}

/** Whether quotes are those of the configuration. A line may have quotes of its own: "$request" "$http_user_agent". */
function areStrings(strings: readonly Word[], text: string): boolean {
	if (strings.every((word) => word.quote === "'")) return true;
	if (/;\s*$/.test(text) || strings.some((word) => word.isBroken)) return true;
	return strings.length === 1 && /\\"/.test(text);
}
