import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { casesOf } from "../../../../test/cases.ts";
import {
	FIELD_AGENT,
	FIELD_STATUS,
	FIELD_TIME,
	STEP_BLANKS,
	STEP_KEEP,
	STEP_LEAD,
	STEP_LIST,
	STEP_QUOTED,
} from "../../assembly/format.ts";
import { named } from "../../src/formats/line-formats.ts";
import { decodeHeader } from "../../src/formats/log-format.ts";
import type { Template } from "../../src/formats/template.ts";
import {
	formatOf,
	LogAudit,
	type LogFormat,
	nginxFormat,
} from "../../src/index.ts";
import { classify } from "../../src/who/classify.ts";

/** Fields of a line, cut a character at a time; undefined when it is not of the format. */
function cut(line: string, { steps }: Template): string[] | undefined {
	const fields: string[] = [];
	let rest = line;
	for (const { field, flags, text } of steps) {
		let end = 0;
		// A time may hold the blank that ends it.
		const isTime =
			field === FIELD_TIME && text !== "" && rest.startsWith(text, 26);
		const isEscaped = () =>
			(flags & STEP_QUOTED) !== 0 &&
			/(?<!\\)\\(\\\\)*$/.test(rest.slice(0, end));
		if (text === "") end = rest.length;
		else if (isTime) end = 26;
		else if (flags === STEP_LEAD) end = rest.startsWith(text) ? 0 : rest.length;
		else
			while (
				end < rest.length &&
				(!rest.startsWith(text, end) ||
					isEscaped() ||
					(flags & STEP_LIST && rest[end - 1] === ","))
			)
				end++;
		if (text !== "" && end === rest.length) return undefined;
		fields[field] = rest.slice(0, end);
		rest = rest.slice(flags === STEP_KEEP ? end : end + text.length);
		if (flags & STEP_BLANKS) rest = rest.replace(/^ +/, "");
	}
	return fields;
}

const CLF =
	/^(0[1-9]|[12]\d|3[01])\/Oct\/\d{4}:([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60) [+-]([01]\d|2[0-3])[0-5]\d$/;
/** HAProxy writes -1 for none. */
const STATUS = /^(\d{3}|\d|-1?)$/;

/** What a line counts as: its header as it is grouped by, or one of the report's numbers. */
function kindOf(line: string, template: Template): string {
	if (/^[ \t]*$/.test(line)) return "blank";
	const fields = cut(line, template);
	if (
		!fields ||
		!STATUS.test(fields[FIELD_STATUS] ?? "") ||
		!CLF.test(fields[FIELD_TIME] ?? "")
	)
		return "unparsed";
	const written = fields[FIELD_AGENT] ?? "";
	const header = decodeHeader(Buffer.from(written, "latin1"), "backslash");
	if (header === "" || header === "-") return "withoutAgent";
	return classify(header) ? `header ${header}` : "people";
}

const numbers = ["blank", "unparsed", "withoutAgent", "people"] as const;

const time = "14/Oct/2025:12:30:45 +0000";
const request = "GET /private/a?b=c HTTP/1.1";
const long = `Mozilla/5.0 (X11; Linux x86_64) ${"Gecko/20100101 ".repeat(9)}Examplebot/1.0`;
const combined = `192.0.2.1 - - [${time}] "${request}" 200 5 "-" "${long}"`;
/** By another name, and without columns, so that no line is looked at again: it might be of a format that it is not cut as. */
const asIs = ({ columns: _, ...format }: LogFormat): LogFormat => ({
	...format,
	name: "as it is",
});
const formats = [
	{ format: asIs(formatOf("combined")), line: combined },
	{
		format: asIs(formatOf("vcombined")),
		line: `shop.example:443 ${combined}`,
	},
	{
		format: asIs(named("combined", true)),
		line: combined.replaceAll(" 2", "  2"),
	},
	{
		format: asIs(
			nginxFormat("[$time_local] $status $request_uri $http_user_agent"),
		),
		line: `[${time}] 200 /private/ ${long}`,
	},
	{
		format: asIs(
			nginxFormat(
				'$time_local $remote_addr status="$status" took $request_time s, "$http_user_agent" asks for "$request"',
			),
		),
		line: `${time} 192.0.2.1 status="404" took 0.1 s, "${long}" asks for "${request}"`,
	},
];

/** What is put into lines, or in place of their parts. */
const pieces = [
	...' "\\[]-\n\r\t/5x',
	...'\\" - ," ","-,] ",\\\\",\r\n,Googlebot/2.1,404'.split(","),
	"2001:db8:1234:5678:9abc:def0:1234:5678",
	"14/Oct/2025:12:30:61 +0000",
	long,
	combined,
	"y".repeat(64),
];
const change = fc.record({
	/** Of the line's length, in thousandths. */
	at: fc.nat(999),
	length: fc.constantFrom(0, 0, 1, 3, 30),
	piece: fc.constantFrom("", ...pieces),
});

describe.each(formats)(
	"Lines of $format.name, as $line",
	({ format, line }) => {
		test("are cut like the slow reference reader cuts them, broken ones too", async () => {
			const changed = fc.array(change, { maxLength: 3 }).map((changes) =>
				changes.reduce((text, { at, length, piece }) => {
					const from = Math.floor((at * text.length) / 1000);
					return text.slice(0, from) + piece + text.slice(from + length);
				}, line),
			);
			await fc.assert(
				fc.asyncProperty(
					fc.array(changed, { minLength: 1, maxLength: 200, size: "max" }),
					async (parts) => {
						const text = `${parts.join("\n")}\n`;
						const bytes = Buffer.from(text, "latin1");
						const { template } = format;
						const counts = new Map<string, number>();
						for (const each of text.split("\n").slice(0, -1)) {
							const kind = kindOf(each.replace(/\r$/, ""), template);
							counts.set(kind, (counts.get(kind) ?? 0) + 1);
						}
						const audit = new LogAudit({
							robots: [{ file: "robots.txt", bytes: Buffer.from("") }],
							format,
							groupBy: "header",
						});
						await audit.add("log", [bytes]);
						const report = audit.report();
						const found = new Map<string, number>(
							report.crawlers.map(({ name, requests }) => [
								`header ${name}`,
								requests,
							]),
						);
						for (const name of numbers)
							if (report[name] > 0) found.set(name, report[name]);
						expect(Object.fromEntries(found)).toEqual(
							Object.fromEntries(counts),
						);
					},
				),
				{
					numRuns: casesOf(40),
					examples: [
						[[line.replace(/\b(200|404)\b/, "-1")]],
						[["\t", " \t \r", line]],
					],
				},
			);
		});
	},
);
