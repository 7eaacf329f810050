import fc from "fast-check";
import { RobotsIndex } from "../../src/index.ts";
import { answered, columnFrame, frame, recordFrame, reply } from "../frames.ts";
import { bytes } from "../latin1.ts";
import { changed, changes } from "./binaries.ts";
import { expectSame, target } from "./target.ts";
import { agents, dialect, robotsTxt, someUrls } from "./texts.ts";

const ORIGIN = "https://h.example";

/** Frames of `robotrie stream`: as matchMany, and where they were changed, answered or refused in the same way however they are cut. */
export const frames = target({
	name: "frames",
	few: 50,
	inputs: fc.record({
		robots: robotsTxt,
		agents: fc.uniqueArray(fc.constantFrom(...agents), {
			minLength: 1,
			maxLength: 2,
		}),
		dialect,
		urls: someUrls,
		width: fc.constantFrom(4, 8),
		start: fc.nat(9),
		changes,
		cut: fc.nat(65_535),
	}),
	check: async ({ robots, agents, dialect, urls, changes, cut, ...column }) => {
		const { width, start } = column;
		const record = recordFrame(ORIGIN, 200, bytes(robots));
		const all = urls.flatMap((url) => [url, ORIGIN + url]);
		const asked = columnFrame(all, width === 4 ? 4 : 8, start);
		const runs = agents.map((agent) => {
			using index = new RobotsIndex({ agent, dialect });
			index.set(ORIGIN, bytes(robots));
			return index.matchMany(all);
		});
		expectSame("a column", await answered([record, asked], agents, dialect), {
			replies: reply(...runs),
			badOrigins: [],
		});
		const input = changed(
			Buffer.concat([record, asked, frame("C"), asked]),
			changes,
			0,
		);
		const whole = await answered([input], agents, dialect);
		const at = cut % (input.length + 1);
		const parts = [input.subarray(0, at), input.subarray(at)];
		expectSame("in two", await answered(parts, agents, dialect), whole);
		const begun = await answered(parts.slice(0, 1), agents, dialect);
		expectSame(
			"the first part",
			begun.replies,
			whole.replies.subarray(0, begun.replies.length),
		);
	},
});
