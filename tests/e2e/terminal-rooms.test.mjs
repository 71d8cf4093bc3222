// Rooms in flock-term in a real terminal: joining, people, and leaving.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, createRoom, roomOf } from './api.mjs';
import * as flock from './client.mjs';
import { startServer } from './server.mjs';
import { startFake } from './terminal-fake.mjs';
import { openTerminal } from './terminal.mjs';
import { until } from './until.mjs';

const text = (lines) => lines.join('\n');
const spelled = (code) => `${code.slice(0, 3)} ${code.slice(3)}`;

// Opens a terminal. Its shell prints the exit status of flock-term.
async function open(t, args, options = {}) {
  const terminal = await openTerminal(t, options);
  await terminal.type(`flock-term ${args.join(' ')}; echo status $?`);
  await terminal.key('Enter');
  return terminal;
}

const live = (terminal, what = /live/) => terminal.until('it is live', (lines) => what.test(lines.at(-1)));

// Creates a room over HTTP with a presenter and a viewer, and opens a terminal that has joined it.
async function together(t, /** @type {import('./types.d.ts').OpenOptions} */ { args = [], fields = { title: 'Starlings', boids: 50 }, ...options } = {}) {
  const server = await startServer(t);
  const made = await createRoom(server, fields);
  const presenter = await flock.join(t, server.ws, { room: made.code, name: 'Ada', key: made.key });
  const viewer = await flock.join(t, server.ws, { room: made.code, name: 'Ben' });
  const words = [...args, '--name', 'Tess', made.address].map((word) => `'${word.replace('{key}', made.key)}'`);
  const terminal = await open(t, words, { columns: 100, rows: 30, ...options });
  await live(terminal, /live .*Starl/);
  const tess = await presenter.until('Tess is here', () => [...presenter.people].find(([, { name }]) => name === 'Tess')?.[0]);
  return { server, made, presenter, viewer, terminal, tess };
}

const roomPanel = /Room[ ─-]+\d+ p/;

// Opens the room's panel and selects a row.
async function select(terminal, row) {
  if (!roomPanel.test(text(await terminal.screen()))) {
    await terminal.key('w');
  }
  await terminal.until('the panel is open', (lines) => roomPanel.test(lines[0]));
  await terminal.key('Home', ...Array(row).fill('j'));
}

for (const { how, args } of [
  { how: 'its address', args: ({ address }) => [address] },
  { how: 'its code, as people write it', args: ({ code }, { ws }) => ['--room', `"${spelled(code).toLowerCase()}"`, ws] },
]) {
  test(`a room is joined by ${how}`, async (t) => {
    const server = await startServer(t);
    const made = await createRoom(server, { title: 'Störche', boids: 70 });
    const terminal = await open(t, args(made, server));
    await live(terminal, /live · Störche · .* 70 boids · 1 person/);
    await terminal.key('w');
    await terminal.until('its code', (lines) => text(lines).includes(spelled(made.code)) && /Tess|you/.test(text(lines)));
    await terminal.key('?');
    await terminal.until('the help', (lines) => /move your cursor/.test(text(lines)));
    await terminal.key('End');
    await terminal.until('and in the help', (lines) => text(lines).includes(`${spelled(made.code)}, Störche, as `));
  });
}

test('a wide status line shows the whole of a long title', async (t) => {
  const title = 'Biology 7b: how starlings and sardines flock, second lesson';
  const server = await startServer(t);
  const made = await createRoom(server, { title });
  const terminal = await open(t, [made.address], { columns: 160, rows: 24 });
  await live(terminal, new RegExp(`live · ${title} · .* 1 person`));
});

test('a room without a title is called by its code', async (t) => {
  const server = await startServer(t);
  const made = await createRoom(server);
  const terminal = await open(t, [made.address]);
  await live(terminal, new RegExp(`live · ${spelled(made.code)} · `));
});

for (const { columns, rows } of [{ columns: 80, rows: 24 }, { columns: 200, rows: 50 }, { columns: 40, rows: 10 }]) {
  test(`people come, go and are active, ${columns}x${rows}`, async (t) => {
    const { presenter, viewer, terminal } = await together(t, { columns, rows });
    await select(terminal, 0);
    await terminal.until('three people', (lines) => /Room[ ─-]+3 people/.test(lines[0]));
    const missing = new Set(['Tess (you)', 'Ada', 'Ben']);
    await terminal.until('each of them, further down where the panel is low', async (lines) => {
      for (const name of missing) if (text(lines).includes(name)) missing.delete(name);
      if (missing.size > 0) await terminal.key('j');
      return missing.size === 0;
    });
    if (rows > 20) {
      await terminal.until('the roles', (lines) => /Ada +owner/.test(text(lines)) && /Ben +viewer/.test(text(lines)));
      presenter.send([flock.CURSOR, 100, 100]);
      await terminal.until('Ada is active', (lines) => /│ \+ Ada/.test(text(lines)));
    }
    viewer.socket.close();
    await terminal.until('Ben has gone', (lines) => /Room[ ─-]+2 people/.test(lines[0]) && !text(lines).includes('Ben'));
  });
}

