import { answers } from "./answers.ts";
import { heaps, origins, ranges } from "./at-hand.ts";
import { entries, programs, snapshots } from "./binaries.ts";
import { files, groups } from "./files.ts";
import { frames } from "./frames.ts";
import { logRecords } from "./log-records.ts";
import { headers, logs } from "./logs.ts";
import { forgedRequests, forgedStates, states } from "./states.ts";
import type { Target } from "./target.ts";
import { entryPoints, verdicts } from "./verdicts.ts";
import { auditTasks, poolAnswers } from "./workers.ts";

export const targets: readonly Target[] = [
	files,
	groups,
	verdicts,
	entryPoints,
	programs,
	snapshots,
	entries,
	headers,
	logs,
	logRecords,
	states,
	forgedStates,
	forgedRequests,
	answers,
	frames,
	poolAnswers,
	auditTasks,
	heaps,
	origins,
	ranges,
];
