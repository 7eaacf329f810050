/**
 * Files with URLs, as lines: lists, sitemaps, and tables as crawling tools and search consoles export them, of which the reader chooses the
 * column. The worker has decompressed them (read-file.ts). test-pane.ts loads it for the first file that is opened.
 */
import "./list-file.css";
import Papa from "papaparse";
import { counted, make } from "../../page/dom.ts";
import type { Answers, Foreign } from "../../page/messages.ts";

/** URLs, and what the reader should know of them. */
interface List {
	readonly text: string;
	readonly note?: string;
}

/**
 * The URLs of a file that was read, a line each; undefined if the reader chose no column.
 * @throws {Error} With a sentence, for what is no list.
 */
export async function listOf(
	file: File,
	{ bytes, foreign }: Answers["read"],
): Promise<List | undefined> {
	const text = decoded(bytes);
	if (/^\s*</.test(text)) {
		// A sitemap first: to the tests below it is markup, which is no list.
		const map = sitemapOf(text);
		if (map) return map;
	}
	const what = contentOf(bytes, foreign);
	if (what !== undefined)
		throw new Error(
			`${file.name} is no list of URLs but ${what}. Open a text with a URL on each line, a CSV file or a sitemap.`,
		);
	if (/^[ \t]*(?:user-agent|disallow)[ \t]*:/im.test(text))
		throw new Error(
			`${file.name} is no list of URLs but a robots.txt: open it on the card for robots.txt.`,
		);
	if (text.trim() === "")
		throw new Error(`${file.name} is empty: it holds no URL.`);
	return isTable(text, file.name)
		? columnOf(text, file.name)
		: { text: text.trimEnd() };
}

/** UTF-8, or what the byte order mark says. */
function decoded(bytes: Uint8Array): string {
	const [a, b] = bytes;
	const encoding =
		a === 0xff && b === 0xfe
			? "utf-16le"
			: a === 0xfe && b === 0xff
				? "utf-16be"
				: "utf-8";
	return new TextDecoder(encoding).decode(bytes);
}

/** What bytes are, if they are no text of lines. */
function contentOf(
	bytes: Uint8Array,
	foreign: Foreign | null,
): string | undefined {
	// With a byte order mark it was decoded.
	if (foreign?.code === "utf-16") {
		const [a, b, c, d] = bytes;
		const hasMark = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);
		if (!hasMark) return "UTF-16 without a byte order mark";
		return c === 0 && d === 0 ? "UTF-32" : undefined;
	}
	if (foreign) return foreign.what;
	return bytes.subarray(0, 8000).includes(0) ? "a binary file" : undefined;
}

/** The pages of a sitemap (XML, RSS or Atom), or the sitemaps of an index; undefined for any other markup. */
function sitemapOf(text: string): List | undefined {
	const [, kind] =
		/<(?:\w+:)?(urlset|sitemapindex|rss|feed)\b/.exec(text.slice(0, 4000)) ??
		[];
	if (kind === undefined) return undefined;
	const parse = (type: "text/xml" | "text/html") =>
		new DOMParser().parseFromString(text, type);
	const xml = parse("text/xml");
	const isBroken = xml.querySelector("parsererror") !== null;
	// Chromium's ends at the first error, Firefox has nothing then; markup is read to its end, as on the command line.
	const document = isBroken ? parse("text/html") : xml;
	const urls = ["loc", "link"]
		.flatMap((name) => [...document.getElementsByTagNameNS("*", name)])
		.filter(({ parentElement }) =>
			/^(?:url|sitemap|item|entry)$/.test(parentElement?.localName ?? ""),
		)
		.map((element) => element.getAttribute("href") ?? element.textContent)
		.map((address) => (address ?? "").trim())
		.filter((address) => address !== "");
	if (urls.length === 0) return undefined;
	const notes = [
		...(kind === "sitemapindex"
			? [
					`This is an index of ${counted(urls.length, "sitemap")}, and these are their URLs: open the sitemaps themselves for their pages.`,
				]
			: []),
		...(isBroken
			? [
					"This sitemap is not well-formed XML: crawlers may find fewer URLs in it than are shown here.",
				]
			: []),
	];
	return { text: urls.join("\n"), note: notes.join(" ") };
}

