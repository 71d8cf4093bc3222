/* The figures of a run, for people or for programs: one table for both. */
#include <math.h>
#include <stdio.h>

#include "load.h"

struct figure {
    const char *key;
    const char *text;
    int decimals;
    double value; /* NaN: there is none */
};

static double ms(uint64_t ns)
{
    return (double)ns / 1e6;
}

static double quantile(const struct histogram *histogram, double share)
{
    return histogram->count > 0 ? ms(histogram_quantile(histogram, share)) : NAN;
}

/* NaN rather than a division by nothing. */
static double share(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

void report(const struct load *load)
{
    const struct load_options *options = load->options;
    const struct tally *tally = &load->tally;
    const struct histogram *delivery = &tally->delivery;
    const struct histogram *effect = &tally->effect;
    bool flock = options->raw == 0;
    bool server = options->pid != 0;
    double frames = (double)tally->frames;
    double rooms_wrong = 0;
    double slow_told = 0;
    double grown = (double)load->memory_after - (double)load->memory_before;

    for (uint32_t i = 0; i < load->room_count; i++) {
        rooms_wrong += load->rooms[i].wrong > 0 ? 1.0 : 0.0;
    }
    for (uint32_t i = 0; i < options->clients; i++) {
        const struct client *client = &load->clients[i];
        slow_told += client->kind == CLIENT_SLOW && client->told_slow ? 1.0 : 0.0;
    }
    const struct figure figures[] = {
        {"clients", "clients", 0, options->clients},
        {"rooms", "rooms", 0, flock ? (double)load->room_count : NAN},
        {"seconds", "seconds measured", 2, load->seconds},
        {"frames", "frames", 0, frames},
        {"frames_per_s", "frames per second", 1, share(frames, load->seconds)},
        {"bytes_per_frame", "bytes per frame", 1, share((double)tally->bytes, frames)},
        {"bytes_per_boid", "bytes per boid", 3, share((double)tally->bytes, (double)tally->boids)},
        {"keyframes", "keyframes among them", 0, options->packed ? (double)tally->keyframes : NAN},
        {"other_messages", "other messages", 0, (double)tally->others},
        {"other_bytes", "bytes of these", 0, (double)tally->other_bytes},
        {"missed", "missed between two frames", 0, (double)tally->missed},
        {"late_ticks", "ticks that the server left out", 0,
         flock ? (double)tally->late_ticks : NAN},
        {"wrong", "wrong frames", 0, (double)load->wrong},
        {"lost", "clients lost", 0, (double)load->lost},
        {"rooms_wrong", "rooms with either of these", 0, flock ? rooms_wrong : NAN},
        {"slowed", "times that a good line was called slow", 0,
         flock ? (double)tally->slowed : NAN},
        {"slow_told", "slow clients told that their line is", 0, flock ? slow_told : NAN},
        {"slow_frames", "frames that slow clients read", 0, (double)tally->age.count},
        {"dropped", "slow clients dropped", 0, (double)tally->dropped},
        {"joins", "joins while measuring", 0, (double)tally->joins},
        {"delivery_p50_ms", "delivery, p50, ms", 3, quantile(delivery, 0.50)},
        {"delivery_p99_ms", "delivery, p99, ms", 3, quantile(delivery, 0.99)},
        {"delivery_max_ms", "delivery, longest, ms", 3, quantile(delivery, 1.0)},
        {"slow_age_p50_ms", "age of what slow clients read, p50, ms", 0,
         quantile(&tally->age, 0.50)},
        {"slow_age_p99_ms", "age of what slow clients read, p99, ms", 0,
         quantile(&tally->age, 0.99)},
        {"slow_age_max_ms", "age of what slow clients read, longest", 0,
         quantile(&tally->age, 1.0)},
        {"clock_error_ms", "the server's clock is known to, ms", 3,
         flock ? ms(load->round_trip) / 2 : NAN},
        {"cursors", "cursors sent", 0, flock ? (double)tally->cursors : NAN},
        {"cursors_unseen", "cursors that no snapshot showed", 0,
         options->cursors == 1 ? (double)tally->unseen : NAN},
        {"effect_p50_ms", "cursor to effect, p50, ms", 3, quantile(effect, 0.50)},
        {"effect_p99_ms", "cursor to effect, p99, ms", 3, quantile(effect, 0.99)},
        {"effect_max_ms", "cursor to effect, longest, ms", 3, quantile(effect, 1.0)},
        {"cpu_s", "the server's processor time, s", 3, server ? (double)load->cpu / 1e9 : NAN},
        {"cpu_s_per_million", "the same per million frames, s", 3,
         server ? share((double)load->cpu / 1e3, frames) : NAN},
        {"memory_before", "the server's memory before, bytes", 0,
         server ? (double)load->memory_before : NAN},
        {"memory_per_client", "what each client added, bytes", 0,
         server ? grown / options->clients : NAN},
        {"own_cpu_s", "flock-load's own processor time, s", 3, (double)load->own_cpu / 1e9},
    };
    const size_t count = sizeof figures / sizeof figures[0];

    for (size_t i = 0; i < count && options->json; i++) {
        printf("%s\"%s\":", i == 0 ? "{" : ",", figures[i].key);
        if (isnan(figures[i].value)) {
            printf("null");
        } else {
            printf("%.*f", figures[i].decimals, figures[i].value);
        }
        fputs(i + 1 == count ? "}\n" : "", stdout);
    }
    for (size_t i = 0; i < count && !options->json; i++) {
        if (!isnan(figures[i].value)) {
            printf("%-40s %14.*f\n", figures[i].text, figures[i].decimals, figures[i].value);
        }
    }
}
