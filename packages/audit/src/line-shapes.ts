/**
 * What single lines of text look like: a regular expression for each format that is one string, prefixes that log forwarders put in front,
 * and HAProxy, whose format depends on the headers that a configuration captures. Used by detect.ts only. A new text format needs an
 * entry in `shapes` in front of every shape that would match its lines as well.
 */

import { isAddress, withoutPort } from "./addresses.ts";
import { formatOf } from "./formats.ts";
import { apacheFamily, type LogFormat } from "./log-format.ts";
import { loosened, templateOf } from "./template.ts";

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
			...[" ", " ", " ", " ", " ", " "],
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

/**
 * A line of HAProxy's: client, time, frontend, backend and server, timers, status, counts, then
 * captured headers in braces, then the request.
 */
const LINE =
	/^\S+:\d+ \[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d(?:\.\d+)?(?: [+-]\d{4})?\] \S+ \S+ [-+/\d]+ (?:\d{3}|-1) \S+ \S+ \S+ \S+ [+/\d]+ \d+\/\d+ (?:\{(.*?)\} )?(?:\{(.*?)\} )?"/;
/** What a captured header that is a User-Agent, or a host, looks like. */
const AGENT = /Mozilla\/|bot|crawl|spider|^[\w.-]+\/\d/i;
const HOST = /^(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?$/i;

const START =
	"$remote_addr [$time_haproxy] $frontend $backend $timers $status $bytes_sent $c1 $c2 $end $connections $queue";

/**
 * The format of a line of HAProxy's HTTP log; undefined for other lines. Headers are in it only if the configuration captures them, and
 * without their names: which one is the User-Agent header, and which the host, can only be guessed by their look.
 */
export function haproxyFormat(line: string): LogFormat | undefined {
	const match = LINE.exec(line);
	if (!match) return undefined;
	const [, request, response] = match;
	const format = formatOf("haproxy");
	// A configuration without captures has no braces, and then the plain format fits.
	if (request === undefined) return format;
	const headers = request.split("|");
	const agent = headers.findIndex((header) => AGENT.test(header));
	const host = headers.findIndex((header) => HOST.test(header));
	const names = headers.map((_, index) =>
		index === agent
			? "$http_user_agent"
			: index === host
				? "$http_host"
				: `$header${index}`,
	);
	const answer = response === undefined ? "" : " {$answer}";
	return {
		...format,
		template: templateOf(`${START} {${names.join("|")}}${answer} "$request"`),
	};
}

/** A time in brackets, as the Common Log Format writes it, and other fields of Apache's formats. */
const CLF_TIME = String.raw`\[\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\]`;
/** A field may contain escaped quotes, so its end is not its first quote. */
const QUOTED = String.raw`"(?:[^"\\]|\\.)*"`;
const ABSOLUTE = String.raw`"[A-Z]+ https?://(?:[^"\\]|\\.)*"`;
const STATUS = String.raw`(?:\d{3}|-)`;
/** Bytes, and what follows them up to the end; a quote that is not closed is a line of "combined" that was cut off. */
const LAST = String.raw`\S+(?: [^"]*(?:${QUOTED}[^"]*)*)?$`;
/** A host name, perhaps with a port, or "-" for none. Letters beyond ASCII are those of a name as a client may send it. */
const HOST_NAME =
	/^(?:-|\[[\da-f:.]+\](?::\d+)?|[\w.*\u0080-\uffff-]+(?::\d+)?)$/i;
/** One that no number or time could be. */
const NAMED_HOST = /^(?=.*[a-z])[\w-]+(?:\.[\w-]+)+(?::\d+)?$/i;

/** Whether a text is a host, perhaps with a port, or "-" for none. */
export function isHostColumn(text: string): boolean {
	return HOST_NAME.test(text);
}

/** Whether a text is an address, or the first of a list. */
function isClient(text = ""): boolean {
	return isAddress(withoutPort(text.replace(/,$/, "")));
}

/** Whether a text may be in place of an address: a host name of `HostnameLookups`, "-" or a socket. */
function isClientName(text = ""): boolean {
	return /^(?:unix:|[\w.*-]+)$/.test(text);
}

/** The first fields of a line with a list of addresses in front, in Apache's family. */
const CLIENT = String.raw`("[^"\\]*"|(?:[^\s,]+, )*\S*[^\s,])`;

/** What must hold for the client of a line, whose next field is given: a name counts only before a dash, or where none other follows. */
const hasClient = ([, client = "", next = "", user = ""]: RegExpExecArray) => {
	const items = client.replaceAll('"', "").split(", ");
	const last = items.at(-1);
	return (
		(items.length > 1 && (isClient(last) || isClientName(last))) ||
		isClient(last) ||
		(isClientName(last) &&
			(next === "-" || ![next, ...user.split(" ")].some(isClient)))
	);
};

/** Whether a text is an X-Forwarded-For header: one address is enough, as clients can put any text in front of it. */
function isForwarded(list: string): boolean {
	return list.split(/, ?/).some((item) => isAddress(withoutPort(item)));
}

/**
 * What lines of each format look like, the most specific first. "combined" fits every line of
 * "main", and "common" fits every line of "combined".
 */
const shapes: readonly (readonly [
	name: string,
	shape: RegExp,
	test?: (match: RegExpExecArray) => boolean,
])[] = [
	[
		"alb",
		/^(?:https?|h2|grpcs|wss?) \d{4}-\d\d-\d\dT[\d:.]+Z \S+ \S+ \S+ \S+ \S+ \S+ \S+ \S+ \d+ \d+ "/,
	],
	[
		"elb",
		/^\d{4}-\d\d-\d\dT[\d:.]+Z \S+ \S+:\d+ \S+ [-\d.]+ [-\d.]+ [-\d.]+ \S+ \S+ \d+ \d+ "/,
	],
	[
		"s3",
		new RegExp(
			`^\\S+ \\S+ ${CLF_TIME} \\S+ \\S+ \\S+ [A-Z0-9]+\\.\\S+ \\S+ (?:${QUOTED}|-) `,
		),
	],
	[
		"istio",
		/^\[\d{4}-\d\d-\d\dT[\d:.]+Z\] "[^"]*" \d+ \S+ \S+ \S+ "[^"]*" \d+ \d+ \d+ \S+ "[^"]*" "[^"]*" "[^"]*" "[^"]*" "[^"]*" \S+ \S+ \S+ \S+ \S+ /,
	],
	[
		"envoy",
		/^\[\d{4}-\d\d-\d\dT[\d:.]+Z\] "[^"]*" \d+ \S+ \d+ \d+ \d+ \S+ "[^"]*" "[^"]*" "[^"]*" "[^"]*" "[^"]*"/,
	],
	[
		"bunny",
		/^[A-Z-]+\|\d{3}\|\d{10,13}\|\d+\|\d+\|[^|]*\|[^|]*\|https?:\/\/[^|]+\|[A-Z]+\|[^|]*\|/,
	],
	["squid", /^\d{10}\.\d{3} +\d+ \S+ [A-Z_]+\/\d{3} \d+ [A-Z_]+ \S+ \S+ \S+ /],
	[
		"heroku",
		/^\S+ heroku\[router\]: .*?\bmethod=\S+ path="[^"]*" host=\S+ .*?fwd="[^"]*" .*?status=\d+ bytes=/,
	],
	[
		"proxied",
		new RegExp(
			`^${CLIENT} (\\S+) \\S+ \\S.*? ${CLF_TIME} ${QUOTED} ${STATUS} \\S+ ${QUOTED} ${QUOTED}`,
		),
		// An address, a list or "-" in front of an address; a host that is an address is rarer.
		([, forwarded = "", ip = ""]) =>
			(/^"?-"?$/.test(forwarded) ||
				isClient(forwarded.replaceAll('"', "").split(", ").at(-1))) &&
			isClient(ip),
	],
	[
		"vcombined",
		new RegExp(
			`^(\\S+) (\\S+) \\S+ .+? ${CLF_TIME} ${QUOTED} ${STATUS} \\S+ ${QUOTED} ${QUOTED}`,
		),
		// A host in front and an address after it: without this test, "main" lines would be read as
		// "vcombined".
		([, host = "", ip]) => isHostColumn(host) && isClient(ip),
	],
	[
		"lighttpd",
		new RegExp(
			`^(\\S+) (\\S+) \\S+ ${CLF_TIME} ${QUOTED} ${STATUS} \\S+ ${QUOTED} ${QUOTED}`,
		),
		([, client, host = ""]) =>
			(isClient(client) || isClientName(client)) && NAMED_HOST.test(host),
	],
	[
		"varnish",
		new RegExp(
			`^${CLIENT} (\\S+) (.+?) ${CLF_TIME} ${ABSOLUTE} ${STATUS} \\S+ ${QUOTED} ${QUOTED}`,
		),
		hasClient,
	],
	[
		"main",
		new RegExp(
			`^${CLIENT} (\\S+) (.+?) ${CLF_TIME} ${QUOTED} ${STATUS} \\S+ ${QUOTED} ${QUOTED} "(?:-"$|([^"\\\\]*)"(?: |$))`,
		),
		(match) => {
			const list = match[4];
			return hasClient(match) && (list === undefined || isForwarded(list));
		},
	],
	[
		"combined",
		new RegExp(
			`^${CLIENT} (\\S+) (.+?) ${CLF_TIME} ${QUOTED} ${STATUS} \\S+ ${QUOTED} ${QUOTED}`,
		),
		hasClient,
	],
	[
		"vcommon",
		new RegExp(
			`^(\\S+) (\\S+) \\S+ .+? ${CLF_TIME} ${QUOTED} ${STATUS} ${LAST}`,
		),
		([, host = "", ip]) => isHostColumn(host) && isClient(ip),
	],
	[
		"common",
		new RegExp(
			`^${CLIENT} (\\S+) (.+?) ${CLF_TIME} ${QUOTED} ${STATUS} ${LAST}`,
		),
		hasClient,
	],
];

