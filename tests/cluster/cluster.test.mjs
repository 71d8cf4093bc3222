// A cluster of two nodes with rooms and two with viewers, on one real nats-server. The tests share it, in this order. A
// test that kills a node starts it again, with a later release: sims are upgraded first. One edge is of the later release
// from the start.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { makeCluster, startCluster, stopCluster } from '../../docker/cluster.mjs';
import * as flock from '../e2e/numbers.mjs';
import { FLOCKD, root, startServer } from '../e2e/server.mjs';
import { until } from '../e2e/until.mjs';
import { breakLine, connectNats } from './nats.mjs';
import { come, comeAll } from './people.mjs';

const run = promisify(execFile);
// Fifteen seconds without a frame: no test of a fault waits for longer.
const PATIENCE = 15_000;
const LATER = path.join(path.dirname(FLOCKD), 'flockd-later'); // see later.c
const folder = `${root}/build/cluster-test`; // its logs stay
/** @type {any} */
let cluster;
let edges;

before(async () => {
  cluster = await makeCluster({ folder, flockd: FLOCKD, args: ['--web', `${root}/build/web`] });
  upgrade(node('edge-2'));
  await startCluster(cluster);
  edges = cluster.edges;
  // A node hears of another at its next beat.
  for (const edge of edges) await until('each edge knows the nodes', async () => (await api(edge, '', { method: 'POST', body: {} })).ok);
});

after(() => stopCluster(cluster));

const node = (name) => cluster.nodes.find((each) => each.name === name);
const api = (edge, where, { method = 'GET', key = '', body = undefined } = {}) =>
  fetch(`${edge.url}api/rooms${where}`, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...(key && { authorization: `Bearer ${key}` }) },
    body: body && JSON.stringify(body),
  });

async function makeRoom(edge, body = {}) {
  const made = await api(edge, '', { method: 'POST', body });
  assert.equal(made.status, 201, await made.clone().text());
  return made.json();
}

// A figure of a node.
async function metric(at, name) {
  const text = await fetch(`${at.url}metrics`).then((answer) => answer.text());
  const line = text.split('\n').find((each) => each.startsWith(`flockd_${name}{`) || each.startsWith(`flockd_${name} `));
  return line === undefined ? null : Number(line.split(' ').at(-1));
}

const printStatus = (nats = cluster.urls) => run(FLOCKD, ['--nats', nats, '--cluster-status'], { env: { ...process.env, FLOCKD_NATS_USER: cluster.login('status') } });

// The node that owns the room, as flockd --cluster-status prints it.
async function ownerOf(code) {
  const { stdout } = await printStatus();
  const row = stdout.split('\n').find((line) => line.startsWith(`${code} `));
  return row === undefined ? null : row.trim().split(/\s+/)[1];
}

// The node is of the later release from its next start on.
const upgrade = (part) => (part.command[0] = LATER);

async function restart(part) {
  upgrade(part);
  part.start();
  await until(`${part.name} is back`, () => fetch(`${part.url}readyz`).then(({ ok }) => ok, () => false));
}

// Waits until all of them see the flock of another owner.
const seeAnother = (people, before) =>
  until('all see the flock again', () => people.every((person, i) => person.welcomes.length > before[i] && person.sees()), () => people.map(({ welcomes, closed, there }) => `${welcomes.length} ${closed} ${there}`).join('; '), PATIENCE);
const welcomesOf = (people) => people.map(({ welcomes }) => welcomes.length);

test('people at different edges see the same flock, and one steers it for all', async (t) => {
  const ada = await come(t, edges[0].ws, { name: 'Ada' });
  const bob = await come(t, edges[1].ws, { name: 'Bob' });
  assert.equal(ada.instance, bob.instance, 'the same server has the room');
  await until('each knows of the other', () => ada.last.people === 2 && bob.last.people === 2);
  await until('both see the same moment', () => Math.abs(ada.last.tick - bob.last.tick) < 30);
  ada.send([flock.CURSOR, 100, 50]);
  await until('the other’s flock follows her cursor', () => bob.last.target[0] === 100 && bob.last.target[1] === 50, () => bob.last.target);
});

