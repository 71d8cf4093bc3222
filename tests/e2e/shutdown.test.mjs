// How flockd ends: with a reason for everyone, soon, and cleanly.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connect, hello, join } from './client.mjs';
import { startServer } from './server.mjs';

// Asks the server to end and takes no more than 2 seconds for an answer.
async function stopsInTime(server, signal) {
  const late = setTimeout(() => server.kill('SIGKILL'), 2_000);
  const ended = await server.stop(signal);
  clearTimeout(late);
  assert.deepEqual(ended, { code: 0, signal: null }, `ends by itself within 2 s; stderr: ${server.stderr}`);
}

for (const signal of ['SIGTERM', 'SIGINT']) {
  test(`on ${signal} everyone is told why, and the status is 0`, async (t) => {
    const server = await startServer(t);
    const clients = await Promise.all(['Ann', 'Ben', 'Cem'].map((name) => join(t, server.ws, { name })));
    const silent = await connect(t, server.ws); // has not said hello
    await stopsInTime(server, signal);
    for (const client of [...clients, silent]) {
      const { code, reason } = await client.untilClosed();
      assert.equal(code, 3000);
      assert.match(reason, /shut/i);
    }
  });
}

test('a client that takes nothing does not keep it from ending', async (t) => {
  const server = await startServer(t, ['--boids', '5000']);
  const stuck = await connect(t, server.ws);
  stuck.send(hello());
  await stuck.until('a snapshot', () => stuck.snapshot);
  stuck.socket.pause();
  const other = await join(t, server.ws);
  const { tick } = other.snapshot;
  await other.until('the buffers of the other are full', () => other.snapshot.tick > tick + 60);
  await stopsInTime(server, 'SIGTERM');
  assert.equal((await other.untilClosed()).code, 3000);
});

test('a client that takes nothing for too long is disconnected, and nobody else', async (t) => {
  const server = await startServer(t, ['--boids', '5000', '--stall-timeout', '2']);
  const stuck = await connect(t, server.ws);
  stuck.send(hello());
  await stuck.until('a snapshot', () => stuck.snapshot);
  stuck.socket.pause();
  const other = await join(t, server.ws);
  await other.until('both are here', () => other.snapshot.people === 2);
  await other.until('the other is alone', () => other.snapshot.people === 1);
  assert.equal(other.closed, null);
  stuck.socket.resume();
  const { code } = await stuck.untilClosed();
  assert.ok([3002, 1006].includes(code), `${code}`); // the close frame, if it could still be taken
});
