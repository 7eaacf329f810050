import { formatOf, type LogFormat } from "./formats.ts";
import { templateOf } from "./template.ts";

const LINE =
	/^\S+:\d+ \[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d(?:\.\d+)?(?: [+-]\d{4})?\] \S+ \S+ [-+/\d]+ (?:\d{3}|-1) \S+ \S+ \S+ \S+ [+/\d]+ \d+\/\d+ (?:\{(.*?)\} )?(?:\{(.*?)\} )?"/;
const AGENT = /Mozilla\/|bot|crawl|spider|^[\w.-]+\/\d/i;
const HOST = /^(?:[\w-]+\.)+[a-z]{2,}(?::\d+)?$/i;

const START =
	"$remote_addr [$time_haproxy] $frontend $backend $timers $status $bytes_sent $c1 $c2 $end $connections $queue";

/**
 * The format of a line of HAProxy's HTTP log; undefined if it is none. Headers come only if the configuration captures them, without
 * their names: which one is the User-Agent header, and which the host, is told by what they look like.
 */
export function haproxyFormat(line: string): LogFormat | undefined {
	const match = LINE.exec(line);
	if (!match) return undefined;
	const [, request, response] = match;
	const format = formatOf("haproxy");
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
