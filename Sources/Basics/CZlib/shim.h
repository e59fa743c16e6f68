#pragma once
#include <zlib.h>
#include "checksum.h"

// inflateInit2 and deflateInit2 are macros, which Swift cannot import.
static inline int paidline_inflate_init(z_stream *stream) {
  return inflateInit2(stream, 15 + 16);
}

static inline int paidline_deflate_init(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
