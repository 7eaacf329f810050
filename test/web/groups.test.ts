import { expect, test } from "vitest";
import type { Dialect } from "../../src/index.ts";
import { groupNotes } from "../../web/groups.ts";

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

const header = "Mozilla/5.0 (compatible; Googlebot-Image/1.0)";
const general = `loses to line 8: Googlebot-Image is more specific than Googlebot`;
const notes: readonly (readonly [
	string,
	string,
	Dialect,
	readonly (readonly [from: number, to: number, note: string])[],
])[] = [
	[
		robots,
		"Googlebot-Image",
		"rfc9309",
		[
			[1, 2, "loses to line 8, which names the crawler"],
			[4, 6, general],
			[11, 13, general],
			[8, 9, "holds for Googlebot-Image"],
		],
	],
	[
		robots,
		header,
		"rfc9309",
		[
			[1, 2, "loses to line 8, which names the crawler"],
			[4, 6, general],
			[11, 13, general],
			[8, 9, "holds for Googlebot-Image"],
		],
	],
	[
		robots,
		"Googlebot-Video",
		"rfc9309",
		[
			[1, 2, "loses to line 4, which names the crawler"],
			[4, 6, "holds for Googlebot"],
			[11, 13, "holds for Googlebot"],
		],
	],
	[
		robots,
		"Googlebot-Video",
		"google",
		[[1, 2, "holds, as no group names the crawler"]],
	],
	[
		robots,
		"Googlebot",
		"google",
		[
			[1, 2, "loses to line 4, which names the crawler"],
			[4, 6, "holds for Googlebot"],
			[11, 13, "holds for Googlebot"],
		],
	],
	[
		robots,
		"Nobody",
		"yandex",
		[[1, 2, "holds, as no group names the crawler"]],
	],
	[robots, "*", "rfc9309", [[1, 2, "holds, as no group names the crawler"]]],
	[
		robots,
		"Mediapartners-Google",
		"rfc9309",
		[
			[
				1,
				2,
				"does not hold for Mediapartners-Google, which obeys only groups that name it",
			],
		],
	],
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
		).toEqual(
			expected
				.map(([from, to, note]) => [from, to, note])
				.sort(([a], [b]) => Number(a) - Number(b)),
		);
		expect(
			found.every(({ applies, note }) => applies === /^holds/.test(note)),
		).toBe(true);
	},
);