test('a presenter who has left is listed as away', async (t) => {
  const { presenter, terminal } = await together(t);
  await select(terminal, 0);
  await terminal.until('Ada has the key', (lines) => /Ada +owner/.test(text(lines)));
  presenter.socket.close();
  await terminal.until('Ada is away', (lines) => /Ada +away/.test(text(lines)) && /Room[ ─-]+2 people/.test(lines[0]));
  await terminal.key('End');
  await terminal.until('the meaning of away', (lines) => /Ada, an owner who has left and may come back/.test(text(lines).replace(/[│└┘\s]+/g, ' ')));
});

test('a presenter renames the room', async (t) => {
  const { viewer, terminal } = await together(t, { args: ['--key', '{key}'] });
  await select(terminal, 0);
  await terminal.key('Enter');
  await terminal.type(' über Ulm qx');
  await terminal.key('BSpace', 'BSpace', 'BSpace');
  await terminal.until('what is typed', (lines) => /title +Starlings über Ulm_/.test(text(lines)));
  await terminal.key('Enter');
  await viewer.until('everyone has it', () => viewer.room.title === 'Starlings über Ulm');
  await terminal.until('the notice', (lines) => /You renamed the room to Starlings über Ulm/.test(lines.at(-1)));
  await terminal.key('Enter');
  await terminal.type('!');
  await terminal.until('what is typed', (lines) => /title +Starlings über Ulm!_/.test(text(lines)));
  await terminal.key('Escape');
  await terminal.until('it stays', (lines) => /title +Starlings über Ulm *│?$/m.test(text(lines)));
  await terminal.key('Enter', 'C-u');
  await terminal.type('Terns');
  await terminal.until('another title, from its beginning', (lines) => /title +Terns_/.test(text(lines)));
});

test('a presenter makes a person a presenter, then a viewer, then removes the person', async (t) => {
  const { viewer, terminal } = await together(t, { args: ['--key', '{key}'] });
  await select(terminal, 0);
  const lines = await terminal.until('Ben is listed', (screen) => screen.some((line) => /Ben +viewer/.test(line)) && screen);
  const row = lines.findIndex((line) => /Ben +viewer/.test(line)) - 1;
  await select(terminal, row);
  await terminal.type('+');
  await viewer.until('the event for Ben', () => viewer.role === 'presenter');
  await terminal.until('it is shown', (screen) => /Ben +presenter/.test(text(screen)));
  await terminal.type('-');
  await viewer.until('the second event', () => viewer.role === 'viewer');
  await terminal.type('x');
  await terminal.until('it asks', (screen) => /remove Ben from the room\? y: yes/.test(text(screen)));
  await terminal.key('n');
  await terminal.until('no', (screen) => !/y: yes/.test(text(screen)));
  assert.equal(viewer.closed, null);
  await terminal.type('x');
  await terminal.until('it asks again', (screen) => /remove Ben/.test(text(screen)));
  await terminal.mouse(3, 3); // does not count as an answer
  await terminal.key('y');
  assert.equal((await viewer.untilClosed()).code, 3507);
  await terminal.until('he is gone', (screen) => /Room[ ─-]+2 people/.test(screen[0]) && !/Ben/.test(text(screen)));
});

test('a presenter asks for attention, renames a person and marks a cursor', async (t) => {
  const { viewer, terminal } = await together(t, { args: ['--key', '{key}'] });
  await select(terminal, 3);
  await terminal.key('Enter');
  await terminal.type('Look up');
  await terminal.key('Enter');
  await viewer.until('everyone is asked', () => viewer.room.attention === 'Look up');
  await terminal.until('the sentence on the picture', (lines) => lines.some((line) => /^ +Look up +/.test(line)));
  await terminal.key('Enter');
  await viewer.until('it is over', () => viewer.room.attention === undefined);
  const lines = await terminal.until('Ben is listed', (screen) => screen.some((line) => /Ben +viewer/.test(line)) && screen);
  await select(terminal, lines.findIndex((line) => /Ben +viewer/.test(line)) - 1);
  await terminal.until('the meaning of Enter', (screen) => /Ben, a viewer[^;]*; +Enter: +rename/.test(text(screen)));
  await terminal.type('*');
  await viewer.until('the spotlight', () => viewer.room.spotlight === viewer.id);
  await terminal.key('Enter');
  await terminal.type('jamin');
  await terminal.key('Enter');
  await viewer.until('the name', () => viewer.people.get(viewer.id)?.name === 'Benjamin');
});

