/**
 * robotrie/disassemble: a matcher's byte-code as text, for contributors and the playground. Applications never load it.
 * @module
 */
export { disassemble } from "./matching/disassemble.ts";
/** @internal Where jump tables lead, for the playground's drawing of them. */
export {
	type JumpTable,
	jumpTables,
	keyBytes,
	slotOf,
} from "./matching/jump-tables.ts";
/** @internal What instructions do, for the playground; here, as all of the command line would load it with `robotrie/internal`. */
export { type Opcode, opcodes } from "./matching/opcodes.ts";
