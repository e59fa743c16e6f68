#define _GNU_SOURCE
#include "block_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

// Blocks are whole grains, side by side in one stretch of addresses that the file is mapped to step
// by step. A table has a number for the first grain of every run: its grains where it is a block,
// minus its grains where it is free. Free neighbours become one run when somebody looks for room.
//
// The disk is asked for room before a step is used, because a shared mapping without it kills the
// process at some later write (SIGBUS). It is asked one step ahead, so that there is still some room
// when it refuses and the run can end in order.

enum { grain_bytes = 4096 };
static const size_t step_bytes = (size_t)64 << 20;
static const size_t most_addresses = (size_t)1 << 40;
static const size_t least_addresses = (size_t)128 << 20;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int file = -1;
static char *base;
static size_t reserved_bytes;
static int32_t *runs;
// How far the file has room on the disk, how far it is mapped, and the first grain never used.
static size_t roomy_bytes;
static size_t mapped_bytes;
static size_t end;
// No free run lies before this grain.
static size_t first_free;
static _Atomic int refusal;
static _Atomic size_t extent_bytes;

static void *reserve(size_t bytes) {
  void *start = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return start == MAP_FAILED ? NULL : start;
}

// How many addresses to ask for: where they are rationed (ulimit -v), half for everything else.
static size_t addresses(void) {
  struct rlimit ration;
  if (getrlimit(RLIMIT_AS, &ration) != 0 || ration.rlim_cur / 2 >= most_addresses) {
    return most_addresses;
  }
  return (size_t)(ration.rlim_cur / 2 / step_bytes * step_bytes);
}

int paidline_blocks_open(int descriptor) {
  if (file >= 0) return EALREADY;
  size_t bytes = addresses();
  char *start = NULL;
  int32_t *table = NULL;
  for (; bytes >= least_addresses; bytes = bytes / 2 / step_bytes * step_bytes) {
    start = reserve(bytes);
    table = start ? reserve(bytes / grain_bytes * sizeof *runs) : NULL;
    if (table) break;
    if (start) munmap(start, bytes);
  }
  if (bytes < least_addresses) return ENOMEM;
  base = start;
  reserved_bytes = bytes;
  runs = table;
  file = descriptor;
  return 0;
}

// Asks the disk for room up to an end.
static int make_room(size_t bytes) {
#ifdef __linux__
  int code;
  do {
    code = posix_fallocate(file, (off_t)roomy_bytes, (off_t)(bytes - roomy_bytes));
  } while (code == EINTR);
  return code;
#else
  static const char zeros[1 << 16];
  for (size_t place = roomy_bytes; place < bytes;) {
    ssize_t count = pwrite(file, zeros, sizeof zeros, (off_t)place);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count < 0 ? errno : EIO;
    place += (size_t)count;
  }
  return 0;
#endif
}

// Maps the file, and makes the table writable, up to the end of a grain.
static bool grow(size_t grains) {
  size_t bytes = (grains * grain_bytes + step_bytes - 1) / step_bytes * step_bytes;
  if (bytes > reserved_bytes) {
    refusal = ENOMEM;
    return false;
  }
  size_t ahead = bytes < reserved_bytes ? bytes + step_bytes : bytes;
  if (ahead > roomy_bytes && !refusal) {
    int code = make_room(ahead);
    if (code) {
      refusal = code;
    } else {
      roomy_bytes = ahead;
    }
  }
  if (bytes > roomy_bytes) return false;
  size_t numbers = bytes / grain_bytes * sizeof *runs;
  if (mprotect(runs, numbers, PROT_READ | PROT_WRITE) != 0 ||
      mmap(base + mapped_bytes, bytes - mapped_bytes, PROT_READ | PROT_WRITE,
           MAP_SHARED | MAP_FIXED, file, (off_t)mapped_bytes) == MAP_FAILED) {
    refusal = errno;
    return false;
  }
  mapped_bytes = bytes;
  return true;
}

// The first free run of so many grains, cut to size; `end` where there is none.
static size_t free_run(size_t grains) {
  bool is_first = true;
  for (size_t run = first_free; run < end;) {
    if (runs[run] > 0) {
      run += (size_t)runs[run];
      continue;
    }
    if (is_first) first_free = run;
    is_first = false;
    size_t found = (size_t)-runs[run];
    while (run + found < end && runs[run + found] < 0) found += (size_t)-runs[run + found];
    runs[run] = -(int32_t)found;
    if (run + found == end) {
      end = run;
      break;
    }
    if (found >= grains) {
      if (found > grains) runs[run + grains] = -(int32_t)(found - grains);
      return run;
    }
    run += found;
  }
  if (is_first) first_free = end;
  return end;
}

void *paidline_blocks_take(size_t bytes) {
  if (file < 0 || bytes > reserved_bytes) return NULL;
  size_t grains = bytes == 0 ? 1 : (bytes + grain_bytes - 1) / grain_bytes;
  void *block = NULL;
  pthread_mutex_lock(&lock);
  size_t run = free_run(grains);
  if (run == end) {
    if ((end + grains) * grain_bytes <= mapped_bytes || grow(end + grains)) end += grains;
  }
  if (run < end) {
    runs[run] = (int32_t)grains;
    block = base + run * grain_bytes;
  }
  if (end * grain_bytes > extent_bytes) extent_bytes = end * grain_bytes;
  pthread_mutex_unlock(&lock);
  return block;
}

static size_t run_of(const void *block) {
  return (size_t)((const char *)block - base) / grain_bytes;
}

void paidline_blocks_give(void *block) {
  size_t run = run_of(block);
  pthread_mutex_lock(&lock);
  // No block begins here, or it ended before: better to stop than to give its room out twice.
  if (runs[run] <= 0 || (const char *)block != base + run * grain_bytes) abort();
  runs[run] = -runs[run];
  if (run < first_free) first_free = run;
  pthread_mutex_unlock(&lock);
}

bool paidline_blocks_hold(const void *address) {
  return (uintptr_t)address - (uintptr_t)base < reserved_bytes;
}

size_t paidline_blocks_size(const void *block) {
  return (size_t)runs[run_of(block)] * grain_bytes;
}

void paidline_blocks_let_go(void) {
  size_t bytes = extent_bytes;
  if (bytes > 0) madvise(base, bytes, MADV_DONTNEED);
}

int paidline_blocks_refusal(void) { return refusal; }

int paidline_blocks_failure(void) {
  static pthread_mutex_t asking = PTHREAD_MUTEX_INITIALIZER;
  static int failure;
  int found = 0;
#ifdef __linux__
  if (file < 0) return 0;
  pthread_mutex_lock(&asking);
  // The kernel tells of an error once. Where no page lies there is none to wait for.
  if (sync_file_range(file, (off_t)most_addresses, 1, SYNC_FILE_RANGE_WAIT_BEFORE) != 0 &&
      errno != EINVAL && errno != EPERM && errno != ESPIPE && errno != ENOSYS) {
    failure = errno;
  }
  found = failure;
  pthread_mutex_unlock(&asking);
#endif
  return found;
}

size_t paidline_blocks_extent(void) { return extent_bytes; }
