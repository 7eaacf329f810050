import type {
	EachRows,
	FormatSummary,
	Segment,
} from "@robotrie/audit/internal";

/** What is known of some consecutive lines of a log. */
export interface Counted {
	/** The log's name. */
	readonly name: string;
	readonly format: FormatSummary;
	/** Lines of the log in front of these. */
	readonly linesBefore: number;
	readonly rows?: EachRows | undefined;
	readonly segment?: Segment | undefined;
}

/** What an option has written of lines while they are read. */
export interface Content {
	begin?(): Uint8Array;
	of(counted: Counted): Uint8Array | undefined;
	end?(): Uint8Array;
}
