export { disassemble } from "./matching/disassemble.ts";
/** @internal What instructions do, for the playground; here, as all of the command line would load it with `robotrie/internal`. */
export { type Opcode, opcodes } from "./matching/opcodes.ts";
