/**
 * All that goes between the page and the worker of judge-worker.ts: the kinds of questions, and what answers hold. The panes draw these
 * types and decide nothing. A new kind is an entry of Answers: the worker does not compile without an answer to it. All values must be such
 * as postMessage can clone.
 */
import type {
	Crawler,
	CrawlerKind,
	Dialect,
	Explanation,
	Rule,
	SortedRule,
	Verdict,
} from "robotrie";
import type { FileComparison } from "robotrie/compare";
import type { JumpTable } from "robotrie/disassemble";

import type { Edit, Finding } from "robotrie/lint";
import type { ComparedFiles, PageState } from "./permalink.ts";

/** The crawler that everything is about, and the dialect: one that was chosen by hand, or "auto" for that of each crawler's operator. */
export interface Setting {
	readonly agent: string;
	readonly dialect: Dialect | "auto";
}

/** Lines of robots.txt, from 1, both included. */
export interface LineRange {
	readonly from: number;
	readonly to: number;
}

/** A group that the crawler obeys, or one that loses to it, and why. */
export interface GroupNote extends LineRange {
	readonly applies: boolean;
	readonly note: string;
}

/** Whose name or User-Agent header the crawler's field holds. */
export interface Recognised {
	/** What the field held. */
	readonly agent: string;
	readonly crawler: Crawler | undefined;
	/** Its product token, "" without one. */
	readonly token: string;
}

/**
 * In `Judgement.marks`, a byte for each line: DIFFERS is a bit above all verdicts, set where dialects differ, and BLANK stands for an empty
 * line. Bytes, as there may be millions of lines.
 */
export const DIFFERS = 0x10;
export const BLANK = 0xff;

/** What bulk matching found. */
export interface Judgement {
	/** For every line the verdict of the crawler's dialect, or the chosen one, perhaps with DIFFERS; BLANK where the line is empty. */
	readonly marks: Uint8Array<ArrayBuffer>;
	/** Lines by their marks; those that differ count twice. */
	readonly counts: VerdictCounts;
	/** In which the verdicts are. */
	readonly dialect: Dialect;
	/** It was chosen by hand. */
	readonly byHand: boolean;
	/** The one of the crawler's operator. */
	readonly own: Dialect;
	/** For each dialect: lines that it judges otherwise. */
	readonly differences: Readonly<Record<Dialect, number>>;
	/** Bytes of robots.txt. */
	readonly robotsSize: number;
	readonly recognised: Recognised;
	/** The groups that apply to the crawler, and those that could have. */
	readonly groups: readonly GroupNote[];
	/** The rules that it obeys in the order in which they decide, and how many there are of them. */
	readonly sorted: {
		readonly rules: readonly SortedRule[];
		readonly total: number;
	};
	/** Bytes of its byte-code. */
	readonly programSize: number;
}

/** What a line can be. */
export const verdictKinds = [
	"allowed",
	"disallowed",
	"invalid",
	"differing",
] as const;
export type VerdictKind = (typeof verdictKinds)[number];
export type VerdictCounts = Readonly<Record<VerdictKind, number>>;

/** Not the library's values: what imports a value of it is bundled with the module, which the page's first load can do without. */
const ALLOWED = 1 satisfies typeof Verdict.Allowed;
const DISALLOWED = 0 satisfies typeof Verdict.Disallowed;

export function verdictName(
	verdict: number,
): Exclude<VerdictKind, "differing"> {
	if (verdict === ALLOWED) return "allowed";
	return verdict === DISALLOWED ? "disallowed" : "invalid";
}

/** A rule that matches, and by how much. */
export interface MatchingRule {
	readonly type: "allow" | "disallow";
	readonly pattern: string;
	readonly line: number;
	/** Bytes that count for precedence. */
	readonly bytes: number;
}

/** Why a URL is judged as it is. */
export interface Details {
	readonly url: string;
	/** In which it is judged, and whether that was chosen by hand. */
	readonly dialect: Dialect;
	readonly byHand: boolean;
	readonly byDialect: Readonly<Record<Dialect, Explanation | null>>;
	/** Rules that match in the chosen dialect, the deciding one first. */
	readonly matching: readonly MatchingRule[];
	/** There are more of them. */
	readonly more: boolean;
}

/** A line of a disassembled program. */
export interface Instruction {
	/** As `disassemble` has it. */
	readonly text: string;
	/** Where it stands in the program, -1 for a remark. */
	readonly offset: number;
	/** The line of the rule that it stands for, 0 for none. */
	readonly line: number;
}

/** A crawler's program, beside its rules. */
export interface Listing {
	/** In the order of the file; ranks from 1 on. */
	readonly rules: readonly (Rule & { readonly rank: number })[];
	/** How many rules the program has: those, and in most dialects that /robots.txt itself is allowed. */
	readonly ranks: number;
	readonly instructions: readonly Instruction[];
	readonly tables: readonly JumpTable[];
	/** Bytes. */
	readonly size: number;
}

/** An instruction about to run. */
export interface Step {
	/** Where it stands in the program. */
	readonly offset: number;
	/** Bytes of the path that have been passed. */
	readonly at: number;
	/** The rank of the best rule so far, 0 for none. */
	readonly best: number;
}

