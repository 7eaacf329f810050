/** Public objects are shown by console.log as a short summary. */

/** The key under which Node, Deno and Bun look for an object's text in console.log. */
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

type Inspect = (value: object, options: unknown) => string;

/**
 * Has console.log show the objects of a class as its name and what `summary` gives. For the constructor, of which the first call counts:
 * bundlers keep classes that have a method whose name is only known when it runs, even where nothing uses them.
 * @returns Always true, for a class that asks no second time.
 */
export function showAs<Shown extends object>(
	object: Shown,
	summary: (object: Shown) => object,
): true {
	const prototype = Object.getPrototypeOf(object);
	if (Object.hasOwn(prototype, INSPECT)) return true;
	function value(
		this: Shown,
		_depth: unknown,
		options: unknown,
		inspect: Inspect,
	): string {
		return `${this.constructor.name} ${inspect(summary(this), options)}`;
	}
	Object.defineProperty(prototype, INSPECT, { value });
	return true;
}
