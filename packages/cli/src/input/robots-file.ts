/**
 * A robots.txt from a file or stdin, with a warning about one that hardly is any.
 */

import { doubtAbout } from "robotrie/internal";
import { doubtText } from "#sites/files/hosts";
import { tell } from "../output/output.ts";
import { nameOf, readWhole } from "./input.ts";

export { doubtAbout, doubtText };

/** Whether a place names a site in place of a file. */
export function isSiteUrl(place: string): boolean {
	return /^(?:https?|ftp):\/\//i.test(place);
}

/** The bytes of the robots.txt in a file or on stdin. If they hardly are one, a warning says so, and they are read all the same. */
export async function readRobotsFile(file: string): Promise<Uint8Array> {
	const bytes = await readWhole(file);
	const doubt = doubtAbout(bytes);
	if (doubt !== undefined) tell(doubtText(nameOf(file), doubt));
	return bytes;
}
