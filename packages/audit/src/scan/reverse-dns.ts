/**
 * Forward-confirmed reverse DNS, as Google, Bing, Apple and Yandex document it: the host name of an address ends in one of the operator's domains,
 * and has that address. Scanners are synchronous, so a second one reads ahead (`ResolvingAhead`) and only collects addresses; once DNS was asked
 * about them, the scanner that counts finds its answers in `ResolvedAddresses`, which both share.
 */

import { findCrawler } from "robotrie";
import {
	type AddressVerifier,
	addressOf,
	addressParts,
	type DnsLookups,
	publicAddress,
	type Verification,
} from "../common/addresses.ts";
import type { LogFormat } from "../formats/log-format.ts";
import type { ScanSettings } from "../options/options.ts";
import { LogScanner } from "./scanner.ts";

/** How much DNS is asked. */
export interface ResolveLimits {
	/** Addresses that are looked up at a time. */
	readonly concurrency: number;
	/** Addresses that are looked up at all; later ones are "unknown". */
	readonly addresses: number;
	/** Milliseconds for one lookup. */
	readonly timeout: number;
	/** Milliseconds for all of them; what is left then is "unknown". */
	readonly total: number;
}

/** An address may have any number of names, which whoever owns it chooses. */
const MOST_NAMES = 10;

/** Whether an address belongs to the owner of some domains. */
export interface DnsQuestion {
	/** As `publicAddress` writes it. */
	readonly address: string;
	readonly domains: readonly string[];
}

/** A question as one text, which has no line feed. */
function questionKey({ address, domains }: DnsQuestion): string {
	return `${address} ${domains.join(",")}`;
}

/** A definite answer of DNS, or that there is none. */
type DnsAnswer = Exclude<Verification, null>;

/** What DNS said about addresses, and what it has yet to be asked. Bounded by the number of addresses that are looked up. */
export class ResolvedAddresses implements AddressVerifier {
	readonly #answers = new Map<string, DnsAnswer>();
	readonly #recalled = new Map<string, DnsAnswer>();
	/** Addresses about which DNS said nothing. */
	unanswered = 0;
	/** There were more addresses than are looked up. */
	leftOut = false;
	#questions = new Map<string, DnsQuestion>();
	/** By crawler; undefined for one that documents none. */
	readonly #domains = new Map<string, readonly string[] | undefined>();

	/** @param most Addresses that are remembered. */
	constructor(readonly most: number) {}

	/** Whether the crawler's operator documents domains. */
	knows(name: string): boolean {
		return this.#domainsOf(name) !== undefined;
	}

	#domainsOf(name: string): readonly string[] | undefined {
		if (this.#domains.has(name)) return this.#domains.get(name);
		const crawler = findCrawler(name);
		// A name in a header may contain a crawler's and be another one.
		const isNamed = crawler?.name.toLowerCase() === name.toLowerCase();
		const domains =
			isNamed && crawler.hostDomains.length > 0
				? crawler.hostDomains
				: undefined;
		this.#domains.set(name, domains);
		return domains;
	}

