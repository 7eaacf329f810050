/*
 * The engine's two WebAssembly modules as a Python extension: wasm2c made C of them (setup.py), this file copies bytes in and verdicts out.
 * Contracts are those of docs/hosting.md. Everything runs under the GIL, which is the lock that an instance needs. `Reader` reads and
 * compiles robots.txt files, `Program` judges, `Origins` is an index; the Python files beside make of them what people use.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <string.h>

#include "robotrie.h"
#include "robotrieindex.h"
#include "trapped.h"

enum { PADDING = 96, ROW_PADDING = 128, CHUNK = 65536, INVALID = -1, UNUSUAL = 255 };
enum { MAX_LINE = 134216704, MAX_BLOCK = 1 << 29, MOST_EXPECTED = 1 << 26 };

/*
 * Runs `call`, and makes of a trap a Python error: then `failed` is done, and the instance is of no more use. The modules trap only where a
 * host is wrong, so this is a net under what should not happen.
 */
#define GUARDED(broken, call, failed)                                                              \
	do {                                                                                           \
		if (broken) {                                                                              \
			PyErr_SetString(PyExc_RuntimeError, "the engine stopped within an earlier call");      \
			failed;                                                                                \
		}                                                                                          \
		wasm_rt_trap_t trap = TRAPPED();                                                  \
		if (trap != WASM_RT_TRAP_NONE) {                                                           \
			(broken) = true;                                                                       \
			PyErr_Format(PyExc_RuntimeError, "the engine stopped: %s", wasm_rt_strerror(trap));    \
			failed;                                                                                \
		}                                                                                          \
		call;                                                                                      \
	} while (0)

static PyObject *no_memory(void) {
	PyErr_SetString(PyExc_MemoryError, "WebAssembly memory ends at 4 GiB, a block of it at 512 MiB");
	return NULL;
}

/* ------------------------------------------------------------------------------------------------ text */

static bool is_surrogate(Py_UCS4 c) { return (c & 0xfffff800) == 0xd800; }

static bool has_surrogate(PyObject *text) {
	int kind = PyUnicode_KIND(text);
	if (kind != PyUnicode_2BYTE_KIND && kind != PyUnicode_4BYTE_KIND) return false;
	for (Py_ssize_t i = 0; i < PyUnicode_GET_LENGTH(text); i++)
		if (is_surrogate(PyUnicode_READ(kind, PyUnicode_DATA(text), i))) return true;
	return false;
}

/* The UTF-8 of a str with surrogates: two that are a pair are one character, others U+FFFD, as in JavaScript. */
static PyObject *well_formed(PyObject *text) {
	Py_ssize_t count = PyUnicode_GET_LENGTH(text);
	PyObject *bytes = PyBytes_FromStringAndSize(NULL, 4 * count);
	if (!bytes) return NULL;
	char *start = PyBytes_AS_STRING(bytes), *to = start;
	for (Py_ssize_t i = 0; i < count; i++) {
		Py_UCS4 c = PyUnicode_READ_CHAR(text, i), next = i + 1 < count ? PyUnicode_READ_CHAR(text, i + 1) : 0;
		if (Py_UNICODE_IS_HIGH_SURROGATE(c) && Py_UNICODE_IS_LOW_SURROGATE(next)) c = Py_UNICODE_JOIN_SURROGATES(c, next), i++;
		else if (is_surrogate(c)) c = 0xfffd;
		int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
		*to++ = (char)(more ? 0xff00 >> (more + 1) | c >> 6 * more : c);
		while (more--) *to++ = (char)(0x80 | (c >> 6 * more & 63));
	}
	_PyBytes_Resize(&bytes, to - start);
	return bytes;
}

static PyObject *utf8(PyObject *module, PyObject *text) {
	if (!PyUnicode_Check(text)) return PyErr_Format(PyExc_TypeError, "not a str");
	return has_surrogate(text) ? well_formed(text) : PyUnicode_AsUTF8String(text);
}

/* ------------------------------------------------------------------------------------------------ Reader */

/* What is read of a file, and how. */
typedef struct {
	Py_ssize_t from, to;
	unsigned int flags, line;
} Reading;

typedef struct {
	PyObject_HEAD
	w2c_robotrie wasm;
	bool broken;
	/* The file whose records lie in memory, NULL at first, and the nine numbers about them. */
	PyObject *text;
	Reading read;
	uint32_t lists[9];
} Reader;

/* A type of this module, whose functions are named after it. */
#define TYPE(name, getset) \
	{ \
		PyVarObject_HEAD_INIT(NULL, 0).tp_name = "robotrie._engine." #name, \
		.tp_basicsize = sizeof(name), \
		.tp_new = name##_new, \
		.tp_dealloc = (destructor)name##_dealloc, \
		.tp_flags = Py_TPFLAGS_DEFAULT, \
		.tp_methods = name##_methods, \
		.tp_getset = getset, \
	}

