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