/** The name of the first format whose shape a line has. */
function shapeOf(line: string): string | undefined {
	return shapes.find(([, shape, test]) => {
		const match = shape.exec(line);
		return match && (test?.(match) ?? true);
	})?.[0];
}

/** Formats of Apache's family, which servers that are not Apache write with other blanks between fields. */
const spaced: readonly string[] = [...apacheFamily, "lighttpd"];

/** The line with one blank between fields: none is missing after the time, none is doubled outside quotes. */
function squeezed(line: string): string {
	return line.replace(
		/"(?:[^"\\]|\\.)*"|\](?=")|( ) +/g,
		(match, blank?: string) => blank ?? (match === "]" ? "] " : match),
	);
}

/** The format of a line of text; undefined if none fits. */
export function ofText(line: string): LogFormat | undefined {
	const name = shapeOf(line);
	const even = squeezed(line);
	if (even !== line) {
		// "common" fits a line of "combined" whose Referer has two blanks in front.
		const found = shapeOf(even);
		if (found !== undefined && found !== name && spaced.includes(found))
			return named(found, true);
	}
	return name === undefined ? haproxyFormat(line) : named(name);
}

const known = new Map<string, LogFormat>();

/**
 * A format by its name, made once: detection compares formats of hundreds of lines.
 * @param isSpaced Whether there may be several blanks between fields. Its lines are cut by the slower `cut` of the scanner.
 */
export function named(name: string, isSpaced = false): LogFormat {
	const key = isSpaced ? `${name} spaced` : name;
	const format = known.get(key) ?? formatOf(name);
	const made =
		isSpaced && !known.has(key)
			? { ...format, template: loosened(format.template) }
			: format;
	known.set(key, made);
	return made;
}
