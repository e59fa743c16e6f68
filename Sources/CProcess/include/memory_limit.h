// A limit for the memory of a process: large blocks beyond it lie in a file.
#ifndef PAIDLINE_MEMORY_LIMIT_H
#define PAIDLINE_MEMORY_LIMIT_H

#include <stdbool.h>
#include <stddef.h>

/// How much memory is used before the file is.
struct paidline_memory_limit {
  /// What blocks of memory may take; a large one that would exceed it lies in the file.
  size_t heap_bytes;
  /// What the process may have in memory, pages of the file included; beyond it these are let go.
  size_t resident_bytes;
  /// From how many bytes on a block is large.
  size_t least_block_bytes;
};

/// Whether a limit can be held here: glibc's memory functions are replaced for it, which it allows.
bool paidline_can_limit_memory(void);

/// Holds a limit from now on, until the process ends.
///
/// descriptor: An open, empty file without a name, which nobody else uses.
/// last_words: What is written to standard error before the process ends with `status`, should the
///   disk fail under a page of the file.
/// Returns 0 or an errno: ENOTSUP where no limit can be held.
int paidline_limit_memory(
    int descriptor, struct paidline_memory_limit limit, const char *last_words, int status);

#endif
