/** What an audit of some lines comes to. */
interface Counts {
	readonly lines: number;
	readonly requests: number;
	readonly disallowed: number;
}

/** Of the corpus' lines and of those of sample/access.log. */
export const counts: Readonly<Record<"real" | "sample", Counts>>;
