import type { TestProject } from "vitest/node";
import { allParts, bringUpToDate } from "../tools/parts.mjs";

/** Projects over modules and sources alone: they need no package's dist. */
const modulesOnly: Readonly<Record<string, RegExp>> = {
	simd: /\.(?:simd|shared)$/,
	debug: /\.debug$/,
	light: /\.\w+$/,
};

/**
 * Before the tests of a project: builds what is older than its sources, so that whatever was edited, the next run is of that. Tests of
 * declarations are in projects that take them, too. ROBOTRIE_BUILD_AS_IS leaves the build as it is, for copies whose modules were changed
 * on purpose.
 */
export async function setup({ name }: TestProject): Promise<void> {
	if (process.env.ROBOTRIE_BUILD_AS_IS) return;
	const needed = modulesOnly[name];
	const parts = allParts({ forTests: needed !== undefined }).filter(
		(part) => !needed || needed.test(part.name),
	);
	const built = await bringUpToDate(parts);
	if (built.length > 0) console.log(`built ${built.join(", ")}`);
}
