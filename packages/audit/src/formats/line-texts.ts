/**
 * Formats whose fields depend on a configuration that is not known: the text in Nginx's notation that cuts a line is made from the line
 * itself. For rows of format-table.ts, which line-formats.ts asks; a line with other fields gets another text.
 */

/**
 * A line of HAProxy's: client, time, frontend, backend and server, timers, status, counts, then
 * captured headers in braces, then the request.
 */
const HAPROXY =
	/^\S+:\d+ \[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d(?:\.\d+)?(?: [+-]\d{4})?\] \S+ \S+ [-+/\d]+ (?:\d{3}|-1) \S+ \S+ \S+ \S+ [+/\d]+ \d+\/\d+ (?:\{(.*?)\} )?(?:\{(.*?)\} )?"/;
/** What a captured header that is a User-Agent, or a host, looks like. */
const AGENT = /Mozilla\/|bot|crawl|spider|^[\w.-]+\/\d/i;
const HOST = /^(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?$/i;
/** A host or a referrer may have such a word, too: "robotshop.example". */
const isAgent = (header: string) =>
	AGENT.test(header) && !HOST.test(header) && !/^https?:/i.test(header);

/**
 * The fields of a line of HAProxy's HTTP log; undefined for other lines. Headers are in it only if the configuration captures them, and
 * without their names: which one is the User-Agent header, and which the host, can only be guessed by their look.
 */
export function haproxyText(line: string): string | undefined {
	const match = HAPROXY.exec(line);
	if (!match) return undefined;
	const [, request, response] = match;
	const start =
		"$remote_addr [$time_haproxy] $frontend $backend $timers $status $bytes_sent $c1 $c2 $end $connections $queue";
	// A configuration without captures has no braces.
	if (request === undefined) return `${start} "$request"`;
	const headers = request.split("|");
	const agent = headers.findIndex(isAgent);
	const host = headers.findIndex((header) => HOST.test(header));
	const names = headers.map((_, index) =>
		index === agent
			? "$http_user_agent"
			: index === host
				? "$http_host"
				: `$header${index}`,
	);
	const answer = response === undefined ? "" : " {$answer}";
	return `${start} {${names.join("|")}}${answer} "$request"`;
}

/** The labels of LTSV that an audit uses (http://ltsv.org), and those that servers' examples have in their place. */
const labels: Readonly<Record<string, string>> = {
	time: "$time_local",
	time_local: "$time_local",
	host: "$remote_addr",
	remote_addr: "$remote_addr",
	forwardedfor: "$http_x_forwarded_for",
	req: "$request",
	request: "$request",
	method: "$request_method",
	uri: "$request_uri",
	request_uri: "$request_uri",
	status: "$status",
	size: "$body_bytes_sent",
	body_bytes_sent: "$body_bytes_sent",
	referer: "$http_referer",
	http_referer: "$http_referer",
	ua: "$http_user_agent",
	useragent: "$http_user_agent",
	user_agent: "$http_user_agent",
	http_user_agent: "$http_user_agent",
	vhost: "$http_host",
	domain: "$http_host",
};

/** The fields of a line of LTSV, labels in any order; undefined for other lines, and without a request. */
export function ltsvText(line: string): string | undefined {
	const items = line.split("\t");
	if (items.length < 3 || !items.every((item) => /^[\w.-]+:/.test(item)))
		return undefined;
	const pairs = items.map((item) => {
		const [, label = "", value = ""] = /^([\w.-]+):(.*)$/.exec(item) ?? [];
		return { label, value };
	});
	const isThere = (name: string) =>
		pairs.some(({ label }) => labels[label] === name);
	const fieldOf = (label: string) => {
		// The address has a label of its own: this is Nginx's $host.
		if (label === "host" && pairs.some((pair) => pair.label === "remote_addr"))
			return isThere("$http_host") ? undefined : "$http_host";
		const field = labels[label];
		// A path may be Nginx's $uri, which is decoded and has no query.
		const isDouble = field === "$request_uri" && isThere("$request");
		return isDouble ? undefined : field;
	};
	const fields = pairs.map(({ label, value }, index) => {
		const field = fieldOf(label) ?? `$other${index}`;
		if (field !== "$time_local") return `${label}:${field}`;
		if (/^\[.*\]$/.test(value)) return `${label}:[${field}]`;
		const isIso = /^\d{4}-/.test(value);
		return `${label}:${isIso ? "$time_iso8601" : /^\d+(?:\.\d+)?$/.test(value) ? "$msec" : field}`;
	});
	const has = (name: string) => fields.some((field) => field.endsWith(name));
	return (has("$request") || has("$request_uri")) &&
		(has("$status") || has("$http_user_agent"))
		? fields.join("\t")
		: undefined;
}
