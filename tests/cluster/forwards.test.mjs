// An edge that forwards as many strangers' requests as it can: requests with the server's key or their room's are still answered.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import { test } from 'node:test';
import { makeCluster, startCluster, stopCluster } from '../../docker/cluster.mjs';
import { atEnd } from '../e2e/atend.mjs';
import { FLOCKD, root } from '../e2e/server.mjs';
import { until } from '../e2e/until.mjs';

const STREAMS = 256; // of each network thread
const OF_STRANGERS = (STREAMS * 5) / 8;
const OF_ROOM = STREAMS / 8;
const STRANGERS = STREAMS + 16;
const TEACHER = '127.8.0.1';
const GUESSER = '127.8.0.2';
const STRANGER = '127.8.0.3';
const OTHER = '127.8.0.4';
const TRIES = 3; // wrong keys of an address
const BODY_TIME = 50; // s for which an owner waits for the rest of a request

// Asks the edge from that address. Resolves to the status and the answer's text.
/** @param {any} edge @param {string} method @param {string} where @param {{ from?: string, key?: string, body?: object }} options @returns {Promise<{ status?: number, text: string }>} */
const ask = (edge, method, where, { from = TEACHER, key = '', body } = {}) =>
  new Promise((resolve, reject) => {
    const headers = { ...(key && { authorization: `Bearer ${key}` }), ...(body && { 'content-type': 'application/json' }) };
    const request = http.request(`${edge.url}api/rooms${where}`, { method, localAddress: from, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode, text }));
    });
    request.on('error', reject);
    request.end(body && JSON.stringify(body));
  });

const patch = async (edge, where, from, key) => (await ask(edge, 'PATCH', where, { from, key, body: { title: 'Bees' } })).status;

// Begins a PATCH whose body does not come.
/** @param {import('../e2e/types.d.ts').Test} t @param {any} edge @param {string} from @param {string} key */
function beginPatch(t, edge, from, key, where = '/lobby') {
  const { hostname, port } = new URL(edge.url);
  const stranger = { answer: '' };
  const socket = net.connect({ host: hostname, port: Number(port), localAddress: from });
  socket.on('error', () => {}).setEncoding('latin1').on('data', (part) => (stranger.answer += part));
  socket.write(`PATCH /api/rooms${where} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n`);
  atEnd(t, () => socket.destroy());
  return stranger;
}

// Starts a sim and an edge. Resolves to them when the edge knows the lobby's owner.
async function start(t, name, options = {}) {
  const args = ['--web', `${root}/build/web`, '--net-threads', '1', '--address-key-tries', `${TRIES}`, '--request-timeout', `${BODY_TIME}`];
  const cluster = await makeCluster({ folder: `${root}/build/${name}`, sims: 1, edges: 1, flockd: FLOCKD, args, ...options });
  atEnd(t, () => stopCluster(cluster));
  await startCluster(cluster);
  const [edge] = cluster.edges;
  const { key } = cluster;
  await until('the edge knows the lobby’s owner', async () => (await ask(edge, 'PATCH', '/lobby', { key, body: { title: 'Birds' } })).status === 204);
  return { edge, sim: cluster.nodes[0], key };
}

const metric = async (node, name) => Number(new RegExp(`${name}\\S* (\\d+)`).exec(await fetch(`${node.url}metrics`).then((answer) => answer.text()))?.[1]);
const forwardedBy = (edge) => metric(edge, 'cluster_forwarded_total');
const wrongKeysOf = (node) => metric(node, 'key_failures_total\\{[^}]*key="presenter"');
const logOf = (node) => readFileSync(node.log, 'utf8').split('\n').filter((line) => line.includes('a wrong '));

// Makes a room through the edge. Resolves to its path and its own key when the edge knows them.
async function makeRoom(edge, from, key) {
  const { status, text } = await ask(edge, 'POST', '', { from, key, body: { title: 'Ours' } });
  assert.equal(status, 201, text);
  const made = JSON.parse(text);
  await until('the edge knows the room', async () => /"Ours"/.test((await ask(edge, 'GET', `/${made.code}`)).text));
  return { path: `/${made.code}`, key: made.key };
}

// Strangers of as many addresses take all forwards that they can have. Resolves to their requests.
async function flood(t, edge) {
  const before = await forwardedBy(edge);
  const strangers = Array.from({ length: STRANGERS }, (_, i) => beginPatch(t, edge, `127.9.${i >> 8}.${i & 255}`, `m4k8rtw2nd5ybq7hxz93vcp${'abcdefgh'[i % 8]}`));
  await until('the edge has got all requests', async () => (await forwardedBy(edge)) === before + STRANGERS, () => forwardedBy(edge));
  const refused = () => strangers.filter(({ answer }) => answer.startsWith('HTTP/1.1 503')).length;
  await until('strangers have all that they can have', () => refused() >= STRANGERS - STREAMS);
  return { strangers, refused };
}

