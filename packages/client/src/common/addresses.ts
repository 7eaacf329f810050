/**
 * Which addresses the client connects to: public ones only, unless allowed otherwise, as anybody can publish names that lead into a private
 * network. Literal addresses in URLs are refused before a request (refuseHost), resolved ones when they are connected to (checkedLookup).
 */

import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

/** The error of a host that was not connected to, because its address is not on the public Internet. */
export class AddressRefused extends Error {
	override readonly name = "AddressRefused";
}

/**
 * IPv6 addresses that are assigned to the public Internet at all (RFC 4291 §2.4, RFC 3587).
 * Everything else of IPv6 is unassigned or special, so it is refused by what it is not.
 */
const globalUnicast = ipaddr.IPv6.parseCIDR("2000::/3");
/** IPv4 addresses as IPv6-only networks see them (RFC 6052 §2.1); the embedded address is checked. */
const nat64 = ipaddr.IPv6.parseCIDR("64:ff9b::/96");

/**
 * Addresses that look public and lead into a cloud's own network from machines in it. Other metadata services have link-local or private ones.
 */
const cloudInternal = [
	// Azure's WireServer and DNS: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
	"168.63.129.16/32",
	// IBM Cloud's service network: https://cloud.ibm.com/docs/vpc?topic=vpc-service-endpoints-for-vpc
	"161.26.0.0/16",
	"166.8.0.0/14",
	// Google's Private Google Access: https://cloud.google.com/vpc/docs/configure-private-google-access
	"199.36.153.4/30",
	"199.36.153.8/30",
].map((range) => ipaddr.IPv4.parseCIDR(range));

/**
 * Why an IP address must not be connected to: "cloudInternal", "loopback", "private", "linkLocal", … (the special-purpose registries of RFC
 * 6890). Undefined for public ones.
 */
export function addressProblem(text: string): string | undefined {
	if (!ipaddr.isValid(text)) return "no IP address";
	const address = ipaddr.process(text);
	if (address instanceof ipaddr.IPv6) {
		if (address.match(nat64))
			return addressProblem(
				new ipaddr.IPv4(address.toByteArray().slice(12)).toString(),
			);
		if (!address.match(globalUnicast) && address.range() === "unicast")
			return "unassigned";
	}
	if (
		address instanceof ipaddr.IPv4 &&
		cloudInternal.some((range) => address.match(range))
	)
		return "cloudInternal";
	const range = address.range();
	return range === "unicast" ? undefined : range;
}

/**
 * @throws {AddressRefused} When a URL's host is a literal address that is not public, or a name that never is (RFC 6761 §6.3).
 */
export function refuseHost({ hostname }: URL): void {
	const literal = hostname.replace(/^\[(.*)\]$/, "$1");
	// URLs have addresses in one form only. For names the library would throw and catch an error.
	if (isIP(literal) !== 0) {
		const problem = addressProblem(literal);
		if (problem) throw new AddressRefused(`${literal} is ${problem}`);
	} else if (/(^|\.)localhost\.?$/i.test(hostname)) {
		throw new AddressRefused(`${hostname} is this machine`);
	}
}

/** Ports of other protocols, whose servers could take a request for their own (Fetch standard, "port blocking"). */
const blockedPorts = new Set(
	`1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123 135 137
	139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993 995 1719 1720
	1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080`.split(
		/\s+/,
	),
);

/** @throws {Error} When a URL's port is one of those that no browser connects to. */
export function refusePort(port: string): void {
	if (blockedPorts.has(port))
		throw new Error(`port ${port} is for another protocol than HTTP`);
}

/**
 * A look-up that gives at least one address, and only public ones unless all are allowed. As a connection goes to what its look-up gave and
 * nowhere else, a name that changes its address between two look-ups gains nothing. The check
 * belongs here and nowhere earlier: between a look-up of ours and the connection's own, a name
 * could change its address.
 */
export function checkedLookup(
	lookup: LookupFunction,
	allowPrivateNetwork: boolean,
): LookupFunction {
	return (hostname, options, callback) => {
		lookup(hostname, { ...options, all: true }, (error, found, family) => {
			if (error) return callback(error, []);
			const addresses = Array.isArray(found)
				? found
				: found
					? [{ address: found, family: family ?? 4 }]
					: [];
			const usable = addresses.filter(
				({ address }) =>
					allowPrivateNetwork || addressProblem(address) === undefined,
			);
			const [first] = usable;
			if (addresses.length === 0) {
				const none = new Error(`${hostname} has no address`);
				return callback(Object.assign(none, { code: "ENOTFOUND" }), []);
			}
			if (!first) {
				const list = addresses.map(
					({ address }) => `${address} (${addressProblem(address)})`,
				);
				return callback(
					new AddressRefused(`${hostname} leads to ${list.join(", ")}`),
					[],
				);
			}
			if (options.all) return callback(null, usable);
			callback(null, first.address, first.family);
		});
	};
}
