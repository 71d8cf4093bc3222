// Attacks on the process: signals, descriptors, memory, addresses. Each attack has its own flockd.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { join, now, openMany, sleep, exchange, head } from './raw.mjs';
import { startGood, startTarget, load } from './target.mjs';

const HEALTH = (target) => exchange(target, head(target, 'GET', '/healthz', ['Connection: close']), { ms: 3000 });

// Starts another flockd, calls `act` with it, and ends it. The good client's flockd is not disturbed.
async function apart(options, act) {
  const target = await startTarget(options);
  try {
    return await act(target);
  } finally {
    target.child.kill('SIGKILL');
    await target.ended;
  }
}

async function endsWith(target, signal, ms, expected) {
  const began = now();
  target.child.kill(signal);
  const end = await Promise.race([target.ended, sleep(ms)]);
  assert.ok(end, `${signal} ends it within ${ms / 1000} s`);
  assert.deepEqual(end, expected, `${signal}: ${target.stderr.slice(-300)}`);
  return Math.round(now() - began);
}

// Sends SIGTERM while half of the clients do not read.
const stops = () =>
  apart({ args: ['--boids', '2000'] }, async (target) => {
    await openMany(target, 150, (i) => join(target, { encodings: ['plain'] }, { reads: i % 2 === 0 }));
    await sleep(500);
    return `ended after ${await endsWith(target, 'SIGTERM', 20_000, { code: 0, signal: null })} ms with 150 clients`;
  });

// Sends signals that must not end the process, and SIGQUIT, which must.
const signals = () =>
  apart({}, async (target) => {
    for (const signal of ['SIGHUP', 'SIGUSR1', 'SIGUSR2', 'SIGPIPE', 'SIGWINCH']) {
      target.child.kill(signal);
      await Promise.race([target.ended, sleep(150)]);
      assert.equal(target.end, null, `${signal} does not end it`);
      assert.equal((await HEALTH(target)).status, 200, `/healthz after ${signal}`);
    }
    const quit = await apart({}, (other) => endsWith(other, 'SIGQUIT', 3000, { code: 0, signal: null }));
    return `SIGQUIT ended it after ${quit} ms`;
  });

// Stops and continues the process. Its clients must stay connected.
const stopped = (seconds) => () =>
  apart({}, async (target) => {
    const good = await startGood(target);
    try {
      target.child.kill('SIGSTOP');
      await sleep(seconds * 1000);
      target.child.kill('SIGCONT');
      await sleep(500);
      await good.mark();
      await sleep(1000);
      const { rate, closed } = await good.mark();
      assert.equal(closed, null, 'its client is not closed');
      assert.ok(rate > 15, `snapshots go on: ${rate.toFixed(0)}/s`);
      return `${rate.toFixed(0)} snapshots/s after it`;
    } finally {
      good.stop();
    }
  });

// Fills standard error, a pipe without a reader, with log lines.
const unreadPipe = () =>
  apart({ args: ['--rooms-per-hour', '100000'] }, async (target) => {
    target.child.stderr.removeAllListeners('data');
    target.child.stderr.pause();
    const end = now() + 4000;
    while (now() < end) {
      const sockets = await openMany(target, 100, () => join(target, { room: 'no such one' }));
      for (const socket of sockets) socket?.destroy();
      await exchange(target, head(target, 'POST', '/api/rooms', ['Content-Length: 2', 'Connection: close']) + '{}', { quiet: 10 });
    }
    assert.equal((await HEALTH(target)).status, 200, '/healthz answers');
    const closing = endsWith(target, 'SIGTERM', 20_000, { code: 0, signal: null });
    await Promise.race([target.ended, once(target.child, 'exit')]);
    target.child.stderr.resume();
    return `ended after ${await closing} ms`;
  });

// Starts flockd with closed standard descriptors.
async function closedDescriptors() {
  const said = [];
  for (const closed of ['<&-', '2>&-', '<&- 2>&-']) {
    said.push(
      await apart({ command: ['sh', '-c', `exec "$0" "$@" ${closed}`] }, async (target) => {
        assert.equal((await HEALTH(target)).status, 200);
        return endsWith(target, 'SIGTERM', 20_000, { code: 0, signal: null });
      }),
    );
  }
  return `ended after ${said.join(', ')} ms`;
}

