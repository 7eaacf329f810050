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
	| "partly-ignored"
	| "pattern-without-slash"
	| "proposed-field"
	| "relative-sitemap"
	| "repeated-host"
	| "rule-outside-group"
	| "unknown-field";

/** A diagnostic before it is worded: its code, its line, and the text it is about. */
export interface RawDiagnostic {
	readonly code: DiagnosticCode;
	readonly line: number;
	readonly text?: string;
	/** What is wrong with it, as the rest of a sentence; for a misspelled field the one that was meant. */
	readonly reason?: string;
}
