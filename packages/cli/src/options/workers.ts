import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { InvalidArgumentError, Option } from "commander";
import { STDIN } from "../input/input.ts";

const MOST_WORKERS = 64;
const MOST_BY_DEFAULT = 4;

export function workersOption(what: string): Option {
	return new Option("--workers <number>", what).argParser((text) => {
		const number = /^\d{1,3}$/.test(text) ? Number(text) : 0;
		if (number < 1 || number > MOST_WORKERS)
			throw new InvalidArgumentError(
				`Expected a whole number from 1 to ${MOST_WORKERS}.`,
			);
		return number;
	});
}

/**
 * What `run` makes of each item, in their order. `ahead` items are under way at a time at most, so that memory stays bounded; a result
 * does not wait for the next item to come. Where items end with an error, that is thrown behind the results of those before it.
 */
export async function* inOrder<Item, Result>(
	items: AsyncIterable<Item>,
	ahead: number,
	run: (item: Item) => Promise<Result>,
): AsyncGenerator<{ readonly item: Item; readonly result: Result }> {
	const source = items[Symbol.asyncIterator]();
	const running: { item: Item; promise: Promise<Result> }[] = [];
	let upcoming: Promise<IteratorResult<Item>> | undefined;
	let isOver = false;
	/** Why there are no more items. */
	let failed: { readonly error: unknown } | undefined;
	try {
		for (;;) {
			const [head] = running;
			if (!isOver && running.length < ahead) {
				upcoming ??= source.next();
				const isItem =
					!head ||
					(await Promise.race([
						upcoming.then(
							() => true,
							() => true,
						),
						head.promise.then(
							() => false,
							() => false,
						),
					]));
				if (isItem) {
					try {
						const next = await upcoming;
						isOver = next.done === true;
						if (!next.done) running.push(started(next.value, run));
					} catch (error) {
						isOver = true;
						failed = { error };
					}
					upcoming = undefined;
					continue;
				}
			}
			if (!head && failed) throw failed.error;
			if (!head) return;
			running.shift();
			yield { item: head.item, result: await head.promise };
		}
	} finally {
		upcoming?.catch(() => {});
		// Not awaited: it would wait for the next item.
		void source.return?.();
	}
}

function started<Item, Result>(
	item: Item,
	run: (item: Item) => Promise<Result>,
) {
	const promise = run(item);
	// Whoever stops early never hears of the later ones.
	promise.catch(() => {});
	return { item, promise };
}

/** Threads that are worth starting when each has so many bytes to work on. */
export function workersFor(bytes: number, worthOne: number): number {
	const wanted = Math.max(1, Math.floor(bytes / worthOne));
	return Math.min(availableParallelism(), MOST_BY_DEFAULT, wanted);
}

/** About the bytes of the files that are named; 0 for stdin and what cannot be read. */
export function sizeOfInputs(files: readonly string[]): number {
	return files.reduce((sum, file) => sum + sizeOf(file), 0);
}

function sizeOf(file: string): number {
	try {
		return file === STDIN ? 0 : statSync(file).size;
	} catch {
		return 0;
	}
}
