import type { Parsed } from "./parsed.ts";

const LARGEST_PORT = 65_535;
/** RFC 1123 §2.1: a host name, and each of its labels. */
const LONGEST_NAME = 255;
const LONGEST_LABEL = 63;

/**
 * The value of a Host line, in lower case: a host name as RFC 952 has it, with RFC 1123 §2.1's first digit and longer
 * labels, and perhaps a port from 1 on. The Yandex document ("Директива Host") refuses all else, IP addresses too.
 */
export function parseHost(value: string): Parsed<string> {
	const [, name = "", port] = /^(.*?)(?::(.*))?$/s.exec(value) ?? [];
	const fault = value.includes("/")
		? "it holds a scheme or a path"
		: /[\s,]/.test(value)
			? "it is more than one name"
			: (faultOfName(name) ?? faultOfPort(port));
	return fault === undefined ? { value: value.toLowerCase() } : { fault };
}

function faultOfName(name: string): string | undefined {
	if (name.length > LONGEST_NAME)
		return `a name has no more than ${LONGEST_NAME} characters`;
	const labels = name.split(".");
	for (const label of labels) {
		if (label === "")
			return name === "" ? "the name is missing" : "a label of it is empty";
		if (!/^[a-z0-9-]+$/i.test(label))
			return 'labels have only letters of ASCII, digits and "-"';
		if (label.startsWith("-") || label.endsWith("-"))
			return 'labels neither begin nor end with "-"';
		if (label.length > LONGEST_LABEL)
			return `a label has no more than ${LONGEST_LABEL} characters`;
	}
	// The last label of a name is never a number, that of an address always.
	if (/^\d+$/.test(labels.at(-1) ?? "")) return "it is an IP address";
	return undefined;
}

function faultOfPort(port: string | undefined): string | undefined {
	if (port === undefined) return undefined;
	const number = /^\d{1,5}$/.test(port) ? Number(port) : 0;
	return number >= 1 && number <= LARGEST_PORT
		? undefined
		: `a port is a number from 1 to ${LARGEST_PORT}`;
}
