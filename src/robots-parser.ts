/**
 * robotrie/robots-parser: the interface of the package robots-parser, for projects that migrate from it.
 * @module
 */
export {
	type Robot,
	type RobotOptions,
	robotsParser as default,
	// What `require` returns, as with the package of that name.
	robotsParser as "module.exports",
} from "./compat/robots-parser.ts";
