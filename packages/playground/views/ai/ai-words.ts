/**
 * What is said of AI crawlers: whether each may do what it fetches for, by the rules and by Content-Signal and Content-Usage; groups of
 * crawlers with the same answer; and the sentences above them. ai-pane.ts shows them, ai-card.ts draws them.
 */
import type { Access, AiCrawler, AiKind, Said } from "../../page/messages.ts";

/** Each is a question that the marks below it answer. */
export const kindNames: Readonly<Record<AiKind, string>> = {
	"ai-training": "May train with it",
	"ai-search": "May answer with it",
	"ai-assistant": "May fetch it for a person",
	"ai-agent": "May act on it for a person",
	ai: "May fetch it, use unknown",
};

/** What the crawlers of a kind do, for sentences. */
const doing: Readonly<Record<AiKind, readonly [who: string, what: string]>> = {
	"ai-training": ["crawlers that collect texts for training", "train with"],
	"ai-search": ["crawlers of AI search", "answer with"],
	"ai-assistant": ["assistants that fetch for a person", "fetch"],
	"ai-agent": ["agents that act for a person", "fetch"],
	ai: ["AI crawlers whose use is unknown", "fetch"],
};

export const marks: Readonly<
	Record<Access, { readonly symbol: string; readonly className: string }>
> = {
	all: { symbol: "✓", className: "allowed" },
	parts: { symbol: "◐", className: "differing" },
	nothing: { symbol: "✕", className: "disallowed" },
};

/** What is said of the use that a crawler fetches for; nothing is of one that is unknown. */
function saidOf({ kind, training, answering }: AiCrawler): Said | null {
	if (kind === "ai") return null;
	return kind === "ai-training" ? training : answering;
}

/** How much a crawler may use for what it fetches for: a use that is refused leaves nothing of what it may fetch. */
export function answerOf(crawler: AiCrawler): Access {
	return saidOf(crawler)?.allowed === false ? "nothing" : crawler.access;
}

/** What a mark says; of one page there are no parts. */
export function wordOf(answer: Access, page: string): string {
	if (page === "") return answer;
	return answer === "nothing" ? "no" : "yes";
}

/** Crawlers of a kind with the same answer, for the same reason. */
export interface Group {
	readonly kind: AiKind;
	readonly first: AiCrawler;
	/** With the marks of those that may ignore robots.txt, or send no requests. */
	readonly names: string[];
	readonly reason: string;
	/** That decides. */
	readonly line: number | null;
}

/** A name and its marks. */
export function nameOf({
	name,
	obeysRobotsTxt,
	sendsRequests,
}: AiCrawler): string {
	return `${name}${obeysRobotsTxt ? "" : "*"}${sendsRequests ? "" : "†"}`;
}

/** By kind, and those that may do most first. */
export function groupsOf(crawlers: readonly AiCrawler[]): readonly Group[] {
	const groups = new Map<string, Group>();
	for (const crawler of crawlers) {
		const { kind, dialect, access, line } = crawler;
		const said = saidOf(crawler);
		const isRefused = access !== "nothing" && said?.allowed === false;
		const reason = isRefused
			? "may fetch it, but the use is refused"
			: said?.allowed && access !== "nothing"
				? "the use is permitted"
				: "";
		const decides = isRefused ? said.line : line;
		const answer = answerOf(crawler);
		const key = [kind, answer, reason, decides, dialect].join();
		const known = groups.get(key);
		if (known) known.names.push(nameOf(crawler));
		else
			groups.set(key, {
				...{ kind, first: crawler, names: [nameOf(crawler)], reason },
				line: decides,
			});
	}
	const order = Object.keys(marks);
	return [...groups.values()].sort(
		(a, b) =>
			order.indexOf(answerOf(a.first)) - order.indexOf(answerOf(b.first)),
	);
}

/** A sentence for each kind: "None of the 24 crawlers that collect texts for training may train with example.com." */
export function sentencesOf(
	crawlers: readonly AiCrawler[],
	{ page, site }: { readonly page: string; readonly site: string },
): readonly string[] {
	const whole = site || "this site";
	return Object.entries(doing).map(([kind, [who, what]]) => {
		const own = crawlers.filter((crawler) => crawler.kind === kind);
		const count = (access: Access) =>
			own.filter((crawler) => answerOf(crawler) === access).length;
		const [all, parts, nothing] = [
			count("all"),
			count("parts"),
			count("nothing"),
		] as [number, number, number];
		if (page !== "")
			return `${ofAll(all, own.length, who)} may ${what} ${page}.`;
		if (nothing === own.length)
			return `None of the ${own.length} ${who} may ${what} anything of ${whole}.`;
		if (parts === 0)
			return `${ofAll(all, own.length, who)} may ${what} all of ${whole}.`;
		const counts = [
			all > 0 && `${all} may ${what} all of ${whole}`,
			`${parts} ${all > 0 ? "" : `may ${what} `}parts of ${all > 0 ? "it" : whole}`,
			nothing > 0 && `${nothing} nothing`,
		].filter(Boolean);
		if (parts === own.length)
			return `All ${own.length} ${who} may ${what} parts of ${whole}.`;
		return `Of the ${own.length} ${who}, ${counts.slice(0, -1).join(", ")} and ${counts.at(-1)}.`;
	});
}

function ofAll(some: number, all: number, who: string): string {
	if (some === all) return `All ${all} ${who}`;
	return `${some === 0 ? "None" : some} of the ${all} ${who}`;
}
