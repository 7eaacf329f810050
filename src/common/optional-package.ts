/** How packages that most users do not need are loaded: stores, WARC files, the service. */

import { RobotrieError } from "./errors.ts";

/**
 * Loads a package that users install only if they need it. `load` imports it by the name that it is given: bundlers leave an import alone
 * whose specifier is a variable. They would otherwise fail where the package is not installed, and none can bundle a native addon.
 * webpack has to be told (`webpackIgnore`), and Vite warns (`@vite-ignore`).
 * @throws {RobotrieError} missing-package.
 */
export async function optionalPackage<T>(
	name: string,
	purpose: string,
	load: (name: string) => Promise<T>,
): Promise<T> {
	try {
		return await load(name);
	} catch (error) {
		// Only the package itself: one that lacks a part of its own has another problem, which its own
		// error names.
		const isMissing =
			error instanceof Error &&
			"code" in error &&
			error.code === "ERR_MODULE_NOT_FOUND" &&
			error.message.includes(`'${name}'`);
		if (!isMissing) throw error;
		throw new RobotrieError(
			"missing-package",
			`${purpose} needs the package "${name}": npm install ${name}`,
		);
	}
}