static PyTypeObject ReaderType;
/* Where programs run: one for all, made when the module is imported. */
static Reader *runner;

#define BYTES(self) ((self)->wasm.w2c_memory.data)

static PyObject *Reader_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
	Reader *self = (Reader *)type->tp_alloc(type, 0);
	if (self) GUARDED(self->broken, wasm2c_robotrie_instantiate(&self->wasm), { Py_DECREF(self); return NULL; });
	return (PyObject *)self;
}

static void Reader_dealloc(Reader *self) {
	wasm2c_robotrie_free(&self->wasm);
	Py_XDECREF(self->text);
	Py_TYPE(self)->tp_free(self);
}

/*
 * Makes the records of a file, bytes [from, to) of `text`, unless they are still there. What needs them is done in the same call: between
 * two calls another thread may read another file.
 */
static bool read_file(Reader *self, PyObject *text, const Reading *read) {
	uint32_t at = 0;
	if (self->text == text && !memcmp(&self->read, read, sizeof *read)) return true;
	Py_CLEAR(self->text);
	if (read->from < 0 || read->from > read->to || read->to > PyBytes_GET_SIZE(text)) {
		PyErr_SetString(PyExc_ValueError, "not within the text");
		return false;
	}
	if (read->to < MAX_BLOCK) GUARDED(self->broken, at = w2c_robotrie_placeText(&self->wasm, read->to + 1), return false);
	if (at) {
		memcpy(BYTES(self) + at, PyBytes_AS_STRING(text), read->to);
		GUARDED(self->broken, at = w2c_robotrie_tokenise(&self->wasm, read->from, read->to, read->flags, read->line), return false);
	}
	if (!at) return no_memory();
	memcpy(self->lists, BYTES(self) + at, sizeof self->lists);
	if (self->lists[7]) {
		PyErr_Format(PyExc_ValueError, "line %u of a robots.txt has %u bytes, more than 16777216", self->lists[7], self->lists[8]);
		return false;
	}
	self->text = Py_NewRef(text);
	self->read = *read;
	return true;
}

static PyObject *Reader_tokenise(Reader *self, PyObject *args) {
	PyObject *text;
	Reading read = {0};
	if (!PyArg_ParseTuple(args, "SnnII", &text, &read.from, &read.to, &read.flags, &read.line)) return NULL;
	if (!read_file(self, text, &read)) return NULL;
	/* Copied before a tuple is made, which may collect garbage and so run any code. */
	PyObject *agents = PyBytes_FromStringAndSize((char *)BYTES(self) + self->lists[2], (Py_ssize_t)self->lists[3] * 24);
	PyObject *others = PyBytes_FromStringAndSize((char *)BYTES(self) + self->lists[4], (Py_ssize_t)self->lists[5] * 32);
	return Py_BuildValue("INN", self->lists[1], agents, others);
}

/* Texts of a list of bytes to where the module reads agents; their number, -1 with an error. */
static Py_ssize_t place_agents(Reader *self, PyObject *list) {
	Py_ssize_t count = PyList_GET_SIZE(list), size = 0;
	uint32_t at = 0;
	for (Py_ssize_t i = 0; i < count; i++) {
		if (!PyBytes_Check(PyList_GET_ITEM(list, i))) {
			PyErr_SetString(PyExc_TypeError, "not bytes");
			return -1;
		}
		size += 4 + PyBytes_GET_SIZE(PyList_GET_ITEM(list, i));
	}
	if (size < MAX_BLOCK) GUARDED(self->broken, at = w2c_robotrie_placeAgents(&self->wasm, size), return -1);
	if (!at) {
		no_memory();
		return -1;
	}
	for (Py_ssize_t i = 0; i < count; i++) {
		PyObject *text = PyList_GET_ITEM(list, i);
		uint32_t length = PyBytes_GET_SIZE(text);
		memcpy(BYTES(self) + at, &length, 4);
		memcpy(BYTES(self) + at + 4, PyBytes_AS_STRING(text), length);
		at += 4 + length;
	}
	return count;
}

static PyObject *Reader_choose(Reader *self, PyObject *args) {
	PyObject *text, *agents;
	unsigned int flags;
	Reading read = {0};
	uint32_t at = 0, count;
	if (!PyArg_ParseTuple(args, "SnnIIO!I", &text, &read.from, &read.to, &read.flags, &read.line, &PyList_Type, &agents, &flags)) return NULL;
	if (!read_file(self, text, &read)) return NULL;
	Py_ssize_t texts = place_agents(self, agents);
	if (texts < 0) return NULL;
	GUARDED(self->broken, at = w2c_robotrie_readAgents(&self->wasm, texts, flags), return NULL);
	if (at) GUARDED(self->broken, at = w2c_robotrie_chooseLines(&self->wasm), return NULL);
	if (!at) return no_memory();
	memcpy(&count, BYTES(self) + at, 4);
	return PyBytes_FromStringAndSize((char *)BYTES(self) + at + 4, (Py_ssize_t)count * 4);
}

