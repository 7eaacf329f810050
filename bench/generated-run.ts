import { command, count } from "../tools/command.mjs";
import { storeResult } from "../tools/store-result.mjs";
import { allCases } from "./all-cases.ts";
import { isSmall, loadData, REAL } from "./data.ts";
import { generatedSites } from "./generate.ts";
import { library } from "./library.ts";
import { runCase } from "./run-case.ts";

/**
 * How far generated sites, which are what a clone can run, are from real ones: npm run bench -- generated. In each round, each
 * chunk of a case runs over real sites and over generated ones, so that both meet the same machine.
 */
const { rounds } = command(
	"npm run bench -- generated",
	"Runs each case over real sites and over generated ones, and prints how many times as long the real ones take.",
)
	.option("--rounds <number>", "rounds of each chunk", count, 10)
	.parse()
	.opts<{ rounds: number }>();

/** A case whose data are the same in both. */
const SAME = "escaped paths";

const real = loadData();
if (real.source !== REAL && !isSmall) {
	process.stdout.write(
		"The real sites are not here; the stored run's ratios are in bench/README.md.\n",
	);
	process.exit();
}
const generated = isSmall ? real : generatedSites();
const casesOf = (data: typeof real) =>
	allCases(library, data, 100).filter(({ name }) => name !== SAME);
const effort = isSmall
	? { rounds: 2, warmUp: 1 }
	: { rounds, warmUp: Math.ceil(rounds / 2) };

/** Nanoseconds an item. */
interface Pair {
	readonly name: string;
	readonly real: number;
	readonly generated: number;
	readonly realMedian: number;
	readonly generatedMedian: number;
	/** Real to generated, fastest. */
	readonly ratio: number;
}

const others = casesOf(generated);
const cases = casesOf(real).map((one, i) => {
	process.stderr.write(`${one.name} …\n`);
	const other = others[i] as typeof one;
	const named = (which: string, { engines }: typeof one) =>
		engines.map((engine) => ({ ...engine, name: `${which} ${engine.name}` }));
	const { engines } = runCase(
		{
			...one,
			items: 1,
			engines: [...named("real", one), ...named("generated", other)],
		},
		effort,
	);
	/** All times of an engine over its items. */
	const of = (which: string, name: string, { items }: typeof one) => {
		const found = engines.find((each) => each.name === `${which} ${name}`);
		if (!found) throw new Error(`${one.name}, ${which}: no ${name}`);
		return [found.nsFastest / items, found.nsMedian / items] as const;
	};
	const pairs = one.engines.map(({ name }): Pair => {
		const [here, hereMedian] = of("real", name, one);
		const [there, thereMedian] = of("generated", name, other);
		return {
			name,
			real: here,
			generated: there,
			realMedian: hereMedian,
			generatedMedian: thereMedian,
			ratio: here / there,
		};
	});
	return { name: one.name, unit: one.unit, engines: pairs };
});

const sizeOf = ({ sites }: typeof real) => ({
	sites: sites.length,
	urls: sites.reduce((sum, { urls }) => sum + urls.length, 0),
	bytes: sites.reduce((sum, { robots }) => sum + robots.length, 0),
});
const line = (label: string, ...cells: string[]) =>
	`${label.padEnd(34)}${cells.map((cell) => cell.padStart(14)).join("")}\n`;
process.stdout.write(
	`${[
		line("fastest ns an item", "real", "generated", "real/generated"),
		...cases.flatMap(({ name, unit, engines }) => [
			`${name} (${unit})\n`,
			...engines.map((engine) =>
				line(
					`  ${engine.name}`,
					engine.real.toFixed(1),
					engine.generated.toFixed(1),
					engine.ratio.toFixed(2),
				),
			),
		]),
	].join("")}\n`,
);
const file = storeResult(
	"generated",
	{
		data: { real: sizeOf(real), generated: sizeOf(generated) },
		rounds: effort.rounds,
		cases,
	},
	isSmall ? "small" : rounds === 10 ? "" : `rounds-${rounds}`,
);
process.stdout.write(`saved as ${file}\n`);
