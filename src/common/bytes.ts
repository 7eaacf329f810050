/**
 * Byte arrays as callers give them: checked, and read by the getters of the platform, as an object may say anything of its own length.
 * Memory that other threads may resize is copied where it is kept, and viewed at a fixed length where it is read.
 */
import { isObject, type Kind, wrongArgument } from "./arguments.ts";
import { RobotrieError } from "./errors.ts";
import { typeOf } from "./quote.ts";

/**
 * The one door for a caller's memory. What comes through it is a plain view of fixed length, so that a length that was read is the
 * length that is copied: `class B extends Uint8Array { get length() { return 10 } }` lies about it, a view that tracks the length of
 * a growable SharedArrayBuffer changes while another thread grows that, and `Symbol.species` decides what `subarray` gives. Room is
 * reserved in linear memory for the length; what is copied beyond it would overwrite other programs.
 */

/** Taken when the module loads, before any code of a caller could replace them. */
const { prototype } = Object.getPrototypeOf(Uint8Array) as {
	prototype: object;
};

/**
 * A getter of %TypedArray%.prototype, which no subclass, own property or Proxy stands in front of. Bound, it is inlined where it is
 * called; arrow functions around each would share their code, and with it what the engine learns about calls.
 */
function intrinsic<Value>(name: string | symbol): (array: unknown) => Value {
	const getter = Object.getOwnPropertyDescriptor(prototype, name)?.get;
	return Function.prototype.call.bind(getter as () => Value);
}

const tagOf = intrinsic<string | undefined>(Symbol.toStringTag);
const bufferOf = intrinsic<ArrayBufferLike>("buffer");
const offsetOf = intrinsic<number>("byteOffset");
const lengthOf = intrinsic<number>("length");
/** Throws for the memory of threads. Engines without it have none that grows, either. */
const resizableOf = Object.getOwnPropertyDescriptor(
	ArrayBuffer.prototype,
	"resizable",
)?.get;
/** Throws for a view whose memory is gone, which the getters only say to be empty. */
const { keys } = prototype as { keys(this: unknown): unknown };

type ArrayType = "Uint8Array" | "Int32Array" | "BigInt64Array";

/**
 * Whether a value is a typed array of a type, of this or another realm; a Proxy of one is not. By
 * the tag, which works across realms, and which a Proxy does not pass on.
 */
export function isTyped(value: unknown, type: ArrayType): boolean {
	return isObject(value) && tagOf(value) === type;
}

/** Whether a value is a Uint8Array. A Buffer of Node is one, too. */
export function isBytes(value: unknown): value is Uint8Array {
	return isTyped(value, "Uint8Array");
}

function bytesHint(value: unknown): string | undefined {
	if (typeof value === "string") return "pass new TextEncoder().encode(text)";
	if (!isObject(value)) return undefined;
	// Neither Object.prototype.toString nor the getters see through a Proxy.
	if (value instanceof Uint8Array && !isBytes(value))
		return "pass the array itself, not a Proxy of it";
	const type = typeOf(value);
	if (type === "ArrayBuffer" || type === "SharedArrayBuffer")
		return "pass new Uint8Array(buffer)";
	if (type === "Response" || type === "Blob")
		return `pass new Uint8Array(await ${type.toLowerCase()}.arrayBuffer())`;
	return undefined;
}

export const bytesKind: Kind = {
	text: "a Uint8Array",
	accepts: isBytes,
	hint: bytesHint,
};

/**
 * Whether the length of views of a buffer may change while code of ours runs: other threads grow
 * it. A growable SharedArrayBuffer changes length at any time; a resizable ArrayBuffer only when
 * code of the caller runs, and none does during a call.
 */
function isOfThreads(buffer: ArrayBufferLike): boolean {
	if (!(buffer instanceof ArrayBuffer)) return true;
	try {
		resizableOf?.call(buffer);
		return false;
	} catch {
		// A SharedArrayBuffer with another prototype.
		return true;
	}
}

interface Place {
	readonly buffer: ArrayBufferLike;
	readonly offset: number;
	readonly length: number;
}