	/** Whether an address is the crawler's: "unknown" until DNS was asked, which it is the next time. */
	verify(name: string, text: string): DnsAnswer {
		const address = publicAddress(text);
		const domains = this.#domainsOf(name);
		if (address === undefined || !domains) return "unknown";
		const question = { address, domains };
		const key = questionKey(question);
		const answer = this.#recalled.get(key) ?? this.#answers.get(key);
		if (answer !== undefined) return answer;
		if (this.#answers.size + this.#questions.size < this.most)
			this.#questions.set(key, question);
		else if (!this.#questions.has(key)) this.leftOut = true;
		return "unknown";
	}

	/** What was asked since the last call. */
	takeQuestions(): readonly DnsQuestion[] {
		const questions = [...this.#questions.values()];
		this.#questions = new Map();
		return questions;
	}

	/** Also "unknown" is remembered: nobody is asked twice. */
	remember(key: string, answer: DnsAnswer): void {
		if (answer === "unknown") this.unanswered++;
		this.#answers.set(key, answer);
	}

	/** Takes an answer of an earlier audit, which costs no lookup. */
	recall(key: string, answer: DnsAnswer): void {
		this.#recalled.set(key, answer);
	}

	/** All answers of this audit, by `questionKey`. */
	get answers(): ReadonlyMap<string, DnsAnswer> {
		return this.#answers;
	}
}

/** Asks DNS, within limits. As an option `resolve`, its answers outlive the audit. */
export class ReverseDns implements DnsLookups {
	/** Where nothing else is said. A resolver answers 32 at a time easily; ten thousand addresses then take a minute or two. */
	static readonly limits: ResolveLimits = {
		concurrency: 32,
		addresses: 10_000,
		timeout: 5000,
		total: 300_000,
	};

	readonly resolved: ResolvedAddresses;
	readonly #lookups: DnsLookups;
	readonly #limits: ResolveLimits;
	/** Milliseconds spent so far. */
	#spent = 0;
	#isStopped = false;

	constructor(lookups: DnsLookups, limits: Partial<ResolveLimits> = {}) {
		this.#lookups = lookups;
		this.#limits = { ...ReverseDns.limits, ...limits };
		this.resolved = new ResolvedAddresses(this.#limits.addresses);
	}

	resolvePtr(name: string): Promise<readonly string[]> {
		return this.#lookups.resolvePtr(name);
	}

	resolve4(name: string): Promise<readonly string[]> {
		return this.#lookups.resolve4(name);
	}

	resolve6(name: string): Promise<readonly string[]> {
		return this.#lookups.resolve6(name);
	}

	/** Asks no more: what has no answer yet is "unknown". Lookups under way are the caller's to cancel. */
	stop(): void {
		this.#isStopped = true;
	}

	/** Finds an answer to each question; "unknown" where time is up. */
	async ask(questions: readonly DnsQuestion[]): Promise<void> {
		const begin = performance.now();
		const deadline = begin + this.#limits.total - this.#spent;
		const left = questions.values();
		const worker = async () => {
			for (const question of left) {
				const answer =
					performance.now() < deadline
						? await this.#answer(question, deadline)
						: "unknown";
				this.resolved.remember(questionKey(question), answer);
			}
		};
		const { concurrency } = this.#limits;
		const count = Math.min(concurrency, questions.length);
		await Promise.all(Array.from({ length: count }, worker));
		this.#spent += performance.now() - begin;
	}

	async #answer(question: DnsQuestion, deadline: number): Promise<DnsAnswer> {
		const { address, domains } = question;
		const names = await this.#asked(
			() => this.#lookups.resolvePtr(reverseName(address)),
			deadline,
		);
		if (names === undefined) return "unknown";
		const own = names
			.map((name) => name.toLowerCase().replace(/\.$/, ""))
			.filter((name) => domains.some((domain) => name.endsWith(`.${domain}`)));
		let isKnown = own.length <= MOST_NAMES;
		for (const name of own.slice(0, MOST_NAMES)) {
			const found = await this.#asked(
				() =>
					address.includes(":")
						? this.#lookups.resolve6(name)
						: this.#lookups.resolve4(name),
				deadline,
			);
			if (found?.some((text) => isSame(text, address))) return "verified";
			if (found === undefined) isKnown = false;
		}
		// No name, none in the domains, or none that has the address: all of it is what DNS says.
		return isKnown ? "claimed" : "unknown";
	}

	/** The records; none if DNS says that there are none, undefined if it says nothing. */
	async #asked(
		lookup: () => Promise<readonly string[]>,
		deadline: number,
	): Promise<readonly string[] | undefined> {
		if (this.#isStopped) return undefined;
		const wait = Math.min(this.#limits.timeout, deadline - performance.now());
		let timer: ReturnType<typeof setTimeout> | undefined;
		const late = new Promise<undefined>((resolve) => {
			timer = setTimeout(() => resolve(undefined), Math.max(wait, 0));
		});
		try {
			return await Promise.race([lookup(), late]);
		} catch (error) {
			const { code } = error as { code?: unknown };
			return code === "ENOTFOUND" || code === "ENODATA" ? [] : undefined;
		} finally {
			clearTimeout(timer);
		}
	}
}

/** What asks DNS for an option `resolve`. */
export const reverseDnsOf = (
	lookups: DnsLookups,
	limits?: Partial<ResolveLimits>,
): ReverseDns =>
	lookups instanceof ReverseDns ? lookups : new ReverseDns(lookups, limits);

/**
 * The name whose PTR records are an address's host names. Not `Resolver.reverse`: it says "not found" for a server that fails, which would make
 * impostors of crawlers.
 */
function reverseName(address: string): string {
	const { width, bytes } = addressParts(address);
	const labels =
		width === 32
			? bytes.map(String)
			: bytes.flatMap((byte) => [...byte.toString(16).padStart(2, "0")]);
	return `${labels.reverse().join(".")}.${width === 32 ? "in-addr" : "ip6"}.arpa`;
}

/** Two notations of an IPv6 address are one address. */
function isSame(text: string, address: string): boolean {
	return addressOf(text)?.value === addressOf(address)?.value;
}

/** Reads a log before the scanner that counts it, and asks DNS about the addresses that this one will meet. */
export class ResolvingAhead {
	readonly #dns: ReverseDns;
	readonly #collector: LogScanner;

	/** @param settings Those of the scanner that counts, which is given `dns.resolved` as well. */
	constructor(settings: ScanSettings, dns: ReverseDns) {
		this.#dns = dns;
		// Verifying is all that it does: no rows, no lines, no names, no paths.
		const { each: _, anonymize: __, suspects: ___, ...rest } = settings;
		this.#collector = new LogScanner(
			{ ...rest, groupBy: "name", keepViolations: false, paths: false },
			undefined,
			{ resolved: dns.resolved },
		);
	}

	/** Begins a log. */
	begin(format: LogFormat): void {
		this.#collector.begin(format);
	}

	/** Sees the next bytes of the log. */
	see(bytes: Uint8Array): void {
		this.#collector.feed(bytes);
		if (this.#collector.isFull) this.#collector.take();
	}

	/** Resolves what was seen; to be called before the same bytes are counted. */
	async resolve(): Promise<void> {
		const questions = this.#dns.resolved.takeQuestions();
		if (questions.length > 0) await this.#dns.ask(questions);
	}

	/** Ends the log, whose last line may lack its line feed, and resolves. */
	async end(): Promise<void> {
		this.#collector.end();
		await this.resolve();
	}
}
