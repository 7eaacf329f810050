;; Reads a module's text (`asText` of tools/texts.mjs, backwards) for src/engine/linear-memory.ts, which has this module assembled. Before V8
;; has optimised anything, a loop in JavaScript takes three times as long. Its one vector, which nothing needs, makes it the test for SIMD, too.
(module
	(memory (export "memory") 1)

	;; Makes bytes of the text at 0, in place; returns how many they are.
	(func (export "decode") (param $end i32) (result i32)
		(local $from i32) (local $to i32) (local $first i32)
		(drop (i8x16.splat (i32.const 0)))
		(loop $next
			(local.set $first (i32.load8_u (local.get $from)))
			;; A character below 125 is a byte, 40 less; others begin a pair: 90 + (first - 125) * 83 + second - 35, and 5 less.
			(if (i32.ge_u (local.get $first) (i32.const 125))
				(then
					(local.set $from (i32.add (local.get $from) (i32.const 1)))
					(local.set $first
						(i32.add
							(i32.mul (local.get $first) (i32.const 83))
							(i32.sub (i32.load8_u (local.get $from)) (i32.const 10285))))))
			(i32.store8 (local.get $to) (i32.sub (local.get $first) (i32.const 40)))
			(local.set $from (i32.add (local.get $from) (i32.const 1)))
			(local.set $to (i32.add (local.get $to) (i32.const 1)))
			(br_if $next (i32.lt_u (local.get $from) (local.get $end))))
		(local.get $to)))