test('a presenter makes a new key, which is shown while its row is selected', async (t) => {
  const { server, made, presenter, terminal } = await together(t, { args: ['--key', '{key}'] });
  await select(terminal, 2);
  await terminal.key('Enter');
  await terminal.until('it asks', (lines) => /make a new key.*\? y: yes/s.test(text(lines)));
  await terminal.key('y');
  const [, key] = await terminal.until('the key', (lines) => text(lines).match(/key +([a-z2-9]{24})/));
  assert.notEqual(key, made.key);
  await terminal.key('k');
  await terminal.until('it is hidden', (lines) => !text(lines).includes(key));
  assert.equal((await flock.join(t, server.ws, { room: made.code, key })).role, 'presenter');
  assert.equal((await flock.join(t, server.ws, { room: made.code, key: made.key })).role, 'viewer');
  assert.equal(presenter.role, 'presenter');
});

test('a viewer sees the panel and can change nothing', async (t) => {
  const { viewer, terminal } = await together(t);
  for (const row of [0, 2, 3, 4]) {
    await select(terminal, row);
    await terminal.key('Enter', '+', 'x');
    await terminal.until('the refusal', (lines) => /only a presenter/.test(text(lines)));
    await terminal.key('y');
    await terminal.until('no question: the key explains a boid', (lines) => /Why boid/.test(text(lines)) && !roomPanel.test(text(lines)));
  }
  assert.deepEqual([viewer.closed, viewer.role, viewer.room.title], [null, 'viewer', 'Starlings']);
});

test('when the presenter alone steers, a viewer watches', async (t) => {
  const { presenter, terminal, tess } = await together(t, { columns: 80, rows: 24 });
  await terminal.mouse(20, 4);
  await presenter.until("Tess's cursor", () => presenter.snapshot.cursors.has(tess));
  assert.equal(await presenter.ask([flock.SET, 'viewers', 'watch']), null);
  await terminal.until('it says so', (lines) => /live · the presenter steers: you watch · .* q quit/.test(lines.at(-1)));
  await presenter.until('her cursor is gone', () => !presenter.snapshot.cursors.has(tess));
  await terminal.mouse(30, 8);
  await terminal.key('Left', 'l');
  const { tick } = presenter.snapshot;
  await presenter.until('half a second', () => presenter.snapshot.tick > tick + 15);
  assert.ok(!presenter.snapshot.cursors.has(tess));
  assert.equal(await presenter.ask([flock.APPOINT, tess, 'presenter']), null);
  await terminal.until('a presenter steers', (lines) => /you are a presenter|p panel/.test(lines.at(-1)) && !/you watch/.test(lines.at(-1)));
  await terminal.mouse(40, 8);
  await presenter.until('her cursor is back', () => presenter.snapshot.cursors.has(tess));
});

test('the status line shows changes with the person', async (t) => {
  const { presenter, terminal } = await together(t);
  assert.equal(await presenter.ask([flock.RESET]), null);
  await terminal.until('the reset', (lines) => /Ada started the flock again/.test(lines.at(-1)));
  assert.equal(await presenter.ask([flock.SET, 'preset', 'bees']), null);
  await terminal.until('the preset', (lines) => /Ada chose the preset bees; /.test(lines.at(-1)));
});

// Runs flock-term with these arguments and calls `end`, which ends it. Asserts that the terminal's modes are restored. Resolves to
// the line that flock-term printed.
async function ended(t, args, end) {
  const terminal = await openTerminal(t);
  const stty = await terminal.command('stty -a');
  const before = await terminal.modes();
  await terminal.type(`clear; flock-term ${args.join(' ')}; echo status $?`);
  await terminal.key('Enter');
  await end(terminal);
  const lines = await terminal.until('the shell is back', (screen) => screen.some((line) => /^status \d/.test(line)) && screen);
  assert.equal(await terminal.modes(), before);
  assert.deepEqual(await terminal.command('stty -a'), stty);
  const at = lines.findIndex((line) => /^status \d/.test(line));
  assert.equal(lines[at].trim(), 'status 1');
  return lines.slice(0, at).join('').trim();
}

