// flock-term in a real terminal, as people see it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '../../docker/cluster.mjs';
import * as flock from './client.mjs';
import { runToEnd, startServer } from './server.mjs';
import { FLOCK_TERM, brailleDots, openTerminal, swarm } from './terminal.mjs';

// Opens a terminal that shows the server's flock.
async function openFlock(t, server, /** @type {import('./types.d.ts').OpenOptions} */ { args = [], ...options } = {}) {
  const terminal = await openTerminal(t, options);
  await terminal.start(...args, server.ws);
  await terminal.until('the flock is live', (lines) => /live .* boids/.test(lines.join('\n')));
  return terminal;
}

const near = (lines, place) => {
  const boids = swarm(lines);
  return boids.length > 0 && flock.distance(flock.centroid(boids), place) < 60;
};

for (const boids of [12, 2000]) {
  test(`a swarm of ${boids} is drawn and follows`, async (t) => {
    const server = await startServer(t, ['--boids', String(boids)]);
    const person = await flock.join(t, server.ws);
    const terminal = await openFlock(t, server);
    assert.match(await terminal.text(), new RegExp(`${boids.toLocaleString('en')} boids|${boids} boids`));
    for (const place of [[90, 90], [460, 310]]) {
      person.send([flock.CURSOR, ...place]);
      await terminal.until('the swarm is there', (lines) => near(lines, place));
    }
  });
}

test('the arrows and hjkl move the cursor', async (t) => {
  const server = await startServer(t);
  const watcher = await flock.join(t, server.ws);
  const terminal = await openFlock(t, server, { args: ['--name', 'Tess'] });
  const [id] = await watcher.until('Tess is here', () => [...watcher.people].find(([, { name }]) => name === 'Tess'));
  const cursor = () => watcher.snapshot.cursors.get(id);
  for (const [right, left, up, down] of [['Right', 'Left', 'Up', 'Down'], ['l', 'h', 'k', 'j']]) {
    await terminal.key('c'); // the cursor leaves; the next one starts in the middle
    await watcher.until('it has no cursor', () => !cursor());
    await terminal.key(right);
    const [x, y] = await watcher.until('the cursor is shown', cursor);
    await terminal.key(right, right);
    await watcher.until('it goes right', () => cursor()[0] > x && cursor()[1] === y);
    await terminal.key(left, left, left, left);
    await watcher.until('it goes left', () => cursor()[0] < x && cursor()[1] === y);
    await terminal.key(up);
    await watcher.until('it goes up', () => cursor()[1] < y);
    await terminal.key(down, down);
    await watcher.until('it goes down', () => cursor()[1] > y);
  }
});

for (const term of ['tmux-256color', 'xterm-256color']) {
  test(`the mouse moves the cursor without a button, TERM=${term}`, async (t) => {
    const server = await startServer(t);
    const watcher = await flock.join(t, server.ws);
    const terminal = await openFlock(t, server, { term, columns: 200 });
    const theOne = () => [...watcher.snapshot.cursors.values()][0];
    await terminal.mouse(20, 4);
    await watcher.until('the cursor is in the upper left', () => theOne()?.[0] < 200 && theOne()[1] < 150);
    await terminal.mouse(150, 18);
    await watcher.until('the cursor is in the lower right', () => theOne()?.[0] > 350 && theOne()[1] > 250);
    if (term !== 'tmux-256color') return;
    await terminal.oldButton(35, 20, 4);
    await watcher.until('the cursor is in the upper left', () => theOne()?.[0] < 200 && theOne()[1] < 150);
    await terminal.oldButton(35, 150, 18);
    await watcher.until('the cursor is in the lower right', () => theOne()?.[0] > 350 && theOne()[1] > 250);
  });
}

test("other people's cursors have names", async (t) => {
  const server = await startServer(t);
  const person = await flock.join(t, server.ws, { name: 'Änne' });
  const terminal = await openFlock(t, server);
  person.send([flock.CURSOR, 100, 100]);
  await terminal.until('the name is shown', (lines) => lines.join('\n').includes('Änne'));
  person.socket.close();
  await terminal.until('it leaves with her', (lines) => !lines.join('\n').includes('Änne'));
});

test('a name with strange characters stays on its line', async (t) => {
  const server = await startServer(t);
  const person = await flock.join(t, server.ws, { name: `Q${'\u0301'.repeat(20)}\u{e0041}Z` });
  person.send([flock.CURSOR, 100, 100]);
  const terminal = await openFlock(t, server);
  await terminal.until('the name is shown', (lines) => lines.some((line) => /Q.{0,4}Z/u.test(line)));
  await terminal.until('its row, and the others', (lines) => lines.some((line) => /Q.{0,4}Z/u.test(line)) && /live/.test(lines[23]));
});

// Runs flock-term on a screen with text, ends it with `end`, and asserts that the screen is restored.
async function leavesNoTrace(t, end) {
  const server = await startServer(t);
  const terminal = await openTerminal(t);
  const stty = await terminal.command('stty -a');
  assert.ok(stty.length > 3, 'stty says something');
  await terminal.command('echo one; echo two');
  const before = await terminal.modes();
  await terminal.start(server.ws);
  await terminal.until('the flock is live', (lines) => lines.join('\n').includes('live'));
  assert.notEqual(await terminal.modes(), before);
  await end(terminal);
  const screen = await terminal.until('the shell is back', (lines) => lines.filter((line) => line.trimEnd() === '$').length === 1 && lines);
  assert.deepEqual(screen.slice(0, 2), ['one', 'two']);
  assert.doesNotMatch(screen.join('\n'), /NDELAY/, 'input still waits');
  assert.equal(await terminal.modes(), before);
  assert.deepEqual(await terminal.command('stty -a'), stty);
  return screen.slice(4).filter((line) => line !== '' && line.trimEnd() !== '$');
}

