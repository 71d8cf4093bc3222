// The compose files and their mounts, as far as they can be checked without an image: the syntax, and that every metric of
// the dashboard exists.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../docker/cluster.mjs';
import { atEnd } from '../e2e/atend.mjs';
import { createAuthority } from '../e2e/authority.mjs';
import { launch, root, startServer } from '../e2e/server.mjs';
import { until } from '../e2e/until.mjs';

const plugin = spawnSync('docker', ['compose', 'version']).status === 0;
const [command, ...first] = plugin ? ['docker', 'compose'] : ['docker-compose'];

// The configuration that compose makes of these files, or its complaint. The older docker-compose looks for seccomp.json where it is run.
function configOf(names, env = {}) {
  const files = names.flatMap((name) => ['-f', `${root}/docker/${name}`]);
  return execFileSync(command, [...first, ...files, 'config'], { cwd: `${root}/docker`, encoding: 'utf8', env: { ...process.env, ...env } });
}

const mountsOf = (name) => [...readFileSync(`${root}/docker/${name}`, 'utf8').matchAll(/^ +- \.\/([^:]+):\//gm)].map(([, file]) => file);

/** @type {[name: string, env: Record<string, string>, services: string[]][]} */
const COMPOSED = [
  ['compose.proxy.yaml', { FLOCKD_DOMAIN: 'flock.example.org' }, ['flockd', 'caddy']],
  ['compose.monitoring.yaml', { FLOCKD_GRAFANA_PASSWORD: 'x' }, ['flockd', 'prometheus', 'grafana']],
];
for (const [name, env, services] of COMPOSED) {
  test(`${name} goes with compose.yaml`, () => {
    const config = configOf(['compose.yaml', name], env);
    for (const service of services) assert.match(config, new RegExp(`^  ${service}:$`, 'm'));
    const mounts = mountsOf(name);
    assert.ok(mounts.length > 0);
    for (const file of mounts) assert.ok(existsSync(`${root}/docker/${file}`), file);
    assert.doesNotMatch(readFileSync(`${root}/docker/${name}`, 'utf8'), /image: .*-[\w.]+\.\w+\//, 'no registry is named');
  });
}

const SECRETS = Object.fromEntries(['PRESENTER_KEY', 'SIM_PASSWORD', 'EDGE_PASSWORD', 'STATUS_PASSWORD', 'NATS_PASSWORD'].map((name) => [`FLOCKD_${name}`, `secret-of-${name}`]));

test('compose.cluster.yaml starts three NATS servers, two sims, two edges and Caddy', () => {
  const config = configOf(['compose.cluster.yaml'], SECRETS);
  for (const service of ['nats-1', 'nats-2', 'nats-3', 'sim-1', 'sim-2', 'edge-1', 'edge-2', 'caddy']) assert.match(config, new RegExp(`^  ${service}:$`, 'm'));
  for (const file of mountsOf('compose.cluster.yaml')) assert.ok(existsSync(`${root}/docker/${file}`), file);
  assert.equal(config.match(/published: /g)?.length ?? config.match(/- (80:80|443:443)/g)?.length, 2, 'only the ports of Caddy are open');
  const text = readFileSync(`${root}/docker/compose.cluster.yaml`, 'utf8');
  for (const name of Object.keys(SECRETS)) assert.ok(text.includes(`\${${name}:?is needed`), `nobody starts it without ${name}`);
  const [name] = Object.keys(SECRETS);
  assert.throws(() => configOf(['compose.cluster.yaml'], { ...SECRETS, [name]: '' }), new RegExp(`${name}.*is needed`, 's'));
});

test('a NATS server of compose.cluster.yaml starts with its files and variables', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'flockd-compose-'));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  const variables = readFileSync(`${root}/docker/compose.cluster.yaml`, 'utf8').matchAll(/^ +(NATS_\w+): '?(.*?)'?(?: #.*)?$/gm);
  const env = Object.fromEntries([...variables].map(([, name, value]) => [name, value.replace(/\$\{(\w+)[^}]*\}/g, (_, secret) => SECRETS[secret])]));
  const port = await freePort();
  const nats = launch(t, ['-c', `${root}/docker/nats.cluster.conf`, '-a', '127.0.0.1', '-p', `${port}`, '--cluster', 'nats://127.0.0.1:-1'], {
    command: [`${root}/build/nats/nats-server`],
    env: { ...env, NATS_STORE: folder },
  });
  await until('it is ready', () => /Server is ready/.test(nats.stderr) || !nats.running);
  assert.ok(nats.running, nats.stderr);
});

test('behind Caddy flockd counts people by their own addresses', () => {
  const config = configOf(['compose.yaml', 'compose.proxy.yaml'], { FLOCKD_DOMAIN: 'flock.example.org' });
  const caddy = config.match(/^ +ipv4_address: (\S+)$/m)?.[1];
  assert.ok(caddy, config);
  assert.match(config, new RegExp(`^ +(- )?FLOCKD_TRUSTED_PROXY[:=] ?${caddy}$`, 'm'), 'nobody else is believed');
});

test('every metric of the dashboard exists', async (t) => {
  const authority = await createAuthority(t);
  const server = await startServer(t, authority.install(await authority.issue()));
  const metrics = execFileSync('curl', ['-sS', '--cacert', authority.ca, `${server.url}metrics`], { encoding: 'utf8' });
  const kinds = new Map([...metrics.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, kind]) => [name, kind]));
  const { panels } = JSON.parse(readFileSync(`${root}/docker/monitoring/dashboards/flockd.json`, 'utf8'));
  // tests/cluster checks the metrics of a cluster.
  const targets = panels.flatMap((panel) => panel.targets ?? []).filter(({ expr }) => !expr.includes('flockd_cluster_'));
  const queries = targets.map(({ expr }) => expr);
  assert.ok(queries.length > 10);
  for (const { expr, legendFormat } of targets) {
    const [, name] = expr.match(/^(flockd_\w+)(?![\w{])/) ?? [];
    if (metrics.includes(`\n${name}{`)) assert.match(legendFormat, /\{\{\w+\}\}/, `${name} has several lines`);
  }
  for (const query of queries) {
    const uses = [...query.matchAll(/(rate\()?(flockd_\w+)(\{[^}]*\})?/g)];
    assert.ok(uses.length > 0, query);
    for (const [, rate, name, labels] of uses) {
      const plain = name.replace(/_bucket$/, '');
      assert.ok(kinds.has(plain), `${name} in ${query}`);
      assert.equal(kinds.get(plain) === 'histogram', name !== plain, query);
      assert.equal(kinds.get(plain) !== 'gauge', rate !== undefined, query);
      if (labels !== undefined) assert.ok(metrics.includes(`\n${name}${labels} `), `${name}${labels} in ${query}`);
    }
  }
  const named = queries.join();
  const bandwidth = [...kinds.keys()].filter((name) => /bandwidth|bytes_sent/.test(name));
  assert.ok(bandwidth.length >= 5, bandwidth.join());
  for (const name of [...bandwidth, 'limit="bandwidth"']) assert.ok(named.includes(name), `${name} is in no panel`);
});
