/**
 * The value of a property that objects have which cannot be cloned or posted to a thread: what arrived there would lack all methods, as
 * private fields and prototypes are not cloned. A function makes the platform refuse with a DataCloneError, and in most engines
 * its text is in the message. A base class with an internal slot (WeakRef) would do so without a property, but makes
 * `RobotsTxt.for` a quarter slower.
 */
export const sendBytes = (): string =>
	"send toBytes(), and call fromBytes there";