/** Where an array of a type lies. @throws {RobotrieError} invalid-argument, where it has no memory any more. */
function placeOf(name: string, array: unknown): Place {
	const buffer = bufferOf(array);
	const length = lengthOf(array);
	const offset = offsetOf(array);
	// A detached view says length 0, as an empty one does; only `keys` throws for it.
	if (length === 0) {
		try {
			keys.call(array);
		} catch {
			throw gone(name);
		}
	}
	return { buffer, offset, length };
}

/**
 * A caller's bytes as a view of fixed length. To be taken after everything else that may call code
 * of the caller, such as getters of options or of `URL` objects. Length, offset and buffer are read
 * once and together, through the intrinsic getters.
 * @throws {RobotrieError} invalid-argument, for anything but a Uint8Array, and for one that is detached or out of bounds.
 */
export function bytesArgument(
	name: string,
	value: unknown,
	kind: Kind = bytesKind,
): Uint8Array {
	if (!isBytes(value)) throw wrongArgument(name, value, kind);
	const { buffer, offset, length } = placeOf(name, value);
	return new Uint8Array(buffer, offset, length);
}

/**
 * As `bytesArgument`, for bytes that are measured by `sizeOf`, copied by `set` of an array of ours,
 * and not read otherwise, with no code of the caller in between: those read the array itself, and
 * no property of it. A view would take 30 ns, as long as judging a line. The exception for speed:
 * what is copied at once needs no view of ours.
 */
export function lentBytes(name: string, value: unknown): Uint8Array {
	return isBytes(value) && lengthOf(value) > 0 && !isOfThreads(bufferOf(value))
		? value
		: bytesArgument(name, value);
}

/** How many bytes an array has, whatever it says. */
export function sizeOf(bytes: Uint8Array): number {
	return lengthOf(bytes);
}

/** The first `size` bytes of an array that has as many, as a view of fixed length. */
export function startOf(bytes: Uint8Array, size: number): Uint8Array {
	return new Uint8Array(bufferOf(bytes), offsetOf(bytes), size);
}

/**
 * The same for what a store or a network gives: null for anything that would be an error. Data from
 * outside is no argument: an error would blame the caller for a store's content.
 */
export function bytesOrNull(value: unknown): Uint8Array | null {
	try {
		return bytesArgument("bytes", value);
	} catch {
		return null;
	}
}

/** The same for the place that verdicts go to, if there is one: `frontOf` (chunks.ts) is what uses it. */
export function intoArgument(
	into: Uint8Array | undefined,
): Uint8Array | undefined {
	if (into === undefined) return undefined;
	return isBytes(into) && lengthOf(into) > 0
		? into
		: bytesArgument("into", into);
}

/**
 * The same for a column's offsets.
 * @throws {RobotrieError} invalid-argument, for anything but an Int32Array or BigInt64Array.
 */
export function offsetsArgument(
	name: string,
	value: unknown,
	kind: Kind,
): Int32Array | BigInt64Array {
	if (!kind.accepts(value)) throw wrongArgument(name, value, kind);
	const { buffer, offset, length } = placeOf(name, value);
	return isTyped(value, "Int32Array")
		? new Int32Array(buffer, offset, length)
		: new BigInt64Array(buffer, offset, length);
}

/**
 * Bytes that are kept beyond the call: a copy where they lie in memory that can grow, shrink or be
 * shared with other threads, which text decoders of browsers refuse. Kept bytes are copied only
 * where it matters, as most are plain and large.
 */
export function keptBytes(bytes: Uint8Array): Uint8Array {
	const { buffer } = bytes;
	const isPlain =
		buffer instanceof ArrayBuffer &&
		!(buffer as { resizable?: boolean }).resizable;
	return isPlain ? bytes : new Uint8Array(bytes);
}

/** @throws {RobotrieError} invalid-argument, unless an array that a call began with is still there: it may have waited meanwhile. */
export function checkThere(
	name: string,
	{ length }: Uint8Array | Int32Array | BigInt64Array,
	least: number,
): void {
	if (length < least) throw gone(name);
}

function gone(name: string): RobotrieError {
	return new RobotrieError(
		"invalid-argument",
		`${name} lost their memory: the buffer was detached (transferred to another thread, say), or is shorter than the view`,
	);
}
