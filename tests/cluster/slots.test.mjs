// An edge whose slots strangers have filled: a class and its teacher still get in.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCluster, startCluster, stopCluster } from '../../docker/cluster.mjs';
import { atEnd } from '../e2e/atend.mjs';
import { FLOCKD, root } from '../e2e/server.mjs';
import { until } from '../e2e/until.mjs';
import { come, Person } from './people.mjs';

const SLOTS = 12; // of a node
const SCHOOL = '127.0.0.77';

// Nodes tell each other the facts of a room once a second. The teacher joins before the edge has heard any.
test('a class gets in at a full edge beside the teacher who has just made its room with the server’s key', async (t) => {
  const args = ['--web', `${root}/build/web`, '--max-clients', `${SLOTS}`];
  const cluster = await makeCluster({ folder: `${root}/build/cluster-slots`, sims: 1, edges: 1, flockd: FLOCKD, args });
  atEnd(t, () => stopCluster(cluster));
  await startCluster(cluster);
  const [edge] = cluster.edges;
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${cluster.key}` };
  const { code, key } = await until('the edge has a room made', async () => {
    const made = await fetch(`${edge.url}api/rooms`, { method: 'POST', headers, body: '{}' });
    return made.status === 201 && made.json();
  });
  const teacher = await come(t, edge.ws, { room: code, key, from: SCHOOL });
  assert.equal(teacher.role, 'presenter');
  for (let i = 0; i < SLOTS; i++) {
    const stranger = new Person(edge.ws, { from: `127.8.0.${1 + i % 4}` });
    atEnd(t, () => stranger.socket.terminate());
    await until('a stranger is in, or refused', () => stranger.welcomes.length > 0 || stranger.closed !== null);
  }
  const pupils = Array.from({ length: SLOTS - 2 }, () => new Person(edge.ws, { room: code, from: SCHOOL }));
  for (const pupil of pupils) atEnd(t, () => pupil.socket.terminate());
  await until('each pupil is in, or refused', () => pupils.every(({ welcomes, closed }) => welcomes.length > 0 || closed !== null));
  assert.deepEqual(pupils.map(({ closed }) => closed), pupils.map(() => null), 'all pupils are in');
});
