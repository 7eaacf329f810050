/**
 * The entry for the other packages of this repository (@robotrie/audit/internal). Not for users; it changes without notice. The
 * command line keeps answers of DNS by it, and the page looks at logs before it scans them.
 */

export { tells } from "./formats/log-format.ts";
// Files that are named by host, checked where they are chosen.
export {
	checkHosts,
	isHost,
	type ReadingOptions,
} from "./options/rule-book.ts";
// The first lines of logs, before any is read whole.
export {
	byTime,
	type FormatAdvice,
	formatFor,
	formatOfHead,
	HEAD,
	timeOfFirstLine,
} from "./scan/detect.ts";
// Answers of DNS that the command line keeps from one audit to the next.
export {
	type DnsAnswer,
	RESOLVE_LIMITS,
	ReverseDns,
} from "./scan/reverse-dns.ts";
