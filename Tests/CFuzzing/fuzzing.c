#include "CFuzzing.h"

// libFuzzer as a library (llvm.org/docs/LibFuzzer.html, "Using libFuzzer as a library"). The symbol is weak, because
// only .ci/fuzz.sh links libFuzzer.
extern int LLVMFuzzerRunDriver(int *argc, char ***argv, cfuzzing_attempt attempt) __attribute__((weak));

int cfuzzing_run(int argc, char **argv, cfuzzing_attempt attempt) {
    if (!LLVMFuzzerRunDriver) return -1;
    return LLVMFuzzerRunDriver(&argc, &argv, attempt);
}
