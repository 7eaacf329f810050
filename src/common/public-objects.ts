/**
 * What public classes have in common: they refuse to be cloned with an error that says what to send instead, and console.log shows them as
 * a short summary.
 */
const { add } = Set.prototype;

function makeUncloneable() {
	class Uncloneable extends Set {
		constructor(refused: object) {
			super();
			add.call(this, refused);
		}
	}
	Object.setPrototypeOf(Uncloneable.prototype, Object.prototype);
	return Uncloneable as unknown as new (
		refused: object,
	) => object;
}

/**
 * Base of classes whose objects cannot be cloned or posted to a thread: what arrived there would lack all methods, as private fields
 * and prototypes are not cloned. Cloning a Set clones what is in it, and here that is `refused`. Nothing else shows it: an object has
 * neither a property nor a method of a Set. Other ways take longer to make an object: `Reflect.construct` a whole microsecond.
 */
export const Uncloneable = /* @__PURE__ */ makeUncloneable();

/** Something that platforms refuse to clone. V8 shows it as `text` in the error's message, as it would show an error of that name. */
export function refusedAs(text: string): object {
	return Object.assign(new WeakMap(), {
		name: text,
		message: "",
		toString: Error.prototype.toString,
	});
}

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
