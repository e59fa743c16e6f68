#include "process.h"

#include <signal.h>
#include <sys/wait.h>
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
