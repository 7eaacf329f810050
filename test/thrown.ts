import { RobotrieError } from "../src/index.ts";

/** The error of the package's own that an action throws; any other goes on, and none is an error itself. */
export function thrownBy(action: () => unknown): RobotrieError {
	try {
		action();
	} catch (error) {
		if (error instanceof RobotrieError) return error;
		throw error;
	}
	throw new Error("nothing was thrown");
}
