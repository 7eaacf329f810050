/**
 * The Benchmark pane: starts a worker for each run, shows how far it is, draws charts and offers the results as a file. main.ts loads it
 * when it is opened. What must hold: each run has a new worker, as the first pass of the first case is measured cold.
 */
import "./bench.css";
import { byId, fillPane, make } from "../../page/dom.ts";
import { workerProblem } from "../../page/part.ts";
import { chartsOf, engineOf } from "./bench-chart.ts";
import { Estimate } from "./bench-estimate.ts";
import {
	type BenchMessage,
	type BenchOrder,
	type BenchPart,
	benchParts,
} from "./bench-messages.ts";
import { type BenchResults, nodeResults } from "./bench-results.ts";
import markup from "./pane-bench.html?raw";

// Before the class: its fields are elements of it.
fillPane("bench", markup);

/** The workloads of `npm run bench` that fit a page, in a worker, against robots-parser. */
export class BenchPane {
	readonly #start = byId<HTMLButtonElement>("bench-start");
	readonly #cancel = byId<HTMLButtonElement>("bench-cancel");
	readonly #bar = byId<HTMLProgressElement>("bench-bar");
	readonly #left = byId("bench-left");
	readonly #link = byId("bench-link");
	readonly #state = byId("bench-state");
	/** Of the file that is offered. */
	#address = "";
	/** Ends the run that is under way. */
	#end: (() => void) | undefined;

	constructor() {
		this.#start.addEventListener("click", () => this.#run());
		this.#cancel.addEventListener("click", () => this.#end?.());
		this.#start.disabled = false;
		byId("bench-duration").textContent = durationText();
		if (nodeResults) {
			const { node = "", cpu = "another machine", date } = nodeResults;
			byId("bench-state").textContent =
				`Below: a run in Node ${node} on ${cpu}, ${date.slice(0, 10)}. Run it here to see this browser’s, ${engineOf(navigator.userAgent)}.`;
			byId("bench-results").replaceChildren(
				...chartsOf(nodeResults, `Node ${node}`),
			);
		}
	}

	async #run(): Promise<void> {
		this.#link.replaceChildren();
		const begin = performance.now();
		const estimate = new Estimate(begin);
		this.#showRunning(true);
		const tell = () => {
			this.#bar.value = estimate.done;
			this.#left.textContent = estimate.words(performance.now());
		};
		tell();
		// Between the worker's messages, too: a part takes long, and a page that does not move looks broken.
		const clock = setInterval(tell, 1000);
		try {
			const found = await this.#inWorker((part) => {
				estimate.begin(part, performance.now());
				tell();
				const at = benchParts.findIndex(({ name }) => name === part);
				this.#state.textContent = `Measuring ${part} (${at + 1} of ${benchParts.length}) …`;
			});
			if (!found) {
				this.#state.textContent = "Cancelled.";
				return;
			}
			byId("bench-results").replaceChildren(
				...chartsOf(found, `${engineOf(navigator.userAgent)}, here`),
			);
			const seconds = (performance.now() - begin) / 1000;
			this.#state.textContent = `Done in ${seconds.toFixed(0)} s. Only ratios within one run mean anything: times depend on the machine and on what else it does.`;
			this.#offer({ ...found, seconds });
		} catch (error) {
			this.#state.textContent = `The benchmark failed: ${error instanceof Error ? error.message : error}.`;
		} finally {
			clearInterval(clock);
			this.#showRunning(false);
		}
	}

	/** Shows the controls that apply; the focus goes from one to the other. */
	#showRunning(isRunning: boolean): void {
		const { activeElement } = document;
		this.#cancel.hidden = !isRunning;
		this.#start.hidden = isRunning;
		byId("bench-progress").hidden = !isRunning;
		if (activeElement === this.#start) this.#cancel.focus();
		// A hidden element loses the focus, and with it the reader's place in the page.
		if (activeElement === this.#cancel) this.#start.focus();
	}

	/** What a worker found; undefined when the run was cancelled. */
	#inWorker(
		onPart: (part: BenchPart) => void,
	): Promise<BenchResults | undefined> {
		const worker = new Worker(new URL("./bench-worker.ts", import.meta.url), {
			type: "module",
		});
		return new Promise<BenchResults | undefined>((resolve, reject) => {
			this.#end = () => resolve(undefined);
			worker.addEventListener("error", (event) =>
				reject(new Error(workerProblem(event))),
			);
			worker.addEventListener(
				"message",
				({ data: message }: MessageEvent<BenchMessage>) => {
					if ("begun" in message) onPart(message.begun);
					else if ("error" in message) reject(new Error(message.error));
					else
						resolve({
							date: new Date().toISOString().slice(0, 10),
							browser: navigator.userAgent,
							...message,
						});
				},
			);
			worker.postMessage({ rounds: askedRounds() } satisfies BenchOrder);
		}).finally(() => {
			this.#end = undefined;
			worker.terminate();
		});
	}

	#offer(results: BenchResults): void {
		const text = `${JSON.stringify(results, null, "\t")}\n`;
		const file = new Blob([text], { type: "application/json" });
		URL.revokeObjectURL(this.#address);
		this.#address = URL.createObjectURL(file);
		const link = make("a", {
			id: "bench-save",
			href: this.#address,
			download: "robotrie-bench.json",
			textContent: "Save as JSON",
		});
		// For tools/bench-browser.mjs: the policy lets nobody fetch the file.
		link.dataset.results = text;
		this.#link.replaceChildren(link);
	}
}

/** "?rounds=1" in the address: a short run, to see whether it works. */
function askedRounds(): number | undefined {
	const text = new URLSearchParams(location.search).get("rounds") ?? "";
	return /^[1-9]\d?$/.test(text) ? Number(text) : undefined;
}

function durationText(): string {
	const { seconds, cpu, date } = nodeResults ?? {};
	return seconds === undefined
		? "It takes some minutes; an estimate appears after the first part."
		: `It took ${seconds.toFixed(0)} s in Node on ${cpu ?? "another machine"} (${date?.slice(0, 10)}); browsers take longer; an estimate appears after the first part.`;
}
