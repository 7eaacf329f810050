/** The files of paths, those of folders included. */
export function filesIn(...paths: readonly string[]): string[];

/** A part of the build, whose stamp is a hash of its inputs. */
export class Part {
	readonly name: string;
	readonly isStale: boolean;
	constructor(part: {
		readonly name: string;
		readonly inputs: () => readonly string[];
		readonly outputs: readonly string[];
		readonly make: () => unknown;
		/** The folder of stamps. */
		readonly stamps?: string;
	});
	build(): Promise<unknown>;
}
