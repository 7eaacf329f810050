const PRIME = 0x01000193;

/** Hash of octets, FNV-1a over 32-bit words and then the octets that are left: tells damage, not malice. */
export function checksum(bytes: Uint8Array): number {
	const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
	const words = bytes.length & ~3;
	let value = 0x811c9dc5;
	for (let at = 0; at < words; at += 4)
		value = mix(value ^ view.getInt32(at, true));
	for (let at = words; at < bytes.length; at++)
		value = mix(value ^ view.getUint8(at));
	return value >>> 0;
}

/** FNV's step, and its upper bits brought down: a product alone carries nothing from a word's upper octets to lower ones. */
function mix(value: number): number {
	const product = Math.imul(value, PRIME);
	return product ^ (product >>> 15);
}
