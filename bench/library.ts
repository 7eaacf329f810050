import { RobotsIndex, RobotsTxt } from "../src/index.ts";
import { PlacedLines } from "./floors.ts";

/** What the cases measure and check. A test hands them broken ones. */
export interface Library {
	readonly RobotsTxt: Pick<typeof RobotsTxt, "parse">;
	readonly RobotsIndex: Pick<typeof RobotsIndex, "fromBytes" | "load"> &
		(new (
			...options: ConstructorParameters<typeof RobotsIndex>
		) => RobotsIndex);
	readonly PlacedLines: new (
		bytes: Uint8Array,
	) => Pick<
		PlacedLines,
		"sum" | "count" | "list" | "listed" | "hash" | "hashed"
	>;
}

export const library: Library = { RobotsTxt, RobotsIndex, PlacedLines };
