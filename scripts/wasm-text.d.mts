import type { Plugin } from "esbuild";

export const wasmText: Plugin;
export function charactersOf(bytes: Uint8Array): string;
