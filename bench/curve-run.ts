import { measure } from "./measure.ts";
import type { CurveResult } from "./report.ts";
import type { Curve } from "./scaling.ts";

const ROUNDS = 15;

/**
 * Checks and times a curve's points.
 * @throws {Error} When an engine, the peer included, gives a wrong answer.
 */
export function runCurve({ name, why, points }: Curve): CurveResult {
	return {
		name,
		why,
		points: points.map(({ label, bytes, check, run, peer }, i) => {
			check();
			const timing = measure([{ name: label, chunks: [run] }], ROUNDS).get(
				label,
			);
			return {
				label,
				bytes,
				msFastest: timing?.fastest ?? 0,
				msMedian: timing?.median ?? 0,
				// The peer takes minutes for the larger ones.
				...(peer && i === 0 ? { msPeer: once(peer, `${name}, peer`) } : {}),
			};
		}),
	};
}

/** All of these paths are allowed. */
function once(isAllowed: () => boolean, what: string): number {
	const start = performance.now();
	const allowed = isAllowed();
	const ms = performance.now() - start;
	if (!allowed) throw new Error(`${what}: disallowed`);
	return ms;
}
