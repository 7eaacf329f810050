export {
	type AccessCode,
	accessFor,
	conditionalHeaders,
	type RobotsAccess,
	type RobotsCopy,
} from "./access.ts";
export type { AccessOptions } from "./options.ts";
export type {
	Failure,
	FailureCode,
	HeaderFields,
	HttpOutcome,
	Redirect,
} from "./outcome.ts";
