/** Paths of a segment by number: those that the scanner numbers, and those for which it has no room. */
export class PathNames {
	readonly #paths: (string | undefined)[] = [];
	readonly #numbers = new Map<string, number>();

	clear(): void {
		this.#paths.length = 0;
		this.#numbers.clear();
	}

	get size(): number {
		return this.#paths.length + this.#numbers.size;
	}

	/** Whether a number of the scanner's has a path already; 0 is none. */
	has(number: number): boolean {
		return number !== 0 && this.#paths[number] !== undefined;
	}

	/** The number of a path that the scanner gave this number. */
	enter(number: number, path: string): number {
		if (number !== 0) {
			this.#paths[number] = path;
			return number;
		}
		let own = this.#numbers.get(path);
		if (own === undefined) {
			// Below 0, apart from the scanner's.
			own = -1 - this.#numbers.size;
			this.#numbers.set(path, own);
		}
		return own;
	}

	/** The paths of all numbers. */
	names(): (number: number) => string {
		const own = [...this.#numbers.keys()];
		return (number) =>
			withoutOrigin(
				(number < 0 ? own[-1 - number] : this.#paths[number]) ?? "",
			);
	}
}

/** "http://example.com/a" is a target of proxies. */
function withoutOrigin(target: string): string {
	if (target.startsWith("/")) return target;
	const path = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/]*/i, "");
	return path === "" ? "/" : path;
}

/** The first directory of a path, with its slashes: "/a/" of "/a/b"; "/" for files of the root. */
export function directoryOf(path: string): string {
	const end = path.indexOf("/", 1);
	return end < 0 ? "/" : path.slice(0, end + 1);
}