/* Of each rank the numbers of its rule, from, to, allow, line; line 0 for no rule of the file. */
static PyObject *ranked(Reader *self, uint32_t program) {
	uint32_t ranks, sources;
	memcpy(&ranks, BYTES(self) + program + 8, 4);
	GUARDED(self->broken, sources = w2c_robotrie_rankedSources(&self->wasm), return NULL);
	PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)ranks * 16);
	if (!bytes) return NULL;
	char *to = PyBytes_AS_STRING(bytes);
	for (uint32_t rank = 0; rank < ranks; rank++, to += 16) {
		uint32_t source;
		memcpy(&source, BYTES(self) + sources + 4 * rank, 4);
		if (source < self->lists[1]) memcpy(to, BYTES(self) + self->lists[0] + 16 * source, 16);
		else memset(to, 0, 16);
	}
	return bytes;
}

static PyObject *Reader_compile(Reader *self, PyObject *args) {
	PyObject *text, *ranges;
	unsigned int flags;
	Reading read = {0};
	if (!PyArg_ParseTuple(args, "SnnIIO!I", &text, &read.from, &read.to, &read.flags, &read.line, &PyList_Type, &ranges, &flags)) return NULL;
	if (!read_file(self, text, &read)) return NULL;
	uint32_t count = PyList_GET_SIZE(ranges), at = 0, gathered = 0, program = 0, size = 0;
	GUARDED(self->broken, at = w2c_robotrie_placeRanges(&self->wasm, count ? count : 1), return NULL);
	if (!at) return no_memory();
	for (uint32_t i = 0; i < count; i++) {
		unsigned int pair[2];
		if (!PyArg_ParseTuple(PyList_GET_ITEM(ranges, i), "II", &pair[0], &pair[1])) return NULL;
		if (pair[0] > pair[1] || pair[1] > self->lists[1]) {
			PyErr_SetString(PyExc_ValueError, "not within the rules");
			return NULL;
		}
		memcpy(BYTES(self) + at + 8 * i, pair, 8);
	}
	GUARDED(self->broken, gathered = w2c_robotrie_gather(&self->wasm, count, flags), return NULL);
	if (!gathered) return no_memory();
	GUARDED(self->broken, program = w2c_robotrie_compile(&self->wasm, flags), return NULL);
	if (!program) return no_memory();
	if (program == 1) {
		PyErr_SetString(PyExc_MemoryError, "the rules need more than the 16777215 bytes that a program may have");
		return NULL;
	}
	GUARDED(self->broken, size = w2c_robotrie_programLength(&self->wasm, program), return NULL);
	PyObject *bytes = PyBytes_FromStringAndSize((char *)BYTES(self) + program, size);
	return Py_BuildValue("NN", bytes, bytes ? ranked(self, program) : NULL);
}

static PyMethodDef Reader_methods[] = {
	{"tokenise", (PyCFunction)Reader_tokenise, METH_VARARGS, "Number of rules of a file, records of its user-agent lines and others."},
	{"choose", (PyCFunction)Reader_choose, METH_VARARGS, "Numbers of the user-agent lines by which a crawler goes."},
	{"compile", (PyCFunction)Reader_compile, METH_VARARGS, "The program for ranges of a file's rules, and the rules of its ranks."},
	{NULL},
};

static PyTypeObject ReaderType = TYPE(Reader, NULL);

/* ------------------------------------------------------------------------------------------------ Program */

typedef struct {
	PyObject_HEAD
	uint32_t address;
	PyObject *bytes;
} Program;

static PyTypeObject ProgramType;

/* Program(bytes, is_trusted): `bytes` are verified unless they have just been compiled. */
static PyObject *Program_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
	PyObject *bytes;
	int trusted;
	if (!PyArg_ParseTuple(args, "Sp", &bytes, &trusted)) return NULL;
	uint32_t size = PyBytes_GET_SIZE(bytes), at = 0;
	int32_t reason = 0;
	uint32_t reserved = 0;
	if (PyBytes_GET_SIZE(bytes) > 0xffffff) return PyErr_Format(PyExc_ValueError, "a program has at most 16777215 bytes");
	GUARDED(runner->broken, at = w2c_robotrie_allocate(&runner->wasm, size), return NULL);
	if (!at) return no_memory();
	memcpy(BYTES(runner) + at, PyBytes_AS_STRING(bytes), size);
	if (!trusted) GUARDED(runner->broken, reason = (int32_t)w2c_robotrie_verify(&runner->wasm, at, size), return NULL);
	if (!reason) GUARDED(runner->broken, reserved = w2c_robotrie_reserveVisited(&runner->wasm, at), return NULL);
	Program *self = reserved ? (Program *)type->tp_alloc(type, 0) : NULL;
	if (!self) {
		GUARDED(runner->broken, w2c_robotrie_release(&runner->wasm, at), return NULL);
		if (reason > 0) return PyErr_Format(PyExc_ValueError, "not a program: reason %d", reason);
		return PyErr_Occurred() ? NULL : no_memory();
	}
	self->address = at;
	self->bytes = Py_NewRef(bytes);
	return (PyObject *)self;
}

