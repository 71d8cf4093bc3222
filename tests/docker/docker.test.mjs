// The image, built by a real engine and run as it ships: by another user than root, read-only, without capabilities.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { atEnd } from '../e2e/atend.mjs';
import * as flock from '../e2e/client.mjs';
import { root } from '../e2e/server.mjs';
import { brailleDots, openTerminal } from '../e2e/terminal.mjs';
import { until } from '../e2e/until.mjs';
import { buildImage, compose, docker, engineEnvironment, startEngine, stopEngine } from './engine.mjs';

const IMAGE = 'flockd-test';
const AS_SHIPPED = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];

before(async () => {
  await startEngine();
  await buildImage(root, IMAGE);
});
after(stopEngine);

const inspect = async (what, format) => JSON.parse(await docker('inspect', '--format', `{{json ${format}}}`, what));

// Starts a container that is removed at the end of the test; resolves to its id and addresses.
async function startContainer(t, options = [], args = []) {
  const id = await docker('run', '--detach', ...AS_SHIPPED, '--publish', '127.0.0.1::8080', ...options, IMAGE, ...args);
  atEnd(t, () => docker('rm', '--force', '--volumes', id));
  const address = await docker('port', id, '8080');
  return { id, url: `http://${address}/`, ws: `ws://${address}/ws` };
}

const healthy = (id) =>
  until(
    'the container is healthy',
    async () => (await inspect(id, '.State.Health.Status')) === 'healthy',
    () => docker('logs', id),
    60_000,
  );

test('the image says how to run it', async () => {
  const config = await inspect(IMAGE, '.Config');
  assert.match(config.User, /^[1-9]\d*(:[1-9]\d*)?$/, 'a fixed user that is not root');
  assert.deepEqual(Object.keys(config.ExposedPorts), ['8080/tcp']);
  assert.deepEqual(Object.keys(config.Volumes), ['/data']);
  assert.equal(config.StopSignal, 'SIGTERM');
  assert.match(config.Labels['org.opencontainers.image.title'], /flockd/);
});

test('the image holds flockd, flock-term, flock-sim and the page, and no tools', async () => {
  const look = 'for c in "$@"; do command -v $c; done; find /usr/include /usr/src /src /usr/local/lib -type f 2>/dev/null; true';
  const tools = ['cc', 'gcc', 'make', 'git', 'node', 'npm', 'curl'];
  const found = await docker('run', '--rm', '--entrypoint', 'sh', IMAGE, '-c', look, 'sh', ...tools);
  assert.equal(found, '');
  assert.match(await docker('run', '--rm', IMAGE, '--version'), /^flockd \d/);
  for (const program of ['flock-term', 'flock-sim']) {
    assert.match(await docker('run', '--rm', '--entrypoint', program, IMAGE, '--version'), new RegExp(`^${program} \\d`));
  }
});

test('it becomes healthy, serves the page and the flock, and ends when told to', async (t) => {
  const { id, url, ws } = await startContainer(t);
  await healthy(id);
  assert.equal((await fetch(url)).status, 200);
  const client = await flock.join(t, ws, { name: 'Ann' });
  client.send([flock.CURSOR, 60, 60]);
  await client.until('the flock follows', () => flock.distance(flock.centroid(client.snapshot.boids), [60, 60]) < 60);

  await docker('stop', '--time', '2', id); // kills it, for a status of 137, if it takes longer
  assert.equal(await inspect(id, '.State.ExitCode'), 0);
  assert.equal((await client.untilClosed()).code, 3000);
});

test('it is process 1, not root, and can write to nothing but /data', async (t) => {
  const { id } = await startContainer(t);
  const inside = (script) => docker('exec', id, 'sh', '-c', script);
  assert.equal(await inside('cat /proc/1/comm'), 'flockd');
  assert.notEqual(await inside('id -u'), '0');
  assert.match(await inside('grep CapEff /proc/1/status'), /\t0+$/);
  assert.equal(await inside('touch /data/x && rm /data/x && echo written'), 'written');
  for (const place of ['/', '/tmp', '/usr/local/bin', '/var/lib']) {
    assert.equal(await inside(`touch ${place}/x 2>/dev/null || echo refused`), 'refused', place);
  }
});

test('docker exec -it runs flock-term in it', async (t) => {
  const { id } = await startContainer(t, [], ['--boids', '300']);
  await healthy(id);
  const terminal = await openTerminal(t);
  const { DOCKER_HOST } = engineEnvironment();
  const host = DOCKER_HOST ? `DOCKER_HOST=${DOCKER_HOST} ` : '';
  await terminal.type(`${host}docker exec -it -e TERM -e LC_ALL ${id} flock-term`);
  await terminal.key('Enter');
  await terminal.until('the swarm is drawn', (lines) => brailleDots(lines).length > 20);
  await terminal.key('q');
  await terminal.until('the shell is back', (lines) => brailleDots(lines).length === 0);
});

test('compose starts it with one command', async (t) => {
  const project = `flockd-test-${process.pid}`;
  const file = ['--file', `${root}/docker/compose.yaml`, '--project-name', project];
  const env = { FLOCKD_IMAGE: IMAGE, FLOCKD_PUBLISH: '127.0.0.1:', FLOCKD_BOIDS: '2000' };
  atEnd(t, () => compose([...file, 'down', '--volumes'], env));
  await compose([...file, 'up', '--detach'], env);
  const id = await compose([...file, 'ps', '--quiet', 'flockd'], env);
  await healthy(id);
  const host = await inspect(id, '.HostConfig');
  assert.deepEqual([host.ReadonlyRootfs, host.CapDrop], [true, ['ALL']]);
  const address = await compose([...file, 'port', 'flockd', '8080'], env);
  const client = await flock.join(t, `ws://${address}/ws`);
  assert.equal(client.snapshot.boids.length, 2000);
});
