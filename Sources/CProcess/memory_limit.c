#define _GNU_SOURCE
#include "memory_limit.h"

#include "block_file.h"

#include <errno.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define PAIDLINE_SANITIZED
#endif
#endif

#if !defined(__GLIBC__) || defined(PAIDLINE_SANITIZED)

bool paidline_can_limit_memory(void) { return false; }

int paidline_limit_memory(
    int descriptor, struct paidline_memory_limit given, const char *last_words, int status) {
  (void)descriptor, (void)given, (void)last_words, (void)status;
  return ENOTSUP;
}

#else

#include <dlfcn.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// MARK: - How much there is

static struct paidline_memory_limit limit;
static _Atomic bool is_limited;
// The bytes of large blocks that lie in memory, and of everything else that is no page of a file.
static _Atomic long large_bytes;
static _Atomic long other_bytes;

// A block is large by the room it has, which is known when it ends; that is a little more than what
// was asked for.
enum { most_slack = 64 };

static bool may_be_large(size_t bytes) { return bytes + most_slack >= limit.least_block_bytes; }

// MARK: - A disk that fails under a page

static char words[1024];
static size_t word_count;
static int last_status;
static struct sigaction former;

static void end_with_last_words(void) {
  ssize_t ignored = write(STDERR_FILENO, words, word_count);
  (void)ignored;
  _exit(last_status);
}

// What a page said that cannot be read.
static void end_process(int signal, siginfo_t *information, void *context) {
  (void)context;
  if (paidline_blocks_hold(information->si_addr)) end_with_last_words();
  // Somebody else's: back, to do it again, and to be told as if nobody had listened.
  sigaction(signal, &former, NULL);
}

// MARK: - How much of it is in memory

static int memory_status = -1;
static size_t page_bytes;
// The pages of other files: the program, its libraries, databases.
static _Atomic size_t others_bytes;
// Whether there is too much in memory that is no page of the file.
static _Atomic bool is_full;

// What the process has in memory, and how much of it are pages of files.
static bool measure(size_t *resident, size_t *of_files) {
  char text[128];
  ssize_t count = pread(memory_status, text, sizeof text - 1, 0);
  if (count <= 0) return false;
  text[count] = 0;
  char *rest = text;
  strtoul(rest, &rest, 10);
  *resident = strtoul(rest, &rest, 10) * page_bytes;
  *of_files = strtoul(rest, &rest, 10) * page_bytes;
  size_t of_blocks = *resident - *of_files;
  long other = (long)of_blocks - large_bytes;
  other_bytes = other > 0 ? other : 0;
  return true;
}

// Lets the pages of the file go where they are too many; whether soon they may be.
static bool look(void) {
  // To let many pages go takes long, and others are looked at meanwhile; few are hardly worth it.
  const size_t many = limit.resident_bytes / 8, few = limit.resident_bytes / 16;
  size_t resident, of_files;
  if (!measure(&resident, &of_files)) return false;
  if (of_files < others_bytes) others_bytes = of_files;
  size_t of_blocks = of_files - others_bytes;
  if (paidline_blocks_extent() == 0 || of_blocks <= few) {
    is_full = resident > limit.resident_bytes;
    return false;
  }
  if (of_blocks > many || resident > limit.resident_bytes) {
    paidline_blocks_let_go();
    // A page that cannot be written back is lost without a signal, and what is read there is not
    // what was written.
    if (paidline_blocks_failure()) end_with_last_words();
    if (measure(&resident, &of_files)) others_bytes = of_files;
  }
  is_full = false;
  return resident > limit.resident_bytes / 8 * 7;
}

static long milliseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

// Looks, unless somebody does or just did: a page is looked at in a microsecond, and where all cores
// are busy the thread that sees to it may wait long for its turn.
static void look_now_and_then(void) {
  static _Atomic long last;
  static atomic_flag is_looking = ATOMIC_FLAG_INIT;
  long now = milliseconds();
  if (now - last < 2 || atomic_flag_test_and_set(&is_looking)) return;
  last = now;
  look();
  atomic_flag_clear(&is_looking);
}

static bool exceeds_limit(size_t bytes) {
  look_now_and_then();
  long room = (long)limit.heap_bytes - large_bytes - other_bytes;
  return bytes >= limit.least_block_bytes && (room < 0 || bytes > (size_t)room);
}

// MARK: - The C library's functions, replaced as its manual describes ("Replacing malloc")

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static size_t room_in_memory(void *block) {
  static size_t (*_Atomic found)(void *);
  size_t (*room)(void *) = found;
  if (!room) {
    *(void **)&room = dlsym(RTLD_NEXT, "malloc_usable_size");
    found = room;
  }
  return room(block);
}

static void *counted(void *block) {
  if (!block) return NULL;
  size_t room = room_in_memory(block);
  if (room >= limit.least_block_bytes) large_bytes += (long)room;
  return block;
}

