import type { RowExports } from "../engine/linear-memory.ts";

/** What assembly/robots-index.ts exports; its contracts stand there. */
export interface IndexExports extends RowExports {
	hashKeys(): number;
	openOrigins(limit: number): number;
	expect(origins: number, programs: number): number;
	loadEntries(from: number, length: number, most: number): number;
	endLoading(): void;
	loadFailure(): number;
	programsRead(): number;
	originsRead(): number;
	setOrigin(origin: number, length: number, program: number): number;
	deleteOrigin(origin: number, length: number): number;
	findOrigin(origin: number, length: number): number;
	firstSlot(previous: boolean): number;
	endOfSlots(previous: boolean): number;
	beginCapture(): void;
	endCapture(): void;
	freeRetired(most: number): number;
	createNumbers(): number;
	release(pointer: number): void;
	saveEntries(
		numbers: number,
		from: number,
		size: number,
		to: number,
		room: number,
	): number;
	saveOrigins(from: number, size: number, to: number, room: number): number;
	savedEnd(): number;
	keySize(): number;
	originCount(): number;
	programCount(): number;
	programSize(): number;
	unsharedSize(): number;
	usedSize(): number;
	missingSize(): number;
	matchOne(program: number, from: number, length: number): number;
	matchOrigins(
		from: number,
		length: number,
		to: number,
		unusual: number,
		google: boolean,
	): number;
	endOfUnusual(): number;
}
