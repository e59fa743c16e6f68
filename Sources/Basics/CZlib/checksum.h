#pragma once
#include <stddef.h>
#include <stdint.h>
#include <zlib.h>

// Computes zlib's CRC-32, ten times as fast if the processor can multiply without carries.
//
// "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction" (Intel, 2009): 64
// bytes are folded into the next 64 until fewer are left. The remaining bytes have the same
// checksum as the whole input, and zlib computes it. ARM processors have a CRC-32 instruction,
// which zlib uses.
#if defined(__x86_64__)
#include <immintrin.h>

__attribute__((target("pclmul"))) static inline uint32_t paidline_crc32_folding(
    uint32_t checksum, const uint8_t *bytes, size_t count) {
  // x^(512+32) and x^(512-32) modulo the polynomial, bits reflected.
  const __m128i distance = _mm_set_epi64x(0x01c6e41596, 0x0154442bd4);
  __m128i lanes[4];
  for (int lane = 0; lane < 4; lane++) {
    lanes[lane] = _mm_loadu_si128((const __m128i *)bytes + lane);
  }
  lanes[0] = _mm_xor_si128(lanes[0], _mm_cvtsi32_si128((int)~checksum));
  for (bytes += 64, count -= 64; count >= 64; bytes += 64, count -= 64) {
    for (int lane = 0; lane < 4; lane++) {
      __m128i low = _mm_clmulepi64_si128(lanes[lane], distance, 0x00);
      __m128i high = _mm_clmulepi64_si128(lanes[lane], distance, 0x11);
      __m128i next = _mm_loadu_si128((const __m128i *)bytes + lane);
      lanes[lane] = _mm_xor_si128(_mm_xor_si128(low, high), next);
    }
  }
  // The complement of zlib's initial value, because the lanes already include the earlier checksum.
  checksum = (uint32_t)crc32_z(0xffffffff, (const uint8_t *)lanes, sizeof lanes);
  return (uint32_t)crc32_z(checksum, bytes, count);
}
#endif

// Continues a CRC-32 with further bytes; `checksum` is 0 for the first bytes.
static inline uint32_t paidline_crc32(uint32_t checksum, const uint8_t *bytes, size_t count) {
#if defined(__x86_64__)
  if (count >= 64 && __builtin_cpu_supports("pclmul")) {
    return paidline_crc32_folding(checksum, bytes, count);
  }
#endif
  return (uint32_t)crc32_z(checksum, bytes, count);
}
