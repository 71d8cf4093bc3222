// A NATS server with TLS whose users have credentials files of an operator, in place of names and passwords.
import assert from 'node:assert/strict';
import { sign } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { freePort } from '../../docker/cluster.mjs';
import { atEnd } from '../e2e/atend.mjs';
import { createAuthority } from '../e2e/authority.mjs';
import { launch, root, runToEnd, startServer } from '../e2e/server.mjs';
import { until } from '../e2e/until.mjs';
import { credentialsOf, makeKey, makeOperator } from './operator.mjs';
import { come } from './people.mjs';

const OPTIONS = ['--port', '0', '--data', 'none', '--presenter-key', 'the-key-of-all-nodes'];

// The rights that docker/nats.users.conf gives the role's user.
function rightsOf(role) {
  const [, text] = readFileSync(`${root}/docker/nats.users.conf`, 'utf8').match(new RegExp(`^ {4}${role.toUpperCase()}: \\{(.*?)^ {4}\\}`, 'ms'));
  const [publish, subscribe] = text.replace(/#.*/g, '').split('subscribe:').map((part) => [...part.matchAll(/"(.*?)"/g)].map(([, subject]) => subject));
  return { publish, subscribe };
}

// Starts NATS on that port with the certificate. Resolves to its program when it listens.
async function startNats(t, { folder, port, configuration, certificate: { cert, key } }) {
  const file = path.join(folder, 'nats.conf');
  writeFileSync(file, `include "${path.relative(folder, `${root}/docker/nats.conf`)}"\ntls { cert_file: "${cert}", key_file: "${key}" }\n${configuration}`);
  const nats = launch(t, ['-c', file, '-a', '127.0.0.1', '-p', `${port}`], { command: [`${root}/build/nats/nats-server`], env: { NATS_STORE: path.join(folder, 'store') } });
  await until('NATS listens', () => /Server is ready/.test(nats.stderr) || !nats.running, () => nats.stderr);
  return nats;
}

test('nodes with credentials files share a room over TLS; a wrong file, a wrong authority or a wrong name is refused', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'flockd-trust-'));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  const [ours, theirs] = [makeOperator(), makeOperator()];
  const save = (name, text) => {
    writeFileSync(path.join(folder, name), text);
    return path.join(folder, name);
  };
  const creds = Object.fromEntries(['sim', 'edge', 'status'].map((role) => [role, save(`${role}.creds`, ours.makeUser(rightsOf(role)))]));
  const stranger = save('stranger.creds', theirs.makeUser(rightsOf('sim')));
  const authority = await createAuthority(t);
  const port = await freePort();
  const to = (file, ca = authority.ca) => ['--nats', `tls://localhost:${port}`, '--nats-creds', file, '--nats-ca', ca];
  const refused = async (options, reason) => {
    const { code, stderr } = await runToEnd(t, [...options, ...OPTIONS, '--node', 'refused']);
    assert.equal(code, 1, stderr);
    assert.match(stderr, reason);
  };

  const other = await startNats(t, { folder, port, configuration: ours.configuration, certificate: await authority.issue({ names: 'DNS:elsewhere.example' }) });
  await refused(to(creds.sim), /cannot connect to NATS.*[Hh]ost ?name mismatch/);
  other.kill('SIGKILL');
  await other.ended;

  const nats = await startNats(t, { folder, port, configuration: ours.configuration, certificate: await authority.issue() });
  const poor = launch(t, [...to(creds.edge), ...OPTIONS, '--node', 'poor', '--role', 'sim']);
  await until('its log names the right that it lacks', () => /Permissions Violation for .*_INBOX\.sim\.poor/.test(poor.stderr), () => `${poor.stderr}\n${nats.stderr}`);
  await poor.ended;
  assert.match(poor.stderr, /cannot start: NATS has no bucket flock_nodes for this node.* a user with the rights of its role/);
  const heard = nats.stderr.length;
  await Promise.all([
    refused(to(stranger), /cannot connect to NATS: .*Authorization/i),
    refused(['--nats', `tls://localhost:${port}`, '--nats-ca', authority.ca], /cannot connect to NATS: .*Authorization/i),
    refused(to(creds.sim, (await createAuthority(t)).ca), /cannot connect to NATS: .*certificate/i),
  ]);

  await startServer(t, [...OPTIONS, ...to(creds.sim), '--node', 'a', '--role', 'sim']);
  const edge = await startServer(t, [...OPTIONS, ...to(creds.edge), '--node', 'b', '--role', 'edge']);
  const ada = await come(t, edge.ws, { name: 'Ada' });
  assert.equal(ada.name, 'Ada');
  // A node tells the others each second how many people its rooms have.
  const status = async () => {
    const { stdout, code } = await runToEnd(t, [...to(creds.status), '--cluster-status']);
    assert.equal(code, 0);
    return stdout;
  };
  await until('the status counts Ada', async () => /^lobby +a +\d+ +1 /m.test(await status()), status);
  const lacking = nats.stderr.slice(heard).split('\n').filter((line) => /Violation/.test(line));
  assert.deepEqual(lacking, [], 'no other node lacks a right');
});

