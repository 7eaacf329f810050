import { C_LENGTH } from "../format/compact";
import { compactBitsSize, verifyCompact } from "./compact-verify";
import { VERIFY_NO_ROOM, VERIFY_OK, VERIFY_ORIGIN } from "../format/program";
import { authorityOf } from "../url/authority";
import { allocate, load24, release } from "../bytes/memory";
import { setOrigin } from "./origins";
import { dropProgram, keepProgram } from "./programs";

/**
 * Reads the entries of a snapshot (src/sites/index-snapshot.ts): each a compact program, u32 number of its origins, and the origins,
 * each u32 length and bytes.
 */

let failure: u32 = VERIFY_OK;
let programCount: u32 = 0;
let originCount: u32 = 0;

/** The program whose origins are being read, and the number of those that remain. */
let program: usize = 0;
let originsLeft: u32 = 0;

let bits: usize = 0;
let bitsCapacity: usize = 0;

function clearBits(size: usize): bool {
	if (!bits || size > bitsCapacity) {
		release(bits);
		bits = allocate(size);
		bitsCapacity = bits ? size : 0;
	}
	if (bits) memory.fill(bits, 0, size);
	return bits != 0;
}

/** Why `loadEntries` ended: a VERIFY_ code for the program or origin that it met last. */
export function loadFailure(): u32 {
	return failure;
}

/** Programs that `loadEntries` has met. */
export function programsRead(): u32 {
	return programCount;
}

/** Origins that `loadEntries` has read. */
export function originsRead(): u32 {
	return originCount;
}

/**
 * Reads as many whole programs and origins as there are in the `size` bytes at `from`; returns the bytes that they take. Further calls
 * go on behind them. Each program is verified; when one is refused, `loadFailure` says why.
 */
export function loadEntries(from: usize, size: usize): usize {
	const end = from + size;
	let at = from;
	while (!failure && end - at >= 4) {
		if (originsLeft) {
			const length: usize = load<u32>(at);
			if (length > end - at - 4) break;
			// Its key would begin behind its end.
			if (authorityOf(at + 4) > at + 4 + length) {
				failure = VERIFY_ORIGIN;
				break;
			}
			if (!setOrigin(at + 4, length, program)) {
				failure = VERIFY_NO_ROOM;
				break;
			}
			at += length + 4;
			originCount++;
			if (--originsLeft == 0) dropProgram(program);
		} else {
			const length: usize = load24(at + C_LENGTH);
			if (end - at < 8 || length > end - at - 4) break;
			programCount++;
			failure = loadProgram(at, length);
			if (failure) break;
			originsLeft = load<u32>(at + length);
			if (!originsLeft) dropProgram(program);
			at += length + 4;
		}
	}
	return at - from;
}

function loadProgram(at: usize, length: usize): u32 {
	if (!clearBits(compactBitsSize(length))) return VERIFY_NO_ROOM;
	const reason = verifyCompact(at, length, bits);
	if (reason) return reason;
	program = keepProgram(at);
	return program ? VERIFY_OK : VERIFY_NO_ROOM;
}
