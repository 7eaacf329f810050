/**
 * Milliseconds in which the main thread ran: on a machine that does other things, time on the clock may be another process's. Elsewhere
 * than on Linux those of all threads.
 */
export function threadTime(): number;
