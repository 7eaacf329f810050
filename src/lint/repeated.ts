/**
 * Crawlers that are named again, and the edits that merge their groups. groups.ts calls `findRepeated` for each dialect. An edit is only
 * given where all dialects see the same groups in the same lines: then merging changes no verdict, as all of them merge what they read.
 */
import { RULE_FIELDS, RULE_LINE } from "../../assembly/format/records.ts";
import { shorten } from "../common/wording.ts";
import {
	DEFAULT_MAX_BYTES,
	dialectNames,
	dialectRules,
} from "../robots-txt/dialect.ts";
import { sectionFields } from "../robots-txt/other-fields.ts";
import type {
	AgentLine,
	ParsedFile,
	ParsedGroup,
} from "../robots-txt/parse.ts";
import { type Change, type Found, lineBreak, lineEnd } from "./finding.ts";
import { rawLines } from "./raw-lines.ts";
import { Reading } from "./reading.ts";

/** Crawlers that are named again: their rules count as one group's (RFC 9309 §2.2.1). */
export function findRepeated(reading: Reading): Found[] {
	const { groups } = reading.file;
	const findings: Found[] = [];
	const seen = new Map<string, { agent: AgentLine; group: number }>();
	const merging = new Merging(reading);
	groups.forEach(({ agents }, group) => {
		for (const agent of agents) {
			const [token] = agent.global ? ["*"] : agent.tokens;
			if (!token) continue;
			const before = seen.get(token);
			if (!before) {
				seen.set(token, { agent, group });
				continue;
			}
			// Who deleted one of "*Googlebot" and "Googlebot" could take the group from Google, which reads one of them alone.
			if (readByGoogle(agent) !== readByGoogle(before.agent)) continue;
			const { line } = before.agent;
			const same = before.group === group;
			const edit = same
				? merging.withoutLine(group, agent, before.agent)
				: merging.intoEarlier(group);
			findings.push({
				line: agent.line,
				code: "repeated-agent",
				severity: "info",
				message: same
					? `${shorten(token)} is already named in line ${line} of the same group.`
					: `${shorten(token)} has a group at line ${line} already; crawlers merge the rules of both.`,
				relatedLine: line,
				...(edit ? { edit } : {}),
			});
		}
	});
	return findings;
}

/** The name that Google's library reads at the start of a line. */
export function readByGoogle({ text }: AgentLine): string | undefined {
	return /^[a-z_-]*/i.exec(text)?.[0].toLowerCase();
}

const HASH = 35;
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Makes one group of two, or one line of two. What it needs of the file is made when a first edit is asked for. */
class Merging {
	readonly #reading: Reading;
	readonly #edits = new Map<number, Change | undefined>();
	#plan: Plan | undefined;

	constructor(reading: Reading) {
		this.#reading = reading;
	}

	/** Deletes a user-agent line that says the same as one above in its group. */
	withoutLine(
		group: number,
		{ text, line }: AgentLine,
		earlier: AgentLine,
	): Change | undefined {
		const plan = this.#planned();
		if (text.toLowerCase() !== earlier.text.toLowerCase()) return undefined;
		if (!plan.isPlain(group)) return undefined;
		const [start, end] = plan.extentOf(line, line);
		if (this.#reading.file.bytes.subarray(start, end).includes(HASH))
			return undefined;
		return {
			...{ start, end, text: "" },
			why: `Delete the line: line ${earlier.line} names the crawler already.`,
			safe: true,
		};
	}

	/** Moves the rules of a group to the end of the last one before it that names the same crawlers. */
	intoEarlier(group: number): Change | undefined {
		if (!this.#edits.has(group))
			this.#edits.set(group, this.#merged(group, this.#planned()));
		return this.#edits.get(group);
	}

	#planned(): Plan {
		this.#plan ??= new Plan(this.#reading);
		return this.#plan;
	}

	#merged(group: number, plan: Plan): Change | undefined {
		const { bytes } = this.#reading.file;
		const target = plan.earlier[group];
		if (target === undefined || !plan.isPlain(group)) return undefined;
		const [{ agents, rules }, into] = [plan.shape(group), plan.shape(target)];
		const [firstAgent, lastAgent] = [agents[0], agents.at(-1)];
		const [lastRule, lastOfTarget] = [rules.at(-1), into.rules.at(-1)];
		if (!firstAgent || !lastAgent || !lastRule || !lastOfTarget)
			return undefined;
		// Comments and other lines among the names would be lost.
		if (lastAgent - firstAgent + 1 !== agents.length) return undefined;
		const [namesStart, namesEnd] = plan.extentOf(firstAgent, lastAgent);
		if (bytes.subarray(namesStart, namesEnd).includes(HASH)) return undefined;
		const [, start] = plan.extentOf(lastOfTarget, lastOfTarget);
		const [, end] = plan.extentOf(lastRule, lastRule);
		const why = `Write the rules into the group at line ${into.agents[0]}: crawlers read both groups as one.`;
		let between: string;
		let moved: string;
		try {
			between = strict.decode(bytes.subarray(start, namesStart));
			moved = strict.decode(bytes.subarray(namesEnd, end));
		} catch {
			return undefined;
		}
		const safe = true;
		if (between.trim() === "")
			return { start, end: namesEnd, text: "", why, safe };
		if (!/[\r\n]$/.test(moved)) moved += lineBreak(bytes, start);
		const kept = between.replace(/([\r\n])(?:[ \t]*(?:\r\n|\r|\n))+$/, "$1");
		return { start, end, text: moved + kept, why, safe };
	}
}

