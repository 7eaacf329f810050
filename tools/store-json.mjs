// Stores the result of a benchmark in another language, which is JSON on stdin: node tools/store-json.mjs spark < result.json
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { storeResult } from "./store-result.mjs";

process.chdir(fileURLToPath(new URL("..", import.meta.url)));

const [kind, part] = process.argv.slice(2);
const result = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(`saved as ${storeResult(kind, result, part)}\n`);
