#pragma once
#include <stdint.h>

/// How many blocks this thread has asked malloc, calloc and realloc for so far.
uint64_t allocations_count(void);