static void Program_dealloc(Program *self) {
	if (!runner->broken && TRAPPED() == WASM_RT_TRAP_NONE) w2c_robotrie_release(&runner->wasm, self->address);
	Py_XDECREF(self->bytes);
	Py_TYPE(self)->tp_free(self);
}

/*
 * The UTF-8 of a str, or bytes as they are; `owner` is released afterwards. NULL with an error. It runs no Python code, which could let other
 * threads in: lines may be in the input region already.
 */
static const char *text_of(PyObject *url, Py_ssize_t *size, PyObject **owner) {
	*owner = NULL;
	if (PyUnicode_Check(url)) {
		if (!has_surrogate(url)) return PyUnicode_AsUTF8AndSize(url, size);
		*owner = well_formed(url);
	} else if (PyBytes_Check(url)) {
		*owner = Py_NewRef(url);
	} else {
		PyErr_Format(PyExc_TypeError, "a URL is a str or bytes, not %.100s", Py_TYPE(url)->tp_name);
	}
	if (!*owner) return NULL;
	*size = PyBytes_GET_SIZE(*owner);
	return PyBytes_AS_STRING(*owner);
}

/* The input region of `runner`, which moves only when more is asked for than before; 0 when memory cannot grow. */
static uint32_t input_at, input_room;

static uint32_t input_for(uint32_t size) {
	if (input_at && size <= input_room) return input_at;
	input_room = 0;
	GUARDED(runner->broken, input_at = w2c_robotrie_input(&runner->wasm, size), return 0);
	if (input_at) input_room = size;
	else no_memory();
	return input_at;
}

/* matchOne for bytes; INT32_MIN with an error. */
static int32_t match_bytes(Program *self, const char *text, Py_ssize_t size) {
	int32_t best = 0;
	uint32_t at = size <= MAX_LINE ? input_for(size) : 0;
	if (!at) {
		if (!PyErr_Occurred()) no_memory();
		return INT32_MIN;
	}
	memcpy(BYTES(runner) + at, text, size);
	GUARDED(runner->broken, best = (int32_t)w2c_robotrie_matchOne(&runner->wasm, self->address, at, size), return INT32_MIN);
	if (best >= INVALID) return best;
	if (best == -2) no_memory();
	else PyErr_Format(PyExc_RuntimeError, "matchOne returned %d", best);
	return INT32_MIN;
}

static PyObject *Program_match_one(Program *self, PyObject *url) {
	Py_ssize_t size;
	PyObject *owner;
	const char *text = text_of(url, &size, &owner);
	if (!text) return NULL;
	int32_t best = match_bytes(self, text, size);
	Py_XDECREF(owner);
	return best == INT32_MIN ? NULL : PyLong_FromLong(best);
}

static PyObject *Program_is_allowed(Program *self, PyObject *url) {
	Py_ssize_t size;
	PyObject *owner;
	const char *text = text_of(url, &size, &owner);
	if (!text) return NULL;
	int32_t best = match_bytes(self, text, size);
	Py_XDECREF(owner);
	if (best == INT32_MIN) return NULL;
	if (best == INVALID) return PyErr_Format(PyExc_ValueError, "%.200R is neither an absolute URL nor a path that begins with \"/\"", url);
	return PyBool_FromLong(best == 0 || (best & 1));
}

static uint8_t verdict_of(int32_t best) { return best == INVALID ? 3 : best == 0 ? 1 : best & 1; }

/* Judges lines in the input region; returns how many there are, -1 with an error. */
static int32_t judge(Program *self, uint32_t at, uint32_t size) {
	int32_t lines = 0;
	uint32_t to = at + size + PADDING;
	GUARDED(runner->broken, lines = (int32_t)w2c_robotrie_matchLines(&runner->wasm, self->address, at, size, to), return -1);
	if (lines == -1) no_memory();
	else if (lines < 0) PyErr_Format(PyExc_RuntimeError, "matchLines returned %d", lines);
	return lines < 0 ? -1 : lines;
}

static uint32_t input_for_lines(Py_ssize_t size) {
	uint32_t at = size <= MAX_LINE ? input_for(2 * size + PADDING + 1) : 0;
	if (!at && !PyErr_Occurred()) no_memory();
	return at;
}

