// Memory whose pages lie in a file: what does not fit beside everything else waits on the disk.
#ifndef PAIDLINE_BLOCK_FILE_H
#define PAIDLINE_BLOCK_FILE_H

#include <stdbool.h>
#include <stddef.h>

/// Makes an open, empty file the place of all blocks. There is one in a process; it is never closed.
/// Returns 0 or an errno: EALREADY for a second file, ENOMEM without room in the address space.
int paidline_blocks_open(int descriptor);

/// A block of at least so many bytes, aligned to 4 KiB, its content undefined; of any thread.
/// NULL where no file is open, or where the disk or the address space has no room.
void *paidline_blocks_take(size_t bytes);

/// Ends a block. Its room is used again; the file never shrinks.
void paidline_blocks_give(void *block);

/// Whether an address lies in a block of the file.
bool paidline_blocks_hold(const void *address);

/// The bytes that a block has room for.
size_t paidline_blocks_size(const void *block);

/// Takes the file's pages out of the process; they come back when they are looked at. Nothing is
/// lost, and it may be done at any time.
void paidline_blocks_let_go(void);

/// The errno with which the disk refused room for more blocks, or 0.
int paidline_blocks_refusal(void);

/// The errno with which the disk refused pages that the system wrote back, or 0. Such a page may
/// have lost what it said, and nothing else tells.
int paidline_blocks_failure(void);

/// The bytes of the file that are or were in use.
size_t paidline_blocks_extent(void);

#endif
