// The figures of docs/client.md.

import { figure, runsOf } from "./results.mjs";
import { dateOf, machineOf } from "./runs.mjs";
import { digits, fine, known, row, say, shown, table, whole } from "./text.mjs";

const COLUMNS = ["p50", "p99", "p999", "longest"];
const MIB = 2 ** 20;
const COLD = "cold: fetched, stored, judged";

/** The newest day of a scheduler. */
function day() {
	const [run] = runsOf("scheduler");
	if (!run) return say`${undefined}the day of a scheduler`;
	const fact = (name) => shown(known(run[name], `${run.file}: ${name}`), whole);
	const heap = (at, name) =>
		shown(
			known(run.memory.at(at)?.heap, `${run.file}: memory, ${name}, heap`),
			(bytes) => whole(bytes / MIB),
		);
	const times = (label, name) =>
		row(
			label,
			...COLUMNS.map((column) =>
				shown(
					figure("scheduler", `${name}, ${column}`, ({ rows }) => {
						return rows[name]?.[column];
					}),
					fine,
				),
			),
		);
	return say`One run of ${fact("minutes")} minutes, ${fact("sites")} sites, on ${machineOf(run)}, Node ${run.node.slice(1)}, ${dateOf(run.date)}: ${fact("changes")} changes, ${fact("requests")}
requests and ${fact("verdicts")} verdicts, all right; memory after garbage collection ${heap(0, "first")} MiB at the beginning and ${heap(-1, "last")} at the end.
Milliseconds in which the main thread ran:

${table(
	["", "p50", "p99", "p99.9", "longest"],
	[
		times("`client.peek`, 101 to 500 URLs", "client.peek, 101 to 500 URLs"),
		times(
			"`client.matchMany`, 101 to 500 URLs at hand",
			"client.matchMany, 101 to 500 URLs, at hand",
		),
		times(
			"`RobotsIndex.matchMany`, 101 to 500 URLs",
			"index.matchMany, 101 to 500 URLs",
		),
		times("`RobotsIndex.set`", "index.set"),
		times("a turn of the event loop, fetching included", "turn"),
		...[
			["the same without garbage collection", "turn, garbage collection apart"],
			["a turn without the machine's stops", "turn, the machine's stops apart"],
			[
				"the benchmark's own check of 101 to 500 verdicts",
				"own check, 101 to 500 URLs",
			],
		]
			.filter(([, name]) => run.rows[name])
			.map(([label, name]) => times(label, name)),
		times(
			"garbage collection, of new objects or a part of all",
			"garbage collection, young or a part",
		),
		times("garbage collection, of all", "garbage collection, all"),
	],
)}`;
}

/** URLs of many origins, fetched from this machine. */
function load() {
	const [run] = runsOf("crawl");
	if (!run) return say`${undefined}the client under load`;
	const of = (what, field, kind = "crawl") =>
		figure(kind, `${what}, ${field}`, ({ parts }) => {
			const part = parts.find((one) => one.what === what);
			return (
				part && (field === "rate" ? part.urls / part.seconds : part[field])
			);
		});
	const cost = (kind) =>
		figure(kind, `${COLD}, cpuSeconds / requests`, ({ parts }) => {
			const part = parts.find(({ what }) => what === COLD);
			return (1e3 * part.cpuSeconds) / part.requests;
		});
	const part = (label, what) =>
		row(
			label,
			shown(of(what, "cpuSeconds"), fine),
			shown(of(what, "seconds"), fine),
			shown(of(what, "rate"), (value) => `${whole(value / 1000)},000`),
		);
	const memory = cost("crawl-memory");
	return say`One run on ${machineOf(run)}, Node ${run.node.slice(1)}, ${dateOf(run.date)}, with LMDB.${run.note ? ` ${run.note}` : ""}

${table(
	["", "CPU seconds", "seconds", "URLs a second"],
	[
		part(`fetched, stored and judged: ${whole(run.origins)} requests`, COLD),
		part("again, `matchMany`", "warm: matchMany"),
		part("again, `matchLines`", "warm: matchLines"),
		part("another client, from the store", "another client, from the store"),
	],
)}
A request takes ${shown(cost("crawl"), digits(1))} ms of CPU time with LMDB${memory ? say` and ${shown(memory, digits(1))} ms with a store in memory` : ""}.`;
}

/** What an origin takes in memory. */
function memory() {
	const of = (name, form = whole) =>
		shown(
			figure("crawl", `bytes.${name}`, ({ bytes }) => bytes?.[name]),
			form,
		);
	return say`Beside its rules, an origin at hand takes ${of("atHand")} bytes. In a \`MemoryStore\`, a robots.txt of ${of("file", (bytes) => digits(1)(bytes / 1e3))} KB with ${of("rules")} rules takes ${of("inStore")} bytes more
(\`npm run bench:crawl\`).`;
}

export const client = { day, load, memory };
