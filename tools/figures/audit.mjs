// The figures of the audit in docs/audit.md, docs/audit-pipelines.md and bench/README.md.

import { Figure, runsOf } from "./results.mjs";
import { digits, range, say, whole } from "./text.mjs";

const ONE = "robotrie audit --workers 1";

/** What programs took over each log, in the newest run that has them all. */
function logsWith(...names) {
	for (const run of runsOf("audit")) {
		const found = Object.entries(run.results).flatMap(([log, rows]) => {
			const programs = names.map((name) =>
				rows.find((row) => row.name === name),
			);
			return programs.includes(undefined)
				? []
				: [{ place: `${run.file}: ${log}, ${names.join(" / ")}`, programs }];
		});
		if (found.length > 0) return found;
	}
	return [];
}

const span = (name, field, form) =>
	range(
		logsWith(name).map(
			({ place, programs: [one] }) =>
				new Figure(one[field], [`${place}, ${field}`]),
		),
		form,
	);

/** How many times as long as the audit, log by log. */
const timesAsLong = (name, form = whole) =>
	range(
		logsWith(name, ONE).map(
			({ place, programs: [one, audit] }) =>
				new Figure(one.cpuSeconds / audit.cpuSeconds, [`${place}, cpuSeconds`]),
		),
		form,
	);

function memory() {
	const [run] = runsOf("audit");
	return say`Over logs of ${String((run?.megabytes ?? 0) / 1000)} GB, \`--workers 1\` takes ${span(ONE, "memory", whole)} MB of memory, and the default, on ${String(run?.cores)} cores, takes ${span("robotrie audit", "memory", whole)}
MB. Memory does not grow with the input.`;
}

const each = () =>
	say`Over a log of 1 GB, one worker takes ${span(`${ONE} --each`, "memory", whole)} MB of memory and writes ${span(`${ONE} --each`, "megabytesPerSecond", whole)} MB of log a second as rows.`;

function scripts() {
	return say`How much slower a script is depends on how it tells crawlers from people. In CPU time, over both logs:

- reading the lines with \`readline\` and nothing else takes ${timesAsLong("readline, nothing done with the lines", digits(1))} times as long as the whole audit, so no script in JavaScript can be
  much better than that;
- one that remembers which headers are crawlers' takes ${timesAsLong("readline + robots-parser, headers remembered, crawlers only")} times as long;
- one that asks \`isbot\` and robots-parser about every line takes ${timesAsLong("readline + robots-parser, isbot, every line")} times as long;
- one that tries the expressions of crawler-user-agents on every line, as their lists are mostly used, takes ${timesAsLong("readline + robots-parser, patterns of crawler-user-agents, every line (a tenth of the log, times 10)")} times as long.`;
}

export const audit = { memory };
export const auditPipelines = { each };
export const benchReadme = { scripts };
