// Nodes whose places strangers have filled, and a node that dies or ends: the lobby and the rooms of the server's key go on.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import http from 'node:http';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { makeCluster, startCluster, stopCluster } from '../../docker/cluster.mjs';
import { atEnd } from '../e2e/atend.mjs';
import { FLOCKD, root } from '../e2e/server.mjs';
import { until } from '../e2e/until.mjs';
import { come } from './people.mjs';

const run = promisify(execFile);
const MOST = 16; // rooms of a node; two of them are reserved for the server's key, and one for the lobby
const STRANGERS = MOST - MOST / 8 - 1;

// Asks the edge for a new room, from that address.
/** @param {any} edge @param {string} localAddress @returns {Promise<{ status?: number, answer: any }>} */
const ask = (edge, localAddress, key = '') =>
  new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) };
    const request = http.request(`${edge.url}api/rooms`, { method: 'POST', localAddress, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => (text += part));
      response.on('end', () => resolve({ status: response.statusCode, answer: JSON.parse(text) }));
    });
    request.on('error', reject);
    request.end('{}');
  });

// Starts two nodes with rooms and fills them: strangers of many addresses make a room with a viewer each, and the teacher two without.
/** @param {import('../e2e/types.d.ts').Test} t @param {string} folder */
async function startFull(t, folder) {
  const args = ['--web', `${root}/build/web`, '--max-rooms', `${MOST}`];
  const cluster = await makeCluster({ folder: `${root}/build/${folder}`, edges: 1, flockd: FLOCKD, args });
  atEnd(t, () => stopCluster(cluster));
  await startCluster(cluster);
  const [edge] = cluster.edges;
  /** @type {import('./people.mjs').Person[]} */
  const viewers = [];
  let tries = 0;
  await until('strangers have all places that they can have', async () => {
    const { status, answer } = await ask(edge, `127.9.${tries >> 8}.${tries++ & 255}`);
    if (status === 201) {
      await until('the edge knows the room', () => fetch(`${edge.url}api/rooms/${answer.code}`).then(({ ok }) => ok));
      viewers.push(await come(t, edge.ws, { room: answer.code, rate: 10 }));
    }
    return viewers.length === 2 * STRANGERS;
  });
  const rooms = await Promise.all([1, 2].map(() => ask(edge, '127.8.0.1', cluster.key)));
  for (const { status, answer } of rooms) assert.equal(status, 201, JSON.stringify(answer));
  return { cluster, edge, viewers, rooms: rooms.map(({ answer }) => answer) };
}

// The rows of flockd --cluster-status that begin with the word.
async function statusOf(cluster, word) {
  const { stdout } = await run(FLOCKD, ['--nats', cluster.urls, '--cluster-status'], { env: { ...process.env, FLOCKD_NATS_USER: cluster.login('status') } });
  return stdout.split('\n').map((line) => line.trim().split(/\s+/)).filter(([first]) => first === word);
}

for (const signal of ['SIGKILL', 'SIGTERM']) {
  test(`strangers’ rooms leave places for the lobby and rooms of the server’s key when a node gets ${signal}`, async (t) => {
    const { cluster, edge, viewers, rooms } = await startFull(t, `cluster-places-${signal}`);
    const owner = (await statusOf(cluster, 'lobby'))[0][1];
    const rest = ['sim-1', 'sim-2'].find((name) => name !== owner) ?? '';
    cluster.nodes.find(({ name }) => name === owner).signal(signal);
    for (const { code, key } of rooms) assert.equal((await come(t, edge.ws, { room: code, key })).role, 'presenter');
    assert.equal((await come(t, edge.ws, { key: cluster.key })).role, 'presenter');
    const rowOf = async () => (await statusOf(cluster, rest))[0].join(' ');
    await until('all places of the other node are taken', async () => (await rowOf()).includes(` ${MOST} of ${MOST} `), rowOf);
    // Until the edge has missed the beats of the ended node, it may still ask that node.
    const { answer } = await until('the other node answers', async () => {
      const refused = await ask(edge, '127.8.0.1', cluster.key);
      return refused.status !== 503 && refused;
    });
    assert.match(answer.error?.message, /limit of rooms/);
    const seeing = () => viewers.filter((person) => person.sees());
    const going = await until('the other node’s rooms go on', () => seeing().length === STRANGERS && seeing(), () => seeing().length);
    for (const person of going) person.socket.terminate();
    await until('an idle room of a stranger gives way to one of the server’s key', async () => (await ask(edge, '127.8.0.1', cluster.key)).status === 201);
  });
}
