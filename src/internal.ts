/** robotrie/internal: what the other packages of this repository need besides the public entries. It changes without notice. */
export {
	LINES_PADDING,
	MAX_BLOCK,
	MAX_LINE,
} from "../assembly/format/program.ts";
export { accessBy, failuresAfter, retryTime } from "./access/access.ts";
export { isFromFuture } from "./access/lifetime.ts";
export { accessOptions, type Settings, settingsOf } from "./access/options.ts";
export { failureTexts, field } from "./access/outcome.ts";
export { agentsText, decidingText, summaryText } from "./compare/text.ts";
export {
	crawlerIn,
	identityOf,
	isHeader,
	isProductToken,
	knownCrawler,
	nameOfAgent,
	productTokenOf,
	type Recognised,
	recognise,
	signsOfNames,
	tokenOfHeader,
} from "./crawlers/crawlers.ts";
export { suggestAgent, tokensText } from "./crawlers/suggest.ts";
export { LineLabels } from "./engine/engine.ts";
export {
	compileModule,
	instantiate,
	withMemory,
} from "./engine/linear-memory.ts";
export type { MainExports } from "./engine/workspace.ts";
export { doubtAbout } from "./lint/doubt.ts";
export {
	answersText,
	type Home,
	pageAddress,
	pageOf,
} from "./lint/finding.ts";
export { foreignFile, htmlPage } from "./lint/whole-file.ts";
export {
	agentKind,
	agentList,
	GroupIndex,
	keptAgent,
} from "./matching/agents.ts";
export { decodeMatcher } from "./matching/byte-code.ts";
export { Checksum, checksum } from "./matching/container.ts";
export {
	dialectIn,
	OwnDialects,
	readingFor,
	rulesFor,
} from "./matching/own-dialects.ts";
export { countedBytes, type RuleTable, ruleOf } from "./matching/rules.ts";
export {
	AUTO,
	DEFAULT_DIALECT,
	type DialectChoice,
	dialectChoiceKind,
	dialectChoices,
	dialectKind,
	dialectNames,
	dialectRules,
	MOST_FETCHED_BYTES,
	maxBytesKind,
	sourceBytes,
} from "./robots-txt/dialect.ts";
export { isAbsoluteUrl, knownOtherFields } from "./robots-txt/other-fields.ts";
export { type PaceLines, sitemapSteps } from "./robots-txt/other-lines.ts";
export type { ParsedGroup } from "./robots-txt/parse.ts";
export { extentOf, parse } from "./robots-txt/parse.ts";
export { prepareProgram, stateProgram } from "./sites/compact-programs.ts";
export {
	CHECKSUM,
	readChunks,
	type SnapshotHead,
	SnapshotReader,
	snapshotChunks,
} from "./sites/index-snapshot.ts";
export { MOST_BYTES, OriginTable } from "./sites/origin-table.ts";
export { originOf, urlWithHost } from "./sites/scope.ts";
export type {
	SharedMemory,
	SharedWriter,
} from "./sites/shared-index.ts";

/** An index that threads share, with a module of its own: loaded by what starts threads, as most commands start none. */
export const sharedIndex = (): Promise<
	typeof import("./sites/shared-index.ts")
> => import("./sites/shared-index.ts");
