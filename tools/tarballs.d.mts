/** Packs what is built: a build would pull it from under whoever else reads it. The tarball's path, and the files in it. */
export function pack(
	from: string,
	to: string,
): { tarball: string; packed: string[] };
/** What publint finds in an unpacked package. */
export function publintFinds(folder: string): Promise<string[]>;
/** What "Are the types wrong?" finds in a tarball; nothing for a command, which has no types. */
export function wrongTypes(tarball: string): Promise<string[]>;
/** Where a page's links lead, as paths from its folder: those that are no URLs. */
export function linksOf(text: string): string[];
