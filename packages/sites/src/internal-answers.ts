/** What `stream` compiles for an engine that keeps recorded answers itself, such as Spark. It changes without notice. */
export {
	type AnswerRow,
	compileAnswers,
	type RecordedRows,
	ShardMaker,
} from "./indexing/answers.ts";
