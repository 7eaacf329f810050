import { scriptsIn } from "./matrix.ts";

scriptsIn("cjs");
