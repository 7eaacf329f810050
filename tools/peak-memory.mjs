import { existsSync, readFileSync } from "node:fs";

const STATUS = "/proc/self/status";

/** MiB that the process took at most. On Linux maxRSS would count what its parent had when it started it. */
export function peakMemory() {
	const own = existsSync(STATUS)
		? /^VmHWM:\s*(\d+)/m.exec(readFileSync(STATUS, "utf8"))?.[1]
		: undefined;
	return Number(own ?? process.resourceUsage().maxRSS) / 1024;
}
