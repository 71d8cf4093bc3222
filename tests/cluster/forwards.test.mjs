// An edge that forwards as many strangers' requests as it can: requests with the server's key are still answered.
import assert from 'node:assert/strict';
import http from 'node:http';
import net from 'node:net';
import { test } from 'node:test';
import { makeCluster, startCluster, stopCluster } from '../../docker/cluster.mjs';
import { atEnd } from '../e2e/atend.mjs';
import { FLOCKD, root } from '../e2e/server.mjs';
import { until } from '../e2e/until.mjs';

const STREAMS = 256; // of each network thread
const STRANGERS = STREAMS + 16;
const TEACHER = '127.8.0.1';
const GUESSER = '127.8.0.2';
const TRIES = 3; // wrong keys of an address

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

// Begins a PATCH whose body does not come: the owner of the room waits for it for 10 s.
/** @param {import('../e2e/types.d.ts').Test} t @param {any} edge @param {string} from @param {string} key */
function beginPatch(t, edge, from, key) {
  const { hostname, port } = new URL(edge.url);
  const stranger = { answer: '' };
  const socket = net.connect({ host: hostname, port: Number(port), localAddress: from });
  socket.on('error', () => {}).setEncoding('latin1').on('data', (part) => (stranger.answer += part));
  socket.write(`PATCH /api/rooms/lobby HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n`);
  atEnd(t, () => socket.destroy());
  return stranger;
}

test('requests with the server’s key are answered while strangers have all other forwards of an edge; a wrong key gains nothing', async (t) => {
  const args = ['--web', `${root}/build/web`, '--net-threads', '1', '--address-key-tries', `${TRIES}`];
  const cluster = await makeCluster({ folder: `${root}/build/cluster-forwards`, sims: 1, edges: 1, flockd: FLOCKD, args });
  atEnd(t, () => stopCluster(cluster));
  await startCluster(cluster);
  const [edge] = cluster.edges;
  const { key } = cluster;
  await until('the edge knows the lobby’s owner', async () => (await ask(edge, 'PATCH', '/lobby', { key, body: { title: 'Birds' } })).status === 204);
  const forwarded = async () => Number(/cluster_forwarded_total\S* (\d+)/.exec(await fetch(`${edge.url}metrics`).then((answer) => answer.text()))?.[1]);
  const before = await forwarded();
  const strangers = Array.from({ length: STRANGERS }, (_, i) => beginPatch(t, edge, `127.9.${i >> 8}.${i & 255}`, `m4k8rtw2nd5ybq7hxz93vcp${'abcdefgh'[i % 8]}`));
  await until('the edge has got all requests', async () => (await forwarded()) === before + STRANGERS, forwarded);
  const refused = () => strangers.filter(({ answer }) => answer.startsWith('HTTP/1.1 503')).length;
  await until('strangers have all that they can have', () => refused() >= STRANGERS - STREAMS);
  for (let i = 0; i < 3; i++) {
    assert.equal((await ask(edge, 'PATCH', '/lobby', { key, body: { title: `Birds ${i}` } })).status, 204);
    const { status, text } = await ask(edge, 'POST', '', { key, body: {} });
    assert.equal(status, 201, text);
    await until('the edge knows the room', async () => (await ask(edge, 'GET', `/${JSON.parse(text).code}`)).status === 200);
    assert.equal((await ask(edge, 'DELETE', `/${JSON.parse(text).code}`, { key })).status, 204);
  }
  const many = await Promise.all(Array.from({ length: 16 }, () => ask(edge, 'PATCH', '/lobby', { key, body: { title: 'Bees' } })));
  assert.deepEqual(many.map(({ status }) => status), many.map(() => 204), 'also at once');
  const patch = async (from, tried) => (await ask(edge, 'PATCH', '/lobby', { from, key: tried, body: { title: 'Bees' } })).status;
  assert.equal(await patch(TEACHER, ''), 503, 'no key');
  for (let i = 0; i <= TRIES; i++) {
    assert.equal(await patch(GUESSER, `wrong-key-${i}`), 503);
    assert.equal(await patch(TEACHER, 'p3grqxbfrx46ab8hj2y3ndpe'), 503, 'a key that may be of a room');
  }
  assert.equal(await patch(GUESSER, key), 503, 'a guesser has no more tries');
  assert.equal(await patch(TEACHER, key), 204, 'keys of rooms use up no tries');
  assert.deepEqual(strangers.filter(({ answer }) => answer !== '' && !answer.startsWith('HTTP/1.1 503')), [], 'strangers still wait');
  assert.equal(refused(), STRANGERS - STREAMS * 7 / 8, 'no stranger’s request ended for them');
});
