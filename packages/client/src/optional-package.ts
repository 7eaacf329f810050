import { RobotrieError } from "robotrie";

/**
 * Loads a package that users install only if they need it.
 * @throws {RobotrieError} missing-package.
 */
export async function optionalPackage<T>(
	name: string,
	purpose: string,
	load: () => Promise<T>,
): Promise<T> {
	try {
		return await load();
	} catch (error) {
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
