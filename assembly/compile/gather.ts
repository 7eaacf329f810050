import {
	COMPILE_EMPTY_INVERTS,
	COMPILE_GOOGLE,
	COMPILE_INDEX_DIRECTORY,
	COMPILE_ROBOTS_TXT,
	RULE_INPUT_SIZE,
	NO_SOURCE,
	RULE_ALLOW,
	RULE_ANCHORED,
	RULE_SUPREME,
} from "../format/program";
import { RuleRecord } from "../robots-txt/records";
import { append, Buffer, clearFor } from "../bytes/buffer";

/** A rule for the compiler: format/program.ts, RULE_INPUT_SIZE. */
@unmanaged
export class RuleInput {
	/** Offset of the pattern in the text. */
	from: u32;
	length: u32;
	/** RULE_ flags. */
	flags: u32;
	/** Number of the rule in the file, or NO_SOURCE. */
	source: u32;
}

/** The rules to compile: RuleInput, one after the other. */
export const inputs = changetype<Buffer>(memory.data(12, 4));

/** Memory could not grow. */
let failed: bool = false;

/** "/robots.txt" */
const ROBOTS_TXT = memory.data<u8>([
	0x2f, 0x72, 0x6f, 0x62, 0x6f, 0x74, 0x73, 0x2e, 0x74, 0x78, 0x74,
]);
const ROBOTS_TXT_LENGTH: u32 = 11;

/** "/index.htm" */
const INDEX_HTM = memory.data<u8>([
	0x2f, 0x69, 0x6e, 0x64, 0x65, 0x78, 0x2e, 0x68, 0x74, 0x6d,
]);
const INDEX_HTM_LENGTH: u32 = 10;
const SLASH: u32 = 0x2f;

/**
 * Collects the rules of groups that count as one, with what the dialect adds to them. `ranges` holds `count` pairs of u32, the first
 * rule of a group and the one behind its last; `text` is the file. False when memory cannot grow.
 */
export function gatherRules(
	text: usize,
	rules: usize,
	ranges: usize,
	count: u32,
	flags: u32,
): bool {
	let total: u32 = 0;
	for (let i: u32 = 0; i < count; i++) {
		const range = ranges + ((<usize>i) << 3);
		total += load<u32>(range, 4) - load<u32>(range);
	}
	clearFor(inputs, <usize>total * RULE_INPUT_SIZE);
	failed = false;
	let emptyAllow: u32 = NO_SOURCE,
		emptyDisallow: u32 = NO_SOURCE;
	for (let range = ranges; range < ranges + ((<usize>count) << 3); range += 8) {
		const end = load<u32>(range, 4);
		for (let index = load<u32>(range); index < end; index++) {
			const rule = changetype<RuleRecord>(
				rules + <usize>index * offsetof<RuleRecord>(),
			);
			const length = rule.to - rule.from;
			if (length) {
				const flag: u32 = rule.allow ? RULE_ALLOW : 0;
				const address = inputs.end;
				// Most rules: there is room, so without a call.
				if (inputs.blockEnd - address >= <usize>RULE_INPUT_SIZE) {
					inputs.end = address + RULE_INPUT_SIZE;
					setInput(address, rule.from, length, flag, index);
				} else addInput(rule.from, length, flag, index);
				if (rule.allow && flags & COMPILE_INDEX_DIRECTORY)
					addDirectory(text, rule, index);
			} else if (flags & COMPILE_EMPTY_INVERTS) {
				addInput(rule.from, 0, rule.allow ? 0 : RULE_ALLOW, index);
			} else if (rule.allow) emptyAllow = min(emptyAllow, index);
			else emptyDisallow = min(emptyDisallow, index);
		}
	}
	// For Google's library an empty pattern matches with priority 0, which allows, whatever the rule's type.
	const empty = emptyAllow == NO_SOURCE ? emptyDisallow : emptyAllow;
	if (flags & COMPILE_GOOGLE && empty != NO_SOURCE)
		addInput(0, 0, RULE_ALLOW, empty);
	// RFC 9309 §2.2.2: crawlers may always fetch it.
	if (flags & COMPILE_ROBOTS_TXT && count)
		addInput(
			<u32>(ROBOTS_TXT - text),
			ROBOTS_TXT_LENGTH,
			RULE_ALLOW | RULE_ANCHORED | RULE_SUPREME,
			NO_SOURCE,
		);
	return !failed;
}

/** For Google's library "Allow: /dir/index.html" also allows "/dir/" itself. */
function addDirectory(text: usize, rule: RuleRecord, source: u32): void {
	const from = text + rule.from,
		to = text + rule.to;
	let slash = to;
	while (slash > from && load<u8>(slash - 1) != SLASH) slash--;
	if (slash-- == from || slash + INDEX_HTM_LENGTH > to) return;
	if (memory.compare(slash, INDEX_HTM, INDEX_HTM_LENGTH)) return;
	addInput(
		rule.from,
		<u32>(slash + 1 - from),
		RULE_ALLOW | RULE_ANCHORED,
		source,
	);
}

function addInput(from: u32, length: u32, flags: u32, source: u32): void {
	const address = append(inputs, RULE_INPUT_SIZE);
	if (!address) {
		failed = true;
		return;
	}
	setInput(address, from, length, flags, source);
}

function setInput(
	address: usize,
	from: u32,
	length: u32,
	flags: u32,
	source: u32,
): void {
	const input = changetype<RuleInput>(address);
	input.from = from;
	input.length = length;
	input.flags = flags;
	input.source = source;
}
