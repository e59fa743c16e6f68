// Functions that Swift cannot call or define: declarations from C headers, and a signal handler.
#ifndef PAIDLINE_PROCESS_H
#define PAIDLINE_PROCESS_H

/// Returns freed memory to the system; otherwise the C library keeps it.
void paidline_return_memory(void);

/// Installs a handler that ends the process with a text on standard error and a status if a mapped
/// page of a database cannot be read (SIGBUS): the file was truncated, or its disk failed.
/// Returns 0, or -1 with errno.
int paidline_end_on_bus_error(const char *last_words, int status);

/// Prevents core dumps, which would contain customer ids, and reading by other processes of the user.
void paidline_keep_memory_private(void);

#endif
