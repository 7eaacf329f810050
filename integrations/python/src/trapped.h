/* How hosts in C catch a trap of a module that wasm2c compiled. */
#ifndef ROBOTRIE_TRAPPED_H
#define ROBOTRIE_TRAPPED_H

#include "wasm-rt-exceptions.h"
#include "wasm-rt-impl.h"

/* WASM_RT_TRAP_NONE at first; when a later call within the same function traps, it returns again, with the trap. */
#ifdef _WIN32
#define TRAPPED() wasm_rt_impl_try()
#else
/* wasm_rt_impl_try saves the mask of signals, too: a system call, which takes as long as judging a URL. No handler is in use here. */
#define TRAPPED()                                                                                  \
	(WASM_RT_SAVE_STACK_DEPTH(), wasm_rt_set_unwind_target(&g_wasm_rt_jmp_buf),                    \
	 g_wasm_rt_jmp_buf.initialized = true, (wasm_rt_trap_t)sigsetjmp(g_wasm_rt_jmp_buf.buffer, 0))
#endif

#endif