test('a room is made, changed, recorded and ended at any edge', async (t) => {
  const { code, key } = await makeRoom(edges[0], { title: 'Ours', listed: true });
  const ada = await come(t, edges[1].ws, { room: code, key });
  assert.equal(ada.role, 'presenter');
  const listed = await until('the other edge lists it', async () => {
    const { rooms } = await api(edges[1], '').then((answer) => answer.json());
    return rooms.find((each) => each.code === code);
  });
  assert.equal(listed.title, 'Ours');
  assert.equal((await api(edges[1], `/${code}`)).status, 200);
  for (const edge of edges) {
    assert.equal((await api(edge, `/${code}`, { method: 'PATCH', key, body: { title: `By ${edge.name}` } })).status, 204);
    assert.equal((await api(edge, `/${code}`, { method: 'PATCH', key: 'wrong', body: { title: 'x' } })).status, 403);
    const file = await api(edge, `/${code}/recording`, { key });
    assert.equal(file.status, 200);
    assert.ok((await file.arrayBuffer()).byteLength > 100);
  }
  const branch = await api(edges[1], `/${code}/branch`, { method: 'POST', key });
  assert.equal(branch.status, 201);
  assert.equal((await api(edges[0], `/${code}`, { method: 'DELETE', key })).status, 204);
  await until('the room has ended for its people', () => ada.closed === 3506);
  await until('no edge has it any more', async () => {
    const answers = await Promise.all(edges.map((edge) => api(edge, `/${code}`)));
    return answers.every(({ status }) => status === 404);
  });
});

test('the answer to a request over an edge comes, and wrong codes are refused', async (t) => {
  const { code, key } = await makeRoom(edges[1]);
  const ada = await come(t, edges[0].ws, { room: code, key });
  ada.send([flock.TITLE, 'Birds', 1]);
  await until('the answer', () => ada.answers.get(1) === 'done');
  ada.send([flock.PARAM, 'no such parameter', 1, 2]);
  await until('a refusal', () => ada.answers.has(2) && ada.answers.get(2) !== 'done');
  assert.equal((await api(edges[0], '/ZZZZZZ', { method: 'PATCH', key, body: {} })).status, 404);
});

test('a killed node’s rooms go on elsewhere: no connection ends, and everybody is the same person', async (t) => {
  const people = await comeAll(t, edges.map(({ ws }) => ws), 6);
  const presenter = await come(t, edges[1].ws, { name: 'Eve', key: cluster.key });
  const all = [...people, presenter];
  const had = welcomesOf(all);
  const owner = node(await ownerOf('lobby'));
  const saved = await metric(owner, 'cluster_checkpoints_total');
  await until('checkpoints with all of them', async () => (await metric(owner, 'cluster_checkpoints_total')) > saved + 1);
  const ticks = all.map(({ last }) => last.tick);
  owner.signal('SIGKILL');
  await seeAnother(all, had);
  for (const [i, person] of all.entries()) {
    person.assertSame();
    t.diagnostic(`silent for ${Math.round(person.pause())} ms`);
    assert.ok(person.welcomes.at(-1).first.tick > ticks[i] - 60, 'at most a second or so is lost');
  }
  assert.equal(presenter.role, 'presenter');
  assert.notEqual(await ownerOf('lobby'), owner.name);
  await restart(owner);
});

test('a node that stood still shows nobody its old flock', async (t) => {
  const all = await comeAll(t, edges.map(({ ws }) => ws), 6);
  const had = welcomesOf(all);
  const owner = node(await ownerOf('lobby'));
  owner.signal('SIGSTOP');
  await seeAnother(all, had);
  owner.signal('SIGCONT');
  await until('it has learned that others own its rooms', async () => (await metric(owner, 'cluster_rooms_lost_total')) > 0);
  await until('frames go on', () => all.every((person) => person.sees()));
  for (const person of all) person.assertSame();
  owner.signal('SIGTERM');
  await owner.ended;
  await restart(owner);
});

test('a node that ends gives its rooms away, and no tick is lost', async (t) => {
  const all = await comeAll(t, edges.map(({ ws }) => ws), 4);
  const had = welcomesOf(all);
  const owner = node(await ownerOf('lobby'));
  owner.signal('SIGTERM');
  await seeAnother(all, had);
  assert.equal(await owner.ended, 0, 'it ends by itself');
  for (const person of all) {
    person.assertSame();
    const { after: last, first } = person.welcomes.at(-1);
    assert.ok(first.tick >= last.tick, `from tick ${last.tick} to ${first.tick}`);
    t.diagnostic(`a pause of ${Math.round(person.pause())} ms`);
  }
  await restart(owner);
});

test('an edge that stands still delays nobody at the others', async (t) => {
  const other = await come(t, edges[1].ws);
  await come(t, edges[0].ws);
  other.gap = 0;
  edges[0].signal('SIGSTOP');
  const from = other.frames;
  await until('three seconds of frames', () => other.frames > from + 90, () => other.frames - from);
  edges[0].signal('SIGCONT');
  other.assertSame();
  assert.equal(other.welcomes.length, 1);
  t.diagnostic(`the longest time between two frames: ${Math.round(other.gap)} ms`);
});

