// The image, built by a real engine and run as it ships: by another user than root, read-only, without capabilities.
import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { atEnd } from '../e2e/atend.mjs';
import { createRoom } from '../e2e/api.mjs';
import { createAuthority } from '../e2e/authority.mjs';
import * as flock from '../e2e/client.mjs';
import { assertAnswersFirst } from '../e2e/pipelined.mjs';
import { root } from '../e2e/server.mjs';
import { brailleDots, openTerminal } from '../e2e/terminal.mjs';
import { until } from '../e2e/until.mjs';
import { buildImage, compose, docker, engineEnvironment, run, startEngine, stopEngine } from './engine.mjs';

const IMAGE = 'flockd-test';
const SECCOMP = ['--security-opt', `seccomp=${root}/docker/seccomp.json`];
const AS_SHIPPED = ['--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];

before(async () => {
  await startEngine();
  await buildImage(IMAGE);
});
after(stopEngine);

const inspect = async (what, format) => JSON.parse(await docker('inspect', '--format', `{{json ${format}}}`, what));

function makeFolder(t) {
  const folder = mkdtempSync(path.join(tmpdir(), 'flockd-docker-test-'));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function addressOf(id) {
  const address = await docker('port', id, '8080');
  return { id, url: `http://${address}/`, ws: `ws://${address}/ws` };
}

// Starts a container that is removed at the end of the test; resolves to its id and addresses.
async function startContainer(t, options = [], args = []) {
  const id = await docker('run', '--detach', ...AS_SHIPPED, '--publish', '127.0.0.1::8080', ...options, IMAGE, ...args);
  atEnd(t, () => docker('rm', '--force', '--volumes', id));
  return addressOf(id);
}

// The engine asks every ten seconds only.
const answers = ({ id, url }) =>
  until(
    'it answers',
    () => fetch(`${url}healthz`).then(({ ok }) => ok, () => false),
    () => docker('logs', id),
  );

test('the image describes how to run it', async () => {
  const config = await inspect(IMAGE, '.Config');
  assert.match(config.User, /^[1-9]\d*(:[1-9]\d*)?$/, 'a fixed user that is not root');
  assert.deepEqual(Object.keys(config.ExposedPorts), ['8080/tcp']);
  assert.deepEqual(Object.keys(config.Volumes), ['/data']);
  assert.equal(config.StopSignal, 'SIGTERM');
  assert.match(config.Labels['org.opencontainers.image.title'], /flockd/);
});

test('the image holds flockd, flock-term, flock-sim and the page, and no shell or tool', async (t) => {
  const id = await docker('create', IMAGE);
  atEnd(t, () => docker('rm', '--volumes', id));
  const archive = path.join(makeFolder(t), 'image.tar');
  await docker('export', '--output', archive, id);
  const files = (await run('tar', ['-tf', archive])).split('\n');
  const programs = files.filter((name) => /bin\/[^/]+$/.test(name));
  assert.deepEqual(programs.sort(), ['flock-sim', 'flock-term', 'flockd'].map((name) => `usr/local/bin/${name}`));
  assert.ok(files.includes('usr/local/share/flockd/web/index.html'));
  assert.ok(files.includes('usr/local/lib/flockd/flockd-nats.so'));
  assert.ok(files.some((name) => /\/libnats\.so/.test(name)), 'the library of the plugin');
  for (const name of ['flockd', 'flock-term', 'flock-sim']) {
    assert.match(await docker('run', '--rm', '--entrypoint', name, IMAGE, '--version'), new RegExp(`^${name} \\d`));
  }
});

test('the image has a list of the packages that it is made of', async (t) => {
  const id = await docker('create', IMAGE);
  atEnd(t, () => docker('rm', '--volumes', id));
  const file = path.join(makeFolder(t), 'sbom.json');
  await docker('cp', `${id}:/usr/local/share/flockd/sbom.json`, file);
  const { components } = JSON.parse(readFileSync(file, 'utf8'));
  const sources = components.flatMap(({ properties }) => (properties ?? []).map(({ value }) => value.split(' ')[0]));
  for (const source of ['glibc', 'libuv1', 'libwebsockets', 'openssl']) assert.ok(sources.includes(source), source);
});

test('the container becomes healthy, serves the page and the flock, and ends on SIGTERM', async (t) => {
  const { id, url, ws } = await startContainer(t, ['--health-interval', '1s']);
  await until(
    'the container is healthy',
    async () => (await inspect(id, '.State.Health.Status')) === 'healthy',
    () => docker('logs', id),
  );
  assert.equal((await fetch(url)).status, 200);
  const client = await flock.join(t, ws, { name: 'Ann' });
  client.send([flock.CURSOR, 60, 60]);
  await client.until('the flock follows', () => flock.distance(flock.centroid(client.snapshot.boids), [60, 60]) < 60);

  await docker('stop', '--time', '60', id); // kills it, for a status of 137, if it takes longer
  assert.equal(await inspect(id, '.State.ExitCode'), 0);
  assert.equal((await client.untilClosed()).code, 3000);
});

test('a room, its people’s names and the last minutes of its past outlive a restart of the container', async (t) => {
  const before = await startContainer(t);
  await answers(before);
  const room = await createRoom(before, { title: 'Class 7b', preset: 'bees' });
  const pupil = await flock.join(t, before.ws, { room: room.code, name: 'Bo' });
  pupil.send([flock.CURSOR, 60, 60]);
  const { id, token } = pupil.welcome;
  await pupil.until('the cursor steers for a second', () => pupil.snapshot.cursors.has(id) && pupil.snapshot.tick > 45);
  await docker('stop', '--time', '60', before.id);
  await docker('start', before.id);

  const server = await addressOf(before.id); // on another port
  await answers(server);
  const teacher = await flock.join(t, server.ws, { room: room.code, key: room.key, name: 'Ada' });
  assert.deepEqual([teacher.welcome.role, teacher.room.title, flock.control(teacher, 'preset').value], ['presenter', 'Class 7b', 'bees']);
  assert.equal(await teacher.ask([flock.REWIND, 0.5]), null);
  await teacher.until('the past', () => teacher.past?.shown && teacher.snapshot.cursors.has(id));
  assert.deepEqual(teacher.past.people.map(([, name]) => name), ['Bo']);
  const back = await flock.join(t, server.ws, { room: room.code, token });
  assert.deepEqual([back.welcome.id, back.welcome.name], [id, 'Bo']);
});

// The image's libwebsockets is newer than that of the machine that runs the other tests.
test('a request is answered with any bytes behind it', async (t) => {
  const key = 'the-key-of-this-room';
  const container = await startContainer(t, [], ['--presenter-key', key]);
  const { url } = container;
  await answers(container);
  await assertAnswersFirst(Number(new URL(url).port), key);
});

test('flockd is process 1, not root, and can write to /data only', async (t) => {
  const { id } = await startContainer(t);
  const status = readFileSync(`/proc/${await inspect(id, '.State.Pid')}/status`, 'utf8');
  assert.match(status, /^Name:\tflockd$/m);
  assert.match(status, /^NSpid:.*\t1$/m);
  assert.match(status, /^Uid:\t[1-9]/m);
  assert.match(status, /^CapEff:\t0+$/m);
  const save = (name) => docker('exec', id, 'flock-sim', '--ticks', '1', '--save', name);
  await save('/data/x');
  for (const folder of ['/', '/tmp/', '/usr/local/bin/', '/etc/']) await assert.rejects(save(`${folder}x`), /--save/, folder);
});

test('seccomp.json lets flockd serve clients, save rooms and use TLS, and refuses other calls', async (t) => {
  const authority = await createAuthority(t);
  authority.install(await authority.issue());
  chmodSync(authority.folder, 0o755);
  for (const name of ['cert', 'key']) chmodSync(path.join(authority.folder, name), 0o644);
  const secure = ['--volume', `${authority.folder}:/tls:ro`, '--env', 'FLOCKD_TLS_CERT=/tls/cert', '--env', 'FLOCKD_TLS_KEY=/tls/key'];
  const { id, ws } = await startContainer(t, [...SECCOMP, ...secure]);
  const trust = { ca: readFileSync(authority.ca) };
  const secured = ws.replace('ws:', 'wss:');
  const client = await until('it lets somebody in', () => flock.join(t, secured, {}, trust).catch(() => null), () => docker('logs', id));
  const first = client.snapshot;
  await client.until('the next snapshot', () => client.snapshot !== first);
  assert.match(readFileSync(`/proc/${await inspect(id, '.State.Pid')}/status`, 'utf8'), /^Seccomp:\t2$/m);
  await docker('stop', '--time', '60', id);
  assert.equal(await inspect(id, '.State.ExitCode'), 0);

  const folder = makeFolder(t);
  chmodSync(folder, 0o755);
  await run('cc', ['-static', '-o', `${folder}/forbidden`, `${root}/tests/docker/forbidden.c`]);
  const probe = ['--rm', ...AS_SHIPPED, '--volume', `${folder}:/probe:ro`, '--entrypoint', '/probe/forbidden'];
  assert.notEqual(await docker('run', ...probe, '--security-opt', 'seccomp=unconfined', IMAGE), '');
  assert.equal(await docker('run', ...probe, ...SECCOMP, IMAGE), '');
});

test('docker exec -it runs flock-term in the container', async (t) => {
  const container = await startContainer(t, [], ['--boids', '300']);
  const { id } = container;
  await answers(container);
  const terminal = await openTerminal(t);
  const { DOCKER_HOST } = engineEnvironment();
  const host = DOCKER_HOST ? `DOCKER_HOST=${DOCKER_HOST} ` : '';
  await terminal.type(`${host}docker exec -it -e TERM -e LC_ALL ${id} flock-term`);
  await terminal.key('Enter');
  await terminal.until('the swarm is drawn', (lines) => brailleDots(lines).length > 20);
  await terminal.key('q');
  await terminal.until('the shell is back', (lines) => brailleDots(lines).length === 0);
});

test('compose starts flockd with one command', async (t) => {
  const project = `flockd-test-${process.pid}`;
  const file = ['--file', `${root}/docker/compose.yaml`, '--project-name', project];
  const env = { FLOCKD_IMAGE: IMAGE, FLOCKD_PUBLISH: '127.0.0.1:', FLOCKD_BOIDS: '2000' };
  atEnd(t, () => compose([...file, 'down', '--volumes'], env));
  await compose([...file, 'up', '--detach'], env);
  const id = await compose([...file, 'ps', '--quiet', 'flockd'], env);
  const host = await inspect(id, '.HostConfig');
  assert.deepEqual([host.ReadonlyRootfs, host.CapDrop], [true, ['ALL']]);
  assert.ok(host.SecurityOpt.some((option) => option.startsWith('seccomp=') || option.startsWith('seccomp:')));
  const address = await compose([...file, 'port', 'flockd', '8080'], env);
  await answers({ id, url: `http://${address}/` });
  const client = await flock.join(t, `ws://${address}/ws`);
  assert.equal(client.snapshot.boids.length, 2000);
});
