/**
 * The charts of the Benchmark pane, drawn as tables with bars by bench-pane.ts when a run is done. Bars are relative to the fastest engine
 * of their case, so that no chart is read across cases, whose items differ.
 */
import { FLOORS } from "../../../../bench/case.ts";
import type { CaseResult, EngineResult } from "../../../../bench/report.ts";
import { make } from "../../page/dom.ts";
import type { BenchResults } from "./bench-results.ts";

const PEER = "robots-parser";

/** Results that are drawn in one colour. */
interface Series {
	readonly name: string;
	readonly className: string;
	readonly results: BenchResults;
}

/** The engine of the browser that a User-Agent header is of: "Chromium 141". */
export function engineOf(header: string): string {
	const [, name = "", version = ""] =
		/(Firefox|Edg|OPR|Chrome)\/(\d+)/.exec(header) ??
		/(Version)\/(\d+).*Safari/.exec(header) ??
		[];
	const names: Readonly<Record<string, string>> = {
		...{ Chrome: "Chromium", Edg: "Edge", OPR: "Opera", Version: "Safari" },
	};
	return name === "" ? "this browser" : `${names[name] ?? name} ${version}`;
}

/**
 * A chart for each case: how many items each engine does in a second. Those of one run alone: a page does not learn which machine it is on,
 * and only times of one machine can be compared.
 */
export function chartsOf(results: BenchResults, name: string): HTMLElement[] {
	const series: Series[] = [{ name, className: "series-own", results }];
	const legend = make(
		"ul",
		{ className: "legend", ariaLabel: "Colours" },
		...[...series, { name: PEER, className: "series-peer" }].map(
			({ name, className }) =>
				make("li", { className }, make("span", { className: "swatch" }), name),
		),
	);
	return [legend, ...results.cases.map((one) => chartOf(one, series))];
}

function chartOf(
	{ name, why, unit, engines }: CaseResult,
	series: readonly Series[],
): HTMLElement {
	const measured = series.map(({ results, ...rest }) => ({
		...rest,
		engines: results.cases.find((one) => one.name === name)?.engines ?? [],
	}));
	const best = Math.min(
		...measured.flatMap(({ engines }) =>
			engines.map(({ nsFastest }) => nsFastest),
		),
	);
	const rows = engines.map((engine) => {
		const bars = measured.flatMap(({ name, className, engines }) => {
			const own = engines.find((one) => one.name === engine.name);
			if (!own) return [];
			const isPeer = engine.name === PEER;
			return [barOf(own, name, isPeer ? "series-peer" : className, best, unit)];
		});
		return make(
			"tr",
			{},
			make(
				"th",
				{ scope: "row", className: "engine" },
				engine.name,
				...remarksOn(engine, engines),
			),
			make("td", {}, make("ul", { className: "bars" }, ...bars)),
		);
	});
	return make(
		"section",
		{ className: "card chart" },
		make(
			"div",
			{ className: "card-head" },
			make("h2", { textContent: name }),
			make("span", { className: "quiet", textContent: why }),
		),
		make("table", {}, make("tbody", {}, ...rows)),
	);
}

function barOf(
	{ nsFastest, nsMedian }: EngineResult,
	name: string,
	className: string,
	best: number,
	unit: string,
): HTMLLIElement {
	const bar = make("span", { className: `bar ${className}` });
	// An attribute would be an inline style, which the policy forbids.
	bar.style.setProperty("--length", String(best / nsFastest));
	const item = make(
		"li",
		{ title: `median ${time(nsMedian)} a ${unit}` },
		bar,
		make(
			"span",
			{ className: "number" },
			make("span", { className: "also", textContent: `${name}: ` }),
			make("strong", { textContent: perSecond(nsFastest) }),
			` ${unit}s/s, ${time(nsFastest)} each`,
		),
	);
	return item;
}

/** What an engine is: a floor, or how much faster than the peer. */
function remarksOn(
	{ name, nsFastest }: EngineResult,
	all: readonly EngineResult[],
): HTMLElement[] {
	const remark = (textContent: string) => [
		make("span", { className: "quiet", textContent }),
	];
	if (FLOORS.some((floor) => floor === name)) return remark("lower bound");
	const peer = all.find((one) => one.name === PEER);
	if (!peer || name === PEER) return [];
	return remark(`${ratio(peer.nsFastest / nsFastest)} × ${PEER}`);
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
