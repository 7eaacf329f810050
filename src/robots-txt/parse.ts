import { RobotrieError } from "../common/errors.ts";
import type { DialectRules } from "./dialect.ts";
import {
	type Field,
	fieldOf,
	isUsualSpelling,
	misspelledField,
} from "./fields.ts";
import {
	groupFields,
	knownOtherFields,
	sectionFields,
} from "./other-fields.ts";
import {
	type AgentLine,
	type OtherLine,
	type ParsedFile,
	type ParsedGroup,
	type ParsedSection,
	RULE_FIELDS,
} from "./parsed-file.ts";
import { productTokens } from "./product-token.ts";
import type { DiagnosticCode, Remark } from "./remark.ts";
import { decodeText } from "./text.ts";
import { valueFault } from "./value-faults.ts";

const LF = 10;
const CR = 13;
const SPACE = 32;
const HASH = 35;
const COLON = 58;

/** A line becomes text of which JavaScript holds less than 512 MiB; and none that is meant is nearly as long. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;
/** Places in the file are kept in 32 bits. */
const MAX_FILE_BYTES = 2 ** 31 - 1;

/** Space, tab, LF, VT, FF, CR: what the C locale calls white space. */
function isSpace(byte: number | undefined): boolean {
	return byte === SPACE || (byte !== undefined && byte >= 9 && byte <= CR);
}

/**
 * Reads a robots.txt line by line (RFC 9309 §2.2; where the dialects differ, dialect.ts). What cannot be read is remarked
 * upon.
 * @throws {RobotrieError} limit-exceeded, for a line of more than 16 MiB or a file of 2 GiB, where `maxBytes` lets them in.
 */
export function parse(
	bytes: Uint8Array,
	dialect: DialectRules,
	maxBytes: number,
): ParsedFile {
	return new Parser(bytes, dialect, maxBytes).run();
}

class Parser {
	readonly #bytes: Uint8Array;
	readonly #dialect: DialectRules;
	readonly #maxBytes: number;
	readonly #groups: ParsedGroup[] = [];
	readonly #sections: ParsedSection[] = [];
	readonly #others: OtherLine[] = [];
	readonly #remarks: Remark[] = [];
	#rules = new Int32Array(64 * RULE_FIELDS);
	#ruleCount = 0;
	/** A rule was seen since the last user-agent line: the next one begins a group. */
	#ruleSeen = true;
	/** A rule or a setting was seen since the last user-agent line: the next one begins a section. */
	#settingSeen = true;
	/** A Host line that counts was seen. */
	#hostSeen = false;

	constructor(bytes: Uint8Array, dialect: DialectRules, maxBytes: number) {
		this.#bytes = bytes;
		this.#dialect = dialect;
		this.#maxBytes = maxBytes;
	}

	run(): ParsedFile {
		const bytes = this.#bytes;
		const tooLarge = bytes.length > this.#maxBytes;
		const allowsAll = tooLarge && this.#dialect.tooLargeAllowsAll;
		if (allowsAll) this.#remark("file-too-large", 1, String(this.#maxBytes));
		const end = allowsAll ? 0 : tooLarge ? this.#wholeLines() : bytes.length;
		if (end > MAX_FILE_BYTES)
			throw new RobotrieError(
				"limit-exceeded",
				`a robots.txt of ${end} bytes is longer than ${MAX_FILE_BYTES}`,
			);
		const line = this.#parseLines(this.#skipBom(), end);
		if (tooLarge && !allowsAll)
			this.#remark("file-truncated", line + 1, String(this.#maxBytes));
		const last = this.#groups.at(-1);
		if (last) last.lastRule = this.#ruleCount;
		return {
			bytes,
			groups: this.#groups,
			sections: this.#sections,
			rules: this.#rules.subarray(0, this.#ruleCount * RULE_FIELDS),
			others: this.#others,
			remarks: this.#remarks,
			allowsAll,
		};
	}