// Debian 12's libnats leaves out a signature whose first byte is 0, which is one of 256.
test('a node whose signature begins with 0 is let in at its next try', async (t) => {
  const key = makeKey('user');
  const folder = mkdtempSync(path.join(tmpdir(), 'flockd-trust-'));
  atEnd(t, () => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'node.creds');
  writeFileSync(file, credentialsOf('e30.e30.e30', key));
  const signed = (nonce) => sign(null, Buffer.from(nonce), key.secret);
  let nonce = 'n0';
  for (let i = 0; signed(nonce)[0] !== 0; i++) nonce = `n${i}`;
  const connects = [];
  const nats = createServer((socket) => {
    socket.on('error', () => {});
    const info = { server_id: 'A', version: '2.10.27', proto: 1, headers: true, jetstream: true, max_payload: 8388608, auth_required: true, nonce };
    socket.write(`INFO ${JSON.stringify(info)}\r\n`);
    socket.on('data', (data) => {
      const connect = /CONNECT (.*)\r\n/.exec(data.toString())?.[1];
      if (connect === undefined) return;
      connects.push({ nonce: info.nonce, sig: JSON.parse(connect).sig ?? '' });
      nonce = 'another';
      socket.end("-ERR 'Authorization Violation'\r\n");
    });
  });
  atEnd(t, () => nats.close());
  const port = await new Promise((resolve) => nats.listen(0, '127.0.0.1', () => resolve(/** @type {import('node:net').AddressInfo} */ (nats.address()).port)));
  const { stderr } = await runToEnd(t, ['--nats', `nats://127.0.0.1:${port}`, '--nats-creds', file, ...OPTIONS, '--node', 'a']);
  assert.ok(connects.some((each) => each.sig === signed(each.nonce).toString('base64url')), `${JSON.stringify(connects)} ${stderr}`);
});

// As over a line between two continents, where TCP, TLS and NATS take five round trips of 150 ms. Debian 12's libnats spins until an
// answer comes that is later than its patience, and then refuses it.
test('a node connects to a NATS server that answers late', async (t) => {
  let served = false;
  const nats = createServer((socket) => {
    socket.on('error', () => {});
    socket.write(`INFO ${JSON.stringify({ server_id: 'A', version: '2.10.27', proto: 1, headers: true, jetstream: true, max_payload: 8388608 })}\r\n`);
    socket.on('data', (data) => {
      served ||= /^SUB /m.test(data.toString());
      if (/^PING/m.test(data.toString())) setTimeout(() => socket.writable && socket.write('PONG\r\n'), 800);
    });
  });
  atEnd(t, () => nats.close());
  const port = await new Promise((resolve) => nats.listen(0, '127.0.0.1', () => resolve(/** @type {import('node:net').AddressInfo} */ (nats.address()).port)));
  const node = launch(t, ['--nats', `nats://127.0.0.1:${port}`, ...OPTIONS, '--node', 'a']);
  await until('it asks for the buckets', () => served || !node.running, () => node.stderr);
  assert.ok(served, node.stderr);
});
