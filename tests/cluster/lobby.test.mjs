// When the lobby's node dies or ends, the lobby keeps its key, join key, door, removals and roles. The option --presenter-key undoes none.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCluster, startCluster, stopCluster } from '../../docker/cluster.mjs';
import { atEnd } from '../e2e/atend.mjs';
import * as flock from '../e2e/numbers.mjs';
import { FLOCKD, root } from '../e2e/server.mjs';
import { until } from '../e2e/until.mjs';
import { come, Person } from './people.mjs';

const PATIENCE = 15_000;

// The presenter asks for something, and it is done.
async function does(presenter, message) {
  presenter.answers.delete(1);
  presenter.send([...message, 1]);
  const answer = await until('an answer', () => presenter.answers.get(1));
  assert.equal(answer, 'done', JSON.stringify(message));
}

// A person who leaves. Resolves to the token.
async function leaves(person) {
  person.socket.close();
  await until('the connection is closed', () => person.closed);
  return person.token;
}

// Tries to join the lobby. Resolves to the role, or the code with which the connection is closed.
async function tryJoin(t, url, options) {
  const person = new Person(url, { rate: 5, ...options });
  atEnd(t, () => person.socket.terminate());
  return until('an answer to the hello', () => person.role || person.closed, () => `${JSON.stringify(options)}`, PATIENCE);
}

const statusOf = async (at, key, body) =>
  (await fetch(`${at.url}api/rooms/lobby`, { method: 'PATCH', headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` }, body: JSON.stringify(body) })).status;

async function ownerOf(cluster) {
  for (const node of cluster.nodes.filter(({ role, running }) => role === 'sim' && running)) {
    const text = await fetch(`${node.url}metrics`).then((answer) => answer.text(), () => '');
    if (/^flockd_rooms(\{.*\})? [1-9]/m.test(text)) return node;
  }
  return null;
}

for (const signal of ['SIGKILL', 'SIGTERM']) {
  test(`the lobby’s new key and all its other rights hold when its node gets ${signal}`, async (t) => {
    const cluster = await makeCluster({ folder: `${root}/build/cluster-lobby-${signal}`, edges: 1, flockd: FLOCKD, args: ['--web', `${root}/build/web`] });
    atEnd(t, () => stopCluster(cluster));
    await startCluster(cluster);
    const [edge] = cluster.edges;
    const teacher = await come(t, edge.ws, { name: 'Teacher', key: cluster.key });
    assert.equal(teacher.role, 'presenter');
    const removed = await come(t, edge.ws, { name: 'Removed' });
    const absent = await come(t, edge.ws, { name: 'Absent', key: cluster.key });
    const appointed = await come(t, edge.ws, { name: 'Appointed' });
    const demoted = await come(t, edge.ws, { name: 'Demoted' });
    const viewer = await come(t, edge.ws, { name: 'Viewer' });
    const absentToken = await leaves(absent);
    await does(teacher, [flock.REKEY]);
    const key = teacher.newKey;
    for (const role of ['presenter', 'viewer']) await does(teacher, [flock.APPOINT, demoted.id, role]);
    await does(teacher, [flock.APPOINT, appointed.id, 'presenter']);
    const { token: removedToken } = removed;
    await does(teacher, [flock.EXPEL, removed.id]);
    assert.equal(await statusOf(edge, key, { join_key: 'owls-at-noon' }), 204);
    await does(teacher, [flock.DOOR, false]);
    const tokens = [appointed, demoted].map(({ token }) => token);
    for (const person of [appointed, demoted]) await leaves(person);

    const expected = { old: 3510, new: 'presenter', absent: 'viewer', removed: 3507, appointed: 'presenter', demoted: 'viewer', stranger: 3510 };
    const rights = async () => ({
      old: await tryJoin(t, edge.ws, { key: cluster.key, joinKey: 'owls-at-noon' }),
      new: await tryJoin(t, edge.ws, { key }),
      absent: await tryJoin(t, edge.ws, { token: absentToken }),
      removed: await tryJoin(t, edge.ws, { token: removedToken, joinKey: 'owls-at-noon' }),
      appointed: await tryJoin(t, edge.ws, { token: tokens[0] }),
      demoted: await tryJoin(t, edge.ws, { token: tokens[1] }),
      stranger: await tryJoin(t, edge.ws, { joinKey: 'owls-at-noon' }),
    });
    assert.deepEqual(await rights(), expected);

    const owner = await until('a node has the lobby', () => ownerOf(cluster));
    const present = [teacher, viewer];
    const had = present.map(({ welcomes }) => welcomes.length);
    // The teacher's room ticks, so each checkpoint has all that was before.
    const saved = await metric(owner, 'cluster_checkpoints_total');
    await until('checkpoints with all that', async () => (await metric(owner, 'cluster_checkpoints_total')) > saved + 1);
    owner.signal(signal);
    await until('both see the flock of the other node', () => present.every((person, i) => person.welcomes.length > had[i] && person.sees()), () => '', PATIENCE);
    assert.deepEqual(await rights(), expected);
    assert.deepEqual([await statusOf(edge, cluster.key, { title: 'Mine' }), await statusOf(edge, key, { title: 'Ours' })], [403, 204]);
    assert.deepEqual(present.map(({ role }) => role), ['presenter', 'viewer']);
    await does(teacher, [flock.DOOR, true]);
    assert.equal(await tryJoin(t, edge.ws, { joinKey: 'owls-at-noon' }), 'viewer');
    assert.equal(await tryJoin(t, edge.ws, { joinKey: 'another' }), 3509);
  });
}

// A figure of a node.
async function metric(at, name) {
  const text = await fetch(`${at.url}metrics`).then((answer) => answer.text());
  return Number(text.match(new RegExp(`^flockd_${name}(?:\\{.*\\})? (\\d+)`, 'm'))?.[1]);
}
