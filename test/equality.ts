import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";

// A set-up file: what Node finds equal needs no comparing item by item, which takes Vitest seconds for some 100,000 bytes. Where Node finds
// a difference, Vitest decides, and tells it.
expect.addEqualityTesters([
	(a: unknown, b: unknown) => isDeepStrictEqual(a, b) || undefined,
]);
