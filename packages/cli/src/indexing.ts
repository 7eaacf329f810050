/**
 * `robotrie indexing`: what pages say about being indexed (fetch/indexing-rules.ts reads it) beside the verdict of robots.txt. A crawler that
 * may not fetch a page never sees its noindex: the sentence `meaning` says what follows.
 */
import type { Command } from "commander";
import {
	type Agent,
	type Explanation,
	RobotrieError,
	recognise,
} from "robotrie";
import type { HttpOutcome } from "robotrie/access";
import { parseUrl } from "#robotrie/common/arguments";
import { field } from "#robotrie/common/header-fields";
import { quote } from "#robotrie/common/quote";
import {
	type RequestOptions,
	requestOptions,
	requestSettings,
} from "./fetch/client-options.ts";
import type { Indexing, IndexingRule } from "./fetch/indexing-rules.ts";
import { openSource } from "./fetch/named-robots.ts";
import { urlsOf } from "./input/lines.ts";
import { type RobotsOptions, robotsOptions } from "./options/options.ts";
import {
	EXIT_FAILED,
	EXIT_FOUND,
	JsonList,
	paint,
	printable,
	tell,
	write,
} from "./output/output.ts";

interface IndexingOptions extends RobotsOptions, RequestOptions {
	readonly check?: boolean;
	readonly json?: boolean;
}

/** The crawler that is asked about if none is named. */
const DEFAULT_AGENT = "Googlebot";

/** Bytes of a page that are read: as many as Google's crawlers read of HTML. */
const MAX_PAGE_BYTES = 2 * 1024 * 1024;

export function addIndexing(program: Command): void {
	const command = program
		.command("indexing")
		// Whether a page may be indexed is a question to the page, whether a crawler sees it one to
		// robots.txt; both are needed for an answer.
		.usage("[--agent <name>] [--robots <file>] [options] [url...]")
		.description(
			"Fetches each page and shows what it says about being indexed, X-Robots-Tag and robots meta tags, beside the verdict of robots.txt: a crawler never sees the noindex of a page that it may not fetch.\n\nPages are fetched even if robots.txt disallows them to the crawler, as a person's browser would. Without --robots, each site's robots.txt is fetched too.",
		)
		.argument(
			"[url...]",
			"absolute http and https URLs; none: read from stdin, one per line",
		);
	for (const option of robotsOptions()) {
		if (option.attributeName() === "agent")
			option.description += ` (default: ${DEFAULT_AGENT})`;
		command.addOption(option);
	}
	for (const option of requestOptions()) command.addOption(option);
	command
		.option("--check", "exit with 1 if a noindex is never seen")
		.option(
			"--json",
			"write an array of { url, allowed, rule, reason, blockedUrl, status, failure, redirects, rules, directives, noindex, nofollow, seen, truncated, meaning }",
		)
		.addHelpText(
			"after",
			`
Exit codes: 0 done; 1 a page did not answer or, with --check, a noindex is never seen; 2 wrong options, an invalid URL or an address that is not public.

Examples:
  robotrie indexing https://example.com/old/
  robotrie indexing --agent bingbot --json https://example.com/a.pdf
  robotrie indexing --robots new-robots.txt --check < urls.txt`,
		)
		.action(indexing);
}

/** What is known of one page. */
interface Page {
	readonly url: string;
	readonly answer: Pick<Explanation, "allowed" | "rule" | "reason">;
	/** Of the page and what it redirects to, the first that may not be fetched. */
	readonly blockedUrl: string | null;
	readonly outcome: HttpOutcome;
	readonly rules: readonly IndexingRule[];
	readonly indexing: Indexing;
	readonly meaning: string;
}

async function indexing(
	urls: readonly string[],
	options: IndexingOptions,
): Promise<void> {
	const agents = options.agent ?? [DEFAULT_AGENT];
	// With --robots, one file decides about all pages; without it, each page's own.
	const source = await openSource(options, urls.length === 0, agents);
	const fetchPage = await pageFetcher(options, source.agent);
	const list = options.json ? new JsonList() : undefined;
	let separator = "";
	try {
		// A page's answer is written before the next one is fetched, so that a long list shows
		// progress.
		for await (const url of urlsOf(urls)) {
			try {
				const page = await examine(url, source, fetchPage, options);
				if (page === undefined) continue;
				const { outcome, indexing, blockedUrl } = page;
				if (
					outcome.failure ||
					(options.check && isNeverSeen(indexing, blockedUrl))
				)
					// Only the first code counts: a later page must not hide an earlier failure.
					process.exitCode ??= EXIT_FOUND;
				await write(list ? list.item(jsonOf(page)) : separator + textOf(page));
				separator = "\n";
			} catch (error) {
				if (!(error instanceof RobotrieError && error.code === "invalid-url"))
					throw error;
				tell(error.message);
				process.exitCode = EXIT_FAILED;
			}
		}
	} finally {
		await source.close();
	}
	if (list) await write(list.end());
}

