import { RobotrieError } from "robotrie";
import { type LogFormat, tells } from "./formats.ts";
import type { RobotsSource } from "./rule-book.ts";

/** Names, IPv4 addresses and IPv6 addresses in brackets, perhaps with a port. */
const HOST = /^(?:[\w-]+(?:\.[\w-]+)*\.?|\[[\da-f:.]+\])(?::\d{1,5})?$/i;

/** Whether a robots.txt may be named for it. */
export function isHost(text: string): boolean {
	return HOST.test(text);
}

/**
 * Lines that do not tell the host cannot choose between robots.txt files.
 * @throws {RobotrieError} invalid-argument.
 */
export function checkHosts(
	logs: readonly { readonly name: string; readonly format: LogFormat }[],
	robots: readonly RobotsSource[],
): void {
	const hosts = new Set(robots.map(({ host }) => host));
	if (hosts.size < 2 || hosts.has(undefined)) return;
	const silent = logs.find(({ format }) => !tells(format, "host"));
	if (silent)
		throw new RobotrieError(
			"invalid-argument",
			`lines of ${silent.name} (${silent.format.name}) do not tell the host; name one robots.txt without a host`,
		);
}
