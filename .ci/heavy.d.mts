interface Heavy {
	readonly inputs: readonly string[];
	readonly tools?: readonly string[];
	readonly modules?: boolean;
}
interface Pass {
	readonly hash?: string;
	readonly date?: string;
	readonly seconds?: number;
}
export const everywhere: readonly string[];
export const light: readonly string[];
export const heavy: Readonly<Record<string, Heavy>>;
/** The tracked files that patterns name, with the hash of each, a line each. */
export function filesOf(patterns: readonly string[]): string;
/** The hash of a stage's inputs; undefined where not all are there. */
export function hashOf(name: string): string | undefined;
/** What becomes of stages: "run", "turn" or "unchanged since DATE". */
export function plan(
	names: readonly string[],
	passed?: Readonly<Record<string, Pass>>,
	hash?: (name: string) => string | undefined,
	turn?: number,
): readonly (readonly [name: string, what: string])[];
