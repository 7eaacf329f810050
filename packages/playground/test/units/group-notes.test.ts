import { expect, test } from "vitest";
import type { Dialect } from "../../../../src/index.ts";
import { groupNotes } from "../../../../src/matching/group-notes.ts";

const robots = `User-agent: *
Disallow: /a

User-agent: Googlebot
Disallow: /b
Disallow: /c

User-agent: Googlebot-Image
Allow: /

User-agent: Other
User-agent: googlebot
Disallow: /d
`;

type Note = readonly [from: number, to: number, note: string];

const loses =
	"loses to line 8: Googlebot-Image is more specific than Googlebot";
const forImage: readonly Note[] = [
	[1, 2, "loses to line 8, which names the crawler"],
	[4, 6, loses],
	[8, 9, "holds for Googlebot-Image"],
	[11, 13, loses],
];
const forGooglebot: readonly Note[] = [
	[1, 2, "loses to line 4, which names the crawler"],
	[4, 6, "holds for Googlebot"],
	[11, 13, "holds for Googlebot"],
];
const forAll: readonly Note[] = [
	[1, 2, "holds, as no group names the crawler"],
];
const forNone: readonly Note[] = [
	[
		1,
		2,
		"does not hold for Mediapartners-Google, which obeys only groups that name it",
	],
];

const notes: readonly (readonly [
	robots: string,
	agent: string,
	Dialect,
	readonly Note[],
])[] = [
	[robots, "Googlebot-Image", "rfc9309", forImage],
	[
		robots,
		"Mozilla/5.0 (compatible; Googlebot-Image/1.0)",
		"rfc9309",
		forImage,
	],
	[robots, "Googlebot-Video", "rfc9309", forGooglebot],
	[robots, "Googlebot-Video", "google", forAll],
	[robots, "Googlebot", "google", forGooglebot],
	[robots, "Nobody", "yandex", forAll],
	[robots, "*", "rfc9309", forAll],
	[robots, "Mediapartners-Google", "rfc9309", forNone],
	["User-agent: a", "a", "rfc9309", [[1, 1, "holds for a"]]],
	["", "a", "rfc9309", []],
];

test.each(notes)(
	"groups of %j for %s in %s",
	(text, agent, dialect, expected) => {
		const found = groupNotes(new TextEncoder().encode(text), {
			agent,
			dialect,
		});
		expect(
			found
				.map(({ from, to, note }) => [from, to, note])
				.sort(([a], [b]) => Number(a) - Number(b)),
		).toEqual(expected);
		expect(
			found.every(({ applies, note }) => applies === /^holds/.test(note)),
		).toBe(true);
	},
);
