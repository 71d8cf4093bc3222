/* WIDE floats at a time: 16 (AVX-512), 8 (AVX2) or 4 (SSE2, NEON, or plain C on any other
 * processor). The operators + - * / work on `wide`; functions below do the other operations. Every
 * operation rounds as for a single float, so results do not depend on WIDE. */
#ifndef WIDE_H
#define WIDE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__ARM_NEON)
#include <arm_neon.h>
#endif

#define WIDE_INLINE static inline __attribute__((always_inline))

#ifndef WIDE
#define WIDE 4
#endif

/* name_WIDE: the names in a file that is compiled for every width. */
#define WIDE_PASTE_(name, width) name##_##width
#define WIDE_PASTE(name, width)  WIDE_PASTE_(name, width)
#define WIDE_NAME(name)          WIDE_PASTE(name, WIDE)

typedef float wide __attribute__((vector_size(WIDE * 4)));
typedef int32_t wide_int __attribute__((vector_size(WIDE * 4)));

WIDE_INLINE wide wide_load(const float *from)
{
    wide a;
    memcpy(&a, from, sizeof a);
    return a;
}

WIDE_INLINE void wide_store(float *to, wide a)
{
    memcpy(to, &a, sizeof a);
}

WIDE_INLINE wide_int wide_load_int(const int32_t *from)
{
    wide_int a;
    memcpy(&a, from, sizeof a);
    return a;
}

WIDE_INLINE void wide_store_int(int32_t *to, wide_int a)
{
    memcpy(to, &a, sizeof a);
}

typedef int32_t wide_four __attribute__((vector_size(16)));

WIDE_INLINE wide_four wide_fold_int(wide_int a)
{
    wide_four parts[WIDE / 4];
    memcpy(parts, &a, sizeof a);
    for (int k = 1; k < WIDE / 4; k++) {
        parts[0] += parts[k];
    }
    return parts[0];
}

/* Returns the sums over the lanes of each of the three. */
WIDE_INLINE wide_four wide_sums_int(wide_int a, wide_int b, wide_int c)
{
    wide_four fa = wide_fold_int(a);
    wide_four fb = wide_fold_int(b);
    wide_four fc = wide_fold_int(c);
    wide_four ab =
        __builtin_shufflevector(fa, fb, 0, 4, 1, 5) + __builtin_shufflevector(fa, fb, 2, 6, 3, 7);
    fc += __builtin_shufflevector(fc, fc, 2, 3, 0, 1);
    return __builtin_shufflevector(ab, fc, 0, 1, 4, 4) +
           __builtin_shufflevector(ab, fc, 2, 3, 5, 5);
}

WIDE_INLINE wide wide_all(float a)
{
    return a - (wide){0};
}

WIDE_INLINE wide wide_abs(wide a)
{
    return (wide)((wide_int)a & 0x7fffffff);
}

#if WIDE == 16

typedef __mmask16 wide_mask;

WIDE_INLINE wide_mask wide_less(wide a, wide b)
{
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OQ);
}

WIDE_INLINE wide_mask wide_at_most(wide a, wide b)
{
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LE_OQ);
}

WIDE_INLINE wide wide_pick(wide_mask mask, wide yes, wide no)
{
    return (wide)_mm512_mask_blend_ps(mask, (__m512)no, (__m512)yes);
}

/* sum + a where the mask is set, and sum elsewhere */
WIDE_INLINE wide wide_plus(wide sum, wide_mask mask, wide a)
{
    return (wide)_mm512_mask_add_ps((__m512)sum, mask, (__m512)sum, (__m512)a);
}

WIDE_INLINE wide_int wide_plus_int(wide_int sum, wide_mask mask, wide_int a)
{
    return (wide_int)_mm512_mask_add_epi32((__m512i)sum, mask, (__m512i)sum, (__m512i)a);
}

WIDE_INLINE bool wide_differ(wide_mask a, wide_mask b)
{
    return a != b;
}

WIDE_INLINE unsigned wide_bits(wide_mask mask)
{
    return mask;
}

WIDE_INLINE wide_mask wide_both(wide_mask a, wide_mask b)
{
    return (wide_mask)(a & b);
}

WIDE_INLINE wide_mask wide_either(wide_mask a, wide_mask b)
{
    return (wide_mask)(a | b);
}

