export { accessFor, conditionalHeaders } from "./access/access.ts";
export type { AccessOptions } from "./access/options.ts";
export type {
	Failure,
	FailureCode,
	HeaderFields,
	HttpOutcome,
	Redirect,
} from "./access/outcome.ts";
export type {
	AccessCode,
	RobotsAccess,
	RobotsCopy,
} from "./access/robots-access.ts";