type Source = Awaited<ReturnType<typeof openSource>>;
type FetchPage = (url: string) => Promise<HttpOutcome>;

/**
 * Fetches pages as the client fetches robots.txt: redirects, time, bytes and addresses are bounded.
 * The same client as for robots.txt: the same limits, the same refusal of private addresses.
 */
async function pageFetcher(
	options: RequestOptions,
	agent: Agent,
): Promise<FetchPage> {
	const { pageRequests } = await import("@robotrie/client/internal");
	return pageRequests(
		{ ...requestSettings(options), agent, maxBytes: MAX_PAGE_BYTES },
		"text/html, application/xhtml+xml, */*;q=0.8",
	);
}

/**
 * The verdict of the URL that is asked for, then of each page a redirect leads to: a crawler
 * follows them, and each may be disallowed.
 * @throws {RobotrieError} invalid-url.
 */
async function examine(
	url: string,
	source: Source,
	fetchPage: FetchPage,
	{ robots }: IndexingOptions,
): Promise<Page | undefined> {
	const parsed = parseUrl(url);
	if (parsed?.protocol !== "http:" && parsed?.protocol !== "https:")
		throw new RobotrieError(
			"invalid-url",
			`${quote(url)} is not an absolute http or https URL`,
		);
	// Credentials and fragments are not sent, so they are left out of the URL as well.
	parsed.username = parsed.password = parsed.hash = "";
	const answer = await verdictFor(url, source);
	if (answer === undefined) return undefined;
	const outcome = await fetchPage(parsed.href);
	if (outcome.failure?.code === "address-refused") {
		tell(
			`${url}: ${outcome.failure.message}. --allow-private-network asks such addresses.`,
		);
		process.exitCode = EXIT_FAILED;
		return undefined;
	}
	// The first URL that is disallowed decides: a crawler goes no further.
	let blockedUrl = answer.allowed ? null : url;
	for (const { url: target } of outcome.redirects ?? []) {
		if (blockedUrl !== null) break;
		// A file that was given says nothing about other sites.
		if (robots !== undefined && new URL(target).origin !== parsed.origin) break;
		const next = await verdictFor(target, source);
		if (next?.allowed === false) blockedUrl = target;
	}
	const { indexingFor, rulesOfHeader, rulesOfPage } = await import(
		"./fetch/indexing-rules.ts"
	);
	// Names in meta tags are matched against the crawler's tokens, not its header.
	const tokens = [source.agent]
		.flat()
		.flatMap((name) => recognise(name).tokens);
	const rules = [
		...rulesOfHeader(headerOf(outcome, "x-robots-tag")),
		...rulesOfPage(
			htmlOf(outcome),
			tokens.map((token) => token.toLowerCase()),
		),
	];
	const found = indexingFor(rules, tokens, Date.now());
	const agent = tokens[0] ?? DEFAULT_AGENT;
	const page = { url, answer, blockedUrl, outcome, rules, indexing: found };
	return { ...page, meaning: meaningOf(page, agent) };
}

/** What robots.txt says about a URL; undefined, with a message, where that is not known. */
async function verdictFor(
	url: string,
	source: Source,
): Promise<Page["answer"] | undefined> {
	const answer = await source.answer(url);
	if ("unknown" in answer) {
		tell(`${url}: ${answer.unknown}`);
		process.exitCode = EXIT_FAILED;
		return undefined;
	}
	const { allowed, rule, reason } =
		"explanation" in answer
			? answer.explanation
			: answer.robots.explain(url, source.agent);
	return { allowed, rule, reason };
}

/** A header of several lines is one line by now. */
function headerOf({ headers }: HttpOutcome, name: string): string {
	return field(headers, name) ?? "";
}

/**
 * The text of a page; empty for anything but HTML. Bytes are decoded as the answer says; the page's
 * own meta tags about its encoding are not looked at.
 */
