/**
 * The table of opcodes as both verifiers, both writers and `readProgram` ask it, and instructions of a program, which may be any bytes,
 * read by it. What an opcode's row says is all they know of it: a new opcode needs no change here. A read is good only if bytes/numbers.ts
 * has noted no fault.
 */
import {
	fail,
	holdsLineFeed,
	pass,
	passSome,
	passTail,
	read24,
	readByte,
	reader,
	readNumber,
} from "../bytes/numbers";
import {
	C_PLAIN,
	COMPACT_FIELDS,
	COMPACT_ROWS,
	FIRST_PLAIN_ROW,
	GUARDED,
	GUARDED_IF_UNANCHORED,
	OPCODE_FIELDS,
	OPCODE_ROWS,
	OPERAND_AFTER,
	OPERAND_ARMS,
	OPERAND_BEFORE,
	OPERAND_BIT,
	OPERAND_BITS,
	OPERAND_BYTE,
	OPERAND_FLAGS,
	OPERAND_LENGTH,
	OPERAND_MASK,
	OPERAND_PREFIX,
	OPERAND_RANK,
	OPERAND_SHAPE,
	OPERAND_SHORT_SIZE,
	OPERAND_SIZE,
	OPERAND_SKIP,
	OPERAND_SLOTS,
	OPERAND_TAIL,
	OPERAND_TEXT,
	PREFIX_ONLY,
	PREFIX_ONLY_IN_PROGRAMS,
	UNANCHORED_ONLY,
	UNKNOWN,
} from "../format/opcodes";
import {
	MAX_HASH_BITS,
	MAX_HASHED,
	TEXT_LENGTH,
	VERIFY_BYTE,
	VERIFY_ENTRY,
	VERIFY_OPCODE,
	VERIFY_TRUNCATED,
} from "../format/program";

/** What follows an opcode, OPERAND_BITS each: format/opcodes.ts. */
export function operandsOf(opcode: u32): u32 {
	return unchecked(OPCODE_ROWS[opcode * OPCODE_FIELDS]);
}

export function compactOf(opcode: u32): i32 {
	return unchecked(OPCODE_ROWS[opcode * OPCODE_FIELDS + 1]);
}

export function traitsOf(opcode: u32): u32 {
	return unchecked(OPCODE_ROWS[opcode * OPCODE_FIELDS + 2]);
}

function compactRow(opcode: u32): u32 {
	const row =
		opcode < <u32>C_PLAIN ? opcode >> 5 : opcode - C_PLAIN + FIRST_PLAIN_ROW;
	return row * COMPACT_FIELDS;
}

/** What follows a compact opcode, which may be any byte, or UNKNOWN. */
export function compactOperandsOf(opcode: u32): u32 {
	const row = compactRow(opcode);
	return row < <u32>COMPACT_ROWS.length
		? unchecked(COMPACT_ROWS[row])
		: UNKNOWN;
}

/** The traits of a compact opcode that is known. */
export function compactTraitsOf(opcode: u32): u32 {
	return (
		unchecked(COMPACT_ROWS[compactRow(opcode) + 1]) & ~PREFIX_ONLY_IN_PROGRAMS
	);
}

/** Whether an opcode may not stand where it does: in the code of prefixes or of unanchored patterns, under a guard or not. */
export function isMisplaced(
	traits: u32,
	isUnanchored: bool,
	isUnderGuard: bool,
): bool {
	const elsewhere = isUnanchored
		? PREFIX_ONLY | PREFIX_ONLY_IN_PROGRAMS
		: UNANCHORED_ONLY;
	return (
		(traits & elsewhere) != 0 || isGuarded(traits, isUnanchored) != isUnderGuard
	);
}

/** Whether an opcode has to stand under a guard. */
export function isGuarded(traits: u32, isUnanchored: bool): bool {
	const guarded = isUnanchored ? GUARDED | GUARDED_IF_UNANCHORED : GUARDED;
	return (traits & guarded) != 0;
}

