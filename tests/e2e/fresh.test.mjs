// A slow reader sees less of the flock, but the present flock. tests/unit/test_outlet_line.c tests, in simulated time: its age over
// lines of all kinds, that a quick reader gets all, and a line that becomes good again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as flock from './client.mjs';
import { slowLine } from './line.mjs';
import { startServer } from './server.mjs';

const BOIDS = ['--model', 'boids', '--boids', '3000', '--world', '2000x2000'];
const RATE = 4096; // bytes a second; the whole flock takes 120,000
const MOST = 6 * RATE; // bytes on their way; the whole flock would add 100,000 each second

for (const encoding of ['packed', 'plain']) {
  test(`a client that reads 4 KB a second of 3,000 boids sees the present flock: ${encoding}`, async (t) => {
    const server = await startServer(t, BOIDS);
    const line = await slowLine(t, server.port, RATE);
    const steady = await flock.join(t, server.ws, { encodings: ['packed'] });
    // Bytes that the line had carried when each snapshot was made: on a slow machine the line is slower, but not fuller.
    const carried = new Map();
    steady.onSnapshot = ({ time }) => carried.set(time, line.carried);
    const client = await flock.join(t, line.ws, { encodings: [encoding] });
    await client.until('it is told that its line is slow', () => client.stream?.slow);
    const between = [];
    client.onSnapshot = ({ time }) => carried.has(time) && between.push(line.carried - carried.get(time));
    await client.until('it sees the flock move', () => between.length >= 5);
    assert.ok(between.every((bytes) => bytes <= MOST), `bytes that came between a snapshot's making and its arrival: ${between}`);
    assert.ok(client.snapshot.flock === 3000 && client.lost === 0);
  });
}
