/**
 * What lines of text look like: the expressions and tests that rows of the table (format-table.ts) are made of, the expression that a line in
 * Nginx's notation amounts to, and the prefixes that log forwarders put in front of lines. Only detection uses them; nothing here is fast.
 */

import { isAddress, withoutPort } from "../common/addresses.ts";

/** What a program that forwards log lines puts in front of each. */
interface Prefix {
	/** The program, for the report. */
	readonly name: string;
	readonly shape: RegExp;
	/** The texts that end the fields of the prefix, for a line that begins with it. */
	ends(match: RegExpExecArray): readonly string[];
}

const TIME = String.raw`\d{4}-\d\d-\d\d[T ][\d:]{8}(?:[.,]\d+)?(?:Z| ?[+-]\d\d:?\d\d)?`;
/** As `journalctl` writes times: "short", "short-precise" and "short-full". */
const JOURNAL_TIME = String.raw`[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d+)?|[A-Z][a-z]{2} \d{4}-\d\d-\d\d [\d:.]+ \S+`;
/** Colours of a terminal. */
const COLOUR = String.raw`(?:\x1b\[[\d;]*m)*`;
/** What may begin a line behind a prefix that anything might be: an object, the client's address, a host and the address. */
const LINE_BEGINS = String.raw`(?=\{|[\da-f]*[:.][\da-f:.]*,? |[\w-]+(?:\.[\w-]+)+(?::\d+)? [\da-f]*[:.])`;

/** The blanks in a text, as ends of fields. */
function blanksIn(text = ""): readonly string[] {
	return Array.from(text.matchAll(/ /g), () => " ");
}

