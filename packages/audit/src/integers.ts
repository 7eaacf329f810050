/**
 * The number as arithmetic on integers would give it. V8 keeps what it reads from a Float64Array as a double: a counter to which that is
 * added is a double from then on, takes more memory, and all code for counters is compiled anew.
 */
export function asInteger(number: number): number {
	const integer = number | 0;
	return integer === number ? integer : number;
}
