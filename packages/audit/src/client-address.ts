import { RobotrieError } from "robotrie";
import { quote } from "robotrie/internal";
import { AddressRanges, addressOf, isAddress, isPrefix } from "./addresses.ts";

/** Addresses remembered. */
const MAX_REMEMBERED = 50_000;

/** An address without the port and the brackets that it may have in a log. */
export function withoutPort(text: string): string {
	const trimmed = text.trim();
	if (isAddress(trimmed)) return trimmed;
	return trimmed.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
}

/** Whether `--trusted-proxy` takes a text: a range of addresses, or how many proxies there are. */
function isTrustedProxy(text: string): boolean {
	return isPrefix(text) || /^\d{1,2}$/.test(text);
}

/**
 * Who sent a request, by the address of the connection and those that proxies put in front of it (X-Forwarded-For). Clients can send
 * such a list themselves, so that only what trusted proxies added to its end counts.
 */
export class ClientAddresses {
	readonly #ranges = new AddressRanges();
	/** Proxies in front of the server that wrote the log. */
	readonly #proxies: number;
	readonly #isTrusting: boolean;
	readonly #remembered = new Map<string, string | undefined>();

	/**
	 * @param trusted Ranges of trusted proxies, or one number: how many there are.
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

	/** The address of the client, without a port; undefined where there is no telling. */
	of(ip: string, forwarded: string): string | undefined {
		return this.#of(listIn(ip), listIn(forwarded));
	}

	#of(ip: string, forwarded: string): string | undefined {
		const key = `${ip} ${forwarded}`;
		if (this.#remembered.has(key)) return this.#remembered.get(key);
		if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
		const address = this.#find(ip, forwarded);
		const isOne = address !== undefined && isAddress(address);
		this.#remembered.set(key, isOne ? address : undefined);
		return isOne ? address : undefined;
	}

	#find(ip: string, forwarded: string): string | undefined {
		const connection = itemsOf(ip);
		// A list in place of an address is what proxies forwarded.
		const hasConnection = connection.length === 1 && !ip.includes(",");
		const list = [...itemsOf(forwarded), ...connection];
		if (!this.#isTrusting) {
			if (hasConnection) return connection[0];
			const isList = ip.includes(",") || forwarded.includes(",");
			return isList ? undefined : list[0];
		}
		// The connection came from a trusted proxy if the log does not have its address.
		const skipped = this.#proxies - (hasConnection ? 0 : 1);
		if (this.#proxies > 0) return list[Math.max(list.length - 1 - skipped, 0)];
		for (let at = list.length - 1; at > 0; at--) {
			const address = addressOf(list[at] ?? "");
			if (!address || !this.#ranges.has(address)) return list[at];
		}
		return list[0];
	}
}

/** A list in quotes without these. The last field of the format `main` is whatever follows in the line, behind a blank. */
function listIn(text: string): string {
	const quoted = /^\s*"([^"]*)"/.exec(text)?.[1];
	return quoted ?? (text.startsWith(" ") ? "" : text);
}

function itemsOf(text: string): readonly string[] {
	// W3C logs write blanks as plus signs.
	return text
		.split(/,\+*/)
		.map(withoutPort)
		.filter((item) => item !== "" && item !== "-");
}
