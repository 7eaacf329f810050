/** The outcome of some work, or an error when it takes longer than this. The work itself goes on. */
export async function withinTime<T>(
	work: Promise<T>,
	milliseconds: number,
	who: string,
): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(
			() =>
				reject(
					new TimeLimitError(`${who} gave no answer within ${milliseconds} ms`),
				),
			milliseconds,
		);
	});
	try {
		return await Promise.race([work, late]);
	} finally {
		clearTimeout(timer);
	}
}

export class TimeLimitError extends Error {}
