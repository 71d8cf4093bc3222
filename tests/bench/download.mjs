// Measures the longest turn of a net thread while clients download a long recording or create large rooms. During a turn the thread
// does not serve its sockets, so the frames of its other clients are late by this time.
//
// A paused room of 50,000 boids has a recording of about 16 MiB, because each undo begins another part. A preloaded library
// (turns.c) writes the processor time of each turn, which does not depend on other programs.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, createRoom, roomOf } from '../e2e/api.mjs';
import * as flock from '../e2e/client.mjs';
import { root, startServer } from '../e2e/server.mjs';
import { readNumber, readOptions } from '../options.mjs';

const USAGE = `Usage: make bench-download, or node tests/bench/download.mjs [OPTION]...

  --flockd PROGRAM  default: build/flockd
  --downloads N     default: 20`;
const UNDO = 26;
const { values } = readOptions(USAGE, { options: { flockd: { type: 'string', default: 'build/flockd' }, downloads: { type: 'string', default: '20' } } });
const times = readNumber('downloads', values.downloads);
const folder = path.join(root, 'build/bench');
const library = path.join(folder, 'turns.so');
const turns = path.join(folder, `turns-${process.pid}`);
mkdirSync(folder, { recursive: true });
execFileSync('cc', ['-D_GNU_SOURCE', '-std=c17', '-O2', '-shared', '-fPIC', '-o', library, path.join(root, 'tests/bench/turns.c'), '-ldl']);

const t = /** @type {import('../e2e/types.d.ts').Test} */ (/** @type {unknown} */ ({ after: () => {} }));
const server = await startServer(t, ['--net-threads', '1', '--sim-threads', '1', '--room-boids', '500000', '--max-boids', '5000000', '--rewind', '600', '--rooms-per-hour', '1000'], {
  command: [path.resolve(values.flockd)],
  env: { LD_PRELOAD: library, TURNS: turns },
});

// Calls what() a number of times. Resolves to a text with the median and the maximum of the longest turns, ms.
async function longest(times, what) {
  const all = [];
  for (let i = 0; i < times; i++) {
    await sleep(200);
    rmSync(turns, { force: true });
    await what(i);
    await sleep(200);
    all.push(Math.max(0, ...(existsSync(turns) ? readFileSync(turns, 'utf8').split('\n').map(Number) : [])));
  }
  all.sort((a, b) => a - b);
  return `${(all[all.length >> 1] ?? 0).toFixed(1)} ms (median of ${times}), ${(all.at(-1) ?? 0).toFixed(1)} ms (worst)`;
}

async function download(room) {
  const url = new URL(`${roomOf(room)}/recording`, server.url).href;
  const curl = spawn('curl', ['-sS', '-o', '/dev/null', '-w', '%{size_download}', '-H', `Authorization: Bearer ${room.key}`, url]);
  let said = '';
  curl.stdout.on('data', (data) => (said += data));
  await once(curl, 'close');
  return Number(said);
}

const big = await createRoom(server, { model: 'boids', boids: 50_000, boundary: 'wrap' });
const teacher = await flock.join(t, server.ws, { room: big.code, key: big.key, rate: 1, boids: 100 });
await teacher.ask([flock.SET, 'run', 'paused']);
for (let i = 0; i < 15; i++) {
  await teacher.ask([flock.PARAM, 'max_speed', 2 + i / 10]);
  await teacher.ask([UNDO]);
  await sleep(100);
}
teacher.socket.terminate();
console.log(`the recording: ${await download(big)} bytes`);
console.log(`it is downloaded:           ${await longest(times, () => download(big))}`);
console.log(`a room of 200,000 is made:  ${await longest(5, () => createRoom(server, { model: 'boids', boids: 200_000, boundary: 'wrap' }))}`);
console.log(`one of 50,000 is branched:  ${await longest(5, () => call(server, 'POST', `${roomOf(big)}/branch`, { key: big.key }))}`);
console.log(`nothing is done:            ${await longest(5, () => sleep(200))}`);
server.kill('SIGKILL');
rmSync(turns, { force: true });
process.exit(0);
