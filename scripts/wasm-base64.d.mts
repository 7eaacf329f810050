import type { Plugin } from "vite";

export function wasmBase64(build?: string): Plugin;
