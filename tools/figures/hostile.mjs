// docs/performance.md: hostile input and huge files.

import { figure } from "./results.mjs";
import { digits, fine, pair, row, say, scaled, shown, table } from "./text.mjs";

const point = (curve, which, field = "msFastest") =>
	figure(
		"node",
		`${curve}, point ${which + 1}, ${field}`,
		({ curves = [] }) =>
			curves.find(({ name }) => name === curve)?.points[which]?.[field],
	);

export function hostile() {
	const rows = [
		[
			"500 KiB of rules of `/*a*a*a…` that cannot match, URL of 4 KiB",
			"hostile, stars, long URLs",
			0,
		],
		["the same, URL of 64 KiB", "hostile, stars, long URLs", 2],
		[
			"20,000 rules `/*x<number>`, URL of 64 KiB that nearly matches everywhere",
			"hostile, numbered literals",
			2,
		],
		[
			"24,371 rules `/*x<n>*b`, URL of 4 KiB with many of the `x<n>` and its only `b` in front",
			"hostile, literals that occur",
			0,
		],
		["the same, URL of 64 KiB", "hostile, literals that occur", 2],
		[
			"9,212 rules of sixteen `*a` or `*aa`, then `*b`; URL `/baaa…` of 4 KiB",
			"hostile, combinations",
			0,
		],
		["the same, URL of 64 KiB", "hostile, combinations", 2],
		[
			"20,371 rules `/*x<n>*b*q*z` that fail at the `q`, URL of 64 KiB",
			"hostile, literals that fail later",
			0,
		],
		[
			"1,000 rules `/*a*b`, `/*aa*b`, `/*aaa*b`, …; URL `/aaa…` of 4 KiB",
			"hostile, runs",
			0,
		],
		["the same, URL of 64 KiB", "hostile, runs", 1],
		[
			"the worst that a search has found, URL of 4 KiB",
			"hostile, the worst found",
			0,
		],
		["the same, URL of 64 KiB", "hostile, the worst found", 1],
	];
	return table(
		["case", "ms per URL"],
		[
			...rows.map(([label, curve, which]) =>
				row(label, shown(point(curve, which), fine)),
			),
		],
	);
}

export const hostilePeer = () => {
	const seconds = (curve) => {
		const ms = point(curve, 0, "msPeer");
		return shown(ms && scaled(ms, 1e-3), digits(1));
	};
	const worst =
		point("hostile, the worst found", 1) &&
		say`The last two rows are the worst case that \`npm run bench -- worst\` has found. It changes rules and URL at random, and keeps what takes longer.\n`;
	return say`${worst ?? ""}robots-parser takes ${seconds("hostile, stars, long URLs")} seconds for the first row, and ${seconds("hostile, numbered literals")} seconds for 1,250 of the numbered rules.`;
};

export const huge = () => {
	const bytes = (which) =>
		shown(point("huge file, read", which, "bytes"), (value) =>
			value < 1e6
				? `${(value / 1e3).toFixed(0)} KB`
				: `${(value / 1e6).toFixed(1)} MB`,
		);
	const both = (curve, which) =>
		pair(point(curve, which), point(curve, which, "msMedian"), fine);
	return say`Time to read and compile grows in proportion to the file: the largest robots.txt (${bytes(0)}) takes ${both("huge file, read", 0)} ms with all
diagnostics and ${both("huge file, compile", 0)} ms to a matcher; four copies of it (${bytes(2)}) take ${both("huge file, read", 2)} ms and ${both("huge file, compile", 2)} ms.`;
};
