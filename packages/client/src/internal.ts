/** What the packages beside this one need of it; it changes without notice. */
export { CodingRefused, codingsOf, decode } from "./content-coding.ts";
export { encodeEntry } from "./entry.ts";
export { exchange } from "./exchange.ts";
export type { PinnedEntries } from "./guarded-store.ts";
export { optionalPackage } from "./optional-package.ts";
export { clientSettings } from "./options.ts";
export { paceKey } from "./pace-key.ts";
