/**
 * What `stream` compiles for an engine that keeps recorded answers itself, such as Spark: what a record means is decided here, and the order
 * of answers there. It changes without notice.
 */
export { compileAnswers, ShardMaker } from "./indexing/answers.ts";
