package robotrie;

/** Thrown by the native library, when a call trapped. */
final class EngineStoppedException extends RobotrieException {
	private static final long serialVersionUID = 1;

	EngineStoppedException(String message) {
		super(Code.ENGINE_STOPPED, message);
	}
}