/** The operands of an instruction; 0 where it has none of a kind. */
@unmanaged
class Operands {
	/** A bit, 1 << OPERAND_, for each kind that it has. */
	kinds: u32;
	/** The encoded rank; the bit of a guard. */
	rank: u32;
	/** Bytes from the instruction's begin to its target. */
	skip: u32;
	/** Byte, flags or shape. */
	small: u32;
	text: usize;
	length: u32;
	tail: usize;
	/** Its bytes; those of a needle. */
	tailLength: u32;
	/** Address of the targets of `length` arms, whose bytes are the text, or of as many slots. */
	targets: usize;
}

/** Those that were read last. */
export const operands = changetype<Operands>(
	memory.data(offsetof<Operands>(), 4),
);

/** Reads the instruction at the reader's position, which is then after it unless there is a fault; returns its opcode. */
export function readInstruction(): u32 {
	const from = reader.at;
	const opcode = readByte();
	if (opcode * OPCODE_FIELDS >= <u32>OPCODE_ROWS.length) fail(VERIFY_OPCODE);
	if (reader.fault) return opcode;
	memory.fill(changetype<usize>(operands), 0, offsetof<Operands>());
	/** Bytes of all of it, for those that say so. */
	let size: u32 = -1;
	for (
		let rest = operandsOf(opcode);
		rest && !reader.fault;
		rest >>= OPERAND_BITS
	) {
		const kind = rest & OPERAND_MASK;
		operands.kinds |= 1 << kind;
		if (kind == OPERAND_SIZE) size = read24();
		else if (kind == OPERAND_SHORT_SIZE) size = readByte();
		else readOperand(kind);
	}
	if (size != -1 && reader.at != from + size) fail(VERIFY_TRUNCATED);
	return opcode;
}

function readOperand(kind: u32): void {
	switch (kind) {
		case OPERAND_RANK:
		case OPERAND_BIT:
			operands.rank = read24();
			break;
		case OPERAND_SKIP:
			operands.skip = read24();
			break;
		case OPERAND_BYTE:
		case OPERAND_FLAGS:
			operands.small = readByte();
			break;
		case OPERAND_SHAPE:
			operands.small = readByte();
			operands.length = (operands.small & TEXT_LENGTH) + 1;
			break;
		case OPERAND_LENGTH:
			operands.length = readByte();
			break;
		case OPERAND_TEXT:
			operands.text = passSome(operands.length);
			checkText();
			break;
		case OPERAND_ARMS:
			operands.length = readByte() + 1;
			operands.text = pass(operands.length);
			checkText();
			operands.targets = pass(operands.length * 3);
			break;
		case OPERAND_SLOTS:
			operands.small = readByte();
			operands.length = 1 << readHashBits(operands.small);
			operands.targets = pass(operands.length * 3);
			break;
		case OPERAND_BEFORE:
			operands.length = readNumber();
			operands.text = pass(operands.length);
			break;
		case OPERAND_AFTER:
			operands.tailLength = readNumber();
			break;
		case OPERAND_PREFIX:
			operands.length = readNumber();
			operands.text = passSome(operands.length);
			break;
		case OPERAND_TAIL:
			operands.tail = reader.at;
			passTail();
			operands.tailLength = <u32>(reader.at - operands.tail);
			break;
	}
}

/** Reads how many slots a HASH of so many bytes has: their binary logarithm. */
export function readHashBits(bytes: u32): u32 {
	const bits = readByte();
	if (
		bytes == 0 ||
		bytes > <u32>MAX_HASHED ||
		bits == 0 ||
		bits > <u32>MAX_HASH_BITS
	)
		fail(VERIFY_ENTRY);
	return bits;
}

/** Comparisons stop at a path's line feed, so a text may not have one. */
function checkText(): void {
	if (!reader.fault && holdsLineFeed(operands.text, operands.length))
		fail(VERIFY_BYTE);
}
