/** What the packages beside this one need of it; it changes without notice. */

export { optionalPackage } from "./common/optional-package.ts";
export { CodingRefused, codingsOf, decode } from "./fetch/content-coding.ts";
export { exchange } from "./fetch/exchange.ts";
export { paceKey } from "./pacing/pace-key.ts";
export { clientSettings } from "./source/options.ts";
export { encodeEntry } from "./stores/entry.ts";
export type { PinnedEntries } from "./stores/guarded-store.ts";
