import { parseCleanParam } from "./clean-param.ts";
import {
	parseCrawlDelay,
	parseRequestRate,
	parseVisitTime,
} from "./crawl-rate.ts";
import { parseHost } from "./host.ts";
import { isAbsoluteUrl } from "./other-lines.ts";
import type { Parsed } from "./parsed.ts";
import {
	type ReadStatement,
	readContentSignal,
	readContentUsage,
} from "./usage-statement.ts";

/** What is wrong with a value. */
export interface ValueFault {
	/** The rest of a sentence. */
	readonly reason: string;
	/** Some of it counts. */
	readonly partly: boolean;
}

const faults: Readonly<
	Record<string, (value: string) => ValueFault | undefined>
> = {
	"clean-param": (value) => faultOf(parseCleanParam(value)),
	"content-signal": (value) => faultOfStatement(readContentSignal(value)),
	"content-signals": (value) => faultOfStatement(readContentSignal(value)),
	"content-usage": (value) => faultOfStatement(readContentUsage(value)),
	"crawl-delay": (value) => faultOf(parseCrawlDelay(value)),
	host: (value) => faultOf(parseHost(value)),
	license: (value) =>
		isAbsoluteUrl(value)
			? undefined
			: {
					reason:
						"a license is an absolute URL, such as https://example.com/license.xml",
					partly: false,
				},
	"request-rate": (value) => faultOf(parseRequestRate(value)),
	"visit-time": (value) => faultOf(parseVisitTime(value)),
};

/** What is wrong with the value of a line that is no rule; the field's name is in lower case. */
export function valueFault(
	field: string,
	value: string,
): ValueFault | undefined {
	return Object.hasOwn(faults, field) ? faults[field]?.(value) : undefined;
}

function faultOf({ fault }: Parsed<unknown>): ValueFault | undefined {
	return fault === undefined ? undefined : { reason: fault, partly: false };
}

/** Reasons that a message gives. */
const MOST_REASONS = 3;

function faultOfStatement({
	statement: { uses, level },
	faults,
}: ReadStatement): ValueFault | undefined {
	if (faults.length === 0) return undefined;
	const reasons = [...new Set(faults)];
	const more = reasons.length - MOST_REASONS;
	return {
		reason: [
			...reasons.slice(0, MOST_REASONS),
			...(more > 0 ? [`and ${more} more`] : []),
		].join("; "),
		partly: uses.size > 0 || level !== undefined,
	};
}