test('people of a killed edge come back to another as the same people', async (t) => {
  const ada = await come(t, edges[0].ws, { name: 'Ada' });
  const { id, token } = ada;
  edges[0].signal('SIGKILL');
  await until('the connection is lost', () => ada.closed !== null);
  ada.url = edges[1].ws;
  ada.connect();
  await until('she sees the flock again', () => ada.frames > 2, () => `closed: ${ada.closed}, there: ${ada.there}, welcomes: ${ada.welcomes.length}, frames: ${ada.frames}`);
  assert.deepEqual([ada.id, ada.name, Buffer.compare(ada.token, token)], [id, 'Ada', 0]);
  await restart(edges[0]);
});

test('without NATS people stay connected and learn that the room is out of reach; with it all go on', async (t) => {
  const all = await comeAll(t, edges.map(({ ws }) => ws), 4);
  const owner = await ownerOf('lobby');
  const [nats] = cluster.servers;
  nats.signal('SIGKILL');
  await until('all of them learn it', () => all.every(({ there }) => !there));
  assert.equal((await fetch(`${edges[0].url}readyz`)).status, 503);
  assert.match(await fetch(`${edges[0].url}healthz`).then((answer) => answer.text()), /"cluster":"disconnected"/);
  assert.equal((await api(edges[0], '', { method: 'POST', body: {} })).status, 503);
  nats.start();
  await until('all see the flock again', () => all.every((person) => person.there && person.sees()), () => all.map(({ there, closed }) => `${there} ${closed}`).join());
  for (const person of all) person.assertSame();
  assert.equal(await ownerOf('lobby'), owner, 'the same node has the room');
});

test('nodes of two releases understand each other', () => {
  for (const from of ['this', 'an earlier']) assert.match(readFileSync(node('edge-2').log, 'utf8'), new RegExp(`^messages of ${from} release$`, 'm'));
});

test('a node with another version of messages is refused in words, in its log and in the others’', async (t) => {
  const args = ['--nats', cluster.urls, '--role', 'edge', '--node', 'other', '--presenter-key', cluster.key, '--data', 'none'];
  const other = await startServer(t, args, { command: [LATER], env: { FLOCK_LATER: 'messages', FLOCKD_NATS_USER: cluster.login('edge') } });
  const says = (log, name, version) => new RegExp(`node ${name} speaks version ${version} of the messages between nodes`).test(log);
  await until('the others say so', () => cluster.nodes.every(({ log }) => says(readFileSync(log, 'utf8'), 'other', 2)));
  await until('it says so itself', () => cluster.nodes.every(({ name }) => says(other.stderr, name, 1)));
});

test('garbage from a node is counted and changes nothing', async (t) => {
  const ada = await come(t, edges[0].ws);
  const nats = await connectNats(t, cluster.servers[0].url, cluster.login('sim'));
  const before = await metric(edges[0], 'cluster_malformed_total');
  nats.subscribe('flock.e.*.*');
  const own = await until('a message to the edge', () => [...nats.subjects].find((subject) => subject.startsWith('flock.e.edge-1.')));
  for (let i = 0; i < 200; i++) {
    nats.publish(own, randomBytes(i % 97));
    for (const subject of ['f.lobby.1', 's.lobby', 'r.lobby', 'beat.sim-1', 'beat.other', 'facts.sim-1', 'take.sim-2']) {
      nats.publish(`flock.${subject}`, randomBytes(i % 97));
    }
    nats.publish('flock.s.lobby', Buffer.concat([Buffer.from('FK\x01', 'latin1'), randomBytes(60)]));
  }
  await nats.flush();
  await until('they are counted', async () => (await metric(edges[0], 'cluster_malformed_total')) > before);
  const from = ada.frames;
  await until('the flock goes on', () => ada.frames > from + 10);
  ada.assertSame();
  for (const each of cluster.nodes) assert.ok(each.running, `${each.name} runs`);
});

