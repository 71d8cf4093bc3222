/* Sine, cosine and arctangent from +, -, *, / and square root alone, which IEEE 754 rounds
 * identically everywhere. The functions of C libraries differ, and a seed must make the same flock
 * with all of them. Errors are below 1e-12 for angles within [-1000, 1000]. */
#ifndef TRIG_H
#define TRIG_H

#include <math.h>

#define TRIG_PI 3.14159265358979323846

/* Computes sine and cosine of an angle in radians within [-2^22, 2^22]. Near these ends errors
 * reach 1e-9. */
static inline void trig_sincos(double angle, double *sine, double *cosine)
{
    double quarter = floor(angle / (TRIG_PI / 2) + 0.5);
    double a = angle - quarter * (TRIG_PI / 2);
    double b = a * a;
    double s = 1.0;
    double c = 1.0;
    for (int k = 15; k >= 1; k -= 2) { /* Taylor series, by Horner's method; |a| <= pi/4 */
        s = 1.0 - b / (double)((k + 1) * (k + 2)) * s;
        c = 1.0 - b / (double)(k * (k + 1)) * c;
    }
    s *= a;
    double turn = quarter - 4.0 * floor(quarter / 4.0);
    *sine = turn == 0.0 ? s : turn == 1.0 ? c : turn == 2.0 ? -s : -c;
    *cosine = turn == 0.0 ? c : turn == 1.0 ? -s : turn == 2.0 ? -c : s;
}

/* Returns the angle of (x, y) in [-pi, pi]; 0 for (0, 0). */
static inline double trig_atan2(double y, double x)
{
    double ax = fabs(x);
    double ay = fabs(y);
    if (ax == 0.0 && ay == 0.0) {
        return 0.0;
    }
    double t = ax > ay ? ay / ax : ax / ay;
    t = t / (1.0 + sqrt(1.0 + t * t)); /* half the angle, three times: t <= 0.1 */
    t = t / (1.0 + sqrt(1.0 + t * t));
    t = t / (1.0 + sqrt(1.0 + t * t));
    double b = t * t;
    double sum = 0.0;
    for (int k = 13; k >= 1; k -= 2) {
        sum = 1.0 / k - b * sum;
    }
    double angle = 8.0 * t * sum;
    angle = ax > ay ? angle : TRIG_PI / 2 - angle;
    angle = x < 0.0 ? TRIG_PI - angle : angle;
    return y < 0.0 ? -angle : angle;
}

#endif
