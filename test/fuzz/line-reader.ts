import type { Dialect } from "../../src/index.ts";
import type { OracleRule } from "../oracle.ts";

/** A robots.txt as read line by line, slowly; bytes are characters of a Latin-1 string. */
export interface ReadFile {
	readonly groups: { agents: string[]; line: number; rules: OracleRule[] }[];
	readonly others: { field: string; value: string; line: number }[];
	/** "line code" of what is remarkable. */
	readonly remarks: string[];
}

const spellings = {
	"user-agent": /^(user-agent|useragent|user agent)/i,
	allow: /^allow/i,
	disallow: /^(disallow|dissallow|dissalow|disalow|diasllow|disallaw)/i,
	sitemap: /^(sitemap|site-map)/i,
};
const known =
	/^(clean-param|content-signal|content-usage|crawl-delay|host|request-rate|visit-time)$/;
const lower = (text: string) => text.replace(/[A-Z]/g, (c) => c.toLowerCase());
const trim = (text: string) => text.replace(/^[ \t-\r]+|[ \t-\r]+$/g, "");
const utf8 = (text: string) => Buffer.from(text, "latin1").toString();

/** The field that a name stands for, and the one that a lenient reader takes it for. */
const fieldOf = (name: string) =>
	Object.keys(spellings).find((field) => field === lower(name));
const meantBy = (name: string) =>
	Object.entries(spellings).find(([, spelling]) => spelling.test(name))?.[0];

export function readFile(text: string, dialect: Dialect): ReadFile {
	const google = dialect === "google";
	const file: ReadFile = { groups: [], others: [], remarks: [] };
	const mark = google ? /^(\xef\xbb\xbf|\xef\xbb|\xef)/ : /^\xef\xbb\xbf/;
	if (mark.test(text)) file.remarks.push("1 byte-order-mark");
	const lines = text.replace(mark, "").split(/\r\n|\r|\n/);
	let headed = false;
	for (const [index, whole] of lines.entries()) {
		const line = index + 1;
		const remark = (code: string) => file.remarks.push(`${line} ${code}`);
		let read = google ? whole.slice(0, 16_663) : whole;
		if (read !== whole) remark("line-truncated");
		if (/^[^#]*\0/.test(read)) {
			remark("nul-byte");
			if (google) read = read.replace(/\0.*/s, "");
		}
		read = trim(read.replace(/#.*/s, ""));
		if (read === "") continue;
		if (!read.includes(":")) {
			remark("missing-colon");
			if (!google || !/^[^ \t]+[ \t]+[^ \t]+$/.test(read)) continue;
			read = read.replace(/[ \t]+/, ":");
		}
		const colon = read.indexOf(":");
		const name = trim(read.slice(0, colon));
		const value = trim(read.slice(colon + 1));
		if (name === "") remark("empty-field");
		if (name === "") continue;
		const field = google ? meantBy(name) : fieldOf(name);
		if (meantBy(name) && !fieldOf(name)) remark("misspelled-field");
		else if (!field && !known.test(lower(name))) remark("unknown-field");
		if (field === "user-agent") {
			if (!headed) file.groups.push({ agents: [], line, rules: [] });
			headed = true;
			file.groups.at(-1)?.agents.push(utf8(value));
			const token = google ? /^[A-Za-z_-]+$/ : /^[A-Za-z0-9_-]+$/;
			const isName = token.test(value) && (google || !/.[_-]\d+$/.test(value));
			if (!/^\*($|[ \t-\r])/.test(value) && !isName) remark("invalid-agent");
		} else if (field === "allow" || field === "disallow") {
			const rule = { allow: field === "allow", pattern: value, line };
			headed = false;
			file.groups.at(-1)?.rules.push(rule);
			if (file.groups.length === 0) remark("rule-outside-group");
			else if (value === "") remark(`empty-${field}`);
			else if (!/^[/*]/.test(value)) remark("pattern-without-slash");
		} else {
			const written = field ?? utf8(name).toLowerCase();
			const text = utf8(value);
			file.others.push({ field: written, value: text, line });
			const isUrl = /^(https?|ftp):\/\//i.test(text) && URL.canParse(text);
			if (field === "sitemap" && !isUrl) remark("relative-sitemap");
		}
	}
	return file;
}
