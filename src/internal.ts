/** What the packages beside this one need of it; it changes without notice. */
export {
	LINES_PADDING,
	MAX_BLOCK,
	MAX_LINE,
	MAX_U24,
	VERDICT_INVALID,
} from "../assembly/format/program.ts";
export {
	OTHER_ALLOW_OUTSIDE,
	OTHER_DISALLOW_OUTSIDE,
	OTHER_FIELDS,
	OTHER_KIND,
} from "../assembly/format/records.ts";
export { ENTRY_KEY, ENTRY_PROGRAM } from "../assembly/format/snapshot.ts";
export { accessBy, failuresAfter } from "./access/access.ts";
export { failureTexts } from "./access/classify.ts";
export { isFromFuture } from "./access/future.ts";
export { accessOptions, type Settings, settingsOf } from "./access/options.ts";
export { field } from "./access/outcome.ts";
export {
	check,
	checkOptions,
	isRecord,
	type Kind,
	type OptionTable,
	urlText,
	urlTexts,
} from "./common/arguments.ts";
export {
	bytesArgument,
	bytesKind,
	bytesOrNull,
	checkThere,
	isBytes,
	keptBytes,
} from "./common/bytes.ts";
export { CHUNK, chunksOf, concatenate } from "./common/chunks.ts";
export { Column } from "./common/column.ts";
export { compressionOf, MAGIC, withHead } from "./common/compression.ts";
export { count } from "./common/count.ts";
export { quote } from "./common/errors.ts";
export { chunksKind, number, oneOf, textKind } from "./common/kinds.ts";
export { lineFeedIn } from "./common/line-feed.ts";
export {
	either,
	flagKind,
	functionKind,
	list,
	objectKind,
	wholeNumber,
	withMethods,
} from "./common/option-kinds.ts";
export { parseUrl } from "./common/parse-url.ts";
export {
	type AuditProgress,
	duration,
	progressText,
} from "./common/progress.ts";
export { shorten } from "./common/shorten.ts";
export { type Steps, withPauses } from "./common/steps.ts";
export { nextTurn } from "./common/turn.ts";
export { decompressZstd } from "./common/zstd.ts";
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
export { GRAM, LiteralIndex } from "./crawlers/literal-index.ts";
export { suggestAgent, tokensText } from "./crawlers/suggest.ts";
export type { MainExports } from "./engine/instance.ts";
export { compileModule, instantiate, withMemory } from "./engine/module.ts";
export { tokenise } from "./engine/tokeniser.ts";
export { answersText, pageOf } from "./lint/finding.ts";
export { foreignFile, htmlPage } from "./lint/whole-file.ts";
export { agentKind, agentList, GroupIndex } from "./matching/agents.ts";
export { decodeMatcher } from "./matching/byte-code.ts";
export { Checksum, checksum } from "./matching/checksum.ts";
export { viewOf } from "./matching/container.ts";
export { countedBytes } from "./matching/counted-bytes.ts";
export { type RuleTable, ruleOf } from "./matching/rules.ts";
export {
	DEFAULT_DIALECT,
	dialectKind,
	dialectNames,
	dialectOfOperator,
	dialectRules,
	lenientDialect,
} from "./robots-txt/dialect.ts";
export { extentOf } from "./robots-txt/extent.ts";
export { knownOtherFields } from "./robots-txt/other-fields.ts";
export { isAbsoluteUrl } from "./robots-txt/other-lines.ts";
export { parse } from "./robots-txt/parse.ts";
export type { ParsedGroup } from "./robots-txt/parsed-file.ts";
export {
	MOST_FETCHED_BYTES,
	maxBytesKind,
	sourceBytes,
} from "./robots-txt/source.ts";
export {
	CHECKSUM,
	readChunks,
	readStart,
	type SnapshotHead,
	SnapshotReader,
	type SnapshotStart,
	snapshotChunks,
} from "./sites/index-snapshot.ts";
export { MOST_BYTES, OriginTable } from "./sites/origin-table.ts";
export { originOf, urlWithHost } from "./sites/scope.ts";
export type {
	EntryVerifier,
	GrowingTable,
	SharedMemory,
	SharedWriter,
} from "./sites/shared-index.ts";

/** An index that threads share, with a module of its own: loaded by what starts threads, as most commands start none. */
export const sharedIndex = (): Promise<
	typeof import("./sites/shared-index.ts")
> => import("./sites/shared-index.ts");
