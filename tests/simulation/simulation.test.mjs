// Lives of the server in simulated time: see life.c.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { test } from 'node:test';

const run = (program, ...options) => spawnSync(program, options, { encoding: 'utf8', timeout: 500_000 });

for (const seed of ['1', '101']) {
  test(`60 lives without a fault, from seed ${seed} on`, () => {
    const { status, stdout } = run('build/simulation', '--seed', seed, '--lives', '60');
    assert.equal(status, 0, stdout);
  });
}

const sanitized = 'build/asan/simulation';
test('five lives with the sanitizers', { skip: !existsSync(sanitized) && 'it is not built' }, () => {
  const { status, stdout, stderr } = run(sanitized, '--lives', '5');
  assert.equal(status, 0, stdout + stderr);
});

for (const fault of ['want-key', 'reply', 'checkpoint', 'trust', 'charge']) {
  test(`the simulation finds a planted fault, and its seed repeats it: ${fault}`, () => {
    const { status, stdout } = run('build/simulation', '--fault', fault, '--lives', '60');
    assert.equal(status, 1, stdout);
    const seed = stdout.match(/^seed (\d+), after/m)[1];
    const again = run('build/simulation', '--fault', fault, '--seed', seed, '--lives', '1');
    assert.equal(again.stdout, stdout);
  });
}

test('an unknown fault is refused', () => {
  const { status, stderr } = run('build/simulation', '--fault', 'fire');
  assert.equal(status, 2);
  assert.match(stderr, /want-key, reply, checkpoint, trust or charge expected/);
});
