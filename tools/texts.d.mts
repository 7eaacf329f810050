import type { Plugin } from "vite";

export function wasmText(build?: string): Plugin;
