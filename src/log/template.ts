import {
	FIELD_AGENT,
	FIELD_HOST,
	FIELD_IP,
	FIELD_NONE,
	FIELD_QUERY,
	FIELD_REQUEST,
	FIELD_STATUS,
	FIELD_TARGET,
	FIELD_TIME,
	STEP_KEEP,
	STEP_LEAD,
	STEP_QUOTED,
	TIME_CLF,
	TIME_EPOCH,
	TIME_ISO,
	TIME_NONE,
} from "../../assembly/log-format.ts";
import { quote, RobotrieError } from "../errors.ts";

/** A field of a line and the text that ends it; see assembly/log-format.ts. */
export interface Step {
	readonly field: number;
	readonly flags: number;
	readonly text: string;
}

/** How to cut up a line of delimited text. */
export interface Template {
	readonly steps: readonly Step[];
	/** A TIME_ kind. */
	readonly time: number;
}

/** Nginx's variables that tell something; others are passed over. */
const variables: ReadonlyMap<string, readonly [field: number, time?: number]> =
	new Map([
		["remote_addr", [FIELD_IP]],
		["realip_remote_addr", [FIELD_IP]],
		["time_local", [FIELD_TIME, TIME_CLF]],
		["time_iso8601", [FIELD_TIME, TIME_ISO]],
		["msec", [FIELD_TIME, TIME_EPOCH]],
		["request", [FIELD_REQUEST]],
		["request_uri", [FIELD_TARGET]],
		["uri", [FIELD_TARGET]],
		["document_uri", [FIELD_TARGET]],
		["args", [FIELD_QUERY]],
		["query_string", [FIELD_QUERY]],
		["status", [FIELD_STATUS]],
		["http_user_agent", [FIELD_AGENT]],
		["http_host", [FIELD_HOST]],
		["host", [FIELD_HOST]],
		["server_name", [FIELD_HOST]],
	]);

/**
 * A template from Nginx's `log_format` string: variables as `$name` or `${name}`, all else stands in the line as it is.
 * @throws {RobotrieError} invalid-argument, where it has no target or variables stand side by side.
 */
export function templateOf(format: string): Template {
	const fail = (reason: string): never => {
		throw new RobotrieError(
			"invalid-argument",
			`the log format ${quote(format)} ${reason}`,
		);
	};
	// Of the path and its query, as Nginx has them apart, only the whole is of use.
	const text = format.replaceAll(
		/\$(?:uri|document_uri)(?:\$is_args|\?)\$(?:args|query_string)/g,
		"$request_uri",
	);
	const parts = text.split(/\$(?:\{(\w+)\}|(\w+))/);
	const lead = parts[0] ?? "";
	const steps: Step[] =
		lead === "" ? [] : [{ field: FIELD_NONE, flags: STEP_LEAD, text: lead }];
	let time = TIME_NONE;
	const seen = new Set<number>();
	let before = lead;
	for (let at = 1; at < parts.length; at += 3) {
		const name = parts[at] ?? parts[at + 1] ?? "";
		const after = parts[at + 2] ?? "";
		let [field, kind] = variables.get(name) ?? [FIELD_NONE];
		if (seen.has(field)) field = FIELD_NONE;
		seen.add(field);
		if (kind !== undefined && field === FIELD_TIME) time = kind;
		const quoted = before.endsWith('"') && after.startsWith('"');
		const isLast = at + 3 >= parts.length;
		if (after !== "" || isLast) {
			steps.push({ field, flags: quoted ? STEP_QUOTED : 0, text: after });
		} else {
			const next = parts[at + 3] ?? parts[at + 4] ?? "";
			if (variables.get(next)?.[0] !== FIELD_TARGET)
				fail(`does not tell where $${name} ends and $${next} begins`);
			steps.push({ field, flags: STEP_KEEP, text: "/" });
		}
		before = after;
	}
	if (!seen.has(FIELD_REQUEST) && !seen.has(FIELD_TARGET))
		fail("has neither $request nor $request_uri");
	return { steps, time };
}
