export {
	type AccessCode,
	accessFor,
	conditionalHeaders,
	type RobotsAccess,
	type RobotsCopy,
} from "./access/access.ts";
export type { AccessOptions } from "./access/options.ts";
export type {
	Failure,
	FailureCode,
	HeaderFields,
	HttpOutcome,
	Redirect,
} from "./access/outcome.ts";
