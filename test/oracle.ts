import type { Dialect } from "../src/index.ts";

/** A rule of a group; its pattern's bytes as a Latin-1 string, not empty. */
export interface OracleRule {
	readonly allow: boolean;
	readonly pattern: string;
	readonly line: number;
}

const escaped = (byte: string) =>
	`%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;

/** What no URL contains, and what is special in a rule. */
const noUrlByte = /[\0-\x20"<>\\^`{|}\x7f*$]/;

/** The normal form in the standard's own spelling: what is not plain ASCII stands escaped. */
function normal(text: string, google: boolean, query: boolean): string {
	let behind = query;
	const units: string[] = [];
	// In one pass: what decoding brings together is no escape.
	for (const unit of text.match(/%[0-9a-f]{2}|./gis) ?? []) {
		if (unit === "?") behind = true;
		let written = unit;
		if (unit.length > 1) {
			const byte = String.fromCharCode(Number.parseInt(unit.slice(1), 16));
			const decoded = behind ? /[\w.~:/?#[\]@-]/ : /[\w.~-]/;
			written = !google && decoded.test(byte) ? byte : unit.toUpperCase();
		} else if (/[\x80-\xff]/.test(unit) || (!google && noUrlByte.test(unit)))
			written = escaped(unit);
		units.push(written);
	}
	return units.join("");
}

/** Adds where each occurrence of a text ends that begins at `from` or later. */
function addEnds(ends: number[], text: string, path: string, from: number) {
	for (let next = from; next <= path.length; ) {
		const at = path.indexOf(text, next);
		if (at < 0) break;
		ends.push(at + text.length);
		next = at + 1;
	}
}

function reader({ pattern, allow, line }: OracleRule, dialect: Dialect) {
	const google = dialect === "google";
	const dollar = pattern.endsWith("$");
	let text = dollar ? pattern.slice(0, -1) : pattern;
	const anchored = dollar && !(dialect === "yandex" && text.endsWith("*"));
	if (!google && !anchored) text = text.replace(/\*+$/, "");
	// No path begins with a line feed.
	if (!/^[/*]/.test(pattern)) text = google ? "\n" : `/${text}`;
	const pieces = text.split("*");
	// Each piece as the path and as the query may have it.
	const forms = pieces.map((piece, i) =>
		[pieces.slice(0, i).join("").includes("?"), true].map((query) =>
			normal(piece, google, query),
		),
	);
	const [[prefix = ""] = [], ...rest] = forms;
	const matches = (path: string) => {
		const query = path.indexOf("?");
		// Everywhere that what has been read of the pattern can end.
		let ends = path.startsWith(prefix) ? [prefix.length] : [];
		for (const [own = "", inQuery = ""] of rest) {
			const from = Math.min(...ends);
			ends = [];
			addEnds(ends, own, path, from);
			if (query >= 0) addEnds(ends, inQuery, path, Math.max(from, query + 1));
		}
		return anchored ? ends.includes(path.length) : ends.length > 0;
	};
	const spelled = forms
		.map(([own = ""]) =>
			google ? own : own.replace(/%(?:3A|2F|3F|23|5B|5D|40)/g, "x"),
		)
		.join("*");
	return { allow, line, matches, length: spelled.length + +anchored };
}

/** The slow way to a verdict on a path and query, "/" in front: every rule tried in full. Line 0 for no rule. */
export function oracle(rules: readonly OracleRule[], dialect: Dialect) {
	const google = dialect === "google";
	const read = rules.map((rule) => reader(rule, dialect));
	read.sort((a, b) => b.length - a.length || +b.allow - +a.allow);
	return (path: string): { allowed: boolean; line: number } => {
		const compared = google
			? path
			: normal(path.replace(/[\t\n\r]/g, ""), false, false);
		const own = !google && compared === "/robots.txt";
		const best = own ? undefined : read.find((rule) => rule.matches(compared));
		return { allowed: best?.allow ?? true, line: best?.line ?? 0 };
	};
}
