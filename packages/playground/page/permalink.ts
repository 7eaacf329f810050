/**
 * The page's state as the text of a link, and back. address.ts reads links; a worker packs them (judge-worker.ts). Links are kept by people
 * for years: a field is added as optional and never renamed or reused, and what comes from a link is checked as a stranger's text.
 */

/** Two files to compare. */
export interface ComparedFiles {
	readonly before: string | Uint8Array;
	readonly after: string | Uint8Array;
	/** Compare the subject's URLs, not paths derived from the rules that differ. */
	readonly byUrls: boolean;
}

/** All that a link carries. */
export interface PageState {
	readonly pane: string;
	readonly agent: string;
	/** "auto", or one that was chosen by hand. */
	readonly dialect: Dialect | "auto";
	/** A string, or bytes that are not UTF-8. */
	readonly robots: string | Uint8Array;
	readonly urls: string;
	/** How logs are audited, by the names of the form's fields; never the logs themselves. */
	readonly log: Readonly<Record<string, string>>;
	/** What is compared, where anything is. */
	readonly compare: ComparedFiles | undefined;
	/** The URL of the view with one question; "" where none was asked. */
	readonly ask: string;
	/** The path or URL of the view of AI crawlers; "" for the home page. */
	readonly ai: string;
}

/**
 * Bytes that a link may unpack to: what a page handles well. A kilobyte of deflate can unpack to a megabyte, so it is counted while
 * unpacking, not afterwards.
 */
const MOST_BYTES = 32 * 1024 * 1024;
/** Characters of a link that browsers still take, from the address bar and from what people paste it to. */
export const LONGEST_LINK = 1_500_000;

async function piped(
	bytes: Uint8Array<ArrayBuffer>,
	through: ReadableWritablePair<Uint8Array, BufferSource>,
): Promise<Uint8Array<ArrayBuffer>> {
	const chunks: Uint8Array<ArrayBuffer>[] = [];
	let size = 0;
	const reader = new Blob([bytes]).stream().pipeThrough(through).getReader();
	for (;;) {
		const { done, value } = await reader.read();
		if (done) break;
		size += value.length;
		if (size > MOST_BYTES) {
			await reader.cancel();
			throw new Error(`the link holds more than ${MOST_BYTES} bytes`);
		}
		chunks.push(new Uint8Array(value));
	}
	return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

function toBase64(bytes: Uint8Array): string {
	let text = "";
	// Engines limit the arguments of a call, some to 65,535.
	for (let at = 0; at < bytes.length; at += 32_768)
		text += String.fromCharCode(...bytes.subarray(at, at + 32_768));
	return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
	const plain = atob(text.replace(/-/g, "+").replace(/_/g, "/"));
	return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

/** A state as what stands behind "#" in a link: JSON, deflated, in base64url. */
export async function encodeState(state: PageState): Promise<string> {
	return toBase64(
		await piped(
			new TextEncoder().encode(stateToJson(state)),
			new CompressionStream("deflate-raw"),
		),
	);
}

export function stateToJson(state: PageState): string {
	const { robots, compare } = state;
	return JSON.stringify({
		...state,
		robots: packed(robots),
		...(compare && {
			compare: {
				...compare,
				before: packed(compare.before),
				after: packed(compare.after),
			},
		}),
	});
}

function packed(
	robots: string | Uint8Array,
): string | { readonly base64: string } {
	return typeof robots === "string" ? robots : { base64: toBase64(robots) };
}

/** @throws {Error} when it is no state. */
export async function decodeState(hash: string): Promise<PageState> {
	const bytes = await piped(
		fromBase64(hash.replace(/^#/, "")),
		new DecompressionStream("deflate-raw"),
	);
	return stateFromJson(new TextDecoder().decode(bytes));
}

/** @throws {Error} when it is no state. */
export function stateFromJson(json: string): PageState {
	const state: unknown = JSON.parse(json);
	if (typeof state !== "object" || state === null) throw new Error("no object");
	const { pane, agent, dialect, robots, urls, log, compare, ask, ai } =
		state as Record<string, unknown>;
	// A dialect that this version does not have cannot be guessed; an unknown pane is left to the tabs, which show the first.
	const known =
		dialect === "auto"
			? dialect
			: dialectNames.find((name) => name === dialect);
	if (
		typeof pane !== "string" ||
		typeof agent !== "string" ||
		typeof urls !== "string" ||
		!known
	)
		throw new Error("a part is missing");
	return {
		pane,
		agent,
		dialect: known,
		urls,
		robots: robotsOf(robots),
		log: textsOf(log),
		compare: compare === undefined ? undefined : filesOf(compare),
		// Older links have none.
		ask: typeof ask === "string" ? ask : "",
		ai: typeof ai === "string" ? ai : "",
	};
}

/** Links from before there was an audit have none of these. */
function textsOf(log: unknown): Readonly<Record<string, string>> {
	const entries = Object.entries((log ?? {}) as Record<string, unknown>);
	return Object.fromEntries(
		entries.filter(
			(entry): entry is [string, string] => typeof entry[1] === "string",
		),
	);
}

function filesOf(compare: unknown): ComparedFiles {
	const { before, after, byUrls } = compare as Record<string, unknown>;
	return {
		before: robotsOf(before),
		after: robotsOf(after),
		byUrls: byUrls === true,
	};
}

function robotsOf(robots: unknown): string | Uint8Array {
	if (typeof robots === "string") return robots;
	const { base64 } = robots as { base64?: unknown };
	if (typeof base64 !== "string") throw new Error("no robots.txt");
	return fromBase64(base64);
}

import { type Dialect, dialectNames } from "robotrie";
