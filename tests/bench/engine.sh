#!/bin/sh
# Measures the engine: nanoseconds of one thread per boid and tick, with the mean number of neighbours k. About three
# minutes.
#
#   make bench, or tests/bench/engine.sh [build/flock-sim]
set -eu
sim=${1:-build/flock-sim}

run() {
    "$sim" --bench "$@"
}

sed -n 's/^model name[^:]*: /machine: /p' /proc/cpuinfo | head -n 1
echo "processors: $(getconf _NPROCESSORS_ONLN), load $(cut -d ' ' -f 1 /proc/loadavg)"
echo "compiler: $(cc --version | head -n 1)"

echo
echo "== the swarm, by size (12 to 1,000,000)"
for boids in 12 100 1000 10000 100000; do
    for lanes in 16 8 4; do
        run --model swarm --boids "$boids" --lanes "$lanes" --ticks $((boids > 20000 ? 20 : 200))
    done
done
run --model swarm --boids 1000000 --ticks 4

echo
echo "== neighbour models, 100,000 boids, by neighbours at the start"
for k in 20 60; do
    for model in boids vision birds steering; do
        for lanes in 16 8 4; do
            run --model "$model" --boids 100000 --neighbours "$k" --lanes "$lanes" --ticks 40
        done
    done
done

echo
echo "== boids, by size, k = 20 at the start"
for boids in 1000 10000 100000 1000000; do
    run --model boids --boids "$boids" --neighbours 20 --ticks $((boids > 200000 ? 10 : 60))
done

echo
echo "== two threads (elapsed time: only on an idle machine)"
for threads in 1 2; do
    run --model boids --boids 100000 --neighbours 20 --ticks 60 --threads "$threads"
    run --model swarm --boids 100000 --ticks 16 --threads "$threads"
done

echo
echo "== threads by size (elapsed time: only on an idle machine)"
for boids in 120 1000 5000 20000; do
    for threads in 1 2 8; do
        ticks=$((boids < 5000 ? 1000 : 200))
        run --model boids --boids "$boids" --neighbours 20 --ticks "$ticks" --threads "$threads"
        run --model swarm --boids "$boids" --ticks "$ticks" --threads "$threads"
    done
done

echo
echo "== every pair in double precision, for comparison"
for model in swarm boids; do
    run --model "$model" --boids 2000 --ticks 6 --engine reference
    run --model "$model" --boids 2000 --ticks 200
done
