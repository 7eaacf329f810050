import { LinearMemory, type RowExports } from "./linear-memory.ts";
import { mainModule } from "./module.ts";

/** What assembly/index.ts exports; its contracts stand there. */
export interface MainExports extends RowExports {
	allocate(size: number): number;
	placeText(size: number): number;
	tokenise(from: number, end: number, flags: number, maxLine: number): number;
	placeRanges(count: number): number;
	gather(count: number, flags: number): number;
	placeInputs(count: number): number;
	inputList(): number;
	inputCount(): number;
	compile(flags: number): number;
	startCompile(flags: number): number;
	continueCompile(most: number): number;
	finishCompile(isCompact: number): number;
	compileCompact(flags: number): number;
	compact(program: number): number;
	rankedSources(): number;
	verify(program: number, length: number): number;
	reserveVisited(program: number): number;
	programLength(program: number): number;
	release(pointer: number): void;
	matchLines(program: number, from: number, length: number, to: number): number;
	matchOne(program: number, from: number, length: number): number;
}

/** The one instance that compiles rules and that matchers share. */
export const linear = new LinearMemory<MainExports>(mainModule);
