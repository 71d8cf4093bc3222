// Whoever reads slowly sees less of the flock, but as it is now; whoever reads all is sent all. How old it is over lines of all
// kinds, tests/unit/test_outlet_line.c says, in simulated time.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import * as flock from './client.mjs';
import { root, runToEnd, startServer } from './server.mjs';

const LOAD = [path.resolve(root, process.env.FLOCK_LOAD ?? 'build/flock-load')];
const SLOW = 4;
const BOIDS = ['--model', 'boids', '--boids', '3000', '--world', '2000x2000'];

test('who reads 4 KB a second of 3,000 boids sees them as they are now', async (t) => {
  const server = await startServer(t, BOIDS);
  const steady = await flock.join(t, server.ws, { encodings: ['packed'] });
  // A line has little room: what is on its way cannot be taken back.
  const lines = ['--clients', String(SLOW + 1), '--slow', String(SLOW), '--slow-rate', '4096', '--slow-buffer', '4096'];
  const watch = async (encoding) => {
    const args = [...lines, '--encoding', encoding, '--warm-up', '10', '--seconds', '5', '--json', server.ws];
    const { code, stdout, stderr } = await runToEnd(t, args, { command: LOAD, seconds: 100 });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    const figures = JSON.parse(stdout);
    assert.ok(figures.slow_frames >= SLOW, `${encoding}: each sees the flock move: ${stdout}`);
    // A second, and what a busy machine takes; if all were sent it would be ten and more.
    assert.ok(figures.slow_age_p50_ms <= 4000, `${encoding}: what they see is hardly a second old: ${stdout}`);
    assert.equal(figures.slow_told, SLOW, `${encoding}: they are told that their lines are slow: ${stdout}`);
    assert.equal(figures.slowed, 0, `${encoding}: nothing is taken from the one who reads all: ${stdout}`);
  };
  await Promise.all(['packed', 'plain'].map(watch));
  assert.equal(steady.stream, undefined, 'nor from another');
  assert.equal(steady.lost, 0);
});

test('who reads all at full speed is sent all, however long', async (t) => {
  const server = await startServer(t, BOIDS);
  const clients = [];
  for (const encodings of [['packed'], ['plain']]) clients.push(await flock.join(t, server.ws, { encodings }));
  const [{ tick }] = clients.map(({ snapshot }) => snapshot);
  for (const client of clients) {
    await client.until('five seconds', () => client.snapshot.tick > tick + 150);
    assert.equal(client.stream, undefined);
    assert.equal(client.snapshot.boids.length, 3000);
  }
});

test('a line that has become good again is given all of it again', async (t) => {
  const server = await startServer(t, BOIDS);
  const client = await flock.join(t, server.ws);
  const other = await flock.join(t, server.ws);
  const slowed = () => client.messages.some(([type, , , , slow]) => type === flock.STREAM && slow);
  // It stops reading twice within a few seconds: once may be an accident. Then it reads all.
  for (let pause = 0; pause < 2; pause++) {
    client.socket.pause();
    const { time } = other.snapshot;
    await other.until('three seconds', () => other.snapshot.time > time + 3e6);
    client.socket.resume();
    await client.until('it reads again', () => client.snapshot.time > time + 3e6);
  }
  await client.until('it is told that its line was slow', slowed);
  await client.until('all of it again', () => client.stream.slow === false && client.snapshot.boids.length === 3000);
  assert.deepEqual(client.stream, { rate: 30, boids: 0, stride: 1, slow: false });
  assert.equal(other.stream, undefined);
});

test('a want is what counts when the line allows it', async (t) => {
  const server = await startServer(t, BOIDS);
  const client = await flock.join(t, server.ws, { rate: 10, boids: 300 });
  const { time } = client.snapshot;
  await client.until('three seconds', () => client.snapshot.time > time + 3e6);
  assert.equal(client.stream, undefined);
  assert.equal(client.snapshot.boids.length, 250); // every twelfth
});
