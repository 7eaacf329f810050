export { disassemble } from "./matching/disassemble.ts";
