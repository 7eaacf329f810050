import ipaddr from "ipaddr.js";

/** An IP address as a number. */
export interface Address {
	/** Bits: 32 or 128. */
	readonly width: number;
	readonly value: bigint;
}

/** Whether a text is an IPv4 address in four decimal parts, or an IPv6 address (RFC 4291 §2.2). */
export function isAddress(text: string): boolean {
	return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
}

/** Bytes in front of an IPv4 address within an IPv6 address (RFC 4291 §2.5.5.2). */
const MAPPED = 0xffffn;

/** The address that a text is, undefined for other texts; an IPv4 address within an IPv6 address is that. */
export function addressOf(text: string): Address | undefined {
	if (!isAddress(text)) return undefined;
	const bytes = ipaddr.parse(withoutDots(text)).toByteArray();
	const value = bytes.reduce(
		(number, byte) => (number << 8n) | BigInt(byte),
		0n,
	);
	const isMapped = bytes.length === 16 && value >> 32n === MAPPED;
	return isMapped
		? { width: 32, value: value & 0xffffffffn }
		: { width: bytes.length * 8, value };
}

/** An IPv6 address's last four bytes in hexadecimal: ipaddr.js takes "::1.2.3.4" for "::ffff:1.2.3.4". */
function withoutDots(text: string): string {
	if (!text.includes(":")) return text;
	return text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_, ...bytes) => {
		const [a = 0, b = 0, c = 0, d = 0] = bytes.slice(0, 4).map(Number);
		return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
	});
}

/** Ranges of addresses, by how many of their first bits are given: a look-up takes a step for each such number. */
export class AddressRanges {
	/** Of IPv4 and of IPv6 addresses. */
	readonly #byWidth = new Map<number, Map<number, Set<bigint>>>();

	/** @param prefix A range of `isPrefix`. */
	add(prefix: string): void {
		const [text = "", length] = prefix.split("/");
		const address = addressOf(text);
		if (!address) return;
		const { width, value } = address;
		// What is said of an IPv4 address within an IPv6 address counts its first 96 bits as well.
		const isMapped = width === 32 && text.includes(":");
		const given = length === undefined ? undefined : Number(length);
		const bits =
			given === undefined ? width : isMapped ? Math.max(given - 96, 0) : given;
		const byBits = this.#byWidth.get(width) ?? new Map<number, Set<bigint>>();
		this.#byWidth.set(width, byBits);
		const values = byBits.get(bits) ?? new Set();
		byBits.set(bits, values.add(value >> BigInt(width - bits)));
	}

	has({ width, value }: Address): boolean {
		for (const [bits, values] of this.#byWidth.get(width) ?? [])
			if (values.has(value >> BigInt(width - bits))) return true;
		return false;
	}
}

/** Whether a text is an address or a range of them: "192.0.2.0/24", "2001:db8::/32". */
export function isPrefix(text: string): boolean {
	const [address = "", length, ...rest] = text.split("/");
	if (rest.length > 0 || !isAddress(address)) return false;
	if (length === undefined) return true;
	const most = address.includes(":") ? 128 : 32;
	return /^\d{1,3}$/.test(length) && Number(length) <= most;
}

/** Bits of a network: what providers give one customer. */
const NETWORK = { 32: 24, 128: 48 } as const;

/** The network of an address: its /24 for IPv4, its /48 for IPv6; the text itself for other texts. */
export function networkOf(text: string): string {
	const address = addressOf(text);
	if (!address) return text;
	const bits = NETWORK[address.width as 32 | 128];
	const rest = BigInt(address.width - bits);
	const bytes = bytesOf((address.value >> rest) << rest, address.width / 8);
	return `${ipaddr.fromByteArray(bytes)}/${bits}`;
}

function bytesOf(value: bigint, length: number): number[] {
	return Array.from({ length }, (_, at) =>
		Number((value >> BigInt(8 * (length - 1 - at))) & 255n),
	);
}
