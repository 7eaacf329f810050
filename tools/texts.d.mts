import type { Plugin } from "vite";

/** A module as a text of printable ASCII. */
export function asText(bytes: Uint8Array): string;
export function wasmText(build?: string): Plugin;
