/**
 * URLs that are odd, and what a matcher of `Disallow: /p` and an index of one site with these rules say of them, in rfc9309. All packages are
 * asked (conformance/urls.jsonl), and docs/hosting.md shows the rows. They read origins by different parsers of the URL standard, of which some
 * refuse names that others take. None gives a verdict of another site.
 */
import { Verdict } from "../../src/index.ts";

/** Whose parser of URLs decides. */
export type Parser = "Node 24" | "Python" | "Java" | "Go";

export interface OddUrl {
	readonly kind: string;
	readonly url: string;
	/** The origin that the index holds. */
	readonly site: string;
	readonly matcher: Verdict;
	readonly index: Verdict;
	/** Here an index says Invalid. */
	readonly refusedBy: readonly Parser[];
}

const { Disallowed, Allowed, Unknown, Invalid } = Verdict;
const E = "http://e.example";

const odd = (
	kind: string,
	url: string,
	matcher: Verdict,
	index: Verdict,
	site = E,
	refusedBy: readonly Parser[] = [],
): OddUrl => ({ kind, url, site, matcher, index, refusedBy });

/** Ada 3, which Node 24 and the packages for Python and Java have; Node 20 and 22 have Ada 2. */
const ada3: readonly Parser[] = ["Node 24", "Python", "Java"];

export const oddUrls: readonly OddUrl[] = [
	odd("no host", "mailto:a@e.example", Invalid, Invalid),
	odd("no host", "data:,http://e.example/p", Invalid, Invalid),
	odd("no host", "blob:http://e.example/p", Invalid, Invalid),
	odd("no host", "view-source:http://e.example/p", Invalid, Invalid),
	odd("no host", "localhost:80/p", Invalid, Invalid),
	odd("no host", "file:///p", Invalid, Invalid),
	odd("no host", "http://", Invalid, Invalid),
	odd("a host in place of a path", "http:///p", Allowed, Allowed, "http://p"),
	odd("no scheme", "e.example/p", Invalid, Invalid),
	odd("a path", "//e.example/p", Allowed, Invalid),
	odd("a path", "/p", Disallowed, Invalid),
	odd("no text", "", Invalid, Invalid),
	odd("a host that is none", "http://[::1", Allowed, Invalid),
	odd("a host that is none", "http://exa mple/p", Disallowed, Invalid),
	odd("a host that is none", "http://256.1.1.1/p", Disallowed, Invalid),
	odd("a host that is none", "http://a.1/p", Disallowed, Invalid),
	odd("a host that is none", "http://a<b/p", Disallowed, Invalid),
	odd("a host that is none", "http://a%00b/p", Disallowed, Invalid),
	odd("a port that is none", "http://e.example:99999/p", Disallowed, Invalid),
	odd("a port that is none", "http://e.example:-1/p", Disallowed, Invalid),
	odd("the same origin", "HTTP://E.EXAMPLE:80/p", Disallowed, Disallowed),
	odd("the same origin", "http://u:s@e.example/p", Disallowed, Disallowed),
	odd("the same origin", "http:\\\\e.example\\p", Disallowed, Disallowed),
	odd("the same origin", "http:e.example/p", Disallowed, Disallowed),
	odd("the same origin", "http://ｅ.example/p", Disallowed, Disallowed),
	odd("the same origin", "http://%65.example/p", Disallowed, Disallowed),
	odd("another origin", "https://e.example/p", Disallowed, Unknown),
	odd("another origin", "http://e.example./p", Disallowed, Unknown),
	odd("another origin", "http://e.example:8080/p", Disallowed, Unknown),
	odd(
		"another spelling of an address",
		"http://0x50/p",
		Disallowed,
		Disallowed,
		"http://0.0.0.80",
	),
	odd(
		"a name that looks like an address",
		"http://+80/p",
		Disallowed,
		Unknown,
		"http://0.0.0.80",
		["Go"],
	),
	odd(
		"a name that looks like an address",
		"http://u@-1/p",
		Disallowed,
		Unknown,
		"http://255.255.255.255",
		["Go"],
	),
	odd(
		"a name that looks like an address",
		"http://u@0x+1/p",
		Disallowed,
		Unknown,
		"http://0.0.0.1",
		["Go"],
	),
	odd(
		"punycode of letters",
		"http://mü.example/p",
		Disallowed,
		Disallowed,
		"http://xn--m-eha.example",
	),
	odd("punycode of nothing", "http://u@xn--a/p", Disallowed, Invalid),
	odd(
		"punycode of ASCII",
		"http://u@xn--a-/p",
		Disallowed,
		Unknown,
		"http://a",
		[...ada3, "Go"],
	),
	odd(
		"ASCII marks beside other letters",
		"http://é!/p",
		Disallowed,
		Disallowed,
		"http://xn--!-9fa",
		["Go"],
	),
];
