/**
 * robotrie/access: what an HTTP answer to a request for robots.txt means. It contains no WebAssembly, so that edge runtimes can load it;
 * access-imports.test.ts checks what it reaches.
 * @module
 */
export { accessFor, conditionalHeaders, rulesOf } from "./access/access.ts";
export type { AccessOptions } from "./access/options.ts";
export type {
	Failure,
	FailureCode,
	HttpOutcome,
	Redirect,
} from "./access/outcome.ts";
export type {
	AccessCode,
	RobotsAccess,
	RobotsCopy,
} from "./access/robots-access.ts";
export type { HeaderFields } from "./common/header-fields.ts";
