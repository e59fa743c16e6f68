// Functions that Swift cannot call or write by itself: declarations of C headers, and a handler of a
// signal.
#ifndef PAIDLINE_PROCESS_H
#define PAIDLINE_PROCESS_H

/// Gives memory that was freed back to the system, which the C library keeps otherwise.
void paidline_return_memory(void);

/// Ends the process with words on standard error and a status when a page of a database that SQLite
/// maps cannot be read (SIGBUS): the file is shorter than it was, or its disk failed.
/// Returns 0, or -1 with errno.
int paidline_end_on_bus_error(const char *last_words, int status);

#endif
