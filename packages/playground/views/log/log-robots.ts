/**
 * robots.txt files that are opened under Log, as the audit takes them. log-pane.ts calls it. Hosts come from the names of files alone, so
 * the names are checked before an audit begins.
 */
import type { RobotsSource } from "@robotrie/audit";
import { isHost } from "#sites/files/hosts";
import { bytesOfRobots, largestFile } from "../../files/files.ts";

/**
 * robots.txt files as the audit takes them: one is for every host, several are each for the host that they are named after, as
 * in a folder that the command line is given ("example.com", "example.com.txt").
 * @throws {Error} when a name is none of a host, or a file is too large to be one or cannot be read.
 */
export async function robotsSources(
	files: readonly File[],
	decode: Parameters<typeof bytesOfRobots>[1],
): Promise<readonly RobotsSource[]> {
	const sources = files.map((file) => {
		if (file.size > largestFile)
			throw new Error(
				`${file.name} is no robots.txt: it has ${file.size.toLocaleString("en")} bytes, and a page takes up to ${largestFile.toLocaleString("en")}`,
			);
		const host =
			files.length === 1 ? undefined : file.name.replace(/\.txt$/i, "");
		if (host !== undefined && !isHost(host))
			throw new Error(
				`several robots.txt files are told apart by hosts, as in example.com.txt; ${file.name} names none`,
			);
		return { file, host };
	});
	const hosts = sources.map(({ host }) => host?.toLowerCase());
	const twice = sources.find(
		({ host }, at) => hosts.indexOf(host?.toLowerCase()) !== at,
	);
	if (twice)
		throw new Error(`${twice.file.name} is a second file for ${twice.host}`);
	const read: RobotsSource[] = [];
	for (const { file, host } of sources) {
		const bytes = await bytesOfRobots(file, decode);
		if (bytes) read.push({ file: file.name, bytes, host });
	}
	return read;
}
