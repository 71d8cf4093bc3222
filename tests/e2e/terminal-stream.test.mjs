// Snapshots in flock-term, and its wants, with a simulated server and with flockd.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atEnd } from './atend.mjs';
import * as flock from './client.mjs';
import { slowLine } from './line.mjs';
import { startServer } from './server.mjs';
import { WORLD, startFake } from './terminal-fake.mjs';
import { openTerminal } from './terminal.mjs';
import { until } from './until.mjs';

const MEASURES = [0.75, 0.125, 275, 200, 84.75, 3.5, 60.25];

const text = (lines) => lines.join('\n');

// Starts a server that sends 30 snapshots a second. next(tick) returns the fields from the boids on, or null to skip a snapshot. The
// server answers wants and stores them in `wants`.
async function startStream(t, next, { encoding = 'plain'} = {}) {
  const wants = [];
  const fake = await startFake(t, {
    welcome: { encoding },
    hear: ([type, rate, boids], answer) => {
      if (type === flock.WANT) {
        wants.push([rate, boids]);
        answer([flock.STREAM, rate, boids, 1, false]);
        answer([flock.DONE, flock.WANT, null]);
      }
    },
  });
  let tick = 0;
  const timer = setInterval(() => {
    const due = Math.floor((fake.time() * 30) / 1e6);
    for (; tick < due; tick += 1) {
      const fields = next(tick);
      const time = Math.round((tick / 30) * 1e6);
      if (fields !== null && fake.hello !== null) {
        fake.send([encoding === 'packed' ? flock.PACKED : flock.SNAPSHOT, 1, tick, time, 1, null, null, ...fields]);
      }
    }
  }, 10);
  atEnd(t, () => clearInterval(timer));
  return Object.assign(fake, { wants });
}

const NOBODY = new Uint8Array(0);

// Such a want asks for a keyframe. On a busy machine flock-term also sends wants of less.
const isAll = ([rate, boids]) => rate === 30 && boids === 0;

const plain = (places) => {
  const bytes = Buffer.alloc(4 * places.length);
  places.forEach(([x, y], i) => {
    bytes.writeInt16LE(Math.round((x - WORLD[0] / 2) * 8), 4 * i);
    bytes.writeInt16LE(Math.round((y - WORLD[1] / 2) * 8), 4 * i + 2);
  });
  return bytes;
};

// Packs a keyframe of boids at rest with these headings (256ths of a turn), or a delta without movement.
const packed = (sequence, places, headings) => {
  const header = Buffer.alloc(20);
  header.writeUInt8(headings ? 1 : 0, 0);
  header.writeUInt32LE(sequence, 4);
  header.writeUInt32LE(places.length, 8);
  const residuals = Buffer.alloc(Math.ceil(places.length / 64), 0xff);
  return Buffer.concat(headings ? [header, plain(places), Buffer.from(headings), residuals] : [header, residuals]);
};

async function watch(t, fake, /** @type {import('./types.d.ts').OpenOptions} */ { args = [], ...options } = {}) {
  const terminal = await openTerminal(t, options);
  await terminal.start(...args, fake.ws);
  await terminal.until('the flock is live', (lines) => /live .* [1-9]\d* boids?/.test(text(lines)));
  return terminal;
}

for (const [args, encodings] of [[[], ['packed', 'plain']], [['--encoding', 'packed'], ['packed', 'plain']], [['--encoding', 'plain'], ['plain']]]) {
  test(`the encodings that flock-term asks for: ${args.join(' ') || 'by default'}`, async (t) => {
    const fake = await startStream(t, () => [plain([[100, 100]]), NOBODY, 1, null]);
    await watch(t, fake, { args });
    const [, version, room, , options] = fake.hello;
    assert.deepEqual([version, room], [1, 'lobby']);
    assert.deepEqual([options.encodings ?? ['plain'], options.rate, options.boids ?? 0], [encodings, 30, 0]);
  });
}

