(module
  ;; Bits of 65,536 values in slots of 8 KiB (value v is bit v % 8 of byte floor(v / 8)), slot s from byte s * 8192 on,
  ;; and lists of ascending 16-bit values behind them. Who calls is trusted: slots and addresses are not checked.
  ;; The places behind the slots are known to kernels.ts too, which fills both tables:
  ;;   524288  bit table: row b of 16 bytes holds the places of the bits of byte b, ascending, as 16-bit values
  ;;   528384  packing table: row m of 16 bytes moves the 16-bit lanes that mask m selects to the front
  ;;   532480  list areas, three of 65,536 values and 16 bytes more, since whole vectors are written
  (memory (export "memory") 15 15)

  ;; The sum of eight 16-bit lanes.
  (func $total (param $sums v128) (result i32)
    (local $fours v128)
    (local.set $fours (i32x4.extadd_pairwise_i16x8_u (local.get $sums)))
    (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $fours)) (i32x4.extract_lane 1 (local.get $fours)))
      (i32.add (i32x4.extract_lane 2 (local.get $fours)) (i32x4.extract_lane 3 (local.get $fours)))))

  ;; dst becomes dst AND src.
  (func (export "and") (param $dst i32) (param $src i32)
    (local $end i32)
    (local.set $dst (i32.shl (local.get $dst) (i32.const 13)))
    (local.set $src (i32.shl (local.get $src) (i32.const 13)))
    (local.set $end (i32.add (local.get $dst) (i32.const 8192)))
    (loop $next
      (v128.store (local.get $dst)
        (v128.and (v128.load (local.get $dst)) (v128.load (local.get $src))))
      (v128.store offset=16 (local.get $dst)
        (v128.and (v128.load offset=16 (local.get $dst)) (v128.load offset=16 (local.get $src))))
      (v128.store offset=32 (local.get $dst)
        (v128.and (v128.load offset=32 (local.get $dst)) (v128.load offset=32 (local.get $src))))
      (v128.store offset=48 (local.get $dst)
        (v128.and (v128.load offset=48 (local.get $dst)) (v128.load offset=48 (local.get $src))))
      (local.set $src (i32.add (local.get $src) (i32.const 64)))
      (local.set $dst (i32.add (local.get $dst) (i32.const 64)))
      (br_if $next (i32.lt_u (local.get $dst) (local.get $end)))))

  ;; dst becomes dst OR src.
  (func (export "or") (param $dst i32) (param $src i32)
    (local $end i32)
    (local.set $dst (i32.shl (local.get $dst) (i32.const 13)))
    (local.set $src (i32.shl (local.get $src) (i32.const 13)))
    (local.set $end (i32.add (local.get $dst) (i32.const 8192)))
    (loop $next
      (v128.store (local.get $dst)
        (v128.or (v128.load (local.get $dst)) (v128.load (local.get $src))))
      (v128.store offset=16 (local.get $dst)
        (v128.or (v128.load offset=16 (local.get $dst)) (v128.load offset=16 (local.get $src))))
      (v128.store offset=32 (local.get $dst)
        (v128.or (v128.load offset=32 (local.get $dst)) (v128.load offset=32 (local.get $src))))
      (v128.store offset=48 (local.get $dst)
        (v128.or (v128.load offset=48 (local.get $dst)) (v128.load offset=48 (local.get $src))))
      (local.set $src (i32.add (local.get $src) (i32.const 64)))
      (local.set $dst (i32.add (local.get $dst) (i32.const 64)))
      (br_if $next (i32.lt_u (local.get $dst) (local.get $end)))))

  ;; dst becomes dst AND NOT src.
  (func (export "andNot") (param $dst i32) (param $src i32)
    (local $end i32)
    (local.set $dst (i32.shl (local.get $dst) (i32.const 13)))
    (local.set $src (i32.shl (local.get $src) (i32.const 13)))
    (local.set $end (i32.add (local.get $dst) (i32.const 8192)))
    (loop $next
      (v128.store (local.get $dst)
        (v128.andnot (v128.load (local.get $dst)) (v128.load (local.get $src))))
      (v128.store offset=16 (local.get $dst)
        (v128.andnot (v128.load offset=16 (local.get $dst)) (v128.load offset=16 (local.get $src))))
      (v128.store offset=32 (local.get $dst)
        (v128.andnot (v128.load offset=32 (local.get $dst)) (v128.load offset=32 (local.get $src))))
      (v128.store offset=48 (local.get $dst)
        (v128.andnot (v128.load offset=48 (local.get $dst)) (v128.load offset=48 (local.get $src))))
      (local.set $src (i32.add (local.get $src) (i32.const 64)))
      (local.set $dst (i32.add (local.get $dst) (i32.const 64)))
      (br_if $next (i32.lt_u (local.get $dst) (local.get $end)))))

  ;; slot becomes its complement.
  (func (export "not") (param $slot i32)
    (local $end i32)
    (local.set $slot (i32.shl (local.get $slot) (i32.const 13)))
    (local.set $end (i32.add (local.get $slot) (i32.const 8192)))
    (loop $next
      (v128.store (local.get $slot) (v128.not (v128.load (local.get $slot))))
      (v128.store offset=16 (local.get $slot) (v128.not (v128.load offset=16 (local.get $slot))))
      (local.set $slot (i32.add (local.get $slot) (i32.const 32)))
      (br_if $next (i32.lt_u (local.get $slot) (local.get $end)))))

  (func (export "copy") (param $dst i32) (param $src i32)
    (memory.copy
      (i32.shl (local.get $dst) (i32.const 13)) (i32.shl (local.get $src) (i32.const 13)) (i32.const 8192)))

  (func (export "clear") (param $slot i32)
    (memory.fill (i32.shl (local.get $slot) (i32.const 13)) (i32.const 0) (i32.const 8192)))

  (func (export "fill") (param $slot i32)
    (memory.fill (i32.shl (local.get $slot) (i32.const 13)) (i32.const 255) (i32.const 8192)))

  ;; The counts add 8 vectors in 8-bit lanes (at most 64), then in 16-bit lanes (at most 64 * 128 = 8192).

  ;; How many bits are set.
  (func (export "count") (param $a i32) (result i32)
    (local $end i32) (local $sums v128)
    (local.set $a (i32.shl (local.get $a) (i32.const 13)))
    (local.set $end (i32.add (local.get $a) (i32.const 8192)))
    (loop $next
      (local.set $sums (i16x8.add (local.get $sums) (i16x8.extadd_pairwise_i8x16_u
        (i8x16.add
          (i8x16.add
            (i8x16.add
              (i8x16.popcnt (v128.load (local.get $a)))
              (i8x16.popcnt (v128.load offset=16 (local.get $a))))
            (i8x16.add
              (i8x16.popcnt (v128.load offset=32 (local.get $a)))
              (i8x16.popcnt (v128.load offset=48 (local.get $a)))))
          (i8x16.add
            (i8x16.add
              (i8x16.popcnt (v128.load offset=64 (local.get $a)))
              (i8x16.popcnt (v128.load offset=80 (local.get $a))))
            (i8x16.add
              (i8x16.popcnt (v128.load offset=96 (local.get $a)))
              (i8x16.popcnt (v128.load offset=112 (local.get $a)))))))))
      (local.set $a (i32.add (local.get $a) (i32.const 128)))
      (br_if $next (i32.lt_u (local.get $a) (local.get $end))))
    (call $total (local.get $sums)))

  ;; How many bits both have.
  (func (export "andCount") (param $a i32) (param $b i32) (result i32)
    (local $end i32) (local $sums v128)
    (local.set $a (i32.shl (local.get $a) (i32.const 13)))
    (local.set $b (i32.shl (local.get $b) (i32.const 13)))
    (local.set $end (i32.add (local.get $a) (i32.const 8192)))
    (loop $next
      (local.set $sums (i16x8.add (local.get $sums) (i16x8.extadd_pairwise_i8x16_u
        (i8x16.add
          (i8x16.add
            (i8x16.add
              (i8x16.popcnt (v128.and (v128.load (local.get $a)) (v128.load (local.get $b))))
              (i8x16.popcnt (v128.and (v128.load offset=16 (local.get $a)) (v128.load offset=16 (local.get $b)))))
            (i8x16.add
              (i8x16.popcnt (v128.and (v128.load offset=32 (local.get $a)) (v128.load offset=32 (local.get $b))))
              (i8x16.popcnt (v128.and (v128.load offset=48 (local.get $a)) (v128.load offset=48 (local.get $b))))))
          (i8x16.add
            (i8x16.add
              (i8x16.popcnt (v128.and (v128.load offset=64 (local.get $a)) (v128.load offset=64 (local.get $b))))
              (i8x16.popcnt (v128.and (v128.load offset=80 (local.get $a)) (v128.load offset=80 (local.get $b)))))
            (i8x16.add
              (i8x16.popcnt (v128.and (v128.load offset=96 (local.get $a)) (v128.load offset=96 (local.get $b))))
              (i8x16.popcnt
                (v128.and (v128.load offset=112 (local.get $a)) (v128.load offset=112 (local.get $b))))))))))
      (local.set $b (i32.add (local.get $b) (i32.const 128)))
      (local.set $a (i32.add (local.get $a) (i32.const 128)))
      (br_if $next (i32.lt_u (local.get $a) (local.get $end))))
    (call $total (local.get $sums)))

  ;; How many bits a has and b lacks.
  (func (export "andNotCount") (param $a i32) (param $b i32) (result i32)
    (local $end i32) (local $sums v128)
    (local.set $a (i32.shl (local.get $a) (i32.const 13)))
    (local.set $b (i32.shl (local.get $b) (i32.const 13)))
    (local.set $end (i32.add (local.get $a) (i32.const 8192)))
    (loop $next
      (local.set $sums (i16x8.add (local.get $sums) (i16x8.extadd_pairwise_i8x16_u
        (i8x16.add
          (i8x16.add
            (i8x16.add
              (i8x16.popcnt (v128.andnot (v128.load (local.get $a)) (v128.load (local.get $b))))
              (i8x16.popcnt (v128.andnot (v128.load offset=16 (local.get $a)) (v128.load offset=16 (local.get $b)))))
            (i8x16.add
              (i8x16.popcnt (v128.andnot (v128.load offset=32 (local.get $a)) (v128.load offset=32 (local.get $b))))
              (i8x16.popcnt (v128.andnot (v128.load offset=48 (local.get $a)) (v128.load offset=48 (local.get $b))))))
          (i8x16.add
            (i8x16.add
              (i8x16.popcnt (v128.andnot (v128.load offset=64 (local.get $a)) (v128.load offset=64 (local.get $b))))
              (i8x16.popcnt (v128.andnot (v128.load offset=80 (local.get $a)) (v128.load offset=80 (local.get $b)))))
            (i8x16.add
              (i8x16.popcnt (v128.andnot (v128.load offset=96 (local.get $a)) (v128.load offset=96 (local.get $b))))
              (i8x16.popcnt
                (v128.andnot (v128.load offset=112 (local.get $a)) (v128.load offset=112 (local.get $b))))))))))
      (local.set $b (i32.add (local.get $b) (i32.const 128)))
      (local.set $a (i32.add (local.get $a) (i32.const 128)))
      (br_if $next (i32.lt_u (local.get $a) (local.get $end))))
    (call $total (local.get $sums)))

  (func (export "isEmpty") (param $slot i32) (result i32)
    (local $end i32)
    (local.set $slot (i32.shl (local.get $slot) (i32.const 13)))
    (local.set $end (i32.add (local.get $slot) (i32.const 8192)))
    (loop $next
      (if (v128.any_true (v128.or
            (v128.or (v128.load (local.get $slot)) (v128.load offset=16 (local.get $slot)))
            (v128.or (v128.load offset=32 (local.get $slot)) (v128.load offset=48 (local.get $slot)))))
        (then (return (i32.const 0))))
      (local.set $slot (i32.add (local.get $slot) (i32.const 64)))
      (br_if $next (i32.lt_u (local.get $slot) (local.get $end))))
    (i32.const 1))

  ;; Sets the bits from .. to - 1. With to = 65536 the last OR is one of nothing into the byte behind the slot.
  (func (export "fillRange") (param $slot i32) (param $from i32) (param $to i32)
    (local $head i32) (local $tail i32) (local $first i32) (local $last i32)
    (if (i32.ge_u (local.get $from) (local.get $to)) (then (return)))
    (local.set $slot (i32.shl (local.get $slot) (i32.const 13)))
    (local.set $first (i32.add (local.get $slot) (i32.shr_u (local.get $from) (i32.const 3))))
    (local.set $last (i32.add (local.get $slot) (i32.shr_u (local.get $to) (i32.const 3))))
    (local.set $head (i32.shl (i32.const 255) (i32.and (local.get $from) (i32.const 7))))
    (local.set $tail (i32.sub (i32.shl (i32.const 1) (i32.and (local.get $to) (i32.const 7))) (i32.const 1)))
    (if (i32.eq (local.get $first) (local.get $last))
      (then (local.set $tail (i32.and (local.get $tail) (local.get $head))))
      (else
        (i32.store8 (local.get $first) (i32.or (i32.load8_u (local.get $first)) (local.get $head)))
        (local.set $first (i32.add (local.get $first) (i32.const 1)))
        (memory.fill (local.get $first) (i32.const 255) (i32.sub (local.get $last) (local.get $first)))))
    (i32.store8 (local.get $last) (i32.or (i32.load8_u (local.get $last)) (local.get $tail))))

  ;; How many of the 64 bits from address $word on lie below bit $bit of them.
  (func $below (param $word i32) (param $bit i32) (result i32)
    (i32.wrap_i64 (i64.popcnt (i64.and
      (i64.load (local.get $word))
      (i64.sub (i64.shl (i64.const 1) (i64.extend_i32_u (local.get $bit))) (i64.const 1))))))

  ;; How many of the bits from .. to - 1 are set: the words' from the first to the last, without the first's bits below
  ;; from, and those of the last below to. i64.shl takes its places modulo 64.
  (func (export "countRange") (param $slot i32) (param $from i32) (param $to i32) (result i32)
    (local $at i32) (local $last i32) (local $count i32)
    (if (i32.ge_u (local.get $from) (local.get $to)) (then (return (i32.const 0))))
    (local.set $slot (i32.shl (local.get $slot) (i32.const 13)))
    (local.set $at (i32.add (local.get $slot) (i32.shl (i32.shr_u (local.get $from) (i32.const 6)) (i32.const 3))))
    (local.set $last (i32.add (local.get $slot) (i32.shl (i32.shr_u (local.get $to) (i32.const 6)) (i32.const 3))))
    (local.set $count (i32.sub
      (call $below (local.get $last) (local.get $to))
      (call $below (local.get $at) (local.get $from))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $last)))
        (local.set $count (i32.add (local.get $count) (i32.wrap_i64 (i64.popcnt (i64.load (local.get $at))))))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br $next)))
    (local.get $count))

  ;; Writes the places of the set bits, ascending, from address $out on; answers how many. A byte at a time by the bit
  ;; table, so without a branch on the data but for stretches and words that are empty.
  (func (export "toList") (param $slot i32) (param $out i32) (result i32)
    (local $end i32) (local $stretch i32) (local $start i32) (local $word i64) (local $byte i32) (local $base v128)
    (local.set $start (local.get $out))
    (local.set $slot (i32.shl (local.get $slot) (i32.const 13)))
    (local.set $end (i32.add (local.get $slot) (i32.const 8192)))
    (loop $next
      (local.set $stretch (i32.add (local.get $slot) (i32.const 64)))
      (if (v128.any_true (v128.or
            (v128.or (v128.load (local.get $slot)) (v128.load offset=16 (local.get $slot)))
            (v128.or (v128.load offset=32 (local.get $slot)) (v128.load offset=48 (local.get $slot)))))
        (then
          (loop $words
            (local.set $word (i64.load (local.get $slot)))
            (if (i64.ne (local.get $word) (i64.const 0))
              (then
                (local.set $base (i16x8.splat (i32.shl (local.get $slot) (i32.const 3))))
                (loop $bytes
                  (local.set $byte (i32.wrap_i64 (i64.and (local.get $word) (i64.const 255))))
                  (v128.store (local.get $out) (i16x8.add
                    (local.get $base)
                    (v128.load offset=524288 (i32.shl (local.get $byte) (i32.const 4)))))
                  (local.set $out (i32.add (local.get $out) (i32.shl (i32.popcnt (local.get $byte)) (i32.const 1))))
                  (local.set $base (i16x8.add (local.get $base) (v128.const i16x8 8 8 8 8 8 8 8 8)))
                  (local.set $word (i64.shr_u (local.get $word) (i64.const 8)))
                  (br_if $bytes (i64.ne (local.get $word) (i64.const 0))))))
            (local.set $slot (i32.add (local.get $slot) (i32.const 8)))
            (br_if $words (i32.lt_u (local.get $slot) (local.get $stretch))))))
      (local.set $slot (local.get $stretch))
      (br_if $next (i32.lt_u (local.get $slot) (local.get $end))))
    (i32.shr_u (i32.sub (local.get $out) (local.get $start)) (i32.const 1)))

  ;; Which lanes of $a are lanes of $b: all eight rotations are compared.
  (func $common (param $a v128) (param $b v128) (result v128)
    (v128.or
      (v128.or
        (v128.or
          (i16x8.eq (local.get $a) (local.get $b))
          (i16x8.eq (local.get $a) (i8x16.shuffle 2 3 4 5 6 7 8 9 10 11 12 13 14 15 0 1 (local.get $b) (local.get $b))))
        (v128.or
          (i16x8.eq (local.get $a) (i8x16.shuffle 4 5 6 7 8 9 10 11 12 13 14 15 0 1 2 3 (local.get $b) (local.get $b)))
          (i16x8.eq (local.get $a)
            (i8x16.shuffle 6 7 8 9 10 11 12 13 14 15 0 1 2 3 4 5 (local.get $b) (local.get $b)))))
      (v128.or
        (v128.or
          (i16x8.eq (local.get $a) (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $b) (local.get $b)))
          (i16x8.eq (local.get $a) (i8x16.shuffle 10 11 12 13 14 15 0 1 2 3 4 5 6 7 8 9 (local.get $b) (local.get $b))))
        (v128.or
          (i16x8.eq (local.get $a) (i8x16.shuffle 12 13 14 15 0 1 2 3 4 5 6 7 8 9 10 11 (local.get $b) (local.get $b)))
          (i16x8.eq (local.get $a)
            (i8x16.shuffle 14 15 0 1 2 3 4 5 6 7 8 9 10 11 12 13 (local.get $b) (local.get $b))))))
  )

  ;; Writes what both ascending lists (addresses of the first value and behind the last) have to $out; answers how many
  ;; values: 8 by 8, then the rest one by one. No branch depends on the data.
  (func (export "intersectLists")
    (param $a i32) (param $aEnd i32) (param $b i32) (param $bEnd i32) (param $out i32) (result i32)
    (local $n i32) (local $mask i32) (local $x i32) (local $y i32) (local $values v128)
    (block $tail
      (loop $next
        (br_if $tail (i32.gt_u (i32.add (local.get $a) (i32.const 16)) (local.get $aEnd)))
        (br_if $tail (i32.gt_u (i32.add (local.get $b) (i32.const 16)) (local.get $bEnd)))
        (local.set $values (v128.load (local.get $a)))
        (local.set $mask (i16x8.bitmask (call $common (local.get $values) (v128.load (local.get $b)))))
        (v128.store
          (i32.add (local.get $out) (i32.shl (local.get $n) (i32.const 1)))
          (i8x16.swizzle (local.get $values) (v128.load offset=528384 (i32.shl (local.get $mask) (i32.const 4)))))
        (local.set $n (i32.add (local.get $n) (i32.popcnt (local.get $mask))))
        (local.set $x (i32.load16_u offset=14 (local.get $a)))
        (local.set $y (i32.load16_u offset=14 (local.get $b)))
        (local.set $a (i32.add (local.get $a) (i32.shl (i32.le_u (local.get $x) (local.get $y)) (i32.const 4))))
        (local.set $b (i32.add (local.get $b) (i32.shl (i32.le_u (local.get $y) (local.get $x)) (i32.const 4))))
        (br $next)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $a) (local.get $aEnd)))
        (br_if $done (i32.ge_u (local.get $b) (local.get $bEnd)))
        (local.set $x (i32.load16_u (local.get $a)))
        (local.set $y (i32.load16_u (local.get $b)))
        (i32.store16 (i32.add (local.get $out) (i32.shl (local.get $n) (i32.const 1))) (local.get $x))
        (local.set $n (i32.add (local.get $n) (i32.eq (local.get $x) (local.get $y))))
        (local.set $a (i32.add (local.get $a) (i32.shl (i32.le_u (local.get $x) (local.get $y)) (i32.const 1))))
        (local.set $b (i32.add (local.get $b) (i32.shl (i32.le_u (local.get $y) (local.get $x)) (i32.const 1))))
        (br $next)))
    (local.get $n))

  ;; Writes what the first of two ascending lists has and the second lacks; the parameters are as above. $found has a
  ;; bit for each of the 8 values at $a that was met in the other list; when 8 values of it end above them, no more can
  ;; be met.
  (func (export "subtractLists")
    (param $a i32) (param $aEnd i32) (param $b i32) (param $bEnd i32) (param $out i32) (result i32)
    (local $n i32) (local $found i32) (local $mask i32) (local $x i32) (local $y i32) (local $done i32)
    (local $values v128)
    (block $tail
      (loop $next
        (br_if $tail (i32.gt_u (i32.add (local.get $a) (i32.const 16)) (local.get $aEnd)))
        (br_if $tail (i32.gt_u (i32.add (local.get $b) (i32.const 16)) (local.get $bEnd)))
        (local.set $values (v128.load (local.get $a)))
        (local.set $found (i32.or
          (local.get $found)
          (i16x8.bitmask (call $common (local.get $values) (v128.load (local.get $b))))))
        (local.set $x (i32.load16_u offset=14 (local.get $a)))
        (local.set $y (i32.load16_u offset=14 (local.get $b)))
        (local.set $done (i32.le_u (local.get $x) (local.get $y)))
        (local.set $mask (i32.xor (local.get $found) (i32.const 255)))
        (v128.store
          (i32.add (local.get $out) (i32.shl (local.get $n) (i32.const 1)))
          (i8x16.swizzle (local.get $values) (v128.load offset=528384 (i32.shl (local.get $mask) (i32.const 4)))))
        (local.set $n (i32.add (local.get $n) (i32.mul (local.get $done) (i32.popcnt (local.get $mask)))))
        (local.set $found (i32.and (local.get $found) (i32.sub (local.get $done) (i32.const 1))))
        (local.set $a (i32.add (local.get $a) (i32.shl (local.get $done) (i32.const 4))))
        (local.set $b (i32.add (local.get $b) (i32.shl (i32.le_u (local.get $y) (local.get $x)) (i32.const 4))))
        (br $next)))
    (block $over
      (loop $next
        (br_if $over (i32.ge_u (local.get $a) (local.get $aEnd)))
        (local.set $x (i32.load16_u (local.get $a)))
        ;; Behind its end the second list has a value above all.
        (local.set $y (select
          (i32.load16_u (local.get $b)) (i32.const 65536) (i32.lt_u (local.get $b) (local.get $bEnd))))
        (local.set $done (i32.le_u (local.get $x) (local.get $y)))
        (i32.store16 (i32.add (local.get $out) (i32.shl (local.get $n) (i32.const 1))) (local.get $x))
        (local.set $n (i32.add (local.get $n) (i32.and
          (i32.lt_u (local.get $x) (local.get $y))
          (i32.xor (local.get $found) (i32.const 1)))))
        (local.set $found (i32.shr_u (local.get $found) (local.get $done)))
        (local.set $a (i32.add (local.get $a) (i32.shl (local.get $done) (i32.const 1))))
        (local.set $b (i32.add (local.get $b) (i32.shl (i32.le_u (local.get $y) (local.get $x)) (i32.const 1))))
        (br $next)))
    (local.get $n))

  ;; Sets the bit of value $value in the block at address $block.
  (func $set (param $block i32) (param $value i32)
    (local $byte i32)
    (local.set $byte (i32.add (local.get $block) (i32.shr_u (local.get $value) (i32.const 3))))
    (i32.store8 (local.get $byte) (i32.or
      (i32.load8_u (local.get $byte))
      (i32.shl (i32.const 1) (i32.and (local.get $value) (i32.const 7))))))

  ;; Sets the bits of a list. Neighbours fall into the same byte, whose reading has to wait for its writing: four places
  ;; of the list, a quarter of it apart, advance side by side.
  (func (export "setList") (param $slot i32) (param $list i32) (param $end i32)
    (local $step i32) (local $quarter i32)
    (local.set $slot (i32.shl (local.get $slot) (i32.const 13)))
    (local.set $step (i32.shl
      (i32.shr_u (i32.sub (local.get $end) (local.get $list)) (i32.const 3)) (i32.const 1)))
    (local.set $quarter (i32.add (local.get $list) (local.get $step)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $list) (local.get $quarter)))
        (call $set (local.get $slot) (i32.load16_u (local.get $list)))
        (call $set (local.get $slot) (i32.load16_u (i32.add (local.get $list) (local.get $step))))
        (call $set (local.get $slot)
          (i32.load16_u (i32.add (local.get $list) (i32.shl (local.get $step) (i32.const 1)))))
        (call $set (local.get $slot)
          (i32.load16_u (i32.add (local.get $list) (i32.mul (local.get $step) (i32.const 3)))))
        (local.set $list (i32.add (local.get $list) (i32.const 2)))
        (br $next)))
    (local.set $list (i32.add (local.get $quarter) (i32.mul (local.get $step) (i32.const 3))))
    (block $over
      (loop $next
        (br_if $over (i32.ge_u (local.get $list) (local.get $end)))
        (call $set (local.get $slot) (i32.load16_u (local.get $list)))
        (local.set $list (i32.add (local.get $list) (i32.const 2)))
        (br $next))))

  ;; Writes the values of a list whose bit is set, or with $flip = 1 unset, to $out; answers how many.
  (func (export "testList")
    (param $slot i32) (param $list i32) (param $end i32) (param $flip i32) (param $out i32) (result i32)
    (local $start i32) (local $value i32)
    (local.set $start (local.get $out))
    (local.set $slot (i32.shl (local.get $slot) (i32.const 13)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $list) (local.get $end)))
        (local.set $value (i32.load16_u (local.get $list)))
        (i32.store16 (local.get $out) (local.get $value))
        (local.set $out (i32.add (local.get $out) (i32.shl
          (i32.xor (local.get $flip) (i32.and (i32.const 1) (i32.shr_u
            (i32.load8_u (i32.add (local.get $slot) (i32.shr_u (local.get $value) (i32.const 3))))
            (i32.and (local.get $value) (i32.const 7)))))
          (i32.const 1))))
        (local.set $list (i32.add (local.get $list) (i32.const 2)))
        (br $next)))
    (i32.shr_u (i32.sub (local.get $out) (local.get $start)) (i32.const 1))))
