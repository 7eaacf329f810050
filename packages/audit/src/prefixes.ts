/** What programs that pass lines on put in front of them. */
export interface Prefix {
	readonly shape: RegExp;
	/** The texts that end its parts, for a line that begins with it. */
	ends(match: RegExpExecArray): readonly string[];
}

const TIME = String.raw`\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)`;

/** The most particular first. */
export const prefixes: readonly Prefix[] = [
	{
		// Kubernetes: "2025-10-14T12:30:45.5Z stdout F "
		shape: new RegExp(`^${TIME} (?:stdout|stderr) [FP] `),
		ends: () => [" ", " ", " "],
	},
	{
		// RFC 5424: "<134>1 2025-10-14T12:30:45Z host app 123 id - "
		shape: /^<\d{1,3}>1 \S+ \S+ \S+ \S+ \S+ - /,
		ends: () => [" ", " ", " ", " ", " ", " ", " "],
	},
	{
		// RFC 3164, also with the times of rsyslog and Fastly: "<134>Oct 14 12:30:45 host app[123]: "
		shape: new RegExp(
			`^(?:<\\d{1,3}>)?(?:[A-Z][a-z]{2} [ \\d]\\d \\d\\d:\\d\\d:\\d\\d|${TIME}) \\S+ [^\\s:[\\]]+(?:\\[\\d+\\])?: `,
		),
		ends: () => [": "],
	},
	{
		// Docker compose: "web-1  | ", perhaps in colour, perhaps with times
		shape: new RegExp(
			`^(?:\\x1b\\[\\d+m)?[\\w.-]+ +\\| (\\x1b\\[0m)?(${TIME} )?`,
		),
		ends: ([, colour = "", time]) => [
			` | ${colour}`,
			...(time === undefined ? [] : [" "]),
		],
	},
];
