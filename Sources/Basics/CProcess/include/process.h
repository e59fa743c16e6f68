// Functions that Swift cannot call by itself: with variable arguments, wait-status macros, and
// declarations of C headers.
#ifndef PAIDLINE_PROCESS_H
#define PAIDLINE_PROCESS_H

#include <sys/types.h>

/// Asks the kernel to kill this process when the thread that started it ends.
/// Returns 0, or -1 with errno.
int paidline_die_with_parent(void);

/// The exit status of a wait status, or -1 if the process was killed by a signal.
int paidline_exit_status(int wait_status);

/// The signal that killed a process, or 0 if it exited by itself.
int paidline_killing_signal(int wait_status);

/// Gives memory that was freed back to the system, which the C library keeps otherwise.
void paidline_return_memory(void);

/// Ends the process with words on standard error and a status when a page of a database that SQLite
/// maps cannot be read (SIGBUS): the file is shorter than it was, or its disk failed.
/// Returns 0, or -1 with errno.
int paidline_end_on_bus_error(const char *last_words, int status);

#endif