// Starts flockd with 64 descriptors. It must refuse most clients without using much processor time.
const fewDescriptors = () =>
  apart({ command: ['sh', '-c', 'ulimit -n 64; exec "$0" "$@"'] }, async (target) => {
    const sockets = await openMany(target, 300, () => join(target, {}, { reads: false }));
    await sleep(500);
    const busy = await load(target, 1000);
    assert.ok(busy < 0.5, `it takes ${(busy * 100).toFixed(0)} % of a processor while it is full`);
    for (const socket of sockets) socket?.destroy();
    await sleep(1000);
    const began = now();
    let status = 0;
    while (status !== 200 && now() - began < 20_000) ({ status } = await HEALTH(target));
    assert.equal(status, 200, '/healthz once there is room');
    return `${(busy * 100).toFixed(0)} % of a processor while it was full`;
  });

// Starts flockd on all addresses of IPv4 and IPv6.
const bothFamilies = () =>
  apart({ host: '::', args: [] }, async (any) => {
    for (const [family, host] of [['IPv4', '127.0.0.1'], ['IPv6', '::1']]) {
      const target = { ...any, host, sockets: new Set() };
      const socket = await join(target, {}, host === '::1' ? { localAddress: undefined } : {});
      assert.ok(socket !== null, `a client over ${family}`);
      const began = now();
      while (socket.taken < 1000 && !socket.gone && now() - began < 3000) await sleep(10);
      assert.ok(socket.taken >= 1000, `snapshots over ${family}`);
      socket.destroy();
    }
    return 'both families are served';
  });

const BAD_VALUES = [
  ...[['--port', '65536'], ['--port', '-1'], ['--port', '1e3'], ['--port', ''], ['--boids', '1000001'], ['--boids', '-5'], ['--boids', '0x10']],
  ...[['--tick-rate', '0'], ['--tick-rate', '241'], ['--tick-rate', 'NaN'], ['--cursor-timeout', 'inf'], ['--cursor-timeout', 'nan'], ['--room-idle', '-1']],
  ...[['--bind', 'no.such.address.invalid'], ['--bind', '1.2.3'], ['--policy', 'none'], ['--max-clients', '0'], ['--max-rooms', '99999999999999999999']],
  ...[['--presenter-key', 'short'], ['--presenter-key', 'k'.repeat(65)], ['--web', '/nowhere'], ['--log-format', ''], ['--nothing', '1'], ['stray']],
];

// Starts flockd with invalid values. It must print one line and end with status 1 or 2.
async function badValues() {
  /** @type {string[]} */
  const wrong = [];
  for (const args of BAD_VALUES) {
    const problem = await startTarget({ args }).then(
      async (target) => {
        target.child.kill('SIGKILL');
        await target.ended;
        return 'starts';
      },
      ({ message }) => {
        const lines = message.replace('flockd does not start: ', '').trim().split('\n');
        return lines.length === 1 && lines[0].startsWith('flockd: ') ? null : `says ${lines.length} lines`;
      },
    );
    if (problem !== null) wrong.push(`${args.join(' ')}: ${problem}`);
  }
  assert.deepEqual(wrong, [], 'each is refused in one line');
  return `${BAD_VALUES.length} values`;
}

const own = (rest) => ({ needs: 'own', ...rest });

export const processes = [
  own({ name: 'stops', about: 'SIGTERM among readers and clients that never read', short: true, run: stops }),
  own({ name: 'signals', about: 'SIGHUP, SIGQUIT, SIGUSR1 and others', run: signals }),
  own({ name: 'stopped', about: 'SIGSTOP for 4 s, then SIGCONT', run: stopped(4) }),
  own({ name: 'stopped-long', about: 'SIGSTOP for 45 s, then SIGCONT', long: true, run: stopped(45) }),
  own({ name: 'unread-pipe', about: 'standard error is a pipe that nobody reads', run: unreadPipe }),
  own({ name: 'closed-descriptors', about: 'without standard input or error', run: closedDescriptors }),
  own({ name: 'few-descriptors', about: 'ulimit -n 64', run: fewDescriptors }),
  own({ name: 'both-families', about: '--bind ::', run: bothFamilies }),
  own({ name: 'bad-values', about: 'options with values that are none', run: badValues }),
];
