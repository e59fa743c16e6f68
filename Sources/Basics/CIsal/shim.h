#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <isa-l/igzip_lib.h>

// Swift would import the arrays in an inflater's state as tuples of 80,000 members, so the state is
// opaque in Swift.

// Allocates a state; NULL if there is not enough memory.
static inline void *paidline_isal_make(void) {
  return malloc(sizeof(struct inflate_state));
}

static inline void paidline_isal_free(void *state) { free(state); }

// Begins a gzip file, or its next member. ISA-L checks the CRC-32 and the length of each member.
static inline void paidline_isal_begin(void *opaque) {
  struct inflate_state *state = (struct inflate_state *)opaque;
  isal_inflate_init(state);
  state->crc_flag = ISAL_GZIP;
}

// Inflates from *input to *output and advances both. Returns 1 at the end of a member, 0 before it,
// and a negative number if the bytes are not gzip.
static inline int paidline_isal_step(
    void *opaque, const uint8_t *input, size_t *input_count, uint8_t *output,
    size_t *output_count) {
  struct inflate_state *state = (struct inflate_state *)opaque;
  state->next_in = (uint8_t *)input;
  state->avail_in = (uint32_t)*input_count;
  state->next_out = output;
  state->avail_out = (uint32_t)*output_count;
  int result = isal_inflate(state);
  *input_count -= state->avail_in;
  *output_count -= state->avail_out;
  if (result < 0) return result;
  return state->block_state == ISAL_BLOCK_FINISH ? 1 : 0;
}
