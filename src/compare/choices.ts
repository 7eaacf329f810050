import type { RobotsTxt } from "../matching/robots-txt.ts";

/** Tells which crawlers are judged alike by some files: those for which each file chooses the same groups. */
export class Choices {
	readonly #files: readonly RobotsTxt[];
	/** Numbers of the arrays that `groupsOf` returns. Each is read once: thousands of crawlers may be given the same one. */
	readonly #ids = new Map<readonly number[], number>();
	readonly #idsByContent = new Map<string, number>();

	constructor(files: readonly RobotsTxt[]) {
		this.#files = files;
	}

	/** Equal for crawlers that are judged alike. */
	key(agent: string): string {
		return this.#files
			.map((file) => this.#idOf(file.groupsOf(agent)))
			.join(" ");
	}

	#idOf(groups: readonly number[]): number {
		const known = this.#ids.get(groups);
		if (known !== undefined) return known;
		const content = groups.join();
		const id = this.#idsByContent.get(content) ?? this.#idsByContent.size;
		this.#idsByContent.set(content, id);
		this.#ids.set(groups, id);
		return id;
	}
}
