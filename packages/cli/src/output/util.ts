/** node:util, loaded when it is used: importing it makes Node load all that it consists of, which takes a millisecond. */
export function util(): typeof import("node:util") {
	return process.getBuiltinModule("node:util");
}
