/**
 * A crawler's program as the Byte-code pane shows it: disassembled, one instruction on a line, with offsets and the lines of rules. judge-
 * worker.ts loads it for the first listing. It reads the text of `disassemble`, so that the pane shows what the command line and
 * docs/design.md show.
 */
import type { Matcher, Rule } from "robotrie";
import { disassemble, jumpTables } from "robotrie/disassemble";
import type { Instruction, Listing } from "../page/messages.ts";

/** Texts stand in quotes, in which no quote is bare: a ";" outside of them begins the remark. */
const REMARK = /^(?:[^";]|"[^"]*")*; line (\d+): /;

export function listingOf(matcher: Matcher): Listing {
	const lines = disassemble(matcher).trimEnd().split("\n");
	const instructions = lines.map((text): Instruction => {
		const offset = /^[> ]\s*(\d+) {2}/.exec(text)?.[1];
		return {
			text,
			offset: offset === undefined ? -1 : Number(offset),
			line: Number(REMARK.exec(text)?.[1] ?? 0),
		};
	});
	const rules: (Rule & { rank: number })[] = [];
	const ranks = matcher.rules.size;
	for (let rank = 1; rank <= ranks; rank++) {
		const rule = matcher.rules.at(rank);
		if (rule) rules.push({ ...rule, rank });
	}
	// Shown as in the file; ranks, by which traces name rules, stay with them.
	rules.sort((a, b) => a.line - b.line);
	const tables = jumpTables(matcher.program);
	return { rules, ranks, instructions, tables, size: matcher.byteLength };
}