test('requests with the server’s key or their room’s are answered while strangers have all other forwards of an edge; a wrong key gains nothing', async (t) => {
  const { edge, key } = await start(t, 'cluster-forwards');
  const taught = await makeRoom(edge, TEACHER, key);
  const open = await makeRoom(edge, STRANGER, '');
  const other = await makeRoom(edge, OTHER, '');
  const { strangers, refused } = await flood(t, edge);
  for (let i = 0; i < 3; i++) {
    assert.equal((await ask(edge, 'PATCH', '/lobby', { key, body: { title: `Birds ${i}` } })).status, 204);
    const { status, text } = await ask(edge, 'POST', '', { key, body: {} });
    assert.equal(status, 201, text);
    await until('the edge knows the room', async () => (await ask(edge, 'GET', `/${JSON.parse(text).code}`)).status === 200);
    assert.equal((await ask(edge, 'DELETE', `/${JSON.parse(text).code}`, { key })).status, 204);
  }
  const many = await Promise.all(Array.from({ length: 16 }, () => patch(edge, '/lobby', TEACHER, key)));
  assert.deepEqual(many, many.map(() => 204), 'also at once');
  for (const room of [taught, open]) {
    const own = await Promise.all(Array.from({ length: 16 }, (_, i) => patch(edge, room.path, `127.9.0.${i}`, room.key)));
    assert.deepEqual(own, own.map(() => 204), 'the room’s own key, at once');
  }
  assert.equal(await patch(edge, '/lobby', TEACHER, ''), 503, 'no key');
  assert.equal(await patch(edge, taught.path, STRANGER, open.key), 503, 'the key of another room');
  assert.equal(await patch(edge, '/lobby', TEACHER, taught.key), 503, 'a room’s key for the lobby');
  for (let i = 0; i < TRIES; i++) assert.equal(await patch(edge, '/lobby', GUESSER, `wrong-key-${i}`), 503);
  assert.equal(await patch(edge, '/lobby', GUESSER, key), 503, 'a guesser has no more tries');
  for (let i = 0; i <= TRIES; i++) assert.equal(await patch(edge, '/lobby', TEACHER, 'p3grqxbfrx46ab8hj2y3ndpe'), 503, 'a key that may be of a room');
  assert.equal(await patch(edge, '/lobby', TEACHER, key), 204, 'keys of rooms use up no tries');
  assert.equal(await wrongKeysOf(edge), TRIES, 'the edge counts the wrong keys that it has compared and not forwarded');
  assert.equal(logOf(edge).filter((line) => line.includes(GUESSER)).length, TRIES, 'and logs them');
  const holders = Array.from({ length: 2 * OF_ROOM }, (_, i) => beginPatch(t, edge, `127.10.0.${i}`, open.key, open.path));
  await until('a room has all that it can have', () => holders.filter(({ answer }) => answer.startsWith('HTTP/1.1 503')).length === OF_ROOM);
  assert.equal(await patch(edge, other.path, OTHER, other.key), 204, 'another room takes one of its forwards');
  assert.equal(await patch(edge, taught.path, TEACHER, taught.key), 204);
  assert.equal(await patch(edge, '/lobby', TEACHER, key), 204);
  assert.deepEqual(strangers.filter(({ answer }) => answer !== '' && !answer.startsWith('HTTP/1.1 503')), [], 'strangers still wait');
  assert.equal(refused(), STRANGERS - OF_STRANGERS, 'no stranger’s request ended for them');
});

// A person can choose a key of the form that flockd makes: 24 letters without l and o.
test('a wrong key is counted once, by the node that judges it; a chosen key of the made form has the limits of guesses at an edge, too', async (t) => {
  const { edge, sim, key } = await start(t, 'cluster-forwards-chosen', { key: 'birdsareintheskyeveryday' });
  const room = await makeRoom(edge, STRANGER, '');
  assert.equal(await patch(edge, '/lobby', STRANGER, 'wrong-key-of-the-lobby'), 403);
  assert.equal(await patch(edge, room.path, STRANGER, 'wrong-key-of-the-room'), 403);
  assert.equal(await patch(edge, room.path, STRANGER, 'p3grqxbfrx46ab8hj2y3ndpe'), 403);
  await until('the owner has counted them', async () => (await wrongKeysOf(sim)) === 3, () => wrongKeysOf(sim));
  assert.equal(await wrongKeysOf(edge), 0);
  assert.deepEqual(logOf(edge), []);
  assert.equal(logOf(sim).filter((line) => line.includes(STRANGER)).length, 3);
  await flood(t, edge);
  for (let i = 0; i < TRIES; i++) {
    assert.equal(await patch(edge, '/lobby', GUESSER, `birdsareintheskyevery${'abcdefgh'[i]}ay`), 503);
  }
  assert.equal(await patch(edge, '/lobby', GUESSER, key), 503, 'a guesser has no more tries');
  assert.equal(await patch(edge, '/lobby', TEACHER, key), 204);
});