/* A row that is no line: line ends within it count as bytes. */
static bool is_odd(const char *text, Py_ssize_t size) {
	return (size && text[size - 1] == '\r') || memchr(text, '\n', size);
}

/*
 * Judges `count` rows, which `row` gives. As many as fit into a chunk are joined to lines; an odd row is an empty line there, and is judged
 * by itself afterwards.
 */
typedef const char *(*RowOf)(void *rows, Py_ssize_t i, Py_ssize_t *size, PyObject **owner);

static PyObject *judge_rows(Program *self, void *rows, Py_ssize_t count, RowOf row_of) {
	PyObject *verdicts = PyBytes_FromStringAndSize(NULL, count);
	if (!verdicts) return NULL;
	char *out = PyBytes_AS_STRING(verdicts);
	for (Py_ssize_t first = 0; first < count;) {
		Py_ssize_t next = first, used = 0, odd = 0;
		uint32_t at = input_for_lines(CHUNK);
		if (!at) goto failed;
		char *lines = (char *)BYTES(runner) + at;
		for (; next < count; next++) {
			Py_ssize_t size;
			PyObject *owner;
			const char *text = row_of(rows, next, &size, &owner);
			if (!text) goto failed;
			bool alone = size >= CHUNK || is_odd(text, size);
			if (!alone && used + size + 1 > CHUNK) {
				Py_XDECREF(owner);
				break;
			}
			out[next] = alone;
			odd += alone;
			if (!alone) {
				memcpy(lines + used, text, size);
				used += size;
			}
			Py_XDECREF(owner);
			if (used + 1 > CHUNK) break;
			lines[used++] = '\n';
		}
		PyObject *alone = odd ? PyBytes_FromStringAndSize(out + first, next - first) : NULL;
		int32_t judged = judge(self, at, used);
		if (judged >= 0 && judged != next - first) PyErr_Format(PyExc_RuntimeError, "%d verdicts for %zd rows", judged, next - first);
		if (PyErr_Occurred()) {
			Py_XDECREF(alone);
			goto failed;
		}
		memcpy(out + first, BYTES(runner) + at + used + PADDING, judged);
		for (Py_ssize_t i = first; odd && i < next; i++) {
			if (!PyBytes_AS_STRING(alone)[i - first]) continue;
			Py_ssize_t size;
			PyObject *owner;
			const char *text = row_of(rows, i, &size, &owner);
			int32_t best = text ? match_bytes(self, text, size) : INT32_MIN;
			if (text) Py_XDECREF(owner);
			if (best == INT32_MIN) {
				Py_DECREF(alone);
				goto failed;
			}
			out[i] = verdict_of(best);
		}
		Py_XDECREF(alone);
		first = next;
	}
	return verdicts;
failed:
	Py_DECREF(verdicts);
	return NULL;
}

static const char *item_of(void *list, Py_ssize_t i, Py_ssize_t *size, PyObject **owner) {
	PyObject *url = i < PyList_GET_SIZE((PyObject *)list) ? PyList_GET_ITEM((PyObject *)list, i) : NULL;
	if (url) return text_of(url, size, owner);
	PyErr_SetString(PyExc_RuntimeError, "the list changed");
	return NULL;
}

static PyObject *Program_match_list(Program *self, PyObject *list) {
	if (!PyList_CheckExact(list)) return PyErr_Format(PyExc_TypeError, "not a list");
	return judge_rows(self, list, PyList_GET_SIZE(list), item_of);
}

/* Rows of a column: offsets of 4 or 8 bytes, or, without any, `width` bytes for each, padded with NULs. */
typedef struct {
	Py_buffer data, offsets;
	int width;
} Rows;

static const char *row_of(void *given, Py_ssize_t i, Py_ssize_t *size, PyObject **owner) {
	Rows *rows = given;
	const char *data = rows->data.buf;
	int64_t from = i * rows->width, to = from + rows->width;
	*owner = NULL;
	if (rows->offsets.obj) {
		if (rows->width == 8) {
			int64_t pair[2];
			memcpy(pair, (char *)rows->offsets.buf + i * 8, 16);
			from = pair[0], to = pair[1];
		} else {
			int32_t pair[2];
			memcpy(pair, (char *)rows->offsets.buf + i * 4, 8);
			from = pair[0], to = pair[1];
		}
		if (from < 0 || to < from || to > rows->data.len) {
			PyErr_Format(PyExc_ValueError, "the offsets of row %zd are wrong", i);
			return NULL;
		}
	} else {
		while (to > from && !data[to - 1]) to--;
	}
	*size = to - from;
	return data + from;
}

