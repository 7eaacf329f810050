import { existsSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { casesOf } from "./cases.ts";
import { corpus, realFiles, robotsFile } from "./data/robots-files.ts";
import { dialects, runs } from "./differential.ts";
import { falsehoodsOf } from "./explain-sentences.ts";
import { subjectOf } from "./lint/sentences.ts";

describe("What explanations say is true", () => {
	test.each(dialects)("of generated files, %s", (dialect) => {
		fc.assert(
			fc.property(robotsFile, fc.nat(), fc.nat(), (text, first, second) => {
				const subject = subjectOf(new TextEncoder().encode(text), dialect);
				const url = subject.urls[first % subject.urls.length] ?? "";
				const agent = subject.agents[second % subject.agents.length] ?? "";
				expect(falsehoodsOf(subject, url, agent)).toEqual([]);
			}),
			runs(casesOf(1500)),
		);
	});

	test.skipIf(!existsSync(corpus))("of real sites", () => {
		for (const [i, { bytes: body }] of realFiles().entries()) {
			// A check reads the file once for each of its rules.
			if (body.length > 4000) continue;
			const dialect = dialects[i % 3] ?? "rfc9309";
			const subject = subjectOf(body, dialect);
			const agent = subject.agents[i % subject.agents.length] ?? "";
			for (const step of [7, 31]) {
				const url = subject.urls[(i * step) % subject.urls.length] ?? "";
				expect(falsehoodsOf(subject, url, agent)).toEqual([]);
			}
		}
	});
});
