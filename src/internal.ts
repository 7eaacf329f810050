/**
 * robotrie/internal: what the other packages of this repository need besides the public entries, each with the reason. It changes without
 * notice, so packages ask for one version of each other. What they all need to check arguments and to read bytes is not here but shared as
 * sources (src/common). Types are taken from what is here (`ReturnType<typeof settingsOf>`).
 */

// The client judges what it fetched itself, and keeps settings that it has checked once: `accessFor` would check both for every answer.
// Two histories of failures become one where a store answered late; pages that ask for fewer requests are waited for as robots.txt is.
export { accessBy, failuresAfter, retryTime } from "./access/access.ts";
export { accessOptions, settingsOf } from "./access/options.ts";
// Whether a site did not answer at all: the command line exits otherwise.
export { failureTexts } from "./access/outcome.ts";
// "Did you mean", as lint says it.
export { suggestAgent } from "./crawlers/suggest.ts";
// The module writes the verdicts in front of lines for `match`.
export { LineLabels } from "./engine/engine.ts";
// The audit and the page's traces have modules of their own; the command line names what a memory that cannot be made needs.
export { newInstance, withMemory } from "./engine/linear-memory.ts";
// Why bytes are hardly a robots.txt, without all of lint; and what they are, if they are no text.
export { doubtAbout } from "./lint/doubt.ts";
export { otherFile } from "./lint/whole-file.ts";
// The scanner of logs judges by programs in a memory of its own.
export { decodeMatcher } from "./matching/byte-code.ts";
// What the page notes beside groups and rules.
export { groupNotes } from "./matching/group-notes.ts";
// Each crawler by its operator's dialect, as `--dialect auto`, audits and the page judge.
export { OwnDialects, readingFor } from "./matching/own-dialects.ts";
export { countedBytes } from "./matching/rules.ts";
// The limits of dialects, and whether their answers are kept apart, for the client.
export { dialectRules } from "./robots-txt/dialect.ts";
// Which lines `show` lists as unknown.
export { knownOtherFields } from "./robots-txt/other-fields.ts";
// Sitemaps of a file that several origins have: what is relative in it is another URL for each.
export { sitemapSteps } from "./robots-txt/other-lines.ts";
// Programs as an index has them, made by threads of a build, and by the client before it needs them.
export { prepareProgram, stateProgram } from "./sites/compact-programs.ts";
// Indexes on disk: written in chunks, and read into tables that are no RobotsIndex (several shards in one, or memory that threads share).
export { readSnapshot, snapshotChunks } from "./sites/index-snapshot.ts";
export { OriginTable } from "./sites/origin-table.ts";

/** An index that threads share, with a module of its own: loaded by what starts threads, as most commands start none. */
export const sharedIndex = (): Promise<
	typeof import("./sites/shared-index.ts")
> => import("./sites/shared-index.ts");
