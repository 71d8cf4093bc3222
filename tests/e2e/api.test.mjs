// docs/API.md against a real flockd: runs each command of the page, in order, and compares the output with the page.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { assertError, call, createRoom, roomOf } from './api.mjs';
import * as flock from './client.mjs';
import { control, join } from './client.mjs';
import { root, startServer } from './server.mjs';

const PAGE = readFileSync(`${root}/docs/API.md`, 'utf8');

// The commands of the page, each with the output that the page shows.
function examples() {
  const all = [];
  for (const [, block] of PAGE.matchAll(/^```console\n([^]*?)^```$/gm)) {
    for (const line of block.trimEnd().split('\n')) {
      if (line.startsWith('$ ')) all.push({ command: line.slice(2), shown: [] });
      else all.at(-1).shown.push(line);
    }
  }
  return all;
}

// Resolves to the command's standard output.
const run = (command, env) =>
  new Promise((resolve, reject) => {
    execFile('sh', ['-c', command], { env: { PATH: process.env.PATH, ...env }, timeout: 60_000 }, (error, stdout, stderr) =>
      error ? reject(new Error(`${command}\n${stderr}`)) : resolve(stdout),
    );
  });

// Values that differ each time, as the page writes them, and their shapes.
const VARYING = [
  { written: /\b[2346789FKLMRWXY]{6}\b/y, shape: '[2346789FKLMRWXY]{6}' },
  { written: /\b[a-z2-9]{24}\b/y, shape: '[a-z2-9]{24}' },
];
const FREE = [
  { written: /…/y, shape: '.*' },
  { written: /(?<="version":")[\d.]+/y, shape: '\\d+\\.\\d+\\.\\d+' },
  { written: /(?<=^retry-after: |try again in )3600\b/y, shape: '(?:3600|35\\d\\d)' },
];

// `known`: the actual codes and keys, by the page's. The same code of the page always has the same actual code.
function assertShown(got, shown, known, what) {
  const names = [];
  let pattern = '';
  const at = (written, position) => {
    written.lastIndex = position;
    return written.exec(shown)?.[0];
  };
  const piece = (position) => {
    for (const { written, shape } of VARYING) {
      const text = at(written, position);
      if (text === undefined) continue;
      if (known.has(text)) return [text, known.get(text)];
      if (names.includes(text)) return [text, `\\${names.indexOf(text) + 1}`];
      names.push(text);
      return [text, `(${shape})`];
    }
    for (const { written, shape } of FREE) {
      const text = at(written, position);
      if (text !== undefined) return [text, shape];
    }
    return [shown[position], shown[position].replace(/[^\w\s]/, '\\$&')];
  };
  for (let position = 0; position < shown.length; ) {
    const [text, part] = piece(position);
    pattern += part;
    position += text.length;
  }
  const match = got.match(new RegExp(`^${pattern}$`));
  assert.ok(match, `${what}\nthe page: ${shown}\nit was:   ${got}`);
  names.forEach((name, i) => known.set(name, match[i + 1]));
}

// An answer as curl -i prints it: the head, an empty line, the body.
function answerOf(text) {
  const [head, body] = text.replaceAll('\r', '').split('\n\n');
  const [status, ...headers] = head.split('\n');
  return { status: status.trimEnd(), headers, body: body.trimEnd() };
}

// The same from the page: without the empty line; the body in several lines, indented by two spaces, or by one within a text.
function shownAnswer([status, ...lines]) {
  const start = lines.findIndex((line) => line.startsWith('{'));
  const headers = start < 0 ? lines : lines.slice(0, start);
  const body = start < 0 ? [] : lines.slice(start);
  return { status, headers, body: body.map((line) => line.replace(/^ {2}/, '')).join('') };
}

function assertAnswer(got, shown, known, what) {
  const [is, should] = [answerOf(got), shownAnswer(shown)];
  assert.equal(is.status, should.status, `${what}\n${got}`);
  for (const header of should.headers) {
    const [name] = header.split(':');
    const line = is.headers.find((each) => each.startsWith(`${name}:`));
    assertShown(line ?? 'nothing', header, known, what);
  }
  assertShown(is.body, should.body, known, what);
}

test('docs/API.md: every command does what the page shows', async (t) => {
  const known = new Map();
  const variables = {};
  let server = null;
  let written = null; // the address on the page
  const local = (text) => (written === null ? text : text.replaceAll(written, server.url.slice(0, -1)));
  const start = async (args) => {
    await server?.stop();
    server = await startServer(t, args);
    if (written !== null) variables.HOST = local(written);
  };
  const answers = [];
  for (const { command, shown } of examples()) {
    const [, name, value] = command.match(/^([A-Z]+)=(\S+)$/) ?? [];
    if (command.startsWith('flockd ')) {
      await start(command.split(' ').slice(1));
    } else if (name === 'HOST') {
      written = value;
      variables.HOST = local(value);
    } else if (name !== undefined) {
      variables[name] = known.get(value) ?? assert.fail(`${command}: the page has not shown this before`);
    } else if (command.includes('curl -i')) {
      const got = await run(command, variables);
      assertAnswer(got, shown.map(local), known, command);
      answers.push(shown[0].split(' ')[1]);
    } else {
      assert.match(command, /^curl /);
      assert.equal(await run(command, variables), shown.map((line) => `${line}\n`).join(''), command);
    }
  }
  assert.ok(answers.length > 30, 'the page has examples');
  const [, table] = PAGE.match(/^\| status \|.*\n\| ---.*\n((?:\|.*\n)+)/m);
  const statuses = new Set([...table.matchAll(/^\| (\d+) /gm)].map(([, status]) => status));
  const reached = new Set(answers.filter((status) => status >= '400'));
  reached.add('503'); // only a server without memory says so
  assert.deepEqual([...statuses].sort(), [...reached].sort(), 'each status of the table of errors has an example');
});

const FIELDS = [...PAGE.matchAll(/^\| `(\w+)` \| (POST|PATCH|POST, PATCH) \| ([^|]+) \| ([^|]+) \|/gm)].map(([, name, of, type, values]) => ({
  name,
  of: of.split(', '),
  type,
  words: [...values.split(':')[0].matchAll(/`([^`]+)`/g)].map(([, word]) => word),
  values,
}));

const WRONG = { 'number or null': '7', string: 7, 'string or null': 7, 'true or false': 'yes', 'whole number': 1.5, 'array of 2 numbers': [1], object: [] };

for (const method of ['POST', 'PATCH']) {
  test(`docs/API.md: the fields of ${method} are those in the table, with their types, words and ranges`, async (t) => {
    const server = await startServer(t);
    const room = await createRoom(server);
    const send = (body) => call(server, method, method === 'POST' ? '/api/rooms' : roomOf(room), { body, ...(method === 'PATCH' && { key: room.key }) });
    const fields = FIELDS.filter(({ of }) => of.includes(method));
    const unknown = await send({ wings: 1 });
    const [, listed] = unknown.body.error.message.match(/expected some of (.*)$/);
    assert.deepEqual(listed.split(', ').sort(), fields.map(({ name }) => name).sort());
    for (const { name, type, words } of fields) {
      const answer = await send({ [name]: WRONG[type] ?? assert.fail(`the type of ${name}: ${type}`) });
      assertError(answer, { status: 400, code: 'malformed', field: name });
      if (type !== 'string' || name === 'title') continue;
      const other = await send({ [name]: 'none of them' });
      assertError(other, { status: 400, code: 'range', field: name });
      assert.equal(other.body.error.message, `${name}: expected one of ${words.join(', ')}`);
      for (const word of words) {
        const { status } = await send({ [name]: word });
        assert.equal(status, method === 'POST' ? 201 : 204, `${name}: ${word}`);
      }
    }
  });
}

test('docs/API.md: the bounds in the table are accepted, values beyond are not', async (t) => {
  const server = await startServer(t);
  const numbers = (name) => FIELDS.find((field) => field.name === name).values.match(/\d+/g).map(Number);
  const [fewest, most] = numbers('boids');
  const [narrow, wide] = numbers('world');
  const [bytes] = numbers('title');
  const [least, longest] = numbers('join_key');
  const create = async (body) => (await call(server, 'POST', '/api/rooms', { body })).status;
  for (const [good, bad] of [
    [{ boids: fewest }, { boids: fewest - 1 }],
    [{ boids: most }, { boids: most + 1 }],
    [{ world: [narrow, wide] }, { world: [narrow - 1, wide] }],
    [{ world: [wide, narrow] }, { world: [wide + 1, narrow] }],
    [{ join_key: 'k'.repeat(least) }, { join_key: 'k'.repeat(least - 1) }],
    [{ join_key: null }, { join_key: '' }],
    [{ title: '' }, { title: ' ' }],
    [{ join_key: 'k'.repeat(longest) }, { join_key: 'k'.repeat(longest + 1) }],
    [{ title: 'é'.repeat(bytes / 2) }, { title: `${'é'.repeat(bytes / 2)}a` }],
  ]) {
    assert.deepEqual([await create(good), await create(bad)], [201, 400], JSON.stringify([good, bad]));
  }
});

test('attention and spotlight work over HTTP', async (t) => {
  const server = await startServer(t);
  const room = await createRoom(server);
  const client = await join(t, server.ws, { room: room.code, name: 'Ann' });
  const patch = (body) => call(server, 'PATCH', roomOf(room), { body, key: room.key });
  assert.equal((await patch({ attention: 'Look up', spotlight: client.id })).status, 204);
  await client.until('both', () => client.room.attention === 'Look up' && client.room.spotlight === client.id);
  assert.equal((await patch({ attention: '' })).status, 204);
  await client.until('without a sentence', () => client.room.attention === '');
  assert.equal((await patch({ attention: null, spotlight: null })).status, 204);
  await client.until('neither', () => !('attention' in client.room) && !('spotlight' in client.room));
  /** @type {[body: object, field: string][]} */
  const bad = [
    [{ attention: 'x'.repeat(161) }, 'attention'],
    [{ attention: ' \u200b' }, 'attention'],
    [{ attention: 'two\nlines' }, 'attention'],
    [{ spotlight: -1 }, 'spotlight'],
    [{ spotlight: 2 ** 32 }, 'spotlight'],
    [{ spotlight: client.id + 1, title: 'Not done' }, 'spotlight'],
  ];
  for (const [body, field] of bad) {
    assertError(await patch(body), { status: 400, code: 'range', field });
  }
  assert.equal((await patch({ attention: 'é'.repeat(80) })).status, 204);
  await client.until('160 bytes', () => client.room.attention === 'é'.repeat(80));
  assert.equal(client.room.title, '');
});

test('a refused change changes nothing', async (t) => {
  const server = await startServer(t, ['--max-boids', '300']);
  const room = await createRoom(server, { title: 'Before' });
  const client = await join(t, server.ws, { room: room.code });
  const before = () => [client.room.title, client.room.policy, control(client, 'viewers').value, control(client, 'run').value];
  const values = before();
  const change = { title: 'After', policy: 'latest', viewers: 'watch' };
  const patch = (body) => call(server, 'PATCH', roomOf(room), { body, key: room.key });
  assertError(await patch({ ...change, run: 'sleeping' }), { status: 400, code: 'range', field: 'run' });
  assertError(await patch({ ...change, run: 'paused', preset: 'march' }), { status: 409, code: 'full', field: 'preset' });
  const { tick } = client.snapshot;
  await client.until('it goes on', () => client.snapshot.tick > tick + 30);
  assert.deepEqual(before(), values);
  assert.equal((await patch(change)).status, 204);
  await client.until('it changes', () => client.room.title === 'After' && control(client, 'viewers').value === 'watch');
});

test('a change that the room refuses leaves all the others undone', async (t) => {
  const server = await startServer(t);
  const room = await createRoom(server, { title: 'Before' });
  const client = await join(t, server.ws, { room: room.code, key: room.key, name: 'Ann' });
  const other = await createRoom(server);
  const patch = (body) => call(server, 'PATCH', roomOf(room), { body, key: room.key });
  const good = { title: 'After', spotlight: client.id, beside: other.code, policy: 'latest', viewers: 'watch', boundary: 'walls', attention: 'Look', naming: false };
  const before = JSON.stringify(client.room);
  /** @type {[wrong: object, field: string][]} */
  const refused = [
    [{ beside: room.code }, 'beside'],
    [{ spotlight: client.id + 1 }, 'spotlight'],
    [{ preset: 'bees', parameters: { cohesion_min: 2 } }, 'parameters.cohesion_min'],
    [{ parameters: { cohesion_max: 0 } }, 'parameters.cohesion_max'],
  ];
  for (const [wrong, field] of refused) {
    assertError(await patch({ ...good, ...wrong }), { status: 400, code: 'range', field });
  }
  const { tick } = client.snapshot;
  await client.until('it goes on', () => client.snapshot.tick > tick + 5);
  assert.equal(JSON.stringify(client.room), before);
  assert.deepEqual(client.events.filter(({ by }) => by === 0), [], 'nobody is told of a change');
  assert.equal((await client.ask([flock.UNDO])).code, 'state', 'there is nothing to undo');
  assert.equal((await patch(good)).status, 204);
  await client.until('all', () => client.room.title === 'After' && client.room.spotlight === client.id && client.room.beside === other.code);
});

test('a room shows others beside it five times at once, then every 10 seconds, and ends that at any time', async (t) => {
  const server = await startServer(t);
  const [room, other, third] = [await createRoom(server), await createRoom(server), await createRoom(server)];
  const presenter = await join(t, server.ws, { room: room.code, key: room.key });
  const patch = (body) => call(server, 'PATCH', roomOf(room), { body, key: room.key });
  for (const code of [other.code, third.code, other.code, '', other.code, third.code]) assert.equal(await presenter.ask([flock.BESIDE, code]), null);
  assert.equal(await presenter.ask([flock.BESIDE, third.code]), null, 'it is shown already');
  assert.equal((await presenter.ask([flock.BESIDE, other.code])).code, 'flood');
  const after = Number(presenter.messages.filter(([type]) => type === flock.ERROR).at(-1)?.[8]);
  assert.ok(after >= 1 && after <= 10, `${after}`);
  const answer = await patch({ title: 'Never', beside: other.code });
  assertError(answer, { status: 429, code: 'flood', field: 'beside' });
  assert.match(answer.body.error.message, /^beside: /);
  const wait = Number(answer.headers.get('retry-after'));
  assert.ok(wait >= 1 && wait <= 10, `${wait}`);
  assert.equal(presenter.room.title, room.title ?? '');
  assert.equal((await patch({ beside: null })).status, 204);
  await presenter.until('there is none', () => !('beside' in presenter.room));
});

test('naming and the room beside work over HTTP', async (t) => {
  const server = await startServer(t);
  const [room, other] = [await createRoom(server), await createRoom(server)];
  const client = await join(t, server.ws, { room: room.code });
  const patch = (body) => call(server, 'PATCH', roomOf(room), { body, key: room.key });
  assert.equal((await patch({ naming: false, beside: other.code.toLowerCase() })).status, 204);
  await client.until('both', () => client.room.unnamed === true && client.room.beside?.toUpperCase() === other.code);
  /** @type {[body: object, code: string, field: string][]} */
  const bad = [
    [{ naming: 'no' }, 'malformed', 'naming'],
    [{ naming: null }, 'malformed', 'naming'],
    [{ naming: true, beside: 7 }, 'malformed', 'beside'],
    [{ naming: true, beside: room.code }, 'range', 'beside'],
    [{ naming: true, beside: room.code.toLowerCase() }, 'range', 'beside'],
    [{ naming: true, beside: '../x' }, 'range', 'beside'],
    [{ naming: true, beside: 'X'.repeat(33) }, 'range', 'beside'],
  ];
  for (const [body, code, field] of bad) {
    assertError(await patch(body), { status: 400, code, field });
  }
  assert.ok(client.room.unnamed, 'a refused change changes nothing');
  assert.equal((await client.ask([flock.NAMING, true])).code, 'role', 'a viewer may not');
  assert.equal((await client.ask([flock.BESIDE, ''])).code, 'role', 'nor this');
  const presenter = await join(t, server.ws, { room: room.code, key: room.key });
  for (const code of [room.code, room.code.toLowerCase(), '../x', 'a b']) assert.equal((await presenter.ask([flock.BESIDE, code])).code, 'range', code);
  assert.equal(client.room.beside?.toUpperCase(), other.code);
  assert.equal((await patch({ naming: true, beside: null })).status, 204);
  await client.until('neither', () => !('unnamed' in client.room) && !('beside' in client.room));
});

// The machine's present addresses: bridges of containers come and go.
const ownAddresses = () =>
  Object.values(networkInterfaces())
    .flat()
    .filter(({ internal, family, address }) => !internal && family === 'IPv4' && !address.startsWith('169.254.'))
    .map(({ address }) => address);

test('flockd says at which addresses others reach it, at its start and over HTTP', async (t) => {
  const before = ownAddresses();
  const server = await startServer(t, ['--bind', '0.0.0.0']);
  const after = ownAddresses();
  const { status, body } = await call(server, 'GET', '/api');
  assert.equal(status, 200);
  const url = (address) => `http://${address}:${server.port}`;
  const stayed = before.filter((address) => after.includes(address)).map(url);
  const seen = [...before, ...after].map(url);
  assert.ok(body.addresses.every((address) => seen.includes(address)), `${body.addresses} are of ${seen}`);
  const left = seen.filter((address) => !body.addresses.includes(address));
  assert.ok(left.every((address) => !stayed.includes(address) || address.includes('//172.')), `${left} are left out of ${stayed}`);
  assert.equal(body.public_url, '');
  for (const address of body.addresses) {
    assert.ok(server.stdout.includes(`${address}/`), `${address} is printed: ${server.stdout}`);
    if (stayed.includes(address)) assert.equal((await fetch(`${address}/healthz`)).status, 200, `${address} leads here`);
  }
  assertError(await call(server, 'POST', '/api', { body: {} }), { status: 405, code: 'type' });
});

test('only this machine reaches a flockd that is not open to the network', async (t) => {
  const server = await startServer(t);
  assert.deepEqual((await call(server, 'GET', '/api')).body.addresses, []);
  assert.match(server.stdout, /only this machine/);
});

test('behind a proxy the answers have the proxy\'s address', async (t) => {
  const server = await startServer(t, ['--bind', '0.0.0.0', '--public-url', 'https://example.org/flock/']);
  assert.equal((await call(server, 'GET', '/api')).body.public_url, 'https://example.org/flock');
  assert.match(server.stdout, /for others +https:\/\/example\.org\/flock\/$/m);
  const { code, address } = await createRoom(server);
  assert.equal(address, `https://example.org/flock/r/${code}`);
});
