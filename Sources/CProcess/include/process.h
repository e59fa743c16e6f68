// What Swift cannot call by itself: functions with variable arguments, and wait-status macros; memory.
#ifndef PAIDLINE_PROCESS_H
#define PAIDLINE_PROCESS_H

#include <sys/types.h>

/// Asks the kernel to kill this process when the thread that started it ends (Linux).
/// Returns 0, or -1 with errno; 0 and no effect where the system has no such request.
int paidline_die_with_parent(void);

/// The exit status of a wait status, or -1 where the process was killed by a signal.
int paidline_exit_status(int wait_status);

/// The signal that killed a process, or 0 where it exited by itself.
int paidline_killing_signal(int wait_status);

/// Gives memory that was freed back to the system, which the C library keeps otherwise (glibc).
void paidline_return_memory(void);

/// Ends the process with words on standard error and a status when a page of a mapped file cannot be
/// read (SIGBUS): the file is shorter than it was, or its disk failed.
/// Returns 0, or -1 with errno.
int paidline_end_on_bus_error(const char *last_words, int status);

#endif
