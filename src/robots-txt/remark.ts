/** What a diagnostic is about. */
export type DiagnosticCode =
	| "byte-order-mark"
	| "empty-allow"
	| "empty-disallow"
	| "empty-field"
	| "file-too-large"
	| "file-truncated"
	| "invalid-agent"
	| "invalid-host"
	| "invalid-value"
	| "line-truncated"
	| "misspelled-field"
	| "missing-colon"
	| "nul-byte"
	| "pattern-without-slash"
	| "repeated-host"
	| "rule-outside-group"
	| "unknown-field";

/** A remark about a line, with the text that it is about. */
export interface Remark {
	readonly code: DiagnosticCode;
	readonly line: number;
	readonly text?: string;
	/** What is wrong with it, as the rest of a sentence; for a misspelled field the one that was meant. */
	readonly reason?: string;
}
