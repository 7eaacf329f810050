/**
 * `robotrie lint --output sarif`: findings as SARIF 2.1.0, which code hosts show beside the lines of a change, with safe edits as fixes. lint.ts
 * calls it once, with all files. The test checks what comes out against the schema.
 */
import { isAbsolute, relative } from "node:path";
import { pathToFileURL } from "node:url";
import type { Edit, Finding, LintCode } from "robotrie/lint";
import { isSiteUrl } from "./input/robots-file.ts";

/** A file with its findings. */
export interface Linted {
	readonly file: string;
	readonly bytes: Uint8Array;
	readonly findings: readonly Finding[];
}

const levels = { error: "error", warning: "warning", info: "note" } as const;

/**
 * The log as an object, ready for JSON.
 * @param page The text of a code's page, in Markdown.
 */
export async function sarifOf(
	files: readonly Linted[],
	version: string,
	page: (code: LintCode) => Promise<string>,
): Promise<object> {
	// Sorted, so that the same findings make the same text, whichever file was read first.
	const codes = [
		...new Set(
			files.flatMap(({ findings }) => findings.map(({ code }) => code)),
		),
	].sort();
	const rules = await Promise.all(
		codes.map(async (code) => ruleOf(code, await page(code))),
	);
	return {
		$schema: "https://json.schemastore.org/sarif-2.1.0.json",
		version: "2.1.0",
		runs: [
			{
				tool: { driver: { name: "robotrie", version, rules } },
				// CR alone ends a line of a robots.txt, too.
				newlineSequences: ["\r\n", "\n", "\r"],
				columnKind: "utf16CodeUnits",
				results: files.flatMap((file) => {
					// Once a file: finding its lines reads all of it.
					const places = new Places(file.bytes);
					return file.findings.map((finding) =>
						resultOf(file, finding, codes.indexOf(finding.code), places),
					);
				}),
			},
		],
	};
}

/** A code with its page: what it means is the first paragraph. */
function ruleOf(code: LintCode, page: string): object {
	const text = (page.split(/\n\n+/)[1] ?? code).replace(/\s+/g, " ").trim();
	const [first = text] = /^.*?[.!?](?= |$)/.exec(text) ?? [];
	return {
		id: code,
		shortDescription: { text: first },
		fullDescription: { text },
		help: { text, markdown: page },
	};
}

function resultOf(
	{ file }: Linted,
	{ line, code, severity, message, relatedLine, edit }: Finding,
	ruleIndex: number,
	places: Places,
): object {
	const artifactLocation = { uri: uriOf(file) };
	const at = (startLine: number) => ({
		physicalLocation: { artifactLocation, region: { startLine } },
	});
	return {
		...{ ruleId: code, ruleIndex, level: levels[severity] },
		message: { text: withoutLinks(message) },
		locations: [at(line)],
		...(relatedLine === undefined
			? {}
			: { relatedLocations: [{ id: 1, ...at(relatedLine) }] }),
		// A tool may apply what is here without asking.
		...(edit === undefined || !edit.safe
			? {}
			: {
					fixes: [
						{
							description: { text: edit.why },
							artifactChanges: [
								{
									artifactLocation,
									replacements: [
										{
											deletedRegion: places.region(edit),
											insertedContent: { text: edit.text },
										},
									],
								},
							],
						},
					],
				}),
	};
}

/**
 * A message whose brackets are brackets: "[a](b)" in one is a link (SARIF 2.1.0 §3.11.6), and what a file says must not put links of its own
 * beside a change.
 */
function withoutLinks(message: string): string {
	return message.includes("](") ? message.replace(/[\\[\]]/g, "\\$&") : message;
}

/** A path from here, with slashes, as code hosts want it; a file: URL for one elsewhere. */
function uriOf(file: string): string {
	if (isSiteUrl(file)) return file;
	const path = isAbsolute(file) ? relative(process.cwd(), file) : file;
	return isAbsolute(path) || /^\.\.(?:[/\\]|$)/.test(path)
		? pathToFileURL(file).href
		: encodeURI(path.replaceAll("\\", "/")).replace(
				/[?#]/g,
				encodeURIComponent,
			);
}

const LF = 10;
const CR = 13;

/** Lines and columns of byte offsets. */
class Places {
	readonly #bytes: Uint8Array;
	readonly #starts: number[] = [0];

	constructor(bytes: Uint8Array) {
		this.#bytes = bytes;
		bytes.forEach((byte, at) => {
			if (byte === LF || (byte === CR && bytes[at + 1] !== LF))
				this.#starts.push(at + 1);
		});
	}

	region({ start, end }: Edit): object {
		const from = this.#place(start);
		const to = this.#place(end);
		return {
			...{ startLine: from.line, startColumn: from.column },
			...{ endLine: to.line, endColumn: to.column },
			...{ byteOffset: start, byteLength: end - start },
		};
	}

	/** Line and column, from 1, in UTF-16; a byte order mark counts for nothing, as SARIF has it. */
	#place(offset: number): { readonly line: number; readonly column: number } {
		let low = 0;
		let high = this.#starts.length;
		while (high - low > 1) {
			const middle = (low + high) >> 1;
			if ((this.#starts[middle] ?? 0) <= offset) low = middle;
			else high = middle;
		}
		const start = this.#starts[low] ?? 0;
		const before = new TextDecoder("utf-8", { ignoreBOM: low > 0 }).decode(
			this.#bytes.subarray(start, offset),
		);
		return { line: low + 1, column: before.length + 1 };
	}
}
