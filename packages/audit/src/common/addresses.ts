/**
 * IP addresses: whether a request comes from the published ranges of the crawler that it names (AddressBook), and whose address counts when
 * proxies stand in front of the server (ClientAddresses). EntryClients asks both for each request that something depends on; an address comes
 * again and again, so answers are remembered.
 */

import ipaddr from "ipaddr.js";
import { findCrawler, RobotrieError } from "robotrie";
import { check } from "#robotrie/common/arguments";
import { textKind } from "#robotrie/common/kinds";
import { quote } from "#robotrie/common/quote";

/** An IP address as a number. */
interface Address {
	/** Bits: 32 or 128. */
	readonly width: number;
	/** Bits above the width are 0. A bigint, as an IPv6 address does not fit a double. */
	readonly value: bigint;
}

const FOUR_PARTS = /^\d+(?:\.\d+){3}$/;

/** Whether a text is an IPv4 address in four decimal parts, or an IPv6 address (RFC 4291 §2.2). */
export function isAddress(text: string): boolean {
	if (text.includes(":")) return ipaddr.IPv6.isValid(text);
	// ipaddr.js asks by an exception, which takes 50 µs: as long as 200 lines of a log.
	return FOUR_PARTS.test(text) && ipaddr.IPv4.isValidFourPartDecimal(text);
}

/** The bits before an IPv4 address that is mapped to IPv6, "::ffff:192.0.2.1" (RFC 4291 §2.5.5.2). */
const MAPPED = 0xffffn;

/** A text as an address, undefined if it is none. A mapped IPv4 address is an IPv4 address, as servers log either form. */
export function addressOf(text: string): Address | undefined {
	if (!isAddress(text)) return undefined;
	const bytes = ipaddr.parse(withoutDots(text)).toByteArray();
	const value = bytes.reduce(
		(number, byte) => (number << 8n) | BigInt(byte),
		0n,
	);
	const isMapped = bytes.length === 16 && value >> 32n === MAPPED;
	// Without this, "::ffff:192.0.2.1", as dual-stack servers log it, would be in no published range.
	return isMapped
		? { width: 32, value: value & 0xffffffffn }
		: { width: bytes.length * 8, value };
}

/** The name of the autonomous system that an address is in, such as "AS15169 Google LLC"; undefined if it is not known. */
export type NetworkNames = (address: string) => string | undefined;

/** Writes the last four bytes of an IPv6 address in hexadecimal: ipaddr.js reads "::1.2.3.4" as "::ffff:1.2.3.4". */
function withoutDots(text: string): string {
	if (!text.includes(":")) return text;
	return text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes) => {
		const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
		return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
	});
}

/** A set of address ranges, by the number of bits given: a look-up takes a step for each different number, not for each range. */
export class AddressRanges {
	/**
	 * By the width of addresses, then by the bits given: the values of these bits. Ranges of one
	 * length are one Set, so that a look-up costs as many probes as there are lengths, however many
	 * ranges a cloud provider publishes.
	 */
	readonly #byWidth = new Map<number, Map<number, Set<bigint>>>();

	/** @param prefix A text that `isPrefix` accepts. */
	add(prefix: string): void {
		const range = prefixOf(prefix);
		if (!range) return;
		const { width, value, bits } = range;
		const byBits = this.#byWidth.get(width) ?? new Map<number, Set<bigint>>();
		this.#byWidth.set(width, byBits);
		const values = byBits.get(bits) ?? new Set();
		byBits.set(bits, values.add(value >> BigInt(width - bits)));
	}

