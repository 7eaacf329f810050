/** The one runner of ordered work on threads, which `match` and `audit` of the command line use, too. It changes without notice. */
export {
	inOrder,
	moved,
	OtherFailed,
	ownBuffer,
	serve,
	Threads,
} from "./threads/threads.ts";