WIDE_INLINE wide wide_sqrt(wide a)
{
    return (wide)_mm512_sqrt_ps((__m512)a);
}

/* Returns the lesser, or b if they are equal. */
WIDE_INLINE wide wide_min(wide a, wide b)
{
    return (wide)_mm512_min_ps((__m512)a, (__m512)b);
}

/* Returns the greater, or b if they are equal. */
WIDE_INLINE wide wide_max(wide a, wide b)
{
    return (wide)_mm512_max_ps((__m512)a, (__m512)b);
}

#else

typedef wide_int wide_mask;

WIDE_INLINE wide_mask wide_less(wide a, wide b)
{
    return a < b;
}

WIDE_INLINE wide_mask wide_at_most(wide a, wide b)
{
    return a <= b;
}

WIDE_INLINE wide wide_pick(wide_mask mask, wide yes, wide no)
{
    return (wide)(((wide_int)yes & mask) | ((wide_int)no & ~mask));
}

WIDE_INLINE wide wide_plus(wide sum, wide_mask mask, wide a)
{
    return sum + (wide)((wide_int)a & mask);
}

WIDE_INLINE wide_int wide_plus_int(wide_int sum, wide_mask mask, wide_int a)
{
    return sum + (a & mask);
}

/* Returns a bit for each lane. */
WIDE_INLINE unsigned wide_bits(wide_mask mask)
{
#if WIDE == 8
    return (unsigned)_mm256_movemask_ps((__m256)mask);
#elif defined(__SSE2__)
    return (unsigned)_mm_movemask_ps((__m128)mask);
#else
    return ((unsigned)mask[0] & 1u) | ((unsigned)mask[1] & 2u) | ((unsigned)mask[2] & 4u) |
           ((unsigned)mask[3] & 8u);
#endif
}

WIDE_INLINE bool wide_differ(wide_mask a, wide_mask b)
{
    return wide_bits(a ^ b) != 0;
}

WIDE_INLINE wide_mask wide_both(wide_mask a, wide_mask b)
{
    return a & b;
}

WIDE_INLINE wide_mask wide_either(wide_mask a, wide_mask b)
{
    return a | b;
}

WIDE_INLINE wide wide_sqrt(wide a)
{
#if WIDE == 8
    return (wide)_mm256_sqrt_ps((__m256)a);
#elif defined(__SSE2__)
    return (wide)_mm_sqrt_ps((__m128)a);
#elif defined(__ARM_NEON)
    return (wide)vsqrtq_f32((float32x4_t)a);
#else
    return (wide){__builtin_sqrtf(a[0]), __builtin_sqrtf(a[1]), __builtin_sqrtf(a[2]),
                  __builtin_sqrtf(a[3])};
#endif
}

WIDE_INLINE wide wide_min(wide a, wide b)
{
#if WIDE == 8
    return (wide)_mm256_min_ps((__m256)a, (__m256)b);
#elif defined(__SSE2__)
    return (wide)_mm_min_ps((__m128)a, (__m128)b);
#else
    return wide_pick(wide_less(a, b), a, b);
#endif
}

WIDE_INLINE wide wide_max(wide a, wide b)
{
#if WIDE == 8
    return (wide)_mm256_max_ps((__m256)a, (__m256)b);
#elif defined(__SSE2__)
    return (wide)_mm_max_ps((__m128)a, (__m128)b);
#else
    return wide_pick(wide_less(b, a), a, b);
#endif
}

#endif

typedef float wide_four_floats __attribute__((vector_size(16)));

WIDE_INLINE wide_four_floats wide_min_four(wide_four_floats a, wide_four_floats b)
{
#if defined(__SSE2__)
    return (wide_four_floats)_mm_min_ps((__m128)a, (__m128)b);
#else
    wide_four less = a < b;
    return (wide_four_floats)(((wide_four)a & less) | ((wide_four)b & ~less));
#endif
}

/* Returns the least of all lanes. */
WIDE_INLINE float wide_least(wide a)
{
    wide_four_floats parts[WIDE / 4];
    memcpy(parts, &a, sizeof a);
    for (int k = 1; k < WIDE / 4; k++) {
        parts[0] = wide_min_four(parts[0], parts[k]);
    }
    wide_four_floats least = parts[0];
    least = wide_min_four(least, __builtin_shufflevector(least, least, 2, 3, 0, 1));
    least = wide_min_four(least, __builtin_shufflevector(least, least, 1, 0, 3, 2));
    return least[0];
}

