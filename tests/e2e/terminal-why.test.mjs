// Why a boid turns, in the terminal: a key marks a boid, and the panel has its sentence and figures.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';
import { openTerminal } from './terminal.mjs';

const KEY = 'key-of-the-reasons';

test('while a presenter changes a parameter, arrows of its rules are on the flock, with their names', async (t) => {
  const server = await startServer(t, ['--model', 'boids', '--boids', '60', '--presenter-key', KEY]);
  const presenter = await flock.join(t, server.ws, { key: KEY });
  const terminal = await openTerminal(t, {});
  await terminal.start('--ascii', server.ws);
  await terminal.until('the flock is live', (lines) => /live .* boids/.test(lines.join('\n')));
  const arrows = (lines) => lines.slice(0, -1).join('').split('*').length - 1;
  await terminal.until('no names', (lines) => !/alignment/.test(lines[0]));
  const weight = /** @type {number} */ (flock.param(presenter, 'alignment_weight'));
  let [step, sent] = [0, 0];
  await terminal.until('the name of the rule, and arrows', (lines) => {
    if (Date.now() - sent > 100) {
      sent = Date.now();
      if (step % 50 === 0) presenter.send([flock.RESET]); // the boids fly in all directions, so the rule turns them
      presenter.send([flock.PARAM, 'alignment_weight', weight + 0.01 * (step++ % 50)]);
    }
    return /^ +alignment /.test(lines[0]) && arrows(lines) > 8;
  });
  await terminal.until('they go', (lines) => !/alignment/.test(lines[0]));
});

test('y marks a boid: a sentence, a figure for each rule, and its neighbours; again the next boid; Y ends it', async (t) => {
  const server = await startServer(t, ['--model', 'boids', '--boids', '60', '--idle', 'hold', '--presenter-key', KEY]);
  const presenter = await flock.join(t, server.ws, { key: KEY, topics: flock.TOPIC_WHY });
  await presenter.until('the flock has moved', () => presenter.snapshot.tick > 60);
  assert.equal(await presenter.ask([flock.SET, 'run', 'paused']), null);
  const terminal = await openTerminal(t, {});
  await terminal.start(server.ws);
  await terminal.until('the flock is live', (lines) => /live .* boids/.test(lines.join('\n')));
  await terminal.key('y');
  const boid = (lines) => Number(/Why boid (\d+) turns/.exec(lines.join('\n'))?.[1] ?? -1);
  const first = (await terminal.until('the panel', (lines) => /(Turns|Flies)/.test(lines.join('\n')) && boid(lines) + 1)) - 1;

  assert.equal(await presenter.ask([flock.PICK, first, false]), null);
  const why = await presenter.until('the same explanation', () => presenter.whys.own?.boid === first && presenter.whys.own);
  const shows = (lines) =>
    why.pushes.every(([name, x, y]) => lines.some((line) => new RegExp(`${name} +${Math.hypot(x, y).toFixed(3)}`).test(line)));
  await terminal.until('the figures', shows);
  await terminal.until('the neighbours', (lines) => lines.join('\n').includes(`${why.seen} neighbours, ${why.crowding} too close`));
  await terminal.until('the mark', (lines) => lines.join('\n').includes('◎'));

  await terminal.key('y');
  await terminal.until('the next boid', (lines) => boid(lines) === (first + 1) % 60 && /(Turns|Flies)/.test(lines.join('\n')));
  await terminal.key('Y');
  await terminal.until('it is closed', (lines) => boid(lines) === -1 && !lines.join('\n').includes('◎'));
});

test('a pick that gives way to somebody at another address is said, and y picks again', async (t) => {
  const server = await startServer(t, ['--model', 'boids', '--boids', '60', '--idle', 'hold']);
  const terminal = await openTerminal(t, {});
  await terminal.start(server.ws);
  await terminal.until('the flock is live', (lines) => /live .* boids/.test(lines.join('\n')));
  await terminal.key('y');
  await terminal.until('the sentence', (lines) => /(Turns|Flies)/.test(lines.join('\n')));
  const enter = (options = {}) => flock.join(t, server.ws, {}, options);
  const watcher = await enter();
  assert.equal(await watcher.ask([flock.PICK, 0, false]), null);
  for (let i = 1; i < 31; i++) assert.equal(await (await enter()).ask([flock.PICK, i, false]), null);
  const elsewhere = await enter({ localAddress: '127.0.0.66' });
  assert.equal(await elsewhere.ask([flock.PICK, 40, false]), null);
  const text = (lines) => lines.join(' ').replace(/[^ -~]/g, ' ').replace(/ +/g, ' ');
  await terminal.until('why there is no sentence', (lines) => /Others want to look at a/.test(text(lines)) && !lines.join('').includes('◎'));
  await watcher.until('it is in the list', () => watcher.people.has(elsewhere.id));
  elsewhere.socket.close();
  await watcher.until('the server knows it', () => !watcher.people.has(elsewhere.id));
  await terminal.key('y');
  await terminal.until('the sentence of the next boid', (lines) => /(Turns|Flies)/.test(lines.join('\n')) && lines.join('').includes('◎'));
});

test('with the explanation open, a presenter pauses and steps by keys', async (t) => {
  const server = await startServer(t, ['--model', 'boids', '--boids', '60', '--presenter-key', KEY]);
  const watcher = await flock.join(t, server.ws);
  const terminal = await openTerminal(t, {});
  await terminal.start('--key', KEY, server.ws);
  await terminal.until('the flock is live', (lines) => /live .* boids/.test(lines.join('\n')));
  await terminal.key('y');
  const alignment = (lines) => /alignment +([\d.]+)/.exec(lines.join('\n'))?.[1];
  await terminal.until('the panel', (lines) => alignment(lines) !== undefined);
  await terminal.key('Space');
  await watcher.until('time stands still', () => flock.control(watcher, 'run').value === 'paused');
  const tick = await watcher.until('two snapshots of one tick', () => {
    const [a, b] = watcher.messages.filter(([type]) => type === flock.SNAPSHOT).slice(-2);
    return b !== undefined && a[2] === b[2] ? b[2] : 0;
  });
  await terminal.until('the terminal knows', (lines) => /paused/.test(lines.join('\n')));
  await terminal.key('.');
  await watcher.until('one tick', ({ snapshot }) => snapshot.tick === tick + 1);
  await terminal.key('.');
  await watcher.until('one more tick', ({ snapshot }) => snapshot.tick === tick + 2);
  await terminal.until('the explanation is still there', (lines) => alignment(lines) !== undefined);
});
