// A Docker engine for the tests, and a base image for it. Tests use an engine that already runs. Without one
// they start an engine with its own socket and state, and stop it at the end.
//
// The base is a Debian 13 made by debootstrap, so that no registry is needed, with this machine's certificate
// authorities in it, so that npm works behind a proxy. It and the engine's state stay in a cache outside the
// repository; remove that to start again.
import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from '../e2e/server.mjs';
import { until } from '../e2e/until.mjs';

const execFileAsync = promisify(execFile);
const CACHE = path.join(process.env.XDG_CACHE_HOME ?? '/var/cache', 'flockd-tests');
const BASE = 'flockd-test-base';
const MACHINE_CA = '/etc/ssl/certs/ca-certificates.crt';
const BASE_CA = '/etc/ssl/machine.crt';

const environment = { ...process.env };
let engine = null;
let folder = null;

// Runs a command and resolves to what it printed on stdout, without the last newline. Rejects with all output.
export async function run(command, args, options = {}) {
  try {
    const { stdout } = await execFileAsync(command, args, {
      env: { ...environment, ...options.env },
      cwd: options.cwd,
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout.trimEnd();
  } catch (error) {
    error.message = `${command} ${args.join(' ')}: ${error.message}\n${error.stdout ?? ''}\n${error.stderr ?? ''}`;
    throw error;
  }
}

export const docker = (...args) => run('docker', args);

// Runs docker compose: docker's plugin or the older command, which looks for seccomp.json below the folder that it
// runs in.
export async function compose(args, env) {
  const plugin = await docker('compose', 'version').then(
    () => true,
    () => false,
  );
  const options = { env, cwd: `${root}/docker` };
  return plugin ? run('docker', ['compose', ...args], options) : run('docker-compose', args, options);
}

// The environment with which a command in another terminal reaches the same engine.
export const engineEnvironment = () => ({ DOCKER_HOST: environment.DOCKER_HOST });

const works = () =>
  docker('info').then(
    () => true,
    () => false,
  );

export async function startEngine() {
  if (await works()) {
    return;
  }
  folder = mkdtempSync(path.join(tmpdir(), 'flockd-docker-'));
  mkdirSync(CACHE, { recursive: true });
  environment.DOCKER_HOST = `unix://${folder}/docker.sock`;
  const log = openSync(`${folder}/dockerd.log`, 'w');
  engine = spawn(
    'dockerd',
    [
      ...['--host', environment.DOCKER_HOST, '--data-root', `${CACHE}/docker`],
      ...['--exec-root', `${folder}/exec`, '--pidfile', `${folder}/dockerd.pid`],
    ],
    { stdio: ['ignore', log, log] },
  );
  let ended = '';
  engine.on('error', (error) => (ended = error.message));
  engine.on('exit', (status) => (ended = `dockerd exited with ${status}`));
  await until('the Docker engine answers', async () => {
    if (ended) {
      throw new Error(`${ended}; its log: ${await run('tail', ['-n', '20', `${folder}/dockerd.log`])}`);
    }
    return works();
  });
}

export async function stopEngine() {
  if (engine) {
    const exited = new Promise((resolve) => engine.on('exit', resolve));
    engine.kill('SIGTERM');
    await exited;
    engine = null;
    await run('umount', [`${folder}/exec/netns/default`]).catch(() => {}); // dockerd leaves it behind
    rmSync(folder, { recursive: true, force: true });
  }
}

const imageId = (name) =>
  docker('image', 'inspect', '--format', '{{.Id}}', name).then(
    (id) => id,
    () => '',
  );

async function ensureBase() {
  if (await imageId(BASE)) {
    return;
  }
  const archive = path.join(CACHE, 'trixie.tar');
  if (!existsSync(archive)) {
    mkdirSync(CACHE, { recursive: true });
    const tree = mkdtempSync(path.join(CACHE, 'trixie-'));
    await run('debootstrap', ['--variant=minbase', '--include=ca-certificates', 'trixie', tree]);
    await run('cp', [MACHINE_CA, tree + BASE_CA]);
    writeFileSync(`${tree}/etc/resolv.conf`, '');
    const leftOut = ['--exclude=./var/cache/apt/archives/*.deb', '--exclude=./var/lib/apt/lists/*'];
    await run('tar', ['-C', tree, ...leftOut, '-cf', `${archive}.new`, '.']);
    renameSync(`${archive}.new`, archive);
    rmSync(tree, { recursive: true });
  }
  await docker('import', archive, BASE);
}

// Builds the image from docker/Dockerfile on the base. Removes images of the same names from earlier runs. The
// build's first stage has a name, so that the next run finds its layers.
export async function buildImage(name) {
  await ensureBase();
  const stages = [
    { tag: `${name}-build`, args: ['--target', 'build'] },
    { tag: name, args: [] },
  ];
  for (const { tag, args } of stages) {
    const before = await imageId(tag);
    await run(
      'docker',
      [
        ...['build', '--network', 'host', '--file', 'docker/Dockerfile', '--tag', tag, ...args],
        ...['--build-arg', `BASE=${BASE}`, '--build-arg', `NODE_EXTRA_CA_CERTS=${BASE_CA}`, '.'],
      ],
      { cwd: root },
    );
    if (before && before !== (await imageId(tag))) {
      await docker('rmi', before).catch(() => {}); // another container may use it
    }
  }
}
