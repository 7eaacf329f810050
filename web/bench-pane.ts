import type { CaseResult } from "../bench/report.ts";
import { type BenchMessage, type Build, builds } from "./bench-messages.ts";
import { byId, make } from "./dom.ts";
import { workerProblem } from "./part.ts";

const PEER = "robots-parser";

/** What one build's run gave, in the form of bench/results. */
interface BuildResults {
	readonly date: string;
	readonly build: Build;
	readonly browser: string;
	readonly data: string;
	readonly cases: readonly CaseResult[];
}

interface Row {
	readonly name: string;
	readonly isPeer: boolean;
	readonly nsFastest: number;
	readonly nsMedian: number;
}

/** The workloads of `npm run bench` that fit a page, in a worker, against robots-parser. */
export class BenchPane {
	readonly #start = byId<HTMLButtonElement>("bench-start");
	readonly #link = byId("bench-link");
	/** Of the file that is offered. */
	#address = "";
	readonly #state = byId("bench-state");

	constructor() {
		this.#start.addEventListener("click", () => this.#run());
		this.#start.disabled = false;
	}

	async #run(): Promise<void> {
		this.#start.disabled = true;
		this.#link.replaceChildren();
		const results: BuildResults[] = [];
		try {
			for (const build of builds) {
				results.push(await this.#runBuild(build));
				byId("bench-results").replaceChildren(...chartsOf(results));
			}
			this.#state.textContent =
				"Done. Only ratios within one run mean anything: times depend on the machine and on what else it does.";
			this.#offer(results);
		} catch (error) {
			this.#state.textContent = `The benchmark failed: ${error instanceof Error ? error.message : error}.`;
		} finally {
			this.#start.disabled = false;
		}
	}

	#runBuild(build: Build): Promise<BuildResults> {
		const worker = new Worker(new URL("./bench-worker.ts", import.meta.url), {
			type: "module",
		});
		return new Promise<BuildResults>((resolve, reject) => {
			worker.addEventListener("error", (event) =>
				reject(new Error(workerProblem(event))),
			);
			worker.addEventListener(
				"message",
				({ data: message }: MessageEvent<BenchMessage>) => {
					if ("begun" in message)
						this.#state.textContent = `Measuring ${message.begun}, ${build} build …`;
					else if ("error" in message) reject(new Error(message.error));
					else
						resolve({
							date: new Date().toISOString().slice(0, 10),
							build,
							browser: navigator.userAgent,
							...message,
						});
				},
			);
			worker.postMessage(build);
		}).finally(() => worker.terminate());
	}

	#offer(results: readonly BuildResults[]): void {
		const file = new Blob([`${JSON.stringify(results, null, "\t")}\n`], {
			type: "application/json",
		});
		URL.revokeObjectURL(this.#address);
		this.#address = URL.createObjectURL(file);
		this.#link.replaceChildren(
			make("a", {
				id: "bench-save",
				href: this.#address,
				download: "robotrie-bench.json",
				textContent: "Save as JSON",
			}),
		);
	}
}

/** A chart for each case: URLs a second of each engine, longer is better. */
function chartsOf(results: readonly BuildResults[]): HTMLElement[] {
	const [first] = results;
	return (first?.cases ?? []).map(({ name, why, unit }) => {
		const rows = results.flatMap(({ build, cases }) =>
			(cases.find((one) => one.name === name)?.engines ?? [])
				// The peer runs no module: the first run's measurement counts.
				.filter((engine) => engine.name !== PEER || build === first?.build)
				.map(
					(engine): Row => ({
						...engine,
						name: `${engine.name}, ${build}`,
						isPeer: engine.name === PEER,
					}),
				),
		);
		return chartOf(name, why, unit, rows);
	});
}

/** A row of a chart; `best` is the shortest time in it. */
function rowOf(
	row: Row,
	best: number,
	peer: Row | undefined,
): HTMLTableRowElement {
	const bar = make("meter", {
		min: 0,
		max: 1,
		value: best / row.nsFastest,
		className: row.isPeer ? "peer" : "",
	});
	bar.setAttribute("aria-label", `${row.name}, speed`);
	return make(
		"tr",
		{},
		make("th", {
			scope: "row",
			textContent: row.isPeer ? PEER : row.name,
		}),
		make("td", { className: "bar" }, bar),
		make("td", { className: "number" }, perSecond(row.nsFastest)),
		make(
			"td",
			{ className: "number" },
			`${time(row.nsFastest)} (${time(row.nsMedian)})`,
		),
		...(peer
			? [
					make(
						"td",
						{ className: "number" },
						`× ${ratio(peer.nsFastest / row.nsFastest)}`,
					),
				]
			: []),
	);
}

function chartOf(
	name: string,
	why: string,
	unit: string,
	rows: readonly Row[],
): HTMLElement {
	const best = Math.min(...rows.map(({ nsFastest }) => nsFastest));
	const peer = rows.find(({ isPeer }) => isPeer);
	const cells = rows.map((row) => rowOf(row, best, peer));
	const heads = [
		"engine",
		"speed",
		`${unit}s a second`,
		`time a ${unit} (median)`,
		...(peer ? [`to ${PEER}`] : []),
	].map((textContent) => make("th", { scope: "col", textContent }));
	return make(
		"section",
		{ className: "card chart" },
		make(
			"div",
			{ className: "card-head" },
			make("h2", { textContent: name }),
			make("span", { className: "quiet", textContent: why }),
		),
		make(
			"div",
			{
				className: "scroll",
				tabIndex: 0,
				role: "region",
				ariaLabel: `Results, ${name}`,
			},
			make(
				"table",
				{},
				make("thead", {}, make("tr", {}, ...heads)),
				make("tbody", {}, ...cells),
			),
		),
	);
}

function perSecond(nanoseconds: number): string {
	return new Intl.NumberFormat("en", {
		notation: "compact",
		maximumSignificantDigits: 3,
	}).format(1e9 / nanoseconds);
}

function time(nanoseconds: number): string {
	return nanoseconds < 10_000
		? `${ratio(nanoseconds)} ns`
		: `${ratio(nanoseconds / 1000)} µs`;
}

function ratio(value: number): string {
	return value.toLocaleString("en", { maximumSignificantDigits: 3 });
}