static PyObject *Program_match_column(Program *self, PyObject *args) {
	Rows rows = {0};
	Py_ssize_t count;
	if (!PyArg_ParseTuple(args, "y*z*in", &rows.data, &rows.offsets, &rows.width, &count)) return NULL;
	Py_ssize_t items = rows.offsets.obj ? count + 1 : count;
	Py_ssize_t room = rows.offsets.obj ? rows.offsets.len : rows.data.len;
	bool fits = count >= 0 && rows.width > 0 && items <= room / rows.width;
	if (rows.offsets.obj && rows.width != 4 && rows.width != 8) fits = false;
	PyObject *verdicts = fits ? judge_rows(self, &rows, count, row_of) : PyErr_Format(PyExc_ValueError, "too few bytes for %zd rows", count);
	PyBuffer_Release(&rows.data);
	if (rows.offsets.obj) PyBuffer_Release(&rows.offsets);
	return verdicts;
}

/* The end of the last whole line within a chunk, or of a single longer line. */
static Py_ssize_t chunk_end(const char *text, Py_ssize_t from, Py_ssize_t size) {
	if (size - from <= 2 * CHUNK) return size;
	for (Py_ssize_t at = from + 2 * CHUNK; at > from; at--)
		if (text[at - 1] == '\n') return at;
	const char *feed = memchr(text + from + 2 * CHUNK, '\n', size - from - 2 * CHUNK);
	return feed ? feed + 1 - text : size;
}

static PyObject *Program_match_lines(Program *self, PyObject *args) {
	Py_buffer text;
	if (!PyArg_ParseTuple(args, "y*", &text)) return NULL;
	PyObject *verdicts = PyByteArray_FromStringAndSize(NULL, 0);
	Py_ssize_t done = 0, room = 0;
	for (Py_ssize_t from = 0, end; verdicts && from < text.len; from = end) {
		end = chunk_end(text.buf, from, text.len);
		uint32_t at = input_for_lines(end - from);
		if (at) memcpy(BYTES(runner) + at, (char *)text.buf + from, end - from);
		int32_t lines = at ? judge(self, at, end - from) : -1;
		if (lines >= 0 && done + lines > room) {
			room = done + lines + (end < text.len ? (Py_ssize_t)((double)(done + lines) / end * text.len) : 0);
			if (PyByteArray_Resize(verdicts, room)) lines = -1;
		}
		if (lines < 0) {
			Py_CLEAR(verdicts);
			break;
		}
		memcpy(PyByteArray_AS_STRING(verdicts) + done, BYTES(runner) + at + (end - from) + PADDING, lines);
		done += lines;
	}
	PyBuffer_Release(&text);
	PyObject *result = verdicts ? PyBytes_FromStringAndSize(PyByteArray_AS_STRING(verdicts), done) : NULL;
	Py_XDECREF(verdicts);
	return result;
}

static PyMethodDef Program_methods[] = {
	{"is_allowed", (PyCFunction)Program_is_allowed, METH_O, "Whether a URL may be fetched."},
	{"match_one", (PyCFunction)Program_match_one, METH_O, "Rank * 2 + 1 for allow; 0 for no rule, -1 for no URL."},
	{"match_list", (PyCFunction)Program_match_list, METH_O, "A verdict for each str or bytes of a list."},
	{"match_column", (PyCFunction)Program_match_column, METH_VARARGS, "The same for rows: data, offsets or None, width, count."},
	{"match_lines", (PyCFunction)Program_match_lines, METH_VARARGS, "The same for lines."},
	{NULL},
};

static PyObject *Program_bytes(Program *self, void *closure) { return Py_NewRef(self->bytes); }
static PyGetSetDef Program_getset[] = {{"program", (getter)Program_bytes, NULL, "The program.", NULL}, {NULL}};

static PyTypeObject ProgramType = TYPE(Program, Program_getset);

/* ------------------------------------------------------------------------------------------------ Origins */

typedef struct {
	PyObject_HEAD
	w2c_robotrieindex wasm;
	bool broken;
} Origins;

/* Origins(32 random bytes, limit) */
static PyObject *Origins_new(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
	Py_buffer keys;
	unsigned int limit;
	if (!PyArg_ParseTuple(args, "y*I", &keys, &limit)) return NULL;
	Origins *self = keys.len == 32 ? (Origins *)type->tp_alloc(type, 0) : NULL;
	uint32_t at = 0, opened = 0;
	if (!self) {
		PyErr_SetString(PyExc_ValueError, "not 32 bytes");
		goto done;
	}
	GUARDED(self->broken, wasm2c_robotrieindex_instantiate(&self->wasm), Py_CLEAR(self); goto done);
	GUARDED(self->broken, at = w2c_robotrieindex_hashKeys(&self->wasm), Py_CLEAR(self); goto done);
	memcpy(BYTES(self) + at, keys.buf, 32);
	GUARDED(self->broken, opened = w2c_robotrieindex_openOrigins(&self->wasm, limit), Py_CLEAR(self); goto done);
	if (!opened) {
		no_memory();
		Py_CLEAR(self);
	}
done:
	PyBuffer_Release(&keys);
	return (PyObject *)self;
}

