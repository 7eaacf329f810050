#!/usr/bin/env node
import module from "node:module";

// From Node 22.8 on, it keeps what V8 compiles of the files that are loaded from here on.
if ("enableCompileCache" in module) module.enableCompileCache();

const { run } = await import("./dist/program.js");
await run(process.argv.slice(2));