WIDE_INLINE bool wide_any(wide_mask mask)
{
    return wide_bits(mask) != 0;
}

/* a where the mask is set, 0 elsewhere */
WIDE_INLINE wide wide_only(wide_mask mask, wide a)
{
    return wide_pick(mask, a, (wide){0});
}

struct wide_vec {
    wide x, y;
};

WIDE_INLINE wide wide_dot(struct wide_vec a, struct wide_vec b)
{
    return a.x * b.x + a.y * b.y;
}

WIDE_INLINE struct wide_vec wide_scale(struct wide_vec a, wide factor)
{
    return (struct wide_vec){a.x * factor, a.y * factor};
}

WIDE_INLINE struct wide_vec wide_add(struct wide_vec a, struct wide_vec b)
{
    return (struct wide_vec){a.x + b.x, a.y + b.y};
}

WIDE_INLINE struct wide_vec wide_sub(struct wide_vec a, struct wide_vec b)
{
    return (struct wide_vec){a.x - b.x, a.y - b.y};
}

/* Returns the vector with length 1, or 0 for 0. */
WIDE_INLINE struct wide_vec wide_unit(struct wide_vec a)
{
    wide square = wide_dot(a, a);
    wide some = wide_only(wide_less((wide){0}, square), 1.0f / wide_sqrt(square));
    return wide_scale(a, some);
}

WIDE_INLINE struct wide_vec wide_limit(struct wide_vec a, wide most)
{
    wide square = wide_dot(a, a);
    wide_mask longer = wide_less(most * most, square);
    wide factor = wide_pick(longer, most / wide_sqrt(square), wide_all(1.0f));
    return wide_scale(a, factor);
}

WIDE_INLINE struct wide_vec wide_pick_vec(wide_mask mask, struct wide_vec yes, struct wide_vec no)
{
    return (struct wide_vec){wide_pick(mask, yes.x, no.x), wide_pick(mask, yes.y, no.y)};
}

/* Returns the displacement to the nearest image in a torus. In a plane, half and whole size are
 * infinite. */
WIDE_INLINE wide wide_nearest(wide d, wide half, wide size)
{
    d = wide_pick(wide_less(half, d), d - size, d);
    return wide_pick(wide_less(d, -half), d + size, d);
}

/* Stores from + k for each lane k whose bit is set, in ascending order, and perhaps other values
 * after them: there must be memory for WIDE values. Returns how many bits are set. */
WIDE_INLINE uint32_t wide_store_lanes(uint32_t *to, unsigned bits, uint32_t from)
{
#if WIDE == 16
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i values = _mm512_add_epi32(lanes, _mm512_set1_epi32((int)from));
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32((__mmask16)bits, values));
    return (uint32_t)__builtin_popcount(bits);
#else
    uint32_t count = 0;
    for (uint32_t lane = 0; lane < WIDE; lane++) {
        to[count] = from + lane;
        count += bits >> lane & 1u;
    }
    return count;
#endif
}

/* Stores the first `count` lanes, at most WIDE. */
WIDE_INLINE void wide_store_some(float *to, wide a, uint32_t count)
{
#if WIDE == 16
    _mm512_mask_storeu_ps(to, (__mmask16)((1u << count) - 1u), (__m512)a);
#else
    float lanes[WIDE];
    wide_store(count < WIDE ? lanes : to, a);
    if (count < WIDE) {
        memcpy(to, lanes, count * sizeof *lanes);
    }
#endif
}

/* Returns the direction at an angle of at most pi: a quarter of the angle by a series, doubled
 * twice. */
WIDE_INLINE struct wide_vec wide_direction(wide angle)
{
    wide q = 0.25f * angle;
    wide b = q * q;
    wide sine = q * (1.0f - b * (0.16666667f - b * (0.0083333333f - b * 0.00019841270f)));
    wide versine = b * (0.5f - b * (0.041666667f - b * (0.0013888889f - b * 0.000024801587f)));
    for (int i = 0; i < 2; i++) { /* 1 - cosine keeps the digits of small angles */
        wide twice = 2.0f * versine * (2.0f - versine);
        sine = 2.0f * sine * (1.0f - versine);
        versine = twice;
    }
    return (struct wide_vec){1.0f - versine, sine};
}

#endif
