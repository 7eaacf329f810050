import type { OtherLine } from "../robots-txt/parsed-file.ts";
import { valueFault } from "../robots-txt/value-faults.ts";
import type { Found } from "./finding.ts";
import type { Reading } from "./reading.ts";

const extended =
	"comes from a draft of 1996 that no large search engine documents. Bing reads Crawl-delay.";

const obsolete: Readonly<Record<string, string>> = {
	host: "Host has no effect: Yandex, the only crawler that read it, stopped in 2018. Redirect to the main host with status 301 instead.",
	"request-rate": `Request-rate ${extended}`,
	"visit-time": `Visit-time ${extended}`,
};

/** Fields that were documented once, each in the first of its lines that has a valid value. */
export function findObsoleteFields({ file }: Reading): Found[] {
	const first = new Map<string, OtherLine>();
	for (const other of file.others)
		if (
			Object.hasOwn(obsolete, other.field) &&
			!first.has(other.field) &&
			!valueFault(other.field, other.value)
		)
			first.set(other.field, other);
	return [...first.values()].map(({ field, line }) => ({
		line,
		code: "obsolete-field",
		severity: "info",
		message: obsolete[field] ?? "",
	}));
}
