#include "process.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

int paidline_die_with_parent(void) {
#ifdef __linux__
  return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
#else
  return 0;
#endif
}

int paidline_exit_status(int wait_status) {
  return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : -1;
}

int paidline_killing_signal(int wait_status) {
  return WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
}

void paidline_return_memory(void) {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
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
