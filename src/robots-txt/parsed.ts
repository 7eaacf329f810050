/** What a line's value says, or what is wrong with it, as the rest of a sentence. */
export type Parsed<Value> =
	| { readonly value: Value; readonly fault?: never }
	| { readonly fault: string };