/** The most specific first. */
export const prefixes: readonly Prefix[] = [
	{
		name: "Kubernetes",
		// "2025-10-14T12:30:45.5Z stdout F "
		shape: new RegExp(`^${TIME} (?:stdout|stderr) [FP] `),
		ends: () => [" ", " ", " "],
	},
	{
		name: "kubectl logs --prefix",
		shape: new RegExp(`^\\[pod/[^\\]\\s]+\\] (${TIME} )?`),
		ends: ([, time]) => ["] ", ...blanksIn(time)],
	},
	{
		name: "syslog (RFC 5424)",
		// "<134>1 2025-10-14T12:30:45Z host app 123 id - ", or structured data in place of the dash, perhaps a byte order mark
		shape:
			/^<\d{1,3}>1 \S+ \S+ \S+ \S+ \S+ (?:-|(?:\[(?:[^\]\\"]|\\.|"(?:[^"\\]|\\.)*")*\])+) (\ufeff?)/,
		ends: ([text, mark]) => [
			" ",
			" ",
			" ",
			" ",
			" ",
			" ",
			`${text.includes("] ") ? "]" : ""} ${mark}`,
		],
	},
	{
		name: "syslog",
		// RFC 3164, also with the times of rsyslog, Fastly and journalctl: "<134>Oct 14 12:30:45 host app[123]: ", perhaps without the host, as Nginx
		// can write it, and Heroku does
		shape: new RegExp(
			`^(?:<\\d{1,3}>)?(?:${JOURNAL_TIME}|${TIME}) (?:\\S+ )?[^\\s:[\\]]+(?:\\[[\\w.-]+\\])?: `,
		),
		ends: () => [": "],
	},
	{
		name: "pm2",
		// "0|app  | ", perhaps with a time: "2025-10-14T12:30:45: "
		shape: new RegExp(
			`^${COLOUR}\\d+\\|[^|\\s]+ +\\| ?(${COLOUR} ?)(${TIME}: )?`,
		),
		ends: ([, colour = "", time]) => [
			"|",
			`| ${colour}`,
			...(time === undefined ? [] : [": "]),
		],
	},
	{
		name: "docker compose",
		// "web-1  | ", perhaps in colour, perhaps with times; nginx-proxy's container writes the same
		shape: new RegExp(
			`^${COLOUR}[\\w.-]+${COLOUR} +(\\|${COLOUR} ${COLOUR})(${TIME} )?`,
		),
		ends: ([, bar = "", time]) => [bar, ...blanksIn(time)],
	},
	{
		name: "Python's logging",
		// "INFO:aiohttp.access:"
		shape: /^[A-Z]+:[\w.]+:/,
		ends: () => [":", ":"],
	},
	{
		name: "zgrep",
		// A file's name, perhaps the number of the line: "/var/log/access.log.2.gz:12:"
		shape: new RegExp(
			`^(?![\\da-f:.]+ )(?:[^\\s:[\\]"{|]*[/.][^\\s:[\\]"{|]*|\\w*access[\\w-]*):(\\d+:)?${LINE_BEGINS}`,
		),
		ends: ([, number]) => [":", ...(number === undefined ? [] : [":"])],
	},
	{
		name: "stern",
		// "pod container "
		shape: new RegExp(
			`^${COLOUR}(?=[\\w-]*[g-z-])[a-z][\\w-]*${COLOUR} ${COLOUR}[a-z][\\w-]*${COLOUR} (${TIME} )?${LINE_BEGINS}`,
		),
		ends: ([, time]) => [" ", " ", ...blanksIn(time)],
	},
	{
		name: "aws logs tail",
		// A time and the name of a stream, which has no dot
		shape: new RegExp(`^(${TIME}) [^\\s.:]+ ${LINE_BEGINS}`),
		ends: ([, time]) => [...blanksIn(time), " ", " "],
	},
	{
		name: "a time",
		// `docker logs -t`, `kubectl logs --timestamps`
		shape: new RegExp(`^(${TIME}) `),
		ends: ([, time]) => [...blanksIn(time), " "],
	},
];

/** A time in brackets, as the Common Log Format writes it, and other fields of Apache's formats. */
export const CLF_TIME = String.raw`\[\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\]`;
/** A field may contain escaped quotes, so its end is not its first quote. */
export const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
export const ABSOLUTE = String.raw`"[A-Z]+ https?://(?:[^"\\]|\\.)*"`;
export const STATUS = String.raw`(?:\d{3}|-)`;
/** Bytes, and what follows them up to the end; a quote that is not closed is a line of "combined" that was cut off. */
export const LAST = String.raw`\S+(?: [^"]*(?:${QUOTED}[^"]*)*)?$`;
/** A host name, perhaps with a port, or "-" for none. Letters beyond ASCII are those of a name as a client may send it. */
const HOST_NAME =
	/^(?:-|\[[\da-f:.]+\](?::\d+)?|[\w.*\u0080-\uffff-]+(?::\d+)?)$/i;
/** One that no number or time could be. */
const NAMED_HOST = /^(?=.*[a-z])[\w-]+(?:\.[\w-]+)+(?::\d+)?$/i;

/** Whether a text is a host, perhaps with a port, or "-" for none. */
export function isHostColumn(text: string): boolean {
	return HOST_NAME.test(text);
}

/** Whether a text is a host that no number or time could be. */
export function isNamedHost(text: string): boolean {
	return NAMED_HOST.test(text);
}

/** Whether a text is an address, or the first of a list; with `orName` also what may be in its place. */
export function isClient(text = "", orName = false): boolean {
	return (
		isAddress(withoutPort(text.replace(/,$/, ""))) ||
		(orName && isClientName(text))
	);
}

/** Whether a text may be in place of an address: a host name of `HostnameLookups`, "-" or a socket. */
function isClientName(text = ""): boolean {
	return /^(?:unix:|[\w.*-]+)$/.test(text);
}

/** The first fields of a line with a list of addresses in front, in Apache's family. */
export const CLIENT = String.raw`("[^"\\]*"|(?:[^\s,]+, )*\S*[^\s,])`;

/** What must hold for the client of a line, whose next field is given: a name counts only before a dash, or where none other follows. */
export const hasClient = ([
	,
	client = "",
	next = "",
	user = "",
]: RegExpExecArray) => {
	const items = client.replaceAll('"', "").split(", ");
	const last = items.at(-1);
	return (
		(items.length > 1 && (isClient(last) || isClientName(last))) ||
		isClient(last) ||
		(isClientName(last) &&
			(next === "-" ||
				![next, ...user.split(" ")].some((text) => isClient(text))))
	);
};

/** Whether a text is an X-Forwarded-For header: one address is enough, as clients can put any text in front of it. */
export function isForwarded(list: string): boolean {
	return list.split(/, ?/).some((item) => isAddress(withoutPort(item)));
}

/** What a field looks like; the characters of all others are only limited by what follows them. */
const looks: Readonly<Record<string, string>> = {
	remote_addr: String.raw`\[?(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-fA-F]*:[\da-fA-F:.%]*)\]?(?::\d+)?`,
	time_local: String.raw`\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}`,
	time_iso8601: String.raw`\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)?`,
	time_ctime: String.raw`[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}`,
	// Envoy writes 0 where the client left.
	status: String.raw`(?:\d{3}|[-0])`,
	bytes_sent: String.raw`(?:\d+|-)`,
	body_bytes_sent: String.raw`(?:\d+|-)`,
	request_method: "[A-Za-z_-]+",
};

/** What lines look like whose fields are a text in Nginx's notation. */
export function shapeOfText(text: string): RegExp {
	// Names of fields and the texts between them take turns.
	const items = text.split(/\$(\w+)/);
	const source = items.map((item, index) => {
		if (index % 2 === 0) return item.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
		const look = looks[item];
		if (look !== undefined) return look;
		const after = items[index + 1] ?? "";
		if (after.startsWith('"') && items[index - 1]?.endsWith('"'))
			return String.raw`(?:[^"\\]|\\.)*`;
		// A text of several characters may have its first one in the field.
		return after === " " || after === "" ? String.raw`\S*` : ".*?";
	});
	return new RegExp(`^${source.join("")}`);
}
