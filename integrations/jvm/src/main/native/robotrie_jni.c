/*
 * The engine's two WebAssembly modules for Java: wasm2c made C of them (native.py), this file makes native methods of their exports. What
 * the exports do, and in which order, is docs/hosting.md's and the Java files' matter; here are memory, text, and traps, which become
 * Java exceptions. Java holds an instance's lock during every call.
 */
#include <jni.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "ada_c.h"
#include "robotrie.h"
#include "robotrieindex.h"
#include "trapped.h"

enum { MAX_CHARS = 134216704 / 3, PIECE = 512, NO_MEMORY = -2, NO_RESULT = -4 };

/* What the instances of both modules begin with. */
typedef struct {
	wasm_rt_memory_t *memory;
	bool broken;
	/* The input region, which moves only when more is asked for than before. */
	uint32_t input_at, input_room;
} Instance;

typedef struct {
	Instance of;
	w2c_robotrie wasm;
} Main;

typedef struct {
	Instance of;
	w2c_robotrieindex wasm;
} Origins;

#define INSTANCE(handle) ((Instance *)(intptr_t)(handle))
#define MAIN(handle) (&((Main *)(intptr_t)(handle))->wasm)
#define ORIGINS(handle) (&((Origins *)(intptr_t)(handle))->wasm)
#define NATIVE(result, type, name) JNIEXPORT result JNICALL Java_robotrie_##type##_##name

static void throw(JNIEnv *env, const char *type, const char *message) {
	jclass found = (*env)->FindClass(env, type);
	if (found) (*env)->ThrowNew(env, found, message);
}

static void stop(JNIEnv *env, Instance *instance, const char *why) {
	instance->broken = true;
	throw(env, "robotrie/EngineStoppedException", why);
}

/*
 * Runs `call`, and makes of a trap an exception in Java; then `failed` is done, and the instance is of no more use. The jump of a trap ends
 * here, as it must not cross Java's frames. The modules trap only where a host is wrong, so this is a net under what should not happen.
 */
#define GUARDED(env, instance, call, failed)                                                       \
	do {                                                                                           \
		if ((instance)->broken) {                                                                  \
			stop(env, instance, "the engine stopped within an earlier call");                      \
			failed;                                                                                \
		}                                                                                          \
		wasm_rt_trap_t trap = TRAPPED();                                                           \
		if (trap != WASM_RT_TRAP_NONE) {                                                           \
			stop(env, instance, wasm_rt_strerror(trap));                                           \
			failed;                                                                                \
		}                                                                                          \
		call;                                                                                      \
	} while (0)

/* ------------------------------------------------------------------------------------------------ exports */