test("packed boids that rest have the keyframe's headings", async (t) => {
  const places = [[100, 100], [450, 100], [450, 300], [100, 300]];
  let first = null;
  const fake = await startStream(
    t,
    (tick) => {
      if (first === null && fake.hello !== null) {
        first = tick;
      }
      return first === null ? null : [packed(tick, places, tick === first ? [0, 64, 128, 192] : null), NOBODY, 4, null];
    },
    { encoding: 'packed' },
  );
  const terminal = await watch(t, fake, { args: ['--ascii'] });
  await terminal.until('the four directions', (lines) => {
    const arrows = text(lines.slice(0, -1)).match(/[>v<^]/g);
    return arrows?.sort().join('') === '<>^v' && /4 boids/.test(lines.at(-1));
  });
  assert.ok(!fake.wants.some(isAll), 'it asks for no keyframe');
});

test('after a packed snapshot that it cannot decode flock-term asks for a keyframe', async (t) => {
  const fake = await startStream(
    t,
    (tick) => [packed(tick, [[100, 100]], fake.wants.some(isAll) ? [0] : null), NOBODY, 1, null],
    { encoding: 'packed' },
  );
  const terminal = await watch(t, fake);
  await terminal.until('it has one', (lines) => / · 1 boid · /.test(lines.at(-1)));
});

test('the measures and the centroid', async (t) => {
  const fake = await startStream(t, () => [plain([[100, 100], [450, 300]]), NOBODY, 2, MEASURES]);
  const terminal = await watch(t, fake);
  const before = await terminal.screen();
  assert.doesNotMatch(text(before), /polarization|◇/);
  await terminal.key('m');
  const values = [['polarization', ' 0.75 │'], ['milling', ' 0.12 │'], ['radius', ' 84.8 units │'], ['speed', ' 3.50 units/tick │'], ['nearest', ' 60.2 units │']];
  const shows = (screen) => values.every(([name, value]) => screen.some((line) => line.includes(name) && line.includes(value)));
  const lines = await terminal.until('the measures and the centroid', (screen) => shows(screen) && /◇/.test(text(screen)) && screen);
  const row = lines.findIndex((line) => line.includes('◇'));
  const top = lines.findIndex((line) => line.includes('┌'));
  const bottom = lines.findIndex((line) => line.includes('└'));
  assert.ok(Math.abs(row - (top + bottom) / 2) <= 1, 'the centroid is in the middle');
  await terminal.resize(40, 10);
  await terminal.until('the centroid alone', (screen) => /◇/.test(text(screen)) && !/polarization/.test(text(screen)));
  await terminal.resize(80, 24);
  await terminal.key('m');
  await terminal.until('all is as before', (screen) => text(screen.slice(0, -1)) === text(before.slice(0, -1)));
});

test('measures have histories, which grow', async (t) => {
  const fake = await startStream(t, () => [plain([[100, 100], [450, 300]]), NOBODY, 2, MEASURES]);
  const terminal = await watch(t, fake, { rows: 30 });
  await terminal.key('m');
  const lengthOf = (lines) => /[\u2801-\u28ff]+(?= │)/.exec(lines[lines.findIndex((line) => line.includes('polarization')) + 2])?.[0].length ?? 0;
  const first = await terminal.until('a history', lengthOf);
  await terminal.until('a longer one', (lines) => lengthOf(lines) > first);
});

test('the status line says that snapshots have stopped, and that they come again', async (t) => {
  let silent = false;
  const fake = await startStream(t, () => (silent ? null : [plain([[100, 100]]), NOBODY, 1, null]));
  const terminal = await watch(t, fake);
  await terminal.until('the flock', (lines) => /^ live .*1 boid/.test(lines.at(-1)));
  silent = true;
  await terminal.until('it is stalled', (lines) => /^ stalled: no data/.test(lines.at(-1)));
  silent = false;
  await terminal.until('it is live', (lines) => /^ live/.test(lines.at(-1)));
});

test('a server that does not measure', async (t) => {
  const fake = await startStream(t, () => [plain([[100, 100]]), NOBODY, 1, null]);
  const terminal = await watch(t, fake);
  await terminal.key('m');
  await terminal.until('no figures', (lines) => lines.some((line) => /polarization +- │/.test(line)) && !/◇/.test(text(lines)));
});

