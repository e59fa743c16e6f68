#include "process.h"

#include <malloc.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

int paidline_die_with_parent(void) {
  return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

int paidline_exit_status(int wait_status) {
  return WIFEXITED(wait_status) ? WEXITSTATUS(wait_status) : -1;
}

int paidline_killing_signal(int wait_status) {
  return WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
}

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
