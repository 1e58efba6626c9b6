#include <stddef.h>
#include <stdint.h>

/// Reads bytes once; returns 0.
typedef int (*cfuzzing_attempt)(const uint8_t *bytes, size_t count);

/// Runs libFuzzer with its own arguments; returns -1 if the program is linked without it.
int cfuzzing_run(int argc, char **argv, cfuzzing_attempt attempt);