// tests/unit/test_term_pace.c tests that flock-term wants no less on a slow connection.
test('flock-term says that the server sends less on a slow line', async (t) => {
  const fake = await startStream(t, (tick) => (tick % 4 === 0 ? [plain([[100, 100]]), NOBODY, 4, null] : null));
  const terminal = await watch(t, fake);
  await terminal.until('a reduced number of snapshots', (lines) => / · 1?\d\/s/.test(lines.at(-1)));
  fake.send([flock.STREAM, 7.5, 0, 4, true]);
  await terminal.until('the server grants less', (lines) => / · 1 of 4 boids · 1?\d of 30\/s, slow line/.test(lines.at(-1)));
  await terminal.key('?');
  await terminal.key('End');
  await terminal.until('the reason in the help', (lines) => /7\.5\/s, 4 bytes of boids, 1 of 4; slow line /.test(text(lines)));
  await terminal.key('?');
  fake.send([flock.STREAM, 30, 0, 1, false]);
  await terminal.until('the line is good again', (lines) => !/slow line/.test(text(lines)));
});

test('the status line says when the snapshots have a part of the flock', async (t) => {
  const fake = await startStream(t, () => [plain([[100, 100], [120, 100], [140, 100]]), NOBODY, 6, null]);
  const terminal = await watch(t, fake, { args: ['--rate', '5'] });
  await terminal.until('it says so', (lines) => /· 3 of 6 boids ·/.test(lines.at(-1)));
  fake.send([flock.STREAM, 5, 0, 2, true]);
  await terminal.until('no rate that is reduced to more', (lines) => / · \d+\/s, slow line/.test(lines.at(-1)));
});

test('flock-term asks for fewer snapshots when the terminal is slow', async (t) => {
  const random = () => Array.from({ length: 3000 }, () => [Math.random() * WORLD[0], Math.random() * WORLD[1]]);
  const fake = await startStream(t, () => [plain(random()), NOBODY, 3000, null]);
  const terminal = await watch(t, fake, { columns: 160, rows: 50 });
  const tmux = Number(await terminal.property('#{pid}'));
  const slow = setInterval(() => {
    process.kill(tmux, 'SIGSTOP'); // it reads no output
    setTimeout(() => process.kill(tmux, 'SIGCONT'), 180);
  }, 200);
  try {
    await until('it wants fewer', () => fake.wants.length > 0);
    assert.ok(fake.wants[0][0] < 30);
    await terminal.key('?');
    await terminal.until('the reason', (lines) => /slow terminal/.test(text(lines))); // gone when the terminal has been quick for a while
  } finally {
    clearInterval(slow);
  }
  await terminal.key('q'); // closes the help
  await terminal.key('q');
  await terminal.until('the terminal is restored', (lines) => lines.filter((line) => line.trimEnd() === '$').length === 1);
});

test("flock-term shows flockd's measures", async (t) => {
  const server = await startServer(t);
  const terminal = await watch(t, server);
  await terminal.key('m');
  await terminal.until('figures and the centroid', (lines) => {
    const row = lines.findIndex((line) => line.includes('nearest'));
    return row > 0 && / [\d.]+ units │/.test(lines[row]) && text(lines).includes('◇');
  });
  await terminal.until('the clusters', (lines) => {
    const row = lines.findIndex((line) => line.includes('clusters'));
    return row > 0 && / \d+ │$/.test(lines[row].trimEnd());
  });
});

test('a paused flock has headings from the first frame on', async (t) => {
  const server = await startServer(t, ['--open-controls', '--model', 'birds', '--boids', '10']);
  const presenter = await flock.join(t, server.ws);
  await presenter.until('it has run for a while', () => presenter.snapshot.tick > 20);
  presenter.send([flock.SET, 'run', 'paused']);
  await presenter.until('it is paused', () => presenter.room.controls.find(([name]) => name === 'run')[1] === 'paused');
  const terminal = await watch(t, server, { args: ['--ascii'] });
  await terminal.until('arrows', (lines) => /[>v<^/\\]/.test(text(lines.slice(1, -2))));
  assert.doesNotMatch(text((await terminal.screen()).slice(0, -1)), /o/, 'none of them rests without a direction');
});

test('over a slow line flockd sends less by itself', async (t) => {
  const server = await startServer(t, ['--model', 'boids', '--boids', '2500', '--world', '2000x2000']);
  const terminal = await watch(t, await slowLine(t, server.port, 100_000), { args: ['--encoding', 'plain'], rows: 30 });
  await terminal.until('fewer come', (lines) => / · [12]?\d of 30\/s, slow line/.test(lines.at(-1)));
});
