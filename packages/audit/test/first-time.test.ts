import { expect, test } from "vitest";
import { timeOfFirstLine } from "../src/detect.ts";
import { formatOf } from "../src/formats.ts";

const noon = Date.UTC(2025, 9, 14, 12);
const line =
	'192.0.2.1 - - [14/Oct/2025:14:00:00 +0200] "GET / HTTP/1.1" 200 5';

test.each([
	["common", line, noon],
	["common", `broken\n${line}`, noon],
	["w3c", "#Fields: date time cs-uri\n2025-10-14 12:00:00 /", noon],
	["w3c", "#Date: 2025-10-14 12:00:00\n#Fields: time cs-uri\n12:30:00 /", noon],
	[
		"w3c",
		"#Date: 2025-10-15 00:00:00\n#Fields: date time\n2025-10-14 12:00:00",
		noon,
	],
	["w3c", "#Date: soon\n#Fields: time cs-uri\n12:30:00 /", Infinity],
	["caddy", '{"ts":1760443200,"request":{"uri":"/"}}', noon],
	["common", "", Infinity],
])("the first time of a log in the format %s, %j", (name, text, time) =>
	expect(timeOfFirstLine(Buffer.from(text), formatOf(name))).toBe(time),
);
