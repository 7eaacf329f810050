/**
 * Who sent the request of an entry: the client's address, found behind proxies, what it proves about the crawler's name, and the network that it
 * is of. Texts of addresses are decoded per request, only where something depends on them.
 */

import {
	ENTRY_FORWARDED,
	ENTRY_FORWARDED_END,
	ENTRY_IP,
	ENTRY_IP_END,
} from "../../assembly/format.ts";
import {
	type AddressBook,
	ClientAddresses,
	type NetworkNames,
	remembered,
	type Verification,
} from "../common/addresses.ts";
import { addressBytes, type ScannerModule } from "../common/scanner-module.ts";

const decoder = new TextDecoder();

export class EntryClients {
	readonly #module: ScannerModule;
	readonly #book: AddressBook;
	readonly #clients: ClientAddresses;
	/** Names the autonomous system of an address, if requests are counted by it. */
	readonly systemOf: NetworkNames | undefined;

	constructor(
		module: ScannerModule,
		book: AddressBook,
		trustedProxies: readonly string[],
		systemOf: NetworkNames | undefined,
	) {
		this.#module = module;
		this.#book = book;
		this.#clients = new ClientAddresses(trustedProxies);
		this.systemOf = systemOf && remembered(systemOf);
	}

	/** The address of the client; undefined if it is not known. */
	addressOf(at: number): string | undefined {
		return this.#clients.of(this.#ip(at), this.#forwarded(at));
	}

	/** The client's address, and whether it is one of an operator's; null where the crawler has no ranges. */
	verify(
		at: number,
		publishedAs: string | undefined,
	): {
		readonly address: string | undefined;
		readonly verification: Verification;
	} {
		const ip = this.#ip(at);
		const forwarded = this.#forwarded(at);
		const address = this.#clients.of(ip, forwarded);
		if (publishedAs === undefined) return { address, verification: null };
		const verification = this.#book.verify(publishedAs, address);
		return verification === "claimed" && this.#clients.isDoubtful(ip, forwarded)
			? { address, verification: "unknown" }
			: { address, verification };
	}

	/** The address of the connection. */
	#ip(at: number): string {
		return this.#text(at, ENTRY_IP, ENTRY_IP_END);
	}

	/** The list that it forwarded. */
	#forwarded(at: number): string {
		return this.#text(at, ENTRY_FORWARDED, ENTRY_FORWARDED_END);
	}

	#text(at: number, from: number, to: number): string {
		const bytes = addressBytes(this.#module, at, from, to);
		return bytes.length === 0 ? "" : decoder.decode(bytes);
	}
}
