import { test } from "vitest";
import { needsAreSaid, scriptsIn, workersAnswer } from "./matrix.ts";

test("docs/library.md says what an entry needs", needsAreSaid);
scriptsIn("esm");
workersAnswer();
