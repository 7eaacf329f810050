import type { Plugin } from "vite";

export function wasmText(
	build?: string | ((input: unknown) => string | undefined),
): Plugin;
