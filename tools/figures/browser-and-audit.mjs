// docs/performance.md: browsers and access logs.

import { figure, runsOf } from "./results.mjs";
import { dateOf, machineOf } from "./runs.mjs";
import { digits, row, say, shown, table, whole } from "./text.mjs";
import { times } from "./times.mjs";

export function browser() {
	const rows = [
		["lower bound: count line ends", "paths", "count line ends"],
		["lower bound: list line ends", "paths", "list line ends"],
		["`matchLines`, paths", "paths", "robotrie"],
		["`matchLines`, paths, into an existing array", "paths", "robotrie into"],
		["`matchLines`, URLs, `rfc9309`", "URLs", "robotrie"],
		["`matchMany`", "strings", "robotrie matchMany"],
		["`isAllowed`", "strings", "robotrie isAllowed"],
		["robots-parser", "strings", "robots-parser"],
	];
	const us = (engine, kind) => times("parse and compile", engine, kind, 1e-3);
	return table(
		["case", "Chromium", "Firefox"],
		[
			...rows.map(([label, subject, engine]) =>
				row(
					`${label}, ns per URL`,
					times(subject, engine, "chromium"),
					times(subject, engine, "firefox"),
				),
			),
			...[
				[
					"`RobotsTxt.parse` and `for(agent)`, µs per site",
					"robotrie parse + compile",
				],
				["robots-parser's constructor, µs per site", "robots-parser"],
			].map(([label, engine]) =>
				row(label, us(engine, "chromium"), us(engine, "firefox")),
			),
		],
	);
}

export const browserMachine = () => {
	const one = runsOf("chromium")[0];
	const version = /Chrome\/(\d+)/.exec(one?.browser ?? "")?.[1];
	return say`\`npm run bench:browser\` on ${dateOf(one.date)}, headless Chromium ${version}, ${one.data}:`;
};

export function audit() {
	const [newest] = runsOf("audit");
	const engine = ({ results }, log, name) =>
		results[log]?.find((one) => one.name === name);
	const of = (log, name, field) =>
		figure(
			"audit",
			`${log}, ${name}, ${field}`,
			(run) => engine(run, log, name)?.[field],
		);
	const real = "real lines, again and again";
	const many = "20,000 User-Agent headers";
	const rows = [
		["`wc -l`", real, "wc -l"],
		["`LC_ALL=C grep -c bot`", real, "LC_ALL=C grep -c bot"],
		["`robotrie audit --workers 1`", real, "robotrie audit --workers 1"],
		["`robotrie audit`, two cores", real, "robotrie audit"],
		[
			"`robotrie audit --workers 1`, 20,000 different User-Agent headers",
			many,
			"robotrie audit --workers 1",
		],
		[
			"`readline` alone, nothing done with the lines",
			real,
			"readline, nothing done with the lines",
		],
		[
			"a script with `readline` and robots-parser that remembers headers",
			real,
			"readline + robots-parser, headers remembered, crawlers only",
		],
		[
			"the same with isbot and robots-parser on every line",
			real,
			"readline + robots-parser, isbot, every line",
		],
		["GoAccess, HTML report", real, "goaccess, HTML report"],
	];
	return table(
		["", "CPU seconds", "MB of memory"],
		[
			// What the newest run left out has only times of another run, perhaps of another machine.
			...rows
				.filter(([, log, name]) => engine(newest, log, name))
				.map(([label, log, name]) =>
					row(
						label,
						shown(of(log, name, "cpuSeconds"), (value) =>
							value < 1
								? value.toFixed(2)
								: value < 10
									? value.toFixed(1)
									: whole(value),
						),
						shown(of(log, name, "memory"), whole),
					),
				),
		],
	);
}

export const auditMachine = () => {
	const one = runsOf("audit")[0];
	return say`\`npm run bench:audit\` on ${dateOf(one.date)}, ${machineOf(one)}, a log of ${one.megabytes / 1000} GB made of real lines:`;
};

export const auditWorkers = () => {
	const of = (name) =>
		shown(
			figure(
				"audit",
				`${name}, seconds`,
				({ results }) =>
					results["real lines, again and again"].find(
						(one) => one.name === name,
					)?.seconds,
			),
			digits(2),
		);
	return say`On this log two workers take ${of("robotrie audit")} seconds of wall time, one takes ${of("robotrie audit --workers 1")}.`;
};
