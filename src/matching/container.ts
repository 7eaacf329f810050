import { FORMAT_VERSION } from "../../assembly/format/program.ts";
import { RobotrieError } from "../common/errors.ts";
import { type Dialect, dialectNames } from "../robots-txt/dialect.ts";

/**
 * Bytes that carry byte-code to another process begin alike, integers little-endian:
 *
 *     0  three letters and a NUL
 *     4  u16 FORMAT_VERSION
 *     6  u8 dialect, index in `dialectNames`; u8 0
 *     8  what each kind has of its own
 *    -4  u32 checksum of all that follows the preamble
 */
export interface ContainerKind {
	/** The three letters. */
	readonly letters: string;
	/** What error messages call it. */
	readonly name: string;
	/** Bytes of the preamble, the checksum included. */
	readonly preamble: number;
}

/** A container with room for `size` bytes behind the preamble, for its kind to be filled, and then sealed. */
export function createContainer(
	{ letters, preamble }: ContainerKind,
	dialect: Dialect,
	size: number,
): DataView<ArrayBuffer> {
	const view = new DataView(new ArrayBuffer(preamble + size));
	view.setUint32(0, magicOf(letters), true);
	view.setUint16(4, FORMAT_VERSION, true);
	view.setUint8(6, dialectNames.indexOf(dialect));
	return view;
}

/** Writes the checksum that goes with the bytes behind the preamble. */
export function seal({ preamble }: ContainerKind, bytes: Uint8Array): void {
	viewOf(bytes).setUint32(
		preamble - 4,
		checksum(bytes.subarray(preamble)),
		true,
	);
}

/** The dialect of a container that is whole. @throws {RobotrieError} invalid-byte-code, with the reason. */
export function openContainer(kind: ContainerKind, bytes: Uint8Array): Dialect {
	const { letters, preamble } = kind;
	const view = viewOf(bytes);
	if (bytes.length < preamble)
		throw refusal(
			kind,
			`${bytes.length} bytes are fewer than the ${preamble} of a preamble`,
		);
	if (view.getUint32(0, true) !== magicOf(letters))
		throw refusal(kind, `they do not begin with "${letters}"`);
	const version = view.getUint16(4, true);
	if (version !== FORMAT_VERSION)
		throw refusal(
			kind,
			`they have version ${version}, this is version ${FORMAT_VERSION}`,
		);
	const dialect = dialectNames[view.getUint8(6)];
	if (dialect === undefined)
		throw refusal(kind, `there is no dialect ${view.getUint8(6)}`);
	if (view.getUint32(preamble - 4, true) !== checksum(bytes.subarray(preamble)))
		throw refusal(
			kind,
			"their checksum is wrong, so they were cut off or changed",
		);
	return dialect;
}

export function refusal(
	{ name }: ContainerKind,
	reason: string,
): RobotrieError {
	return new RobotrieError(
		"invalid-byte-code",
		`these bytes are not a valid ${name}: ${reason}`,
	);
}

export function viewOf(bytes: Uint8Array): DataView {
	return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
}

function magicOf(letters: string): number {
	return [...letters].reduceRight(
		(value, letter) => (value << 8) | letter.charCodeAt(0),
		0,
	);
}

/**
 * Hash of bytes, FNV-1a over 32-bit words and then the bytes that are left: tells damage, not malice. Words go in turn to
 * four hashes that are hashed in the end: a multiplication need not wait for the one before, which halves the time.
 */
function checksum(bytes: Uint8Array): number {
	const words = wordsOf(bytes);
	let a = BASIS;
	let b = BASIS;
	let c = BASIS;
	let d = BASIS;
	let word = 0;
	while (word + 4 <= words.length) {
		a = mix(a ^ (words[word++] as number));
		b = mix(b ^ (words[word++] as number));
		c = mix(c ^ (words[word++] as number));
		d = mix(d ^ (words[word++] as number));
	}
	let value = [b, c, d].reduce((sum, lane) => mix(sum ^ lane), a);
	for (let at = 4 * word; at < bytes.length; at++)
		value = mix(value ^ (bytes[at] as number));
	return value >>> 0;
}

/** Bytes as little-endian words, as all platforms with WebAssembly have them; a byte beyond the last word is left out. */
function wordsOf(bytes: Uint8Array): Int32Array {
	const { buffer, byteOffset, length } = bytes;
	return byteOffset % 4 === 0
		? new Int32Array(buffer, byteOffset, length >>> 2)
		: new Int32Array(new Uint8Array(bytes).buffer, 0, length >>> 2);
}

const BASIS = 0x811c9dc5;

/** FNV's step, and its upper bits brought down: a product alone carries nothing from a word's upper bytes to lower ones. */
function mix(value: number): number {
	const product = Math.imul(value, 0x01000193);
	return product ^ (product >>> 15);
}