void *malloc(size_t bytes) {
  if (!is_limited || !may_be_large(bytes)) return __libc_malloc(bytes);
  if (exceeds_limit(bytes)) {
    void *block = paidline_blocks_take(bytes);
    if (block) return block;
  }
  return counted(__libc_malloc(bytes));
}

void free(void *block) {
  if (!block) return;
  if (is_limited) {
    if (paidline_blocks_hold(block)) {
      paidline_blocks_give(block);
      return;
    }
    size_t room = room_in_memory(block);
    if (room >= limit.least_block_bytes) large_bytes -= (long)room;
  }
  __libc_free(block);
}

void *calloc(size_t count, size_t size) {
  size_t bytes;
  if (!is_limited || __builtin_mul_overflow(count, size, &bytes) || !may_be_large(bytes)) {
    return __libc_calloc(count, size);
  }
  if (exceeds_limit(bytes)) {
    void *block = paidline_blocks_take(bytes);
    if (block) return memset(block, 0, bytes);
  }
  return counted(__libc_calloc(count, size));
}

size_t malloc_usable_size(void *block) {
  if (!block) return 0;
  return paidline_blocks_hold(block) ? paidline_blocks_size(block) : room_in_memory(block);
}

void *realloc(void *block, size_t bytes) {
  if (!block) return malloc(bytes);
  if (!is_limited) return __libc_realloc(block, bytes);
  size_t room = malloc_usable_size(block);
  if (room < limit.least_block_bytes && !may_be_large(bytes)) return __libc_realloc(block, bytes);
  if (bytes == 0) {
    free(block);
    return NULL;
  }
  void *moved = malloc(bytes);
  if (!moved) return NULL;
  memcpy(moved, block, room < bytes ? room : bytes);
  free(block);
  return moved;
}

void *memalign(size_t alignment, size_t bytes) {
  if (!is_limited || !may_be_large(bytes)) return __libc_memalign(alignment, bytes);
  if (alignment <= 4096 && exceeds_limit(bytes)) {
    void *block = paidline_blocks_take(bytes);
    if (block) return block;
  }
  return counted(__libc_memalign(alignment, bytes));
}

void *aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }

int posix_memalign(void **result, size_t alignment, size_t bytes) {
  if (alignment % sizeof(void *) != 0 || (alignment & (alignment - 1)) != 0 || alignment == 0) {
    return EINVAL;
  }
  void *block = memalign(alignment, bytes);
  if (!block) return ENOMEM;
  *result = block;
  return 0;
}

// MARK: - The thread that sees to it

// Asks the kernel for short turns, so that this thread gets one soon where all cores are busy
// (Linux 6.12; others take no notice).
static void ask_for_short_turns(void) {
  // Whoever chose another policy meant this thread too.
  if (sched_getscheduler(0) != SCHED_OTHER) return;
  struct {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t turn_nanoseconds, deadline, period;
  } turns = {
      .size = sizeof turns,
      .nice = getpriority(PRIO_PROCESS, 0),
      .turn_nanoseconds = 100000,
  };
  syscall(SYS_sched_setattr, 0, &turns, 0);
}

static void *keep_limit(void *unused) {
  (void)unused;
  ask_for_short_turns();
  const long calm = 10000000, alert = 1000000, between_trims = 1000000000;
  long pause = calm;
  long since_trim = between_trims;
  for (;;) {
    struct timespec time = {0, pause};
    nanosleep(&time, NULL);
    pause = look() ? alert : calm;
    since_trim += pause;
    if (is_full && since_trim >= between_trims) {
      malloc_trim(0);
      since_trim = 0;
    }
  }
  return NULL;
}

// MARK: - The beginning

static int start_thread(void) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &before);
  pthread_t thread;
  int code = pthread_create(&thread, NULL, keep_limit, NULL);
  if (code == 0) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return code;
}

bool paidline_can_limit_memory(void) { return true; }

int paidline_limit_memory(
    int descriptor, struct paidline_memory_limit given, const char *last_words, int status) {
  if (is_limited) return EALREADY;
  page_bytes = (size_t)sysconf(_SC_PAGESIZE);
  memory_status = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (memory_status < 0) return errno;
  int code = paidline_blocks_open(descriptor);
  if (code) return code;
  word_count = strnlen(last_words, sizeof words);
  memcpy(words, last_words, word_count);
  last_status = status;
  limit = given;
  size_t resident;
  size_t of_files;
  if (!measure(&resident, &of_files)) return EIO;
  others_bytes = of_files;
  struct sigaction action = {.sa_sigaction = end_process, .sa_flags = SA_SIGINFO};
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGBUS, &action, &former) != 0) return errno;
  is_limited = true;
  return start_thread();
}

#endif
