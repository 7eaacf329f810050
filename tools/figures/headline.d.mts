/** The cases and curves that README's figures are taken from. */
export const headlineCases: readonly string[];

/** A run's figures beside README's ranges, a line each: those that it has. */
export function besideReadme(run: object): string;
