// The figures of docs/service.md.

import { combined, figure, runsOf } from "./results.mjs";
import { dateOf, machineOf } from "./runs.mjs";
import { digits, row, say, shown, table, whole } from "./text.mjs";

const LIBRARY = "`RobotsIndex.matchMany` in the process, URLs";
const BULK = "`POST /match`, URLs";
const EMPTY = "`GET /healthz`, an empty route";
const ALLOWED = "`GET /allowed`";
const PEERS = [
	"FastAPI and uvicorn over Protego, one process",
	"net/http over temoto's library",
];

/** What the service answers on loopback, beside the library and services in other languages. */
function load() {
	const [run] = runsOf("service");
	if (!run) return say`${undefined}the service under load`;
	const of = (what, field = "rate") =>
		figure("service", `${what}, ${field}`, ({ rows }) => {
			return rows.find((one) => one.what === what)?.[field];
		});
	const times = (what, base) => {
		const ratio = combined([of(what), of(base)], (a, b) => a / b);
		return shown(ratio, digits(2));
	};
	const plain = (what, note = "") => row(what, shown(of(what), whole), note);
	const paced = (what) =>
		row(
			what,
			shown(of(what), whole),
			say`p99 ${shown(of(what, "p99"), whole)} ms`,
		);
	return say`One run on ${run.cores} cores of ${machineOf(run)}, Node ${run.node.slice(1)}, ${dateOf(run.date)}: ${whole(run.sites)} sites of ten rules, ${whole(run.lines)} URLs in random order, ${run.seconds} seconds each.${run.note ? ` ${run.note}` : ""}

${table(
	["what", "a second", ""],
	[
		plain(LIBRARY, "median of rounds"),
		plain(BULK, say`${times(BULK, LIBRARY)} of that`),
		plain(EMPTY),
		plain(ALLOWED, say`${times(ALLOWED, EMPTY)} of that`),
		paced("`GET /allowed` at half of that"),
		paced("`GET /healthz` at the same rate"),
		...PEERS.flatMap((peer) => [
			plain(`${peer}: ${BULK}`),
			plain(`${peer}: ${ALLOWED}`),
		]),
	],
)}
FastAPI and net/http have all files in memory before they listen, and fetch nothing. The service fetched, stored and read ${shown(of("robots.txt fetched and read"), whole)} robots.txt files a
second in that run.`;
}

export const service = { load };
