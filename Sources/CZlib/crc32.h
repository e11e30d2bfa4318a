// zlib's CRC-32, computed with the processor's carry-less multiplication where it has one.
//
// Swift does not offer that instruction, and zlib 1.2.13 does not use it. The page Performance says what it is worth.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

static inline uint32_t crc32_by_zlib(uint32_t start, const uint8_t *bytes, size_t count) {
  // zlib counts in 32 bits.
  const size_t most = (size_t)1 << 30;
  for (; count > most; bytes += most, count -= most) start = (uint32_t)crc32(start, bytes, (uInt)most);
  return (uint32_t)crc32(start, bytes, (uInt)count);
}

#if defined(__x86_64__)
#include <tmmintrin.h>
#include <wmmintrin.h>

#define FOLDING static inline __attribute__((target("pclmul,ssse3")))

FOLDING __m128i load_16(const void *bytes) { return _mm_loadu_si128((const __m128i *)bytes); }

// Moves `sum` to the place of `next`: its two halves are multiplied by `factors`, powers of x modulo the polynomial.
FOLDING __m128i fold_16(__m128i sum, __m128i factors, __m128i next) {
  __m128i low = _mm_clmulepi64_si128(sum, factors, 0x00), high = _mm_clmulepi64_si128(sum, factors, 0x11);
  return _mm_xor_si128(_mm_xor_si128(low, high), next);
}

// At least 16 bytes. Gopal et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction", Intel 2009;
// its appendix gives the constants for this polynomial, bit-reflected.
FOLDING uint32_t crc32_folded(uint32_t start, const uint8_t *bytes, size_t count) {
  const uint8_t *end = bytes + count;
  const __m128i by_16_bytes = _mm_set_epi64x(0x0ccaa009e, 0x1751997d0);
  const __m128i by_64_bytes = _mm_set_epi64x(0x1c6e41596, 0x154442bd4);

  // As many whole pieces of 16 bytes as there are; in four sums where possible, which do not wait for each other.
  __m128i sum = _mm_xor_si128(load_16(bytes), _mm_cvtsi32_si128((int)~start));
  bytes += 16;
  if (end - bytes >= 48) {
    __m128i second = load_16(bytes), third = load_16(bytes + 16), fourth = load_16(bytes + 32);
    for (bytes += 48; end - bytes >= 64; bytes += 64) {
      sum = fold_16(sum, by_64_bytes, load_16(bytes));
      second = fold_16(second, by_64_bytes, load_16(bytes + 16));
      third = fold_16(third, by_64_bytes, load_16(bytes + 32));
      fourth = fold_16(fourth, by_64_bytes, load_16(bytes + 48));
    }
    sum = fold_16(fold_16(fold_16(sum, by_16_bytes, second), by_16_bytes, third), by_16_bytes, fourth);
  }
  for (; end - bytes >= 16; bytes += 16) sum = fold_16(sum, by_16_bytes, load_16(bytes));

  // Up to 15 bytes are left. The sum's first `left` bytes are folded into a last piece: its other bytes, then those left.
  const size_t left = (size_t)(end - bytes);
  if (left) {
    // As masks: from byte `left` on, they move the sum's first bytes to the end of a piece; from byte 16 + `left` on, its
    // other bytes to the beginning.
    static const int8_t moves[48] = {
        -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,  //
        0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,  //
        -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
    };
    const __m128i to_end = load_16(moves + left), to_beginning = load_16(moves + 16 + left);
    const __m128i is_rest = _mm_cmplt_epi8(to_end, _mm_setzero_si128());
    const __m128i rest = _mm_shuffle_epi8(sum, to_beginning);
    sum = fold_16(
        _mm_shuffle_epi8(sum, to_end), by_16_bytes, _mm_or_si128(rest, _mm_andnot_si128(is_rest, load_16(end - 16))));
  }

  // From 128 bits to 96, to 64, and by Barrett's reduction to 32.
  const __m128i words = _mm_set_epi32(0, -1, 0, -1);
  const __m128i by_4_bytes = _mm_set_epi64x(0, 0x163cd6124), barrett = _mm_set_epi64x(0x1f7011641, 0x1db710641);
  sum = _mm_xor_si128(_mm_srli_si128(sum, 8), _mm_clmulepi64_si128(sum, by_16_bytes, 0x10));
  sum = _mm_xor_si128(_mm_srli_si128(sum, 4), _mm_clmulepi64_si128(_mm_and_si128(sum, words), by_4_bytes, 0x00));
  __m128i multiple = _mm_clmulepi64_si128(_mm_and_si128(sum, words), barrett, 0x10);
  multiple = _mm_clmulepi64_si128(_mm_and_si128(multiple, words), barrett, 0x00);
  return ~(uint32_t)_mm_cvtsi128_si32(_mm_srli_si128(_mm_xor_si128(sum, multiple), 4));
}
#undef FOLDING
#endif

// What zlib's crc32 gives, for any count.
static inline uint32_t crc32_of(uint32_t start, const uint8_t *bytes, size_t count) {
#if defined(__x86_64__)
  if (count >= 16 && __builtin_cpu_supports("pclmul") && __builtin_cpu_supports("ssse3"))
    return crc32_folded(start, bytes, count);
#endif
  return crc32_by_zlib(start, bytes, count);
}