static void Origins_dealloc(Origins *self) {
	wasm2c_robotrieindex_free(&self->wasm);
	Py_TYPE(self)->tp_free(self);
}

/* load(entries, origins, programs): reads all entries of a snapshot. */
static PyObject *Origins_load(Origins *self, PyObject *args) {
	Py_buffer data;
	unsigned int origins, programs;
	uint32_t read = 0, at = 0, failure = 0, count = 0, found = 0;
	if (!PyArg_ParseTuple(args, "y*II", &data, &origins, &programs)) return NULL;
	bool done = false;
	/* Numbers of a file may say anything: its bytes cannot hold more, nor can memory. */
	uint32_t most = data.len / 8 < MOST_EXPECTED ? data.len / 8 : MOST_EXPECTED;
	uint32_t few = origins < most ? origins : most, rules = programs < most ? programs : most;
	GUARDED(self->broken, w2c_robotrieindex_expect(&self->wasm, few, rules), goto end);
	Py_ssize_t from = 0, piece = 1 << 18;
	while (count < origins) {
		Py_ssize_t size = data.len - from < piece ? data.len - from : piece;
		if (size > MAX_LINE) size = MAX_LINE;
		GUARDED(self->broken, at = w2c_robotrieindex_input(&self->wasm, size), goto end);
		if (!at) {
			no_memory();
			goto end;
		}
		memcpy(BYTES(self) + at, (char *)data.buf + from, size);
		GUARDED(self->broken, read = w2c_robotrieindex_loadEntries(&self->wasm, at, size, origins - count), goto end);
		GUARDED(self->broken, failure = w2c_robotrieindex_loadFailure(&self->wasm), goto end);
		GUARDED(self->broken, count = w2c_robotrieindex_originsRead(&self->wasm), goto end);
		from += read;
		if (failure == 10) {
			no_memory();
			goto end;
		}
		if (failure || (!read && size == data.len - from)) {
			PyErr_Format(PyExc_ValueError, "origin %u of %u is not sound: reason %u", count + 1, origins, failure);
			goto end;
		}
		piece = read ? 1 << 18 : piece * 2;
	}
	GUARDED(self->broken, found = w2c_robotrieindex_programsRead(&self->wasm), goto end);
	GUARDED(self->broken, w2c_robotrieindex_endLoading(&self->wasm), goto end);
	if (found > programs) PyErr_Format(PyExc_ValueError, "the index is not sound: %u of %u programs", found, programs);
	else if (from == data.len) done = true;
	else PyErr_Format(PyExc_ValueError, "%zd bytes after the last origin", data.len - from);
end:
	PyBuffer_Release(&data);
	return done ? Py_NewRef(Py_None) : NULL;
}

/* match(lines, google): where the lines were, verdicts, and the addresses, u32, of unusual lines. Lines of at most a chunk or two. */
static PyObject *Origins_match(Origins *self, PyObject *args) {
	Py_buffer text;
	int google;
	uint32_t at = 0, end = 0;
	int32_t lines = -1;
	PyObject *result = NULL;
	if (!PyArg_ParseTuple(args, "y*p", &text, &google)) return NULL;
	uint32_t size = text.len;
	if (text.len <= MAX_LINE) GUARDED(self->broken, at = w2c_robotrieindex_input(&self->wasm, 4 * size + PADDING + 8), goto done);
	if (!at) {
		no_memory();
		goto done;
	}
	memcpy(BYTES(self) + at, text.buf, size);
	uint32_t to = at + size + PADDING, unusual = (to + size + 1 + 3) & ~3u;
	GUARDED(self->broken, lines = (int32_t)w2c_robotrieindex_matchOrigins(&self->wasm, at, size, to, unusual, google), goto done);
	if (lines < 0) {
		if (lines == -1) no_memory();
		else PyErr_Format(PyExc_RuntimeError, "matchOrigins returned %d", lines);
		goto done;
	}
	GUARDED(self->broken, end = w2c_robotrieindex_endOfUnusual(&self->wasm), goto done);
	if (lines == 0) end = unusual;
	PyObject *verdicts = PyBytes_FromStringAndSize((char *)BYTES(self) + to, lines);
	PyObject *addresses = PyBytes_FromStringAndSize((char *)BYTES(self) + unusual, end - unusual);
	result = Py_BuildValue("INN", at, verdicts, addresses);
done:
	PyBuffer_Release(&text);
	return result;
}

