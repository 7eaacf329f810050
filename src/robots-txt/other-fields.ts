/** Fields beside the standard's that crawlers document. */
export const knownOtherFields: ReadonlySet<string> = new Set([
	"clean-param",
	"content-signal",
	"content-usage",
	"crawl-delay",
	"host",
	"request-rate",
	"visit-time",
]);

/** Settings of the crawlers named directly above: a user-agent line behind one of them begins a new section. */
export const sectionFields: ReadonlySet<string> = new Set([
	"content-signal",
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
