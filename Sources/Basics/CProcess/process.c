#include "process.h"

#include <malloc.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

void paidline_return_memory(void) {
  malloc_trim(0);
}

// MARK: - A page of a mapped file that cannot be read

static char words[1024];
static size_t word_count;
static int last_status;

static void end_with_words(int signal) {
  (void)signal;
  ssize_t ignored = write(STDERR_FILENO, words, word_count);
  (void)ignored;
  _exit(last_status);
}

int paidline_end_on_bus_error(const char *last_words, int status) {
  word_count = strnlen(last_words, sizeof words);
  memcpy(words, last_words, word_count);
  last_status = status;
  struct sigaction action = {.sa_handler = end_with_words};
  sigemptyset(&action.sa_mask);
  return sigaction(SIGBUS, &action, NULL);
}

// MARK: - Private memory

void paidline_keep_memory_private(void) {
  const struct rlimit none = {0, 0};
  // A core dump that a pipe receives is not limited by its size; the second call prevents it.
  (void)setrlimit(RLIMIT_CORE, &none);
  (void)prctl(PR_SET_DUMPABLE, 0);
}