/* match_in(origin, url): the verdict for a URL by the rules of an origin. */
static PyObject *Origins_match_in(Origins *self, PyObject *args) {
	const char *origin, *url;
	Py_ssize_t origin_size, size;
	uint32_t at = 0, program = 0;
	int32_t verdict = 0;
	if (!PyArg_ParseTuple(args, "y#y#", &origin, &origin_size, &url, &size)) return NULL;
	if (size <= MAX_LINE && origin_size <= MAX_LINE)
		GUARDED(self->broken, at = w2c_robotrieindex_input(&self->wasm, size > origin_size ? size : origin_size), return NULL);
	if (!at) return no_memory();
	memcpy(BYTES(self) + at, origin, origin_size);
	GUARDED(self->broken, program = w2c_robotrieindex_findOrigin(&self->wasm, at, origin_size), return NULL);
	if (!program) return PyLong_FromLong(2);
	memcpy(BYTES(self) + at, url, size);
	GUARDED(self->broken, verdict = (int32_t)w2c_robotrieindex_matchOne(&self->wasm, program, at, size), return NULL);
	return verdict < 0 ? no_memory() : PyLong_FromLong(verdict);
}

static PyObject *Origins_count(Origins *self, void *closure) {
	uint32_t count = 0;
	GUARDED(self->broken, count = w2c_robotrieindex_originCount(&self->wasm), return NULL);
	return PyLong_FromUnsignedLong(count);
}

static PyMethodDef Origins_methods[] = {
	{"load", (PyCFunction)Origins_load, METH_VARARGS, "Reads the entries of a snapshot."},
	{"match", (PyCFunction)Origins_match, METH_VARARGS, "Where the lines were, verdicts, and the addresses of unusual lines."},
	{"match_in", (PyCFunction)Origins_match_in, METH_VARARGS, "The verdict for a URL by the rules of an origin."},
	{NULL},
};
static PyGetSetDef Origins_getset[] = {{"count", (getter)Origins_count, NULL, "Origins.", NULL}, {NULL}};

static PyTypeObject OriginsType = TYPE(Origins, Origins_getset);

/* ------------------------------------------------------------------------------------------------ module */

/* The hash of saved bytes (docs/hosting.md). */
static uint32_t mix(uint32_t value) {
	uint32_t product = value * 0x01000193u;
	return product ^ product >> 15;
}

static PyObject *checksum(PyObject *module, PyObject *args) {
	Py_buffer data;
	if (!PyArg_ParseTuple(args, "y*", &data)) return NULL;
	uint32_t lanes[4] = {0x811c9dc5u, 0x811c9dc5u, 0x811c9dc5u, 0x811c9dc5u}, word;
	const unsigned char *at = data.buf, *end = at + data.len;
	for (; end - at >= 16; at += 16)
		for (int lane = 0; lane < 4; lane++) {
			memcpy(&word, at + 4 * lane, 4);
			lanes[lane] = mix(lanes[lane] ^ word);
		}
	uint32_t sum = lanes[0];
	for (int lane = 1; lane < 4; lane++) sum = mix(sum ^ lanes[lane]);
	while (at < end) sum = mix(sum ^ *at++);
	PyBuffer_Release(&data);
	return PyLong_FromUnsignedLong(sum);
}

static PyMethodDef functions[] = {
	{"checksum", checksum, METH_VARARGS, "The checksum of saved bytes."},
	{"utf8", utf8, METH_O, "A str as UTF-8, surrogates that are alone as U+FFFD."},
	{NULL},
};

static PyModuleDef definition = {
	PyModuleDef_HEAD_INIT,
	.m_name = "robotrie._engine",
	.m_doc = "The engine's WebAssembly modules, compiled to machine code.",
	.m_methods = functions,
	/* Several interpreters would share `runner` without its lock. */
	.m_size = -1,
};

PyMODINIT_FUNC PyInit__engine(void) {
	wasm_rt_init();
	if (PyType_Ready(&ReaderType) || PyType_Ready(&ProgramType) || PyType_Ready(&OriginsType)) return NULL;
	PyObject *module = PyModule_Create(&definition);
	if (!module) return NULL;
	runner = (Reader *)Reader_new(&ReaderType, NULL, NULL);
	if (!runner) return NULL;
	uint32_t version = 0;
	GUARDED(runner->broken, version = w2c_robotrie_moduleVersion(&runner->wasm), return NULL);
	if (version != 1) return PyErr_Format(PyExc_ImportError, "the engine's module has version %u", version);
	if (PyModule_AddObjectRef(module, "Reader", (PyObject *)&ReaderType) ||
		PyModule_AddObjectRef(module, "Program", (PyObject *)&ProgramType) ||
		PyModule_AddObjectRef(module, "Origins", (PyObject *)&OriginsType) ||
		PyModule_AddObjectRef(module, "runner", (PyObject *)runner))
		return NULL;
	return module;
}