function htmlOf(outcome: HttpOutcome): string {
	const { body } = outcome;
	const type = headerOf(outcome, "content-type");
	if (!body || !/html|^$/i.test(type)) return "";
	const label = /charset\s*=\s*"?([\w.:-]+)/i.exec(type)?.[1] ?? "utf-8";
	const [first, second] = body;
	const mark =
		first === 0xff && second === 0xfe
			? "utf-16le"
			: first === 0xfe && second === 0xff
				? "utf-16be"
				: label;
	try {
		return new TextDecoder(mark).decode(body);
	} catch {
		// An unknown encoding: tags are ASCII in nearly all of them.
		return new TextDecoder("latin1").decode(body);
	}
}

/** Blocked and noindex together mean that the noindex is never seen. */
function isNeverSeen(indexing: Indexing, blockedUrl: string | null): boolean {
	return blockedUrl !== null && indexing.noindex;
}

/**
 * The sentences that put both together. Sentences, not codes: what it means is the point of this
 * command.
 */
function meaningOf(
	{ url, blockedUrl, outcome, indexing }: Omit<Page, "meaning">,
	agent: string,
): string {
	const { failure, status = 0 } = outcome;
	if (failure) return `The page did not answer: ${failure.message}.`;
	const where =
		blockedUrl === null || blockedUrl === url
			? "this URL"
			: `${blockedUrl}, to which it redirects,`;
	if (isNeverSeen(indexing, blockedUrl))
		return `robots.txt disallows ${where} to ${agent}, so its noindex is never seen: it can still be indexed, without its content, if other pages link to it. Allow it, and noindex takes effect.`;
	if (blockedUrl !== null)
		return `robots.txt disallows ${where} to ${agent}: it can still be indexed, without its content, if other pages link to it. To keep it out of search results, allow it and answer noindex, or ask for a password.`;
	if (status < 200 || status > 299)
		return `${agent} may fetch this URL, but the answer is HTTP ${status}: there is no page to index.`;
	if (!indexing.noindex)
		return `${agent} may fetch this URL, and nothing asks not to index it.`;
	if (indexing.onlyOutsideHead)
		return `${agent} may fetch this URL, but its noindex stands outside the head, where it may be ignored: move the meta tag into the head.`;
	return `${agent} may fetch this URL and sees noindex: it stays out of search results.`;
}

function jsonOf({
	url,
	answer,
	blockedUrl,
	outcome,
	rules,
	indexing,
	meaning,
}: Page) {
	const { allowed, rule, reason } = answer;
	const { onlyOutsideHead: _, ...found } = indexing;
	return {
		url,
		allowed,
		rule,
		reason,
		blockedUrl,
		status: outcome.status ?? null,
		failure: outcome.failure ?? null,
		redirects: outcome.redirects ?? [],
		rules,
		...found,
		seen: blockedUrl === null && indexing.noindex && !outcome.failure,
		truncated: outcome.truncated ?? false,
		meaning,
	};
}

/** Every fact is a line of its own, so that grep finds it. */
function textOf({ url, answer, outcome, rules, meaning }: Page): string {
	const { allowed, rule } = answer;
	const verdict = allowed
		? paint("green", "allowed")
		: paint("red", "disallowed");
	const { redirects = [], status, truncated } = outcome;
	const details = [
		...(rule
			? [
					[
						"rule",
						`line ${rule.line}: ${rule.type === "allow" ? "Allow" : "Disallow"}: ${rule.pattern}`,
					],
				]
			: []),
		...redirects.map((hop) => ["redirect", `${hop.status} to ${hop.url}`]),
		...(status === undefined
			? []
			: [
					[
						"status",
						`${status}${truncated ? `, the first ${MAX_PAGE_BYTES} bytes` : ""}`,
					],
				]),
		...rules.map(({ source, agent, directives, line, inHead }) => [
			source === "meta" ? "meta" : "header",
			`${source === "meta" ? `line ${line}: ` : "X-Robots-Tag: "}${agent === "*" ? (source === "meta" ? "robots: " : "") : `${agent}: `}${directives.join(", ")}${inHead === false ? " (outside the head)" : ""}`,
		]),
		["meaning", meaning],
	];
	const lines = details.map(
		([label = "", text = ""]) =>
			`  ${paint("dim", label.padEnd(8))}  ${printable(text)}`,
	);
	return `${[`${verdict}  ${paint("bold", printable(url))}`, ...lines].join("\n")}\n`;
}
