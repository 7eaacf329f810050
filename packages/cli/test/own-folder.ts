import { begin } from "./run.ts";

// A set-up file, which runs before each test file, also where they share a process.
begin();
