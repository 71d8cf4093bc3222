// Lives of the server and of a cluster in simulated time: see life.c and cluster.h.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';

const run = (program, ...options) => spawnSync(program, options, { encoding: 'utf8', timeout: 500_000 });

for (const seed of ['1', '101']) {
  test(`45 lives without a fault, from seed ${seed} on`, () => {
    const { status, stdout } = run('build/simulation', '--seed', seed, '--lives', '45');
    assert.equal(status, 0, stdout);
  });
}

// Each process is killed while trusted rooms keep a slow disk busy and a new room of a stranger waits for its first write.
for (const seed of ['308', '722', '1084', '1106']) {
  test(`a stranger's room waits for a slow disk, seed ${seed}`, () => {
    const { status, stdout } = run('build/simulation', '--seed', seed, '--lives', '1');
    assert.equal(status, 0, stdout);
  });
}

test('15 lives of a cluster whose nodes are killed, frozen, cut off and parted', () => {
  const { status, stdout } = run('build/simulation', '--cluster', '--lives', '15');
  assert.equal(status, 0, stdout);
  const [pictures, taken, given] = stdout.match(/(\d+) pictures looked at, (\d+) rooms taken over, (\d+) given away/).slice(1).map(Number);
  assert.ok(pictures > 100_000 && taken > 25 && given > 10, stdout);
});

const sanitized = 'build/asan/simulation';
for (const [name, lives, ...kind] of [['three lives', '3'], ['a life of a cluster', '1', '--cluster']]) {
  test(`${name} with the sanitizers`, { skip: !existsSync(sanitized) && 'it is not built' }, () => {
    const { status, stdout, stderr } = run(sanitized, '--lives', lives, ...kind);
    assert.equal(status, 0, stdout + stderr);
  });
}

const FAULTS = { 'want-key': [], reply: [], checkpoint: [], trust: [], charge: [], epoch: ['--cluster'], picture: ['--cluster'], forget: ['--cluster'] };
for (const [fault, kind] of Object.entries(FAULTS)) {
  test(`the simulation finds a planted fault, and its seed repeats it: ${fault}`, () => {
    const { status, stdout } = run('build/simulation', ...kind, '--fault', fault, '--lives', '60');
    assert.equal(status, 1, stdout);
    const seed = stdout.match(/^seed (\d+), after/m)[1];
    const again = run('build/simulation', ...kind, '--fault', fault, '--seed', seed, '--lives', '1');
    assert.equal(again.stdout, stdout);
  });
}

test('an unknown fault is refused', () => {
  const { status, stderr } = run('build/simulation', '--fault', 'fire');
  assert.equal(status, 2);
  assert.match(stderr, /want-key, reply, checkpoint, trust or charge expected/);
});
