// A NATS server that answers, but stores no lease, as with a full disk.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../docker/cluster.mjs';
import { atEnd } from '../e2e/atend.mjs';
import { launch, root, startServer } from '../e2e/server.mjs';
import { until } from '../e2e/until.mjs';
import { connectNats } from './nats.mjs';

test('a node whose rooms stand still, because NATS stores no lease, is not ready, and its log says why', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'flockd-store-'));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  const port = await freePort();
  const url = `nats://127.0.0.1:${port}`;
  const nats = launch(t, ['-c', `${root}/docker/nats.conf`, '-a', '127.0.0.1', '-p', `${port}`], { command: [`${root}/build/nats/nats-server`], env: { NATS_STORE: folder } });
  await until('NATS listens', () => /Server is ready/.test(nats.stderr), () => nats.stderr);
  const node = await startServer(t, ['--data', 'none', '--presenter-key', 'the-key-of-all-nodes', '--nats', url, '--node', 'a']);
  const ask = async (/** @type {string} */ what) => {
    const answer = await fetch(`${node.url}${what}`);
    return `${answer.status} ${await answer.text()}`;
  };
  assert.match(await ask('readyz'), /^200 /);
  const operator = await connectNats(t, url, ':');
  operator.publish('$JS.API.STREAM.DELETE.KV_flock_nodes', new Uint8Array());
  await operator.flush();
  await until('it is not ready', async () => /^503 .*"disconnected"/.test(await ask('readyz')));
  assert.match(await ask('healthz'), /^200 .*"cluster":"disconnected"/);
  assert.match(node.stderr, /this node cannot renew its lease, because NATS refuses to store it: its rooms stand still/);
});
