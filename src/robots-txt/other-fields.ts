/** Fields beside the standard's that crawlers document; License is that of RSL 1.0. */
export const knownOtherFields: ReadonlySet<string> = new Set([
	"clean-param",
	"content-signal",
	"content-signals",
	"content-usage",
	"crawl-delay",
	"host",
	"license",
	"request-rate",
	"visit-time",
]);

/** Settings of the crawlers named directly above: a user-agent line behind one of them begins a new section. */
export const sectionFields: ReadonlySet<string> = new Set([
	"content-signal",
	"content-signals",
	"content-usage",
	"crawl-delay",
	"request-rate",
	"visit-time",
]);

/** Those of them that say nothing in front of the first user-agent line. */
export const groupFields: ReadonlySet<string> = new Set([
	"content-usage",
	"crawl-delay",
	"request-rate",
	"visit-time",
]);

/**
 * Fields of draft-canel-robots-ai-control-00 (Microsoft, October 2024), which has expired. Google's library takes them for Allow and
 * Disallow, as their names begin so.
 */
export const proposedFields: ReadonlySet<string> = new Set([
	"allowaitraining",
	"disallowaitraining",
]);

/** The name of a field as it is usually written: "User-agent", "Content-Signal". */
export function displayName(field: string): string {
	const name = field.toLowerCase();
	const second = name.startsWith("content-") ? 8 : 0;
	return [...name]
		.map((letter, at) =>
			at === 0 || at === second ? letter.toUpperCase() : letter,
		)
		.join("");
}
