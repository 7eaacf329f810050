import { parseCleanParam } from "./clean-param.ts";
import {
	parseCrawlDelay,
	parseRequestRate,
	parseVisitTime,
} from "./crawl-rate.ts";
import { parseHost } from "./host.ts";
import { faultOf } from "./parsed.ts";
import { readContentSignal, readContentUsage } from "./usage-statement.ts";

const faults: Readonly<Record<string, (value: string) => string | undefined>> =
	{
		"clean-param": (value) => faultOf(parseCleanParam(value)),
		"content-signal": (value) => readContentSignal(value).fault,
		"content-usage": (value) => readContentUsage(value).fault,
		"crawl-delay": (value) => faultOf(parseCrawlDelay(value)),
		host: (value) => faultOf(parseHost(value)),
		"request-rate": (value) => faultOf(parseRequestRate(value)),
		"visit-time": (value) => faultOf(parseVisitTime(value)),
	};

/** What is wrong with the value of a line that is no rule; the field's name is in lower case. */
export function valueFault(field: string, value: string): string | undefined {
	return Object.hasOwn(faults, field) ? faults[field]?.(value) : undefined;
}
