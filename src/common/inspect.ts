/** As Node, Deno and Bun call what an object gives them for console.log. */
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

type Inspect = (value: object, options: unknown) => string;

/**
 * Has console.log show an object as its class's name and what `summary` gives. A property of the object, not a method of its class:
 * for a name that is only known when it runs, bundlers keep classes that nothing uses.
 */
export function showAs(object: object, summary: () => object): void {
	const value = (_depth: unknown, options: unknown, inspect: Inspect) =>
		`${object.constructor.name} ${inspect(summary(), options)}`;
	Object.defineProperty(object, INSPECT, { value });
}