/** A path's way through a program. */
export interface Trace {
	/** In the normal form that byte-code compares. */
	readonly path: string;
	readonly steps: readonly Step[];
	/** There are more of them. */
	readonly more: boolean;
	/** How many instructions ran. */
	readonly count: number;
	/** Bytes that searches for literals of wildcards went over, those of tables included. */
	readonly searched: number;
	readonly verdict: "allowed" | "disallowed" | "invalid";
	/** The deciding rule's rank, 0 for none. */
	readonly rank: number;
}

export interface Comparison extends FileComparison {
	/** Lines that are no URLs. */
	readonly leftOut: number;
	/** That a file is no robots.txt, as sentences. */
	readonly problems: readonly string[];
}

/** How verdicts are written down: as `robotrie match` writes them, or as rows of which each has all dialects. */
export type ListFormat = "text" | "csv" | "ndjson";

/** Which lines, and how. */
export interface ListRequest {
	readonly format: ListFormat;
	/** All lines without one. */
	readonly only: VerdictKind | undefined;
}

/** A crawler that is judged alike with others of its kind. */
export interface CrawlerVerdict {
	readonly name: string;
	readonly kind: CrawlerKind;
	readonly obeysRobotsTxt: boolean;
	/** In which robots.txt was read for it. */
	readonly dialect: Dialect;
	/** How many of the lines that are not empty; of one URL it is one in all. */
	readonly counts: Readonly<
		Record<"allowed" | "disallowed" | "invalid", number>
	>;
	/** What decides about one URL. */
	readonly rule: Rule | null;
}

/** What AI crawlers fetch for. */
export type AiKind = Extract<CrawlerKind, "ai" | `ai-${string}`>;

/** What a Content-Signal or Content-Usage line says of a use. */
export interface Said {
	readonly allowed: boolean;
	readonly line: number;
}

/** How much a crawler may fetch: of the site, or of the page that was asked about, which has no parts. */
export type Access = "all" | "parts" | "nothing";

/** What a crawler of AI may do with the site, or with a page. */
export interface AiCrawler {
	readonly name: string;
	readonly operator: string;
	readonly kind: AiKind;
	readonly obeysRobotsTxt: boolean;
	/** False of a token that only says what may be done with what others fetch. */
	readonly sendsRequests: boolean;
	/** In which robots.txt was read for it. */
	readonly dialect: Dialect;
	readonly access: Access;
	/** The line that decides; of those that keep parts from it, the one that keeps all, or the first; null without one. */
	readonly line: number | null;
	/** What is said of training and of use in answers; null where nothing is. */
	readonly training: Said | null;
	readonly answering: Said | null;
}

/** What the view of AI crawlers shows. */
export interface AiAnswer {
	/** The host that the Sitemap lines name, if it is one; "" otherwise. */
	readonly site: string;
	readonly crawlers: readonly AiCrawler[];
}

/** What a file is that is no text of lines. */
export interface Foreign {
	/** Of the finding, and its sentence about a robots.txt. */
	readonly code: string;
	readonly message: string;
	/** "a PDF document". */
	readonly what: string;
}

/** What a worker is asked, and what it answers. */
export interface Answers {
	judge: Judgement;
	explain: Details;
	/** The same for the view of one URL, whose questions take no turn of the Test pane's. */
	ask: Details;
	/** Crawlers of AI, about the site, or one page. @throws {Error} when the file is no robots.txt. */
	ai: AiAnswer;
	lint: readonly Finding[];
	/** The file after one edit, or all that are safe. */
	fix: {
		readonly robots: string | Uint8Array;
		/** How many findings were repaired, and why none was. */
		readonly fixed: number;
		readonly refused: string | undefined;
		/** What an edit that is not safe would change: a sentence to ask with. */
		readonly question: string | undefined;
	};
	/** A file's bytes, decompressed, and what it is. */
	read: { readonly bytes: Uint8Array; readonly foreign: Foreign | null };
	/** What bytes are. */
	foreign: Foreign | null;
	listing: Listing;
	trace: Trace;
	crawlers: readonly Crawler[];
	compare: Comparison;
	/** Verdicts as a file. */
	list: Blob;
	/** All known crawlers' verdicts, on one URL or all lines; null for what is no URL. */
	who: readonly CrawlerVerdict[] | null;
	/** What follows "#" in a link. */
	link: string;
}

export type Kind = keyof Answers;

/** What a question of some kind needs besides the subject. */
export interface Particulars {
	/** The URL to explain, to take through the byte-code, or to ask about for all crawlers. */
	readonly url?: string;
	readonly list?: ListRequest;
	/** The file to read, or the bytes to look at. */
	readonly file?: File;
	readonly bytes?: Uint8Array;
	/** The edit to apply; without one all are. */
	readonly edit?: Edit;
	/** The part of a link that is neither the setting nor the subject. */
	readonly link?: Pick<PageState, "pane" | "log" | "compare" | "ask" | "ai">;
	readonly files?: ComparedFiles;
}

/** `robots` and `urls` come only when they have changed since the last question to the same worker. */
export interface Question extends Setting, Particulars {
	readonly id: number;
	readonly kind: Kind;
	readonly robots?: string | Uint8Array;
	readonly urls?: string;
	/** Of the list only URLs of this host are judged, and paths: robots.txt is a sample's. */
	readonly only?: string | undefined;
}

export interface Answer {
	readonly id: number;
	readonly result?: Answers[Kind];
	readonly error?: string;
}