test('figures have the node, and --cluster-status lists nodes, leases and rooms', async () => {
  assert.equal(await metric(edges[0], 'cluster_connected'), 1);
  const text = await fetch(`${edges[0].url}metrics`).then((answer) => answer.text());
  assert.match(text, /flockd_cluster_messages_received_total\{node="edge-1"\} [1-9]/);
  const dashboard = readFileSync(`${root}/docker/monitoring/dashboards/flockd.json`, 'utf8');
  const uses = [...dashboard.matchAll(/(rate\()?(flockd_cluster_\w+)/g)];
  assert.ok(uses.length > 10);
  for (const [, rate, name] of uses) assert.match(text, new RegExp(`^# TYPE ${name} ${rate ? 'counter' : 'gauge'}$`, 'm'));
  const { stdout } = await printStatus();
  for (const { name, role } of cluster.nodes) assert.match(stdout, new RegExp(`^${name} +${role} +alive`, 'm'));
  assert.match(stdout, /^lobby +sim-\d +\d+ +\d+ +\d+ +\d+ s ago/m);
});

test('a node connects although its first connections break', async (t) => {
  // The first connection asks for the server's version. The control line breaks twice, the bulk line once.
  const url = await breakLine(t, cluster.servers[0].url, [1, 2, 4]);
  const { stdout } = await printStatus(url);
  for (const { name } of cluster.nodes) assert.match(stdout, new RegExp(`^${name} `, 'm'));
});

// Subjects that a user of docker/nats.users.conf must not use. The other tests need all that the users may do.
const BUCKETS = ['nodes', 'rooms', 'checks'];
const ask = (what, buckets = BUCKETS) => buckets.map((bucket) => `$JS.API.${what}.KV_flock_${bucket}`);
const KEYS = BUCKETS.map((bucket) => `$KV.flock_${bucket}.X`);
const NOBODY = {
  publish: [
    ...['STREAM.DELETE', 'STREAM.PURGE', 'STREAM.UPDATE', 'STREAM.MSG.DELETE', 'STREAM.SNAPSHOT', 'STREAM.RESTORE'].flatMap((what) => ask(what)),
    ...ask('CONSUMER.CREATE', ['checks']),
    ...['$JS.API.STREAM.CREATE.OTHER', '$JS.API.STREAM.LIST', '$JS.API.STREAM.NAMES', '$JS.API.INFO', '$KV.other_rooms.X', 'other.f.X.1', '_INBOX.sim.x', '_INBOX.edge.x', '$SYS.REQ.SERVER.PING'],
  ],
  subscribe: ['>', 'flock.>', 'other.>', '_INBOX.>', '$KV.>', '$JS.>', '$SYS.>'],
};
const FORBIDDEN = {
  sim: { publish: [], subscribe: ['_INBOX.edge.>'] },
  edge: {
    publish: ['flock.f.X.1', 'flock.s.X', 'flock.e.edge-2.1', 'flock.facts.edge-1', 'flock.take.sim-1', 'flock.part.sim-1', 'flock.want.sim-1', ...KEYS, ...ask('STREAM.CREATE'), ...ask('STREAM.MSG.GET', ['checks'])],
    subscribe: ['flock.r.*', 'flock.take.*', 'flock.part.*', 'flock.want.*', '_INBOX.sim.>', '_INBOX.status.>'],
  },
  status: {
    publish: ['flock.f.X.1', 'flock.s.X', 'flock.e.edge-2.1', 'flock.r.X', 'flock.beat.sim-1', 'flock.facts.sim-1', 'flock.take.sim-1', 'flock.part.sim-1', 'flock.want.sim-1', ...KEYS, ...ask('STREAM.CREATE'), ...ask('STREAM.MSG.GET', ['nodes', 'rooms'])],
    subscribe: ['flock.f.*.*', 'flock.s.*', 'flock.e.*.*', 'flock.r.*', 'flock.take.*', 'flock.part.*', 'flock.want.*', 'flock.greet', '_INBOX.sim.>', '_INBOX.edge.>'],
  },
};

test('NATS lets each role do what it needs, and no more', async (t) => {
  for (const { log } of cluster.servers) assert.doesNotMatch(readFileSync(log, 'utf8'), /Violation/, 'no node has lacked a right');
  for (const [role, { publish, subscribe }] of Object.entries(FORBIDDEN)) {
    const nats = await connectNats(t, cluster.servers[0].url, cluster.login(role));
    const [publishes, subscribes] = [[...NOBODY.publish, ...publish], [...NOBODY.subscribe, ...subscribe]];
    for (const subject of publishes) nats.publish(subject, new Uint8Array());
    for (const subject of subscribes) nats.subscribe(subject);
    await nats.flush();
    const refused = [...publishes.map((subject) => `Publish to "${subject}"`), ...subscribes.map((subject) => `Subscription to "${subject}"`)];
    assert.deepEqual(nats.errors, refused.map((what) => `'Permissions Violation for ${what}'`), role);
  }
});

test('no node has said anything that a sanitizer or an assertion would', () => {
  for (const { log } of cluster.nodes) assert.doesNotMatch(readFileSync(log, 'utf8'), /Sanitizer|runtime error:|Assertion/);
});