test('flock-term ends and says that there is no such room', async (t) => {
  const server = await startServer(t);
  assert.equal(await ended(t, ['--room', 'fk72mx', server.ws], () => {}), 'flock-term: there is no room FK7 2MX');
});

test('flock-term ends and says that the room has ended', async (t) => {
  const server = await startServer(t);
  const made = await createRoom(server);
  const line = await ended(t, [made.address], async (terminal) => {
    await live(terminal);
    assert.ok((await call(server, 'DELETE', roomOf(made), { key: made.key })).status < 300);
  });
  assert.equal(line, `flock-term: the room ${spelled(made.code)} has ended`);
});

test('flock-term ends and says that a presenter has removed the user', async (t) => {
  const server = await startServer(t);
  const made = await createRoom(server);
  const presenter = await flock.join(t, server.ws, { room: made.code, key: made.key });
  const line = await ended(t, ['--name', 'Tess', made.address], async (terminal) => {
    await live(terminal);
    const [id] = await presenter.until('Tess is here', () => [...presenter.people].find(([, { name }]) => name === 'Tess'));
    assert.equal(await presenter.ask([flock.EXPEL, id]), null);
  });
  assert.equal(line, `flock-term: a presenter has removed you from the room ${spelled(made.code)}`);
});

for (const code of [3502, 3506, 3507]) {
  test(`${code} ends flock-term with its own words, not the server's`, async (t) => {
    const fake = await startFake(t, { room: { code: 'FK72MX' } });
    const line = await ended(t, [fake.ws], async (terminal) => {
      await live(terminal);
      fake.close(code, '\u001b[2Jgone');
    });
    assert.match(line, /^flock-term: [^(]*FK7 2MX[^(]*$/);
  });
}

for (const code of [3500, 3501, 3503, 3504, 3505]) {
  test(`${code} is shown until the user quits`, async (t) => {
    const fake = await startFake(t);
    const line = await ended(t, [fake.ws], async (terminal) => {
      await live(terminal);
      fake.close(code, 'for a reason');
      await terminal.until('it says so', (lines) => text(lines).includes(`for a reason (${code})`));
      await terminal.key('q');
    });
    assert.equal(line, `flock-term: the server ended the connection: for a reason (${code})`);
  });
}

// With a minute, also a slow machine sees flock-term wait. With 100 ms the test is short.
for (const { after, waits } of [{ after: 60_000, waits: true }, { after: 100, waits: false }]) {
  test(`flock-term comes back when a full server says: after ${after} ms`, async (t) => {
    const fake = await startFake(t);
    const terminal = await open(t, [fake.ws]);
    await live(terminal);
    fake.hello = null;
    fake.send([flock.GOODBYE, 3001, after]);
    fake.close(3001, 'full');
    if (waits) {
      await terminal.until('it waits that long', (lines) => /no connection, next try in [3-6]\d s/.test(lines.at(-1)));
      assert.equal(fake.hello, null);
    } else {
      await until('it comes back', () => fake.hello !== null);
      await live(terminal);
    }
  });
}

const asks = (words) => (lines) => /join key:/.test(text(lines)) && words.test(text(lines).replace(/[│\s]+/g, ' '));

test("flock-term asks for a room's join key until it is the right one, and never shows it", async (t) => {
  const server = await startServer(t);
  const made = await createRoom(server, { join_key: 'bees-at-noon' });
  const terminal = await open(t, ['--room', made.code, server.ws]);
  await terminal.until('it asks', asks(new RegExp(`the room ${spelled(made.code)} needs a join key`)));
  await terminal.type('wasps');
  const screen = await terminal.until('dots', (lines) => /join key: +•{5}_/.test(text(lines)) && text(lines));
  assert.doesNotMatch(screen, /wasps/);
  await terminal.key('Enter');
  await terminal.until('the reason stays, and it asks again', asks(new RegExp(`this is not the join key of the room ${spelled(made.code)}`)));
  await terminal.type('bees-at-noonx');
  await terminal.key('BSpace', 'Enter');
  await live(terminal);
  await terminal.type('q');
  await terminal.until('it has ended', (lines) => /status 0/.test(text(lines)));
  assert.doesNotMatch(await terminal.text(), /wasps|bees/);

  await terminal.start('--join-key', 'bees-at-noon', '--room', made.code, server.ws);
  await live(terminal);
});

test('without the join key Esc and q end flock-term, and Ctrl-C at once', async (t) => {
  const server = await startServer(t);
  const made = await createRoom(server, { join_key: 'bees-at-noon' });
  const line = await ended(t, ['--room', made.code, server.ws], async (terminal) => {
    await terminal.until('it asks', asks(/needs a join key/));
    await terminal.key('Escape');
    await terminal.until('it no longer asks', (lines) => !/join key:/.test(text(lines)) && /r {2}try again/.test(text(lines)));
    await terminal.key('q');
  });
  assert.equal(line, `flock-term: the room ${spelled(made.code)} needs a join key`);
  await ended(t, ['--room', made.code, server.ws], async (terminal) => {
    await terminal.until('it asks', asks(/needs a join key/));
    await terminal.type('q'); // a letter of the key
    await terminal.until('it is typed', (lines) => /•_/.test(text(lines)));
    await terminal.key('C-c');
  });
});

test('flock-term waits in line with its join key, says how long, and gets in', async (t) => {
  const server = await startServer(t, ['--address-key-tries', '12']); // one each 5 s
  const made = await createRoom(server, { join_key: 'bees-at-noon' });
  for (let i = 0; i < 14; i++) {
    const guesser = await flock.connect(t, server.ws); // the last two wait in line, so flock-term waits for more than 10 s
    guesser.send(flock.hello({ room: made.code, join: `guess-${i}` }));
    await guesser.next(flock.ERROR, 'an answer');
  }
  const terminal = await open(t, ['--join-key', 'bees-at-noon', '--room', made.code, server.ws], { columns: 120 });
  await terminal.until('it waits', (lines) => /yours waits for its turn, about [1-9]\d* s/.test(text(lines)));
  await live(terminal);
});

test('flock-term calls only a join key wrong that the server has compared', async (t) => {
  const server = await startServer(t, ['--address-key-tries', '1', '--total-key-tries', '1']);
  const made = await createRoom(server, { join_key: 'bees-at-noon' });
  const terminal = await open(t, ['--room', made.code, server.ws], { columns: 100 });
  const type = async (key) => {
    await terminal.type(key);
    await terminal.key('Enter');
  };
  await terminal.until('it asks', asks(new RegExp(`the room ${spelled(made.code)} needs a join key`)));
  await type('wasps');
  await terminal.until('it is wrong', asks(new RegExp(`this is not the join key of the room ${spelled(made.code)}`)));
  await type('bees-at-noon');
  await terminal.until('it was not compared', asks(/too many wrong keys: the server did not compare yours; try again in [1-9]\d? s/));
});

test('the status line says who leads in each class mode', async (t) => {
  const KEY = 'key-of-the-class';
  const server = await startServer(t, ['--presenter-key', KEY, '--boids', '120', '--cursor-timeout', '600']);
  const teacher = await flock.join(t, server.ws, { key: KEY, name: 'Ada' });
  const ben = await flock.join(t, server.ws, { name: 'Ben' });
  const terminal = await open(t, ['--name', 'Tess', server.ws]);
  await live(terminal);
  const says = (pattern) => terminal.until(`it says ${pattern}`, (lines) => pattern.test(lines.at(-1)));
  assert.equal(await teacher.ask([flock.SET, 'policy', 'nearest']), null);
  await says(/live · move: the boids near you follow ·/);
  await terminal.key('Right');
  await says(/live · 120 boids follow you ·/);
  const [x, y] = flock.centroid(ben.snapshot.boids);
  ben.send([flock.CURSOR, x, y]);
  await says(/live · (\d|\d\d) boids? follows? you ·/);

  assert.equal(await teacher.ask([flock.SET, 'policy', 'teams']), null);
  await says(/live · (red \d+ \(your team\), blue \d+|red \d+, blue \d+ \(your team\)) ·/);

  assert.equal(await teacher.ask([flock.SET, 'policy', 'relay']), null);
  const before = await terminal.until('one leads', (lines) => /live · (you lead|Ben leads), \d+ s, next: (you|Ben) ·/.exec(lines.at(-1))?.[1]);
  assert.equal(await teacher.ask([flock.SKIP]), null);
  await terminal.until('the other one leads', (lines) => /(you lead|Ben leads), \d+ s/.test(lines.at(-1)) && !lines.at(-1).includes(before));

  assert.equal(await teacher.ask([flock.SET, 'policy', 'mean']), null);
  await terminal.until('nobody leads', (lines) => !/lead|follow/.test(lines.at(-1)));
});
