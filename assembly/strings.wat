;; Writes a short ASCII string to linear memory by the "js-string" builtins, which src/engine/ascii-writer.ts calls for single URLs in browsers. The
;; module is in that file, too, as edge runtimes link all modules that a package imports, and do not know the builtins;
;; test/ascii-writer.test.ts compares the two.
(module
	(type $units (array (mut i16)))
	(import "wasm:js-string" "length" (func $length (param externref) (result i32)))
	(import "wasm:js-string" "intoCharCodeArray"
		(func $into (param externref (ref null $units) i32) (result i32)))
	(import "robotrie" "memory" (memory 1))
	;; The builtin copies to an array of the collector's, not to memory.
	(global $units (ref $units) (array.new_default $units (i32.const 2048)))

	;; The length of the text, which is then in memory from an address on; -1 if it has another character than ASCII, or more than 2,048.
	(func (export "writeAscii") (param $text externref) (param $to i32) (result i32)
		(local $length i32) (local $at i32) (local $all i32) (local $unit i32)
		(local.set $length (call $length (local.get $text)))
		(if (i32.gt_u (local.get $length) (i32.const 2048)) (then (return (i32.const -1))))
		(drop (call $into (local.get $text) (global.get $units) (i32.const 0)))
		(block $end
			(loop $next
				(br_if $end (i32.ge_u (local.get $at) (local.get $length)))
				(local.set $unit (array.get_u $units (global.get $units) (local.get $at)))
				;; One test for all characters: a branch in the loop would cost as much as the rest of it.
				(local.set $all (i32.or (local.get $all) (local.get $unit)))
				(i32.store8 (i32.add (local.get $to) (local.get $at)) (local.get $unit))
				(local.set $at (i32.add (local.get $at) (i32.const 1)))
				(br $next)))
		(select (i32.const -1) (local.get $length) (i32.gt_u (local.get $all) (i32.const 127)))))
