// flockd's standard error: its lines, a pipe without a reader, a closed descriptor.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, readdirSync, readlinkSync, readSync, rmSync, writeSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../docker/cluster.mjs';
import { atEnd } from './atend.mjs';
import { join } from './client.mjs';
import { request } from './raw-websocket.mjs';
import { FLOCKD, launch, startServer, stopsInTime } from './server.mjs';
import { until } from './until.mjs';

const LINES_OF_A_KIND = 10; // in a minute

// flockd, started by a shell after `before` and with these redirections.
const shell = (redirections, before = ':') => ({ command: ['sh', '-c', `${before}; exec "$0" "$@" ${redirections}`, FLOCKD] });

async function assertWell(url) {
  const response = await fetch(`${url}healthz`, { headers: { connection: 'close' }, signal: AbortSignal.timeout(60_000) });
  assert.equal(response.status, 200);
}

// A named pipe that is read only when read() is called.
function makePipe(t) {
  const folder = mkdtempSync(path.join(tmpdir(), 'flockd-log-'));
  const name = path.join(folder, 'pipe');
  execFileSync('mkfifo', [name]);
  const fd = openSync(name, constants.O_RDWR | constants.O_NONBLOCK);
  atEnd(t, () => {
    closeSync(fd);
    rmSync(folder, { recursive: true });
  });
  // As often as possible without waiting.
  const repeat = (action) => {
    try {
      for (;;) action();
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error;
    }
  };
  return {
    name,
    fill: () => [4096, 1].forEach((size) => repeat(() => writeSync(fd, Buffer.alloc(size, '.')))),
    read: () => {
      const buffer = Buffer.alloc(4096);
      let text = '';
      repeat(() => (text += buffer.toString('utf8', 0, readSync(fd, buffer))));
      return text;
    },
  };
}

const openFiles = (pid) => readdirSync(`/proc/${pid}/fd`).length;

const limitFiles = (pid, limit) => execFileSync('prlimit', ['--pid', String(pid), `--nofile=${limit}:`]);

test('a standard error without a reader stops neither serving nor ending', async (t) => {
  const pipe = makePipe(t);
  const server = await startServer(t, ['--net-threads', '1'], shell(`2>${pipe.name}`));
  const client = await join(t, server.ws);
  atEnd(t, () => server.kill('SIGKILL')); // if it hangs
  pipe.fill();

  const few = openFiles(server.pid) + 4;
  limitFiles(server.pid, few);
  const hogs = Array.from({ length: 10 }, () => net.connect(server.port, '127.0.0.1').on('error', () => {}));
  atEnd(t, () => hogs.forEach((hog) => hog.destroy()));
  await until('it is out of descriptors', () => openFiles(server.pid) >= few);
  const { time } = client.snapshot;
  await client.until('a second of the flock', () => client.snapshot.time > time + 1_000_000);
  limitFiles(server.pid, 1000);
  hogs.forEach((hog) => hog.destroy());
  await assertWell(server.url);

  let text = '';
  await until('its lines come once they are read', () => /Too many open files.*\n[^]*again\n/.test((text += pipe.read())), () => text);
  pipe.fill();
  await stopsInTime(server);
  assert.equal((await client.untilClosed()).code, 3000);
});

test('its last lines are not lost', async (t) => {
  const server = await startServer(t);
  await stopsInTime(server);
  assert.match(server.stderr, /^flockd: SIGTERM[^\n]*\nflockd: 0 connections[^\n]*\n$/);
});

for (const closed of ['<&-', '>&-', '2>&-', '<&- >&- 2>&-']) {
  test(`a closed standard descriptor becomes /dev/null: ${closed}`, async (t) => {
    const port = await freePort();
    const server = launch(t, ['--port', String(port)], shell(closed));
    const url = `http://127.0.0.1:${port}/`;
    await until('it listens', () => fetch(`${url}healthz`).then(({ ok }) => ok, () => !server.running));
    const client = await join(t, `ws://127.0.0.1:${port}/ws`);
    for (const fd of closed.split(' ').map((each) => ['<&-', '>&-', '2>&-'].indexOf(each))) {
      assert.equal(readlinkSync(`/proc/${server.pid}/fd/${fd}`), '/dev/null', `descriptor ${fd}`);
    }

    let heard = '';
    const raw = net.connect(port, '127.0.0.1').on('data', (data) => (heard += data));
    const ended = new Promise((resolve) => raw.on('close', resolve).on('error', () => {}));
    await new Promise((resolve) => raw.on('connect', resolve));
    await assertWell(url);
    await stopsInTime(server);
    await ended;
    assert.equal(heard, '', 'no log line reaches a socket');
    assert.equal((await client.untilClosed()).code, 3000);
  });
}

const UPGRADE = request(0, { Host: 'localhost' });

test('with too few descriptors for its clients it logs a bounded number of lines', async (t) => {
  const server = await startServer(t, ['--net-threads', '1', '--hello-timeout', '600']);
  const few = openFiles(server.pid) + 20;
  limitFiles(server.pid, few);
  const served = [];
  const hogs = Array.from({ length: 60 }, () => {
    const hog = net.connect(server.port, '127.0.0.1').on('error', () => {});
    hog.write(UPGRADE); // and no hello: it stays
    hog.once('data', () => served.push(hog));
    return hog;
  });
  atEnd(t, () => hogs.forEach((hog) => hog.destroy()));
  await until('it is out of descriptors', () => openFiles(server.pid) >= few);
  // Each time a client leaves, it accepts the next and is out of descriptors again.
  for (let i = 0; i < LINES_OF_A_KIND + 5; i += 1) {
    const before = await until('someone is served', () => served.length);
    served[i].destroy();
    await until('the next is served', () => served.length > before, () => server.stderr);
  }
  const lines = server.stderr.split('\n').filter((line) => /too many open files/i.test(line));
  assert.equal(lines.length, LINES_OF_A_KIND, server.stderr);
  assert.match(lines.at(-1), /similar lines/);
  assert.ok(server.stderr.split('\n').length < 3 * LINES_OF_A_KIND, server.stderr);
});
