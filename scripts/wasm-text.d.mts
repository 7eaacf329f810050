import type { Plugin } from "esbuild";

export const wasmText: Plugin;
export function charactersOf(octets: Uint8Array): string;