test('q restores the terminal', async (t) => {
  assert.deepEqual(await leavesNoTrace(t, (terminal) => terminal.key('q')), []);
});

test('Ctrl-C restores the terminal', async (t) => {
  await leavesNoTrace(t, (terminal) => terminal.key('C-c'));
});

for (const signal of ['SIGTERM', 'SIGHUP', 'SIGSEGV', 'SIGABRT']) {
  test(`${signal} restores the terminal`, async (t) => {
    await leavesNoTrace(t, async (terminal) => process.kill(await terminal.program(), signal));
  });
}

test('Ctrl-Z gives the terminal back, and fg takes it again', async (t) => {
  const server = await startServer(t);
  const terminal = await openTerminal(t);
  await terminal.command('set -m');
  const before = await terminal.modes();
  await terminal.start(server.ws);
  await terminal.until('the flock is live', (lines) => lines.join('\n').includes('live'));
  const during = await terminal.modes();
  await terminal.key('C-z');
  await terminal.until('the shell is back', (lines) => lines.some((line) => line.includes('Stopped')));
  assert.equal(await terminal.modes(), before);
  await terminal.type('fg');
  await terminal.key('Enter');
  await terminal.until('the flock is live again', (lines) => lines.join('\n').includes('live') && swarm(lines).length > 0);
  assert.equal(await terminal.modes(), during);
  await terminal.key('q');
  await terminal.until('the shell is back', (lines) => !lines.join('\n').includes('live'));
});

test('the picture fits a window of any size', async (t) => {
  const server = await startServer(t);
  const terminal = await openFlock(t, server);
  for (const [columns, rows] of [[120, 40], [40, 12], [132, 30]]) {
    await terminal.resize(columns, rows);
    await terminal.until(`a picture of ${columns} by ${rows}`, (lines) => {
      const corner = lines.find((line) => line.includes('┘'));
      return lines[rows - 1].includes('live') && corner !== undefined && Array.from(corner).length > columns / 2 && swarm(lines).length > 0;
    });
  }
  await terminal.resize(20, 5);
  await terminal.until('the smallest picture', (lines) => lines[4].includes('live'));
  await terminal.type(':this help');
  await terminal.until('the palette in two lines', (lines) => /: .*help_ +1\/1/.test(lines[1]) && /this/.test(lines[2]));
  await terminal.key('Escape');
  await terminal.resize(10, 2);
  await terminal.resize(1, 1);
  await terminal.resize(80, 24);
  await terminal.until('it is back', (lines) => lines[23].includes('live') && swarm(lines).length > 0);
});

test('without UTF-8 the picture is in ASCII', async (t) => {
  const server = await startServer(t, ['--boids', '200']);
  const person = await flock.join(t, server.ws, { name: 'Änne' });
  person.send([flock.CURSOR, 100, 100]);
  const terminal = await openFlock(t, server, { locale: 'C' });
  const screen = await terminal.until('her cursor is shown, as far as ASCII goes', (lines) => lines.join('\n').includes('nne') && lines);
  assert.match(screen.join(''), /^[\x20-\x7e]*$/);
  assert.ok(screen.slice(0, -1).join('').replace(/ /g, '').length > 20, 'there is a swarm');
});

test('flock-term connects again after the server has restarted', async (t) => {
  const server = await startServer(t, [], { port: await freePort() });
  const terminal = await openFlock(t, server);
  await server.stop();
  await terminal.until('it says that there is no connection', (lines) => /no connection|shut/i.test(lines.join('\n')) && !/live/.test(lines.join('\n')));
  await startServer(t, ['--boids', '40'], { port: server.port });
  await terminal.until('it is live again', (lines) => /live .* 40 boids/.test(lines.join('\n')));
  assert.ok(brailleDots(await terminal.screen()).length > 0);
});

test('flock-term says that there is no server, and q quits', async (t) => {
  const server = await startServer(t, [], { port: await freePort() });
  await server.stop();
  const terminal = await openTerminal(t);
  await terminal.start(server.ws);
  await terminal.until('it says that no server answers', (lines) => /no server answers/.test(lines.join('\n')));
  await terminal.key('q');
  await terminal.until('the shell is back', (lines) => lines.some((line) => line.trimEnd() === '$'));
});

for (const args of [['--rate', 'fast'], ['--encoding', 'zip'], ['--encoding', ''], ['--flock'], ['ftp://127.0.0.1/'], ['ws://127.0.0.1:0/'], ['ws://a b/'], ['a', 'b']]) {
  test(`refused with one line and status 2: ${args.join(' ')}`, async (t) => {
    const { code, stdout, stderr } = await runToEnd(t, args, { command: [FLOCK_TERM] });
    assert.match(stderr, /^flock-term: [^\n]+\n$/);
    assert.deepEqual({ code, stdout }, { code: 2, stdout: '' });
  });
}

test('flock-term says that there is no terminal', async (t) => {
  const { code, stderr } = await runToEnd(t, [], { command: [FLOCK_TERM] });
  assert.match(stderr, /^flock-term: [^\n]*terminal[^\n]*\n$/);
  assert.notEqual(code, 0);
});
