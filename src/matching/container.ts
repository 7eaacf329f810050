/**
 * What the stored forms of matchers and indexes share: a preamble with version and dialect, and a checksum against damage (it does not
 * protect against malice; the verifiers do). The formats are public and stored: a change needs another FORMAT_VERSION.
 */
import { FORMAT_VERSION } from "../../assembly/format/program.ts";
import { checksum } from "../common/checksum.ts";
import { RobotrieError } from "../common/errors.ts";
import {
	type Dialect,
	dialectOf,
	dialectRules,
} from "../robots-txt/dialect.ts";

/**
 * Bytes that carry byte-code to another process begin alike, integers little-endian:
 *
 *     0  three letters and a NUL
 *     4  u16 FORMAT_VERSION
 *     6  u8 dialect, its `id`; u8 0, anything else is refused
 *     8  what each kind has of its own
 *
 * A u32 is a checksum of the rest. The dialect is a number here and a name everywhere else: numbers
 * never change, names are the API's.
 */
export interface ContainerKind {
	/** The three letters. */
	readonly letters: string;
	/** What error messages call it. */
	readonly name: string;
	/** Bytes of the preamble. A matcher's ends with the checksum of all that follows. */
	readonly preamble: number;
}

/** A container with room for `size` bytes after the preamble, for its kind to be filled, and then sealed. */
export function createContainer(
	{ letters, preamble }: ContainerKind,
	dialect: Dialect,
	size: number,
): DataView<ArrayBuffer> {
	const view = new DataView(new ArrayBuffer(preamble + size));
	view.setUint32(0, magicOf(letters), true);
	view.setUint16(4, FORMAT_VERSION, true);
	view.setUint8(6, dialectRules(dialect).id);
	return view;
}

/** Writes the checksum that goes with the bytes after the preamble. */
export function seal({ preamble }: ContainerKind, bytes: Uint8Array): void {
	viewOf(bytes).setUint32(
		preamble - 4,
		checksum(bytes.subarray(preamble)),
		true,
	);
}

/** The dialect of a container that is whole. @throws {RobotrieError} invalid-byte-code, with the reason. */
export function openContainer(kind: ContainerKind, bytes: Uint8Array): Dialect {
	const { preamble } = kind;
	const dialect = openPreamble(kind, bytes);
	compareChecksum(
		kind,
		viewOf(bytes).getUint32(preamble - 4, true),
		checksum(bytes.subarray(preamble)),
	);
	return dialect;
}

/**
 * The dialect that a preamble names, of a container that may be cut off after it. A version that is
 * newer is refused with a sentence that says so: reading on would be guessing.
 * @throws {RobotrieError} invalid-byte-code.
 */
export function openPreamble(kind: ContainerKind, bytes: Uint8Array): Dialect {
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
			`they have version ${version}, this is version ${FORMAT_VERSION}${version > FORMAT_VERSION ? ": a newer robotrie wrote them" : ""}`,
		);
	const dialect = dialectOf(view.getUint8(6));
	if (dialect === undefined)
		throw refusal(kind, `there is no dialect ${view.getUint8(6)}`);
	// No checksum covers a matcher's preamble, and a later version may give the byte a meaning.
	if (view.getUint8(7) !== 0)
		throw refusal(kind, `byte 7 is ${view.getUint8(7)}, not 0`);
	return dialect;
}

/**
 * A checksum finds damage. Bytes changed on purpose come with a changed checksum, too; against these
 * there is the verifier.
 * @throws {RobotrieError} invalid-byte-code, unless the checksum that bytes came with is the one they have.
 */
export function compareChecksum(
	kind: ContainerKind,
	given: number,
	found: number,
): void {
	if (given !== found)
		throw refusal(
			kind,
			"their checksum is wrong, so they were cut off or changed",
		);
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