#define EXPORT(type, prefix, name, params, args)                                             \
	NATIVE(jint, type, name) params {                                                              \
		uint32_t result = 0;                                                                       \
		GUARDED(env, INSTANCE(handle), result = prefix##name args, return 0);                      \
		return (jint)result;                                                                       \
	}
#define BASE JNIEnv *env, jclass type, jlong handle
#define MAIN0(name) EXPORT(MainModule, w2c_robotrie_, name, (BASE), (MAIN(handle)))
#define MAIN1(name) EXPORT(MainModule, w2c_robotrie_, name, (BASE, jint a), (MAIN(handle), a))
#define MAIN2(name) EXPORT(MainModule, w2c_robotrie_, name, (BASE, jint a, jint b), (MAIN(handle), a, b))
#define MAIN4(name)                                                                                \
	EXPORT(MainModule, w2c_robotrie_, name, (BASE, jint a, jint b, jint c, jint d), (MAIN(handle), a, b, c, d))
#define INDEX0(name) EXPORT(IndexModule, w2c_robotrieindex_, name, (BASE), (ORIGINS(handle)))
#define INDEX1(name) EXPORT(IndexModule, w2c_robotrieindex_, name, (BASE, jint a), (ORIGINS(handle), a))
#define INDEX2(name) EXPORT(IndexModule, w2c_robotrieindex_, name, (BASE, jint a, jint b), (ORIGINS(handle), a, b))
#define INDEX3(name)                                                                               \
	EXPORT(IndexModule, w2c_robotrieindex_, name, (BASE, jint a, jint b, jint c), (ORIGINS(handle), a, b, c))
#define INDEX5(name)                                                                               \
	EXPORT(IndexModule, w2c_robotrieindex_, name, (BASE, jint a, jint b, jint c, jint d, jint e), (ORIGINS(handle), a, b, c, d, e))

MAIN0(moduleVersion)
MAIN1(placeText)
MAIN4(tokenise)
MAIN1(placeAgents)
MAIN2(readAgents)
MAIN0(chooseLines)
MAIN1(placeRanges)
MAIN2(gather)
MAIN1(compile)
MAIN1(programLength)
MAIN0(rankedSources)
MAIN1(allocate)
MAIN2(verify)
MAIN1(reserveVisited)
MAIN4(matchLines)

INDEX0(moduleVersion)
INDEX0(hashKeys)
INDEX1(openOrigins)
INDEX2(expect)
INDEX3(loadEntries)
INDEX0(loadFailure)
INDEX0(originsRead)
INDEX0(programsRead)
INDEX0(originCount)
INDEX2(findOrigin)
INDEX3(matchOne)
INDEX5(matchOrigins)
INDEX0(endOfUnusual)

/* These return nothing in the module. */
NATIVE(void, MainModule, release)(JNIEnv *env, jclass type, jlong handle, jint at) {
	GUARDED(env, INSTANCE(handle), w2c_robotrie_release(MAIN(handle), at), return);
}

NATIVE(void, IndexModule, endLoading)(JNIEnv *env, jclass type, jlong handle) {
	GUARDED(env, INSTANCE(handle), w2c_robotrieindex_endLoading(ORIGINS(handle)), return);
}

/* ------------------------------------------------------------------------------------------------ instances */

static pthread_once_t initialised = PTHREAD_ONCE_INIT;

NATIVE(jlong, MainModule, create)(JNIEnv *env, jclass type) {
	pthread_once(&initialised, wasm_rt_init);
	Main *made = calloc(1, sizeof *made);
	if (!made) return 0;
	GUARDED(env, &made->of, wasm2c_robotrie_instantiate(&made->wasm), { free(made); return 0; });
	made->of.memory = &made->wasm.w2c_memory;
	return (jlong)(intptr_t)made;
}

NATIVE(void, MainModule, free)(JNIEnv *env, jclass type, jlong handle) {
	wasm2c_robotrie_free(MAIN(handle));
	free(INSTANCE(handle));
}

NATIVE(jlong, IndexModule, create)(JNIEnv *env, jclass type) {
	pthread_once(&initialised, wasm_rt_init);
	Origins *made = calloc(1, sizeof *made);
	if (!made) return 0;
	GUARDED(env, &made->of, wasm2c_robotrieindex_instantiate(&made->wasm), { free(made); return 0; });
	made->of.memory = &made->wasm.w2c_memory;
	return (jlong)(intptr_t)made;
}

NATIVE(void, IndexModule, free)(JNIEnv *env, jclass type, jlong handle) {
	wasm2c_robotrieindex_free(ORIGINS(handle));
	free(INSTANCE(handle));
}

/* ------------------------------------------------------------------------------------------------ memory */

/* Where an address lies now; NULL with an exception unless `size` bytes from there are in memory. */
static uint8_t *place(JNIEnv *env, Instance *instance, jint at, jlong size) {
	uint64_t from = (uint32_t)at;
	if (size >= 0 && from + (uint64_t)size <= instance->memory->size) return instance->memory->data + from;
	stop(env, instance, "an address is beyond the memory");
	return NULL;
}

NATIVE(void, Engine, write)(JNIEnv *env, jclass type, jlong handle, jint at, jbyteArray bytes, jint from, jint size) {
	uint8_t *to = place(env, INSTANCE(handle), at, size);
	if (to) (*env)->GetByteArrayRegion(env, bytes, from, size, (jbyte *)to);
}

NATIVE(void, Engine, read)(JNIEnv *env, jclass type, jlong handle, jint at, jbyteArray bytes, jint to, jint size) {
	uint8_t *from = place(env, INSTANCE(handle), at, size);
	if (from) (*env)->SetByteArrayRegion(env, bytes, to, size, (jbyte *)from);
}

NATIVE(jint, MainModule, input)(JNIEnv *env, jclass type, jlong handle, jint size) {
	Instance *instance = INSTANCE(handle);
	if (instance->input_at && (uint32_t)size <= instance->input_room) return (jint)instance->input_at;
	instance->input_room = 0;
	GUARDED(env, instance, instance->input_at = w2c_robotrie_input(MAIN(handle), size), return 0);
	if (instance->input_at) instance->input_room = size;
	return (jint)instance->input_at;
}

NATIVE(jint, IndexModule, input)(JNIEnv *env, jclass type, jlong handle, jint size) {
	Instance *instance = INSTANCE(handle);
	if (instance->input_at && (uint32_t)size <= instance->input_room) return (jint)instance->input_at;
	instance->input_room = 0;
	GUARDED(env, instance, instance->input_at = w2c_robotrieindex_input(ORIGINS(handle), size), return 0);
	if (instance->input_at) instance->input_room = size;
	return (jint)instance->input_at;
}

/* ------------------------------------------------------------------------------------------------ text */

static bool is_high(jchar c) { return (c & 0xfc00) == 0xd800; }
static bool is_low(jchar c) { return (c & 0xfc00) == 0xdc00; }

/* UTF-16 as UTF-8, at most three bytes for a char; a surrogate alone is U+FFFD, as in TextEncoder. Returns the number of bytes. */
static uint32_t utf8(const jchar *chars, uint32_t count, uint8_t *out) {
	uint8_t *to = out;
	for (uint32_t i = 0; i < count;) {
		uint32_t end = count - i < 64 ? count : i + 64;
		jchar all = 0;
		/* Nearly all URLs are ASCII: these two loops become vector instructions. */
		for (uint32_t at = i; at < end; at++) all |= chars[at];
		if (all < 0x80) {
			for (uint32_t at = i; at < end; at++) to[at - i] = (uint8_t)chars[at];
			to += end - i;
			i = end;
			continue;
		}
		for (; i < end; i++) {
			uint32_t c = chars[i];
			if (is_high(c) && i + 1 < count && is_low(chars[i + 1])) {
				c = 0x10000 + ((c - 0xd800) << 10) + (chars[++i] - 0xdc00);
				*to++ = 0xf0 | c >> 18;
				*to++ = 0x80 | (c >> 12 & 63);
				*to++ = 0x80 | (c >> 6 & 63);
				*to++ = 0x80 | (c & 63);
				continue;
			}
			if (is_high(c) || is_low(c)) c = 0xfffd;
			if (c < 0x80) *to++ = c;
			else if (c < 0x800) {
				*to++ = 0xc0 | c >> 6;
				*to++ = 0x80 | (c & 63);
			} else {
				*to++ = 0xe0 | c >> 12;
				*to++ = 0x80 | (c >> 6 & 63);
				*to++ = 0x80 | (c & 63);
			}
		}
	}
	return to - out;
}

/* Writes chars as UTF-8 to where there is room for three bytes for each; the number of bytes. */
NATIVE(jint, Engine, writeChars)(JNIEnv *env, jclass type, jlong handle, jint at, jcharArray array, jint count) {
	if (count < 0 || count > (*env)->GetArrayLength(env, array)) {
		throw(env, "java/lang/IndexOutOfBoundsException", "not within the chars");
		return 0;
	}
	uint8_t *to = place(env, INSTANCE(handle), at, 3 * (jlong)count);
	jchar *chars = to ? (*env)->GetPrimitiveArrayCritical(env, array, NULL) : NULL;
	if (!chars) return 0;
	uint32_t size = utf8(chars, count, to);
	(*env)->ReleasePrimitiveArrayCritical(env, array, chars, JNI_ABORT);
	return (jint)size;
}

/* matchOne for a String: the one call that must be fast by itself. NO_MEMORY for one of more than MAX_CHARS. */
NATIVE(jint, MainModule, matchOne)(JNIEnv *env, jclass type, jlong handle, jint program, jstring url) {
	jint count = (*env)->GetStringLength(env, url), result = NO_RESULT;
	jint at = count <= MAX_CHARS ? Java_robotrie_MainModule_input(env, type, handle, 3 * count) : 0;
	if (!at) return NO_MEMORY;
	uint8_t *to = place(env, INSTANCE(handle), at, 3 * (jlong)count);
	if (!to) return result;
	uint32_t size = 0;
	jchar chars[PIECE];
	for (jint from = 0; from < count;) {
		jint next = count - from < PIECE ? count - from : PIECE;
		(*env)->GetStringRegion(env, url, from, next, chars);
		/* A pair stays together. */
		if (from + next < count && is_high(chars[next - 1])) next--;
		size += utf8(chars, next, to + size);
		from += next;
	}
	GUARDED(env, INSTANCE(handle), result = (jint)w2c_robotrie_matchOne(MAIN(handle), program, at, size), return result);
	return result;
}

/* The origin of a URL in UTF-8, as the URL standard reads it; null for what is not a URL or has no host ("mailto:a@b"). */
NATIVE(jbyteArray, Engine, origin)(JNIEnv *env, jclass type, jbyteArray url) {
	jsize size = (*env)->GetArrayLength(env, url);
	jbyte *bytes = (*env)->GetByteArrayElements(env, url, NULL);
	if (!bytes) return NULL;
	ada_url parsed = ada_parse((const char *)bytes, size);
	(*env)->ReleaseByteArrayElements(env, url, bytes, JNI_ABORT);
	jbyteArray origin = NULL;
	if (ada_is_valid(parsed)) {
		ada_string protocol = ada_get_protocol(parsed), host = ada_get_host(parsed);
		if (host.length) origin = (*env)->NewByteArray(env, protocol.length + 2 + host.length);
		if (origin) {
			(*env)->SetByteArrayRegion(env, origin, 0, protocol.length, (const jbyte *)protocol.data);
			(*env)->SetByteArrayRegion(env, origin, protocol.length, 2, (const jbyte *)"//");
			(*env)->SetByteArrayRegion(env, origin, protocol.length + 2, host.length, (const jbyte *)host.data);
		}
	}
	ada_free(parsed);
	return origin;
}