/** Lines of a group: its user-agent lines, and its rules. */
interface Shape {
	readonly agents: readonly number[];
	readonly rules: readonly number[];
}

/** What merging has to know of all groups. */
class Plan {
	/** Of a group the last one before it that names the same crawlers in the same words. */
	readonly earlier: readonly (number | undefined)[];
	readonly #file: ParsedFile;
	readonly #lineStarts: readonly number[];
	/** Groups with settings, such as Crawl-delay: they belong to the names directly above them. */
	readonly #withSettings: ReadonlySet<number>;
	/** As the other dialects read the file: groups by the line that they begin in. */
	readonly #others: readonly ReadonlyMap<number, Shape>[];
	/** Compared once for each group: one with a name in every line of a file is asked about for each of them. */
	readonly #plain = new Map<number, boolean>();

	constructor({ file, dialect }: Reading) {
		this.#file = file;
		this.#lineStarts = [...rawLines(file.extent)].map(({ start }) => start);
		this.#withSettings = new Set(
			file.others
				.filter(({ field }) => sectionFields.has(field))
				.map(({ group }) => group),
		);
		this.#others = dialectNames
			.filter((name) => name !== dialect.name)
			.map((name) => {
				const other = new Reading(
					file.bytes,
					dialectRules(name),
					DEFAULT_MAX_BYTES,
				).file;
				return new Map(
					other.groups.map((group) => [
						group.agents[0]?.line ?? 0,
						shapeOf(other, group),
					]),
				);
			});
		this.earlier = earlierOf(file.groups);
	}

	shape(group: number): Shape {
		const parsed = this.#file.groups[group];
		return parsed ? shapeOf(this.#file, parsed) : { agents: [], rules: [] };
	}

	/** Whether a group has no settings, and consists of the same lines in all dialects, as does the one to merge it into. */
	isPlain(group: number): boolean {
		const known = this.#plain.get(group);
		if (known !== undefined) return known;
		const plain = !this.#withSettings.has(group) && this.#isAlike(group);
		this.#plain.set(group, plain);
		return plain;
	}

	#isAlike(group: number): boolean {
		return [group, this.earlier[group] ?? group].every((one) => {
			const { agents, rules } = this.shape(one);
			return this.#others.every((shapes) => {
				const other = shapes.get(agents[0] ?? 0);
				return (
					other !== undefined &&
					isSame(other.agents, agents) &&
					isSame(other.rules, rules)
				);
			});
		});
	}

	/** Offsets of the first byte of a line, and after the line end of another one. */
	extentOf(first: number, last: number): readonly [number, number] {
		const [, end] = lineEnd(this.#file.bytes, this.#lineStarts[last - 1] ?? 0);
		return [this.#lineStarts[first - 1] ?? 0, end];
	}
}

function shapeOf(
	{ rules }: ParsedFile,
	{ agents, firstRule, lastRule }: ParsedGroup,
): Shape {
	return {
		agents: agents.map(({ line }) => line),
		rules: Array.from(
			{ length: lastRule - firstRule },
			(_, i) => rules[(firstRule + i) * RULE_FIELDS + RULE_LINE] ?? 0,
		),
	};
}

const isSame = (a: readonly number[], b: readonly number[]) =>
	a.length === b.length && a.every((line, i) => line === b[i]);

function earlierOf(
	groups: readonly ParsedGroup[],
): readonly (number | undefined)[] {
	const last = new Map<string, number>();
	return groups.map(({ agents }, group) => {
		const names = agents.map(({ text }) => text.toLowerCase());
		const key = [...new Set(names)].sort().join("\n");
		const earlier = last.get(key);
		last.set(key, group);
		return earlier;
	});
}
