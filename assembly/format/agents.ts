/** What `readAgents` takes and returns (assembly/agents/identity.ts): how a crawler chooses its group. */

/** Flags: names are compared as they are given, uncut (Google's library). */
export const AGENTS_SPELLED = 1;
/** A line names every token in it (Yandex's document). */
export const AGENTS_ANYWHERE = 2;
/** Names that begin with "Yandex" fall back to it, and obey groups for `*` (Yandex's document of 2013). */
export const AGENTS_FAMILY = 4;
/** The table of crawlers adds no tokens, and groups for `*` hold for all. With AGENTS_SPELLED the groups of all names count together. */
export const AGENTS_ALONE = 8;

/** u32 fields: number of tokens, 1 if groups for `*` hold, the first text's row in the table (all bits: none), and its token's place. */
export const AGENTS_COUNT = 0;
export const AGENTS_GLOBAL = 1;
export const AGENTS_ROW = 2;
export const AGENTS_FROM = 3;
export const AGENTS_TO = 4;
export const AGENTS_FIELDS = 5;

/** Then for each token: where it stands as it is spelled, and where the part of it that is compared, from and to. */
export const TOKEN_FIELDS = 4;
export const TOKEN_FROM = 0;
export const TOKEN_TO = 1;
export const TOKEN_NAME_FROM = 2;
export const TOKEN_NAME_TO = 3;
