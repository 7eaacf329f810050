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

/** Fields that belong to a group, and say nothing outside of all. */
export const groupFields: ReadonlySet<string> = new Set([
	"content-usage",
	"crawl-delay",
	"request-rate",
	"visit-time",
]);