	// Asked only for addresses that are not remembered, so that a loop over lengths is fast enough;
	// no tree of prefixes is needed.
	has({ width, value }: Address): boolean {
		for (const [bits, values] of this.#byWidth.get(width) ?? [])
			if (values.has(value >> BigInt(width - bits))) return true;
		return false;
	}
}

/** Whether a text is an address or a range of them: "192.0.2.0/24", "2001:db8::/32". */
export function isPrefix(text: string): boolean {
	return prefixOf(text) !== undefined;
}

/** A range of addresses, undefined if a text is none: those that share the first `bits` with `value`, whose other bits may be set. */
export function prefixOf(
	text: string,
): (Address & { readonly bits: number }) | undefined {
	const [start = "", length, ...rest] = text.split("/");
	const address = rest.length > 0 ? undefined : addressOf(start);
	if (!address) return undefined;
	const { width, value } = address;
	if (length === undefined) return { width, value, bits: width };
	// The length of a mapped IPv4 range counts the 96 bits in front as well.
	const most = start.includes(":") ? 128 : 32;
	if (!/^\d{1,3}$/.test(length) || Number(length) > most) return undefined;
	return { width, value, bits: Math.max(Number(length) - (most - width), 0) };
}

/** Bits of a network: about what providers assign to one customer. */
const NETWORK = { 32: 24, 128: 48 } as const;

/** A hashed address of `Anonymizer`, whose first part is its network. */
const HASHED = /^(ip[46]-[\da-f]{12})-[\da-f]{12}$/;

/** The network of an address: its /24 for IPv4, its /48 for IPv6. Returns a text that is no address as it is. */
export function networkOf(text: string): string {
	const address = addressOf(text);
	if (!address) return HASHED.exec(text)?.[1] ?? text;
	const bits = NETWORK[address.width as 32 | 128];
	// Several addresses of one customer share a network, so that a report by network shows a fleet of
	// crawlers as one row.
	const rest = BigInt(address.width - bits);
	const bytes = bytesOf((address.value >> rest) << rest, address.width / 8);
	return `${ipaddr.fromByteArray(bytes)}/${bits}`;
}

/** The bytes of an address that `isAddress` accepts, and those of its network. */
export function addressParts(text: string): {
	readonly width: number;
	readonly network: readonly number[];
	readonly bytes: readonly number[];
} {
	const { width, value } = addressOf(text) as Address;
	const bytes = bytesOf(value, width / 8);
	return {
		width,
		network: bytes.slice(0, NETWORK[width as 32 | 128] / 8),
		bytes,
	};
}

/**
 * An address of the public internet in its usual notation, that of IPv4 if it is mapped; undefined for a private or reserved one, of which public
 * DNS says nothing.
 */
export function publicAddress(text: string): string | undefined {
	const plain = plainAddress(text);
	return plain?.range() === "unicast" ? plain.toString() : undefined;
}

/** Ranges of networks that no crawler comes from: a proxy of the site's own has such an address. */
const PRIVATE: ReadonlySet<string> = new Set([
	"private",
	"loopback",
	"linkLocal",
	"uniqueLocal",
	"carrierGradeNat",
	"unspecified",
]);

/** Whether a text says nothing about who sent a request: it is no address, or that of a proxy. */
function tellsNothing(text: string): boolean {
	const address = plainAddress(text);
	return address === undefined || PRIVATE.has(address.range());
}

/** An IPv4 address if it is a mapped one. */
function plainAddress(text: string) {
	const address = addressOf(text);
	if (!address) return undefined;
	const { width, value } = address;
	return ipaddr.fromByteArray(bytesOf(value, width / 8));
}

/** The bytes of an address, first byte first, for ipaddr.js. */
function bytesOf(value: bigint, length: number): number[] {
	return Array.from({ length }, (_, at) =>
		Number((value >> BigInt(8 * (length - 1 - at))) & 255n),
	);
}

/** The addresses that an operator publishes for a crawler. Plain data, so that it can be sent to other threads. */
export interface RangeSource {
	/** The crawler's name, in any case; undefined for all crawlers without ranges of their own. */
	readonly name: string | undefined;
	/** "192.0.2.0/24", "2001:db8::/32" */
	readonly prefixes: readonly string[];
}

/**
 * Reads a file of address ranges as operators publish them: JSON with a list of ranges (`{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}`,
 * `{"ips": [{"ip_address": "192.0.2.1"}]}`, `["192.0.2.0/24"]`), a text with one a line, or a page in HTML with ranges in it. A file named after a crawler
 * ("gptbot.json") is for that one, unless `name` says otherwise.
 * @example
 * parseRanges('{"prefixes": [{"ipv4Prefix": "192.0.2.0/24"}]}', "gptbot.json"); // { name: "gptbot", prefixes: ["192.0.2.0/24"] }
 * @throws {RobotrieError} invalid-argument, for a text that is not such a file.
 */
export function parseRanges(
	text: string,
	file: string,
	name?: string,
): RangeSource {
	check("text", text, textKind);
	check("file", file, textKind);
	if (name !== undefined) check("name", name, textKind);
	const crawler = name ?? crawlerOfFile(file);
	const fail = (reason: string): never => {
		throw new RobotrieError(
			"invalid-argument",
			`${file} is not a file of address ranges: ${reason}`,
		);
	};
	const plain = text.replace(/^\ufeff/, "").trim();
	const prefixes = /^[[{]/.test(plain)
		? rangesOfJson(plain, fail)
		: plain.startsWith("<")
			? rangesOfPage(plain)
			: rangesOfLines(plain, fail);
	if (prefixes.length === 0 && !/^[[{]/.test(plain)) fail("it has no ranges");
	return { name: crawler?.toLowerCase(), prefixes };
}

/** Keys of lists of ranges, and of the range in an element of a list. */
const LISTS =
	/^(?:(?:ipv[46]_?)?prefixes|(?:ip_?)?(?:addresses|ranges)|cidrs?|ips|ipv[46])$/i;
const RANGE = /^(?:(?:ipv?[46]?_?)?(?:prefix|address|range)|ip|cidr)$/i;

function rangesOfJson(
	text: string,
	fail: (reason: string) => never,
): readonly string[] {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		fail("it is not JSON");
	}
	const lists = Array.isArray(value)
		? [value]
		: Object.entries((value ?? {}) as Record<string, unknown>).flatMap(
				([key, list]) => (LISTS.test(key) && Array.isArray(list) ? [list] : []),
			);
	if (lists.length === 0) fail('it has no "prefixes" or "ips"');
	return lists.flat().map((entry: unknown) => {
		const range: unknown =
			typeof entry === "string"
				? entry
				: Object.entries((entry ?? {}) as Record<string, unknown>).find(
						([key]) => RANGE.test(key),
					)?.[1];
		return typeof range === "string" && isPrefix(range)
			? range
			: fail(`${quote(JSON.stringify(entry))} is not a range`);
	});
}

/** One range a line, perhaps with a comment behind it. */
function rangesOfLines(
	text: string,
	fail: (reason: string) => never,
): readonly string[] {
	return text.split(/\r\n|\r|\n/).flatMap((line) => {
		const range = line.replace(/[#;].*|\/\/.*/, "").trim();
		if (range === "") return [];
		return isPrefix(range) ? [range] : fail(`${quote(range)} is not a range`);
	});
}

/** Ranges with a length, as a page may have versions that look like addresses. */
function rangesOfPage(html: string): readonly string[] {
	const words = html.replace(/<[^>]*>/g, " ").split(/[^\da-f:./]+/i);
	return [...new Set(words)].filter(
		(word) => word.includes("/") && isPrefix(word),
	);
}

/** The crawler that a file is named after, undefined if no crawler is known by that name. */
function crawlerOfFile(file: string): string | undefined {
	const name = file.split(/[/\\]/).at(-1) ?? "";
	return findCrawler(name.replace(/\.\w+$/, ""))?.name;
}

/** Answers that are remembered; a crawler has some thousand addresses. */
const MAX_REMEMBERED = 50_000;

/**
 * Remembers the answers to questions about two texts. Forgets all of them when there are too many:
 * unlike an LRU (RecentMap in the client) it does no bookkeeping when an answer is used, which
 * happens for each request, and finding all answers anew is rare. Answers may be undefined, so
 * `has` decides whether one is known.
 */
class Remembered<Answer> {
	readonly #answers = new Map<string, Answer>();
	readonly #find: (first: string, second: string) => Answer;

	constructor(find: (first: string, second: string) => Answer) {
		this.#find = find;
	}

	/** The answer to a question, found only if it is not remembered. */
	of(first: string, second: string): Answer {
		// Fields of a line contain no line feed, so that different questions have different keys.
		const key = `${first}\n${second}`;
		const known = this.#answers.get(key);
		if (known !== undefined || this.#answers.has(key)) return known as Answer;
		const answer = this.#find(first, second);
		// Emptying the map at once bounds memory without an order of use to keep.
		if (this.#answers.size >= MAX_REMEMBERED) this.#answers.clear();
		this.#answers.set(key, answer);
		return answer;
	}
}

/** The same answers, found only if they are not remembered; mapped IPv4 addresses are asked for as such, as few databases have both. */
export function remembered(find: NetworkNames): NetworkNames {
	const answers = new Remembered((address: string) =>
		find(plainAddress(address)?.toString() ?? address),
	);
	return (address) => answers.of(address, "");
}

/**
 * How DNS is asked: `Resolver` of node:dns/promises does it. All reject with an error whose `code` is "ENOTFOUND" or "ENODATA" where DNS says that
 * there is nothing; any other error counts as no answer.
 */
export interface DnsLookups {
	/** PTR records: of "1.2.0.192.in-addr.arpa", the host names of 192.0.2.1. */
	resolvePtr(name: string): Promise<readonly string[]>;
	/** The IPv4 addresses of a host name. */
	resolve4(hostname: string): Promise<readonly string[]>;
	/** Its IPv6 addresses. */
	resolve6(hostname: string): Promise<readonly string[]>;
}

/** Knows crawlers' addresses without ranges: `ResolvedAddresses` does, by what DNS said. */
export interface AddressVerifier {
	/** Whether it can say anything about a crawler. */
	knows(name: string): boolean;
	verify(name: string, address: string): Verification;
}

/**
 * Knows which addresses are a crawler's: by the ranges that the user gave, else by what reverse DNS said (`ResolvedAddresses`). Nothing is fetched
 * here.
 */
export class AddressBook {
	readonly #resolved: AddressVerifier | undefined;
	readonly #lists = new Map<string | undefined, AddressRanges>();
	readonly #remembered = new Remembered((name: string, address: string) =>
		this.#find(name, address),
	);

	/** @param resolved Answers for crawlers without ranges; undefined to know none. */
	constructor(sources: readonly RangeSource[], resolved?: AddressVerifier) {
		this.#resolved = resolved;
		for (const { name, prefixes } of sources) {
			const key = name?.toLowerCase();
			const list = this.#lists.get(key) ?? new AddressRanges();
			this.#lists.set(key, list);
			for (const prefix of prefixes) list.add(prefix);
		}
	}

	/** Whether the crawler has ranges, or can be verified by reverse DNS. */
	knows(name: string): boolean {
		return this.#hasRanges(name) || this.#resolved?.knows(name) === true;
	}

	#hasRanges(name: string): boolean {
		return this.#lists.has(name.toLowerCase()) || this.#lists.has(undefined);
	}

	/** Whether an address is one of the crawler's; "unknown" without an address. */
	verify(name: string, address: string | undefined): Verification {
		if (address === undefined) return "unknown";
		// Lists are what the operator says today; a name in DNS may be older.
		if (this.#resolved && !this.#hasRanges(name))
			return this.#resolved.verify(name, address);
		if (this.#remembered.of(name, address)) return "verified";
		return tellsNothing(address) ? "unknown" : "claimed";
	}

	#find(name: string, text: string): boolean {
		// A list for the crawler itself wins over one for all crawlers.
		const list =
			this.#lists.get(name.toLowerCase()) ?? this.#lists.get(undefined);
		const address = addressOf(text);
		return list !== undefined && address !== undefined && list.has(address);
	}
}

/**
 * Whether requests come from the crawler's addresses, by its published ranges or by reverse DNS: "claimed" if not, "unknown" if the line has no
 * usable address or DNS no definite answer, null if neither was asked for or is known for the crawler.
 */
export type Verification = "verified" | "claimed" | "unknown" | null;

/**
 * An address without the port and brackets that it may have in a log. W3C's logs and some proxies
 * write "192.0.2.1:443" and "[2001:db8::1]:443". A bare IPv6 address is recognised before the port
 * is removed: its last group looks like one.
 */
export function withoutPort(text: string): string {
	const trimmed = text.trim();
	if (isAddress(trimmed)) return trimmed;
	return trimmed.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
}

/** Whether a text names trusted proxies: a range of addresses, or their number. */
function isTrustedProxy(text: string): boolean {
	return isPrefix(text) || /^\d{1,2}$/.test(text);
}

/**
 * Finds the address of the client, given the address of the connection and the list that proxies
 * forward (X-Forwarded-For). Clients can send such a list themselves, so only the entries that
 * trusted proxies added at its end count. Reading from the end makes the answer safe: each trusted
 * proxy appends the address that it saw, so a client can only forge entries before the last one that
 * is not a trusted proxy's.
 */
export class ClientAddresses {
	readonly #ranges = new AddressRanges();
	/** The number of proxies in front of the server, if given as a number. */
	readonly #proxies: number;
	readonly #isTrusting: boolean;
	readonly #remembered = new Remembered((ip: string, forwarded: string) => {
		const address = this.#find(ip, forwarded);
		return address !== undefined && isAddress(address) ? address : undefined;
	});

	/**
	 * @param trusted Ranges of trusted proxies, or their number as the only item.
	 * @throws {RobotrieError} invalid-argument.
	 */
	constructor(trusted: readonly string[]) {
		for (const text of trusted)
			if (!isTrustedProxy(text))
				throw new RobotrieError(
					"invalid-argument",
					`a trusted proxy is an address, a range such as 10.0.0.0/8, or a number of proxies up to 99, not ${quote(text)}`,
				);
		const numbers = trusted.filter((text) => !isPrefix(text));
		if (numbers.length > 0 && trusted.length > 1)
			throw new RobotrieError(
				"invalid-argument",
				"trusted proxies are given by ranges or by one number, not both",
			);
		for (const text of trusted) this.#ranges.add(text);
		this.#proxies = Number(numbers[0] ?? 0);
		this.#isTrusting = trusted.length > 0;
	}

	/** The address of the client, without a port; undefined if it is not known. */
	of(ip: string, forwarded: string): string | undefined {
		return this.#remembered.of(listIn(ip), listIn(forwarded));
	}

	/**
	 * Whether the connection may be a proxy's that nobody named: it forwarded another address, or its client made one up. Whose request it
	 * was is not known then: who calls itself Googlebot there need not be an impostor.
	 */
	isDoubtful(ip: string, forwarded: string): boolean {
		if (this.#isTrusting) return false;
		const connection = itemsOf(listIn(ip));
		return itemsOf(listIn(forwarded)).some(
			(item) => !connection.includes(item),
		);
	}

	/** The entry of the list that counts, whether or not it is an address. */
	#find(ip: string, forwarded: string): string | undefined {
		const connection = itemsOf(ip);
		// A list in place of the connection's address is X-Forwarded-For itself.
		const hasConnection = connection.length === 1 && !ip.includes(",");
		const list = [...itemsOf(forwarded), ...connection];
		// Without trusted proxies a list proves nothing: the sender could have written all of it.
		// A single address in place of the connection's is taken, as load balancers log it so.
		if (!this.#isTrusting) {
			if (hasConnection) return connection[0];
			const isList = ip.includes(",") || forwarded.includes(",");
			return isList ? undefined : list[0];
		}
		// The address of a trusted proxy that forwarded none is not the client's.
		const [only] = list;
		const connected =
			hasConnection && list.length === 1 && addressOf(only ?? "");
		if (connected && (this.#proxies > 0 || this.#ranges.has(connected)))
			return undefined;
		// If the log lacks the address of the connection, that was the last trusted proxy's.
		const skipped = this.#proxies - (hasConnection ? 0 : 1);
		// By number: skip as many entries as there are proxies, and stay within the list if it is
		// shorter.
		if (this.#proxies > 0) return list[Math.max(list.length - 1 - skipped, 0)];
		// By ranges: the last entry that is not a trusted proxy's own address. The first entry counts
		// even if it is one, as nothing is left before it.
		for (let at = list.length - 1; at > 0; at--) {
			const address = addressOf(list[at] ?? "");
			if (!address || !this.#ranges.has(address)) return list[at];
		}
		return list[0];
	}
}

/** A list without its quotes. In the format `main` it is the rest of the line (`withForwarded`), empty if that begins with a space. */
function listIn(text: string): string {
	const quoted = /^\s*"([^"]*)"/.exec(text)?.[1];
	return quoted ?? (text.startsWith(" ") ? "" : text);
}

/** The addresses of a list in order, the one nearest to the server last. "-" means none. */
function itemsOf(text: string): readonly string[] {
	// W3C logs write spaces as plus signs.
	return text
		.split(/,\+*/)
		.map(withoutPort)
		.filter((item) => item !== "" && item !== "-");
}
