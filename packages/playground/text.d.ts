/** What Vite makes of imports, as far as the page uses it. */

declare module "*?inline" {
	const text: string;
	export default text;
}

declare module "*.css";

interface ImportMeta {
	/** Vite's: modules by their paths. */
	glob<Module>(
		patterns: readonly string[],
		options: { readonly eager: true; readonly import: string },
	): Readonly<Record<string, Module>>;
}