	/** Where the last line that ends within the size limit does: half a rule could say the opposite of the whole one. */
	#wholeLines(): number {
		const bytes = this.#bytes;
		let end = this.#maxBytes;
		if (bytes[end] === LF || bytes[end] === CR) return end;
		while (end > 0 && bytes[end - 1] !== LF && bytes[end - 1] !== CR) end--;
		return end;
	}

	#skipBom(): number {
		const bytes = this.#bytes;
		const bom = [0xef, 0xbb, 0xbf];
		let length = 0;
		while (length < 3 && bytes[length] === bom[length]) length++;
		if (length < 3 && !this.#dialect.skipsPartialBom) return 0;
		if (length > 0) this.#remark("byte-order-mark", 1);
		return length;
	}

	/** Returns the number of lines. */
	#parseLines(from: number, end: number): number {
		const bytes = this.#bytes;
		const { nulEndsLine, maxLineBytes } = this.#dialect;
		let line = 0;
		for (let at = from; at < end; ) {
			const start = at;
			let colon = -1;
			let comment = -1;
			let nul = -1;
			// One pass over the line: most bytes are letters, which lie above all that matters here.
			for (; at < end; at++) {
				const byte = bytes[at] as number;
				if (byte > COLON) continue;
				if (byte === COLON) {
					if (colon < 0) colon = at;
				} else if (byte === LF || byte === CR) break;
				else if (byte === HASH) {
					if (comment < 0) comment = at;
				} else if (byte === 0 && nul < 0) nul = at;
			}
			line++;
			let stop = at;
			if (stop - start > maxLineBytes) {
				stop = start + maxLineBytes;
				this.#remark("line-truncated", line, String(maxLineBytes));
			}
			if (nul >= 0 && nul < stop && (comment < 0 || nul < comment)) {
				this.#remark("nul-byte", line);
				if (nulEndsLine) stop = nul;
			}
			if (comment >= 0 && comment < stop) stop = comment;
			this.#parseLine(start, colon < stop ? colon : -1, stop, line);
			at += bytes[at] === CR && bytes[at + 1] === LF && at + 1 < end ? 2 : 1;
		}
		return line;
	}

	#parseLine(from: number, colon: number, to: number, line: number): void {
		const bytes = this.#bytes;
		let start = from;
		let end = to;
		while (start < end && isSpace(bytes[start])) start++;
		while (end > start && isSpace(bytes[end - 1])) end--;
		if (start === end) return;
		if (end - start > MAX_LINE_BYTES)
			throw new RobotrieError(
				"limit-exceeded",
				`line ${line} of a robots.txt has ${end - start} bytes, more than ${MAX_LINE_BYTES}`,
			);
		let separator = colon;
		if (separator < 0) {
			separator = this.#missingColon(start, end);
			this.#remark("missing-colon", line, decodeText(bytes, start, end));
			if (separator < 0) return;
		}
		let nameEnd = separator;
		while (nameEnd > start && isSpace(bytes[nameEnd - 1])) nameEnd--;
		if (nameEnd === start) {
			this.#remark("empty-field", line, decodeText(bytes, start, end));
			return;
		}
		let value = separator + 1;
		while (value < end && isSpace(bytes[value])) value++;
		this.#field(start, nameEnd, value, end, line);
	}

	/** Where white space stands for the colon: between the two words of a line that has no more (google dialect), or -1. */
	#missingColon(start: number, end: number): number {
		if (!this.#dialect.lenientFields) return -1;
		const bytes = this.#bytes;
		const isBlank = (byte: number | undefined) => byte === SPACE || byte === 9;
		let separator = start;
		while (separator < end && !isBlank(bytes[separator])) separator++;
		if (separator === end) return -1;
		let second = separator;
		while (isBlank(bytes[second])) second++;
		for (let at = second; at < end; at++) if (isBlank(bytes[at])) return -1;
		return separator;
	}

	#field(
		start: number,
		nameEnd: number,
		value: number,
		end: number,
		line: number,
	): void {
		const bytes = this.#bytes;
		const lenient = this.#dialect.lenientFields;
		const field: Field = fieldOf(bytes, start, nameEnd, lenient);
		if (
			lenient &&
			field !== "other" &&
			!isUsualSpelling(bytes, start, nameEnd, field)
		) {
			this.#remark("misspelled-field", line, decodeText(bytes, start, nameEnd));
		}
		if (field === "user-agent") this.#agent(value, end, line);
		else if (field === "allow" || field === "disallow") {
			this.#rule(field === "allow", value, end, line);
		} else {
			const written = decodeText(bytes, start, nameEnd);
			this.#other(field, written, decodeText(bytes, value, end), line);
		}
	}

	#agent(value: number, end: number, line: number): void {
		if (this.#ruleSeen) {
			const last = this.#groups.at(-1);
			if (last) last.lastRule = this.#ruleCount;
			this.#groups.push({
				agents: [],
				firstRule: this.#ruleCount,
				lastRule: this.#ruleCount,
			});
			this.#ruleSeen = false;
		}
		if (this.#settingSeen) {
			this.#sections.push({ agents: [] });
			this.#settingSeen = false;
		}
		const text = decodeText(this.#bytes, value, end);
		// RFC 9309 §2.2.1; as in Google's library, "*" may be followed by white space and more.
		const global =
			text.startsWith("*") &&
			(text.length === 1 || isSpace(text.charCodeAt(1)));
		const tokens = global ? [] : productTokens(text, this.#dialect);
		if (!global && (text === "" || tokens[0] !== text.toLowerCase()))
			this.#remark("invalid-agent", line, text);
		const agent: AgentLine = { text, tokens, global, line };
		this.#groups.at(-1)?.agents.push(agent);
		this.#sections.at(-1)?.agents.push(agent);
	}

	#rule(allow: boolean, value: number, end: number, line: number): void {
		if (this.#groups.length === 0) {
			this.#remark(
				"rule-outside-group",
				line,
				`${allow ? "Allow" : "Disallow"}: ${decodeText(this.#bytes, value, end)}`,
			);
			return;
		}
		this.#ruleSeen = true;
		this.#settingSeen = true;
		if (value === end)
			this.#remark(allow ? "empty-allow" : "empty-disallow", line);
		else if (this.#bytes[value] !== 47 && this.#bytes[value] !== 42) {
			this.#remark(
				"pattern-without-slash",
				line,
				decodeText(this.#bytes, value, end),
			);
		}
		const at = this.#ruleCount++ * RULE_FIELDS;
		if (at === this.#rules.length) {
			const larger = new Int32Array(at * 2);
			larger.set(this.#rules);
			this.#rules = larger;
		}
		this.#rules[at] = value;
		this.#rules[at + 1] = end;
		this.#rules[at + 2] = allow ? 1 : 0;
		this.#rules[at + 3] = line;
	}

	#other(field: Field, written: string, value: string, line: number): void {
		const name = written.toLowerCase();
		if (field === "other") {
			const meant = misspelledField(name);
			if (meant) this.#remark("misspelled-field", line, written);
			else if (!knownOtherFields.has(name))
				this.#remark("unknown-field", line, written);
			else this.#value(name, written, value, line);
		}
		if (sectionFields.has(name)) this.#settingSeen = true;
		this.#others.push({
			field: field === "sitemap" ? field : name,
			value,
			line,
			group: this.#groups.length - 1,
			section: this.#sections.length - 1,
		});
	}

	/** Remarks upon a line of a field that some crawlers read. */
	#value(name: string, written: string, value: string, line: number): void {
		const text = `${written}: ${value}`;
		const reason = valueFault(name, value);
		if (reason !== undefined) {
			const code = name === "host" ? "invalid-host" : "invalid-value";
			this.#remarks.push({ code, line, text, reason });
		} else if (groupFields.has(name) && this.#groups.length === 0) {
			this.#remark("rule-outside-group", line, text);
		} else if (name === "host") {
			if (this.#hostSeen) this.#remark("repeated-host", line, text);
			this.#hostSeen = true;
		}
	}

	#remark(code: DiagnosticCode, line: number, text?: string): void {
		this.#remarks.push(
			text === undefined ? { code, line } : { code, line, text },
		);
	}
}
