/** What the references below refer to. */
const nothing = {};

/**
 * Base of classes whose objects cannot be cloned or posted to a thread: what arrived there would lack all methods, as private fields
 * and prototypes are not cloned. The platform refuses to clone objects with an internal slot like that of a WeakRef, with a
 * DataCloneError that names the class. Nothing else shows it: such an object has no property of a WeakRef.
 */
export const Uncloneable = function (this: object): object {
	const Base = typeof WeakRef === "function" ? WeakRef : WeakSet;
	return Reflect.construct(Base, Base === WeakSet ? [] : [nothing], new.target);
} as unknown as new () => object;
