/* Chooses a compiled kernel that this processor can run. */
#include "sim/wide/kernel.h"

extern const struct kernel kernel_4;
#if defined(__x86_64__)
extern const struct kernel kernel_8, kernel_16;
#endif

const struct kernel *kernel_choose(uint32_t lanes)
{
    uint32_t most = lanes == 0 ? UINT32_MAX : lanes;
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (most >= 16 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")) {
        return &kernel_16;
    }
    if (most >= 8 && __builtin_cpu_supports("avx2")) {
        return &kernel_8;
    }
#endif
    (void)most;
    return &kernel_4;
}