const url = /^(?:https?:\/\/|\/)\S/i;

/** Whether a text has columns: a list may have commas in its URLs. */
function isTable(text: string, name: string): boolean {
	const [first = ""] = text.trimStart().split(/[\r\n]/, 1);
	// A tab is in no URL; a comma may be, unless the name says that it is a table.
	if (/\t/.test(first) || /\.(?:csv|tsv)(?:\.gz|\.zst)?$/i.test(name))
		return true;
	return /[,;]/.test(first) && !url.test(first.replace(/^"/, ""));
}

/** Names of columns that hold pages in exports of Screaming Frog, Search Console, Ahrefs and their like. */
const usualNames =
	/^(?:address|(?:current |page |full |landing )?urls?|(?:top |landing )?pages?|loc|link)$/i;

/** A column of a table. */
interface Column {
	readonly name: string;
	readonly values: readonly string[];
	/** Of its values, those that look like URLs or paths. */
	readonly urls: number;
}

/** The column that the reader chooses; of a table of one column, that. */
async function columnOf(text: string, name: string): Promise<List | undefined> {
	// Excel's note of the separator.
	const rows = text.trim().replace(/^"?sep=.?"?\r?\n/i, "");
	const { data } = Papa.parse<string[]>(rows, {
		skipEmptyLines: "greedy",
	});
	const [first = [], ...rest] = data;
	const hasHeader = !first.some((value) => url.test(value.trim()));
	const body = hasHeader ? rest : data;
	const columns = first.map((title, i): Column => {
		// A cell may have line ends, which are not part of a URL.
		const values = body.map((row) =>
			(row[i] ?? "").replace(/[\r\n]/g, "").trim(),
		);
		return {
			name: hasHeader && title.trim() ? title.trim() : `column ${i + 1}`,
			values,
			urls: values.filter((value) => url.test(value)).length,
		};
	});
	if (!columns.some(({ urls }) => urls > 0))
		throw new Error(`${name} is a table without a column of URLs.`);
	// A usual name counts twice: beside the pages' own column, exports have others with as many URLs, such as canonical ones.
	const rank = ({ name: title, urls }: Column) =>
		urls * (usualNames.test(title) ? 2 : 1);
	const best = columns.reduce((a, b) => (rank(b) > rank(a) ? b : a));
	const chosen =
		columns.length === 1 ? best : await choose(columns, best, name);
	return chosen && { text: chosen.values.filter(Boolean).join("\n") };
}

/** Asks for a column; the best is chosen already. */
function choose(
	columns: readonly Column[],
	best: Column,
	name: string,
): Promise<Column | undefined> {
	return new Promise((resolve) => {
		const field = make(
			"select",
			{ id: "column" },
			...columns.map((column) =>
				make("option", {
					value: String(columns.indexOf(column)),
					textContent: `${column.name} (${counted(column.urls, "URL")})`,
					selected: column === best,
				}),
			),
		);
		const preview = make("pre");
		const show = () => {
			const { values = [] } = columns[Number(field.value)] ?? {};
			preview.textContent = values.slice(0, 4).join("\n");
		};
		field.addEventListener("change", show);
		show();
		const form = make(
			"form",
			{ method: "dialog" },
			make("p", {
				textContent: `${name} is a table of ${counted(columns.length, "column")} and ${counted(best.values.length, "row")}.`,
			}),
			make("label", {}, "URLs are in ", field),
			preview,
			make("button", { value: "take", textContent: "Take this column" }),
			" ",
			make("button", { value: "", textContent: "Cancel" }),
		);
		const dialog = make("dialog", { id: "choose-column", className: "card" });
		dialog.setAttribute("aria-label", "Choose the column with URLs");
		dialog.append(form);
		dialog.addEventListener("close", () => {
			resolve(
				dialog.returnValue === "take"
					? columns[Number(field.value)]
					: undefined,
			);
			dialog.remove();
		});
		document.body.append(dialog);
		dialog.showModal();
	});
}
