/** What is asked of a package.json. */
export interface About {
	readonly name: string;
	readonly version: string;
	readonly exports: Readonly<Record<string, unknown>>;
	readonly bin?: Readonly<Record<string, string>>;
	readonly dependencies?: Readonly<Record<string, string>>;
}
/** Each package's folder and package.json, the root's first. */
export const packages: readonly {
	readonly folder: string;
	readonly about: About;
}[];
