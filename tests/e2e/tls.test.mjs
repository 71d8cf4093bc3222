// flockd with a certificate: only https and wss, for pages, programs and terminals.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import net from 'node:net';
import { Duplex } from 'node:stream';
import { test } from 'node:test';
import tls from 'node:tls';
import { promisify } from 'node:util';
import { createAuthority } from './authority.mjs';
import * as flock from './client.mjs';
import { FLOCKD, runToEnd, startServer } from './server.mjs';
import { brailleDots, openTerminal } from './terminal.mjs';
import { until } from './until.mjs';

const run = promisify(execFile);

// A server with a certificate, and the authority for its clients.
async function startSecure(t, args = [], pair = {}) {
  const authority = await createAuthority(t);
  const first = await authority.issue(pair);
  const server = await startServer(t, [...authority.install(first), ...args]);
  return { authority, server, first, trust: { ca: readFileSync(authority.ca) } };
}

// Requests over https. Resolves to { status, body }.
const get = (url, options) =>
  new Promise((resolve, reject) => {
    const request = https.request(url, { agent: false, ...options }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text) => (body += text));
      response.on('end', () => resolve({ status: response.statusCode, body }));
    });
    request.on('error', reject);
    request.end(options.body);
  });

// Does a handshake. Resolves to its result, or to { error }.
const shake = ({ port }, options) =>
  new Promise((resolve) => {
    const socket = tls.connect({ host: '127.0.0.1', port, servername: 'localhost', ...options });
    socket.once('secureConnect', () => {
      const said = { version: socket.getProtocol(), alpn: socket.alpnProtocol, cipher: socket.getCipher().name };
      resolve({ ...said, serial: socket.getPeerCertificate().serialNumber });
      socket.destroy();
    });
    socket.once('error', (error) => resolve({ error: error.code }));
  });

test('page, API and metrics over https, with https addresses', async (t) => {
  const { server, trust } = await startSecure(t);
  assert.match(server.stdout, /in a browser {4}https:\/\/127\.0\.0\.1:\d+\/$/m);
  assert.match(server.stdout, /flock-term wss:\/\/127\.0\.0\.1:\d+\/ws$/m);
  assert.doesNotMatch(server.stdout, /http:|ws:/);
  assert.match((await get(server.url, trust)).body, /<title[ >]/);
  assert.match((await get(`${server.url}metrics`, trust)).body, /^flockd_certificate_end_seconds \d{10}$/m);
  const headers = { 'content-type': 'application/json' };
  const made = await get(`${server.url}api/rooms`, { ...trust, method: 'POST', headers, body: '{}' });
  const { address, path } = JSON.parse(made.body);
  assert.equal(address, `https://127.0.0.1:${server.port}${path}`);
});

test('members see the flock and steer it over wss', async (t) => {
  const { server, trust } = await startSecure(t, ['--boids', '5000', '--net-threads', '2']);
  const [ann, ben] = await Promise.all(['Ann', 'Ben'].map((name) => flock.join(t, server.ws, { name }, trust)));
  ann.send([flock.CURSOR, 60, 60]);
  await ben.until('the flock follows', () => flock.distance(flock.centroid(ben.snapshot.boids), [60, 60]) < 60);
  // Many messages in one TLS record: the server reads all, without further data.
  const { _socket: line } = /** @type {any} */ (ann.socket);
  line.cork();
  for (let i = 0; i < 400; i++) ann.send([flock.PING, i]);
  line.uncork();
  const pongs = () => ann.messages.filter(([type]) => type === flock.PONG);
  await ann.until('the pongs', () => pongs().length === 400);
});

// The bytes that TLS adds to each message do not count against the client.
test('over wss, many messages are allowed and a flood of pings is not', async (t) => {
  const { server, trust } = await startSecure(t);
  const busy = await flock.join(t, server.ws, { name: 'Ann' }, { ...trust, maxVersion: 'TLSv1.2' }); // adds the most bytes
  const flooding = await flock.join(t, server.ws, { name: 'Ben' }, trust);
  for (let i = 0; i < 440; i++) {
    busy.send([flock.AWAY]);
    await new Promise(setImmediate); // each in its own record
  }
  const saying = setInterval(() => busy.send([flock.AWAY]), 4);
  const pinging = setInterval(() => flooding.closed ?? Array.from({ length: 400 }, () => flooding.socket.ping()), 20);
  t.after(() => [saying, pinging].forEach(clearInterval));
  assert.equal((await flooding.untilClosed()).code, 3503);
  clearInterval(pinging);
  const { time } = busy.snapshot;
  await busy.until('some seconds more', () => busy.closed ?? busy.snapshot.time > time + 3e6);
  assert.equal(busy.closed, null);
});

test('a client that does not read skips snapshots, and no other client waits', async (t) => {
  const { server, trust } = await startSecure(t, ['--model', 'boids', '--boids', '3000']);
  const [stuck, other] = [await flock.join(t, server.ws, {}, trust), await flock.join(t, server.ws, {}, trust)];
  stuck.socket.pause();
  const skipped = async () => Number((await get(`${server.url}metrics`, trust)).body.match(/^flockd_snapshots_skipped_total (\d+)$/m)[1]);
  const { tick } = other.snapshot;
  await other.until('the other goes on', () => other.snapshot.tick > tick + 90);
  stuck.socket.resume();
  await stuck.until('it is up to date', () => stuck.snapshot.tick > tick + 90);
  await until('ten snapshots have been skipped', async () => (await skipped()) >= 10);
  assert.equal(stuck.lost, 0);
});

test('TLS 1.2 and 1.3, with forward secrecy, only HTTP/1.1', async (t) => {
  const { server, trust } = await startSecure(t);
  const old = { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' };
  assert.deepEqual((await shake(server, { ...trust, ...old, maxVersion: 'TLSv1.1' })).error, 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION');
  assert.equal((await shake(server, { ...trust, maxVersion: 'TLSv1.2', ciphers: 'AES256-GCM-SHA384' })).error, 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE');
  for (const group of ['ffdhe2048', 'ffdhe8192', 'P-521', 'X448']) {
    assert.equal((await shake(server, { ...trust, ecdhCurve: group })).error, 'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', group);
  }
  for (const ecdhCurve of ['X25519', 'P-256', 'P-384']) assert.equal((await shake(server, { ...trust, ecdhCurve })).version, 'TLSv1.3');
  const two = await shake(server, { ...trust, maxVersion: 'TLSv1.2' });
  assert.match(two.cipher, /^ECDHE-ECDSA-.*(GCM|POLY1305)/);
  const three = await shake(server, { ...trust, ALPNProtocols: ['h2', 'http/1.1'] });
  assert.deepEqual([two.version, three.version, three.alpn], ['TLSv1.2', 'TLSv1.3', 'http/1.1']);
});

test('a client without TLS gets the https address', async (t) => {
  const { server } = await startSecure(t);
  const answer = await fetch(`http://127.0.0.1:${server.port}/r/lobby?x=1`, { redirect: 'manual' });
  assert.equal(answer.status, 307);
  assert.equal(answer.headers.get('location'), `https://127.0.0.1:${server.port}/r/lobby?x=1`);
  await assert.rejects(flock.connect(t, server.ws.replace('wss:', 'ws:')), /426|Unexpected server response/);
});

// Sends bytes over TLS. Resolves to the answer's first line.
const ask = ({ port }, trust, bytes) =>
  new Promise((resolve, reject) => {
    const socket = tls.connect({ host: '127.0.0.1', port, servername: 'localhost', ...trust }, () => socket.write(bytes));
    let said = '';
    socket.on('data', (data) => (said += data));
    socket.on('error', reject).on('close', () => resolve(said.split('\r\n')[0]));
  });

test('a head of 16 KB is read over TLS, and a larger one is answered with 431', async (t) => {
  const { server, trust } = await startSecure(t);
  const head = (size, request = 'GET / HTTP/1.1', lines = '') => `${request}\r\nHost: localhost\r\nConnection: close\r\n${lines}X-Long: ${'a'.repeat(size)}\r\n\r\n`;
  assert.match(await ask(server, trust, head(16_000)), / 200 /);
  for (const size of [18_000, 20_000, 33_000, 40_000, 200_000]) {
    assert.match(await ask(server, trust, head(size)), / 431 /, `${size} bytes`);
  }
  assert.match(await ask(server, trust, head(20_000).slice(0, -2)), / 431 /, 'a head without an end');
  const upgrade = 'Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: flock.v1\r\n';
  assert.match(await ask(server, trust, head(20_000, 'GET /ws HTTP/1.1', upgrade).replace('Connection: close', 'Connection: Upgrade')), / 431 /, 'an upgrade');
  const body = JSON.stringify({ title: 'a'.repeat(20) }).padEnd(40_000);
  const posted = head(10, 'POST /api/rooms HTTP/1.1', `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`) + body;
  assert.doesNotMatch(await ask(server, trust, posted), / 431 /, 'a body is no head');
  for (const count of [70, 1900]) {
    assert.match(await ask(server, trust, head(10, 'GET / HTTP/1.1', 'X-Y: z\r\n'.repeat(count))), / 200 /, `${count} lines of few bytes`);
  }
});

test('the server closes only a client with a slow handshake', async (t) => {
  const { server, trust } = await startSecure(t, ['--request-timeout', '3']);
  const member = await flock.join(t, server.ws, {}, trust);
  const started = net.connect(server.port, '127.0.0.1', () => started.write(Buffer.from([0x16, 3, 1])));
  const shaken = tls.connect({ host: '127.0.0.1', port: server.port, ...trust });
  for (const socket of [started, shaken]) {
    socket.on('error', () => {});
    socket.resume();
    await until('it is closed', () => socket.closed);
  }
  assert.equal(member.closed, null);
  assert.match((await get(`${server.url}metrics`, trust)).body, /^flockd_guests_dawdled_total 2$/m);
});

// A socket that sends each byte in a packet of its own.
function drip({ port }) {
  const plain = net.connect({ port, host: '127.0.0.1', noDelay: true });
  const socket = new Duplex({
    read: () => {},
    async write(bytes, _encoding, done) {
      for (const byte of bytes) {
        plain.write(Buffer.from([byte]));
        await new Promise(setImmediate);
      }
      done();
    },
    destroy: (error, done) => {
      plain.destroy();
      done(error);
    },
  });
  plain.on('data', (bytes) => socket.push(bytes)).on('error', (error) => socket.destroy(error)).on('close', () => socket.destroy());
  return socket;
}

test('handshakes in packets of a byte, in two rounds, and with TLS 1.2', async (t) => {
  const { server, trust } = await startSecure(t);
  const head = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
  // A client that offers keys for X448 is asked for another one.
  for (const kind of [{}, { ecdhCurve: 'X448:P-256' }, { ecdhCurve: 'X448:P-384' }, { maxVersion: 'TLSv1.2' }]) {
    assert.match(await ask(server, { ...trust, ...kind }, head), / 200 /, JSON.stringify(kind));
    assert.match(await ask(server, { ...trust, ...kind, socket: drip(server) }, head), / 200 /, `${JSON.stringify(kind)} in packets of a byte`);
  }
});

test('the server closes a client whose handshake has more than 32 KB', async (t) => {
  const { server } = await startSecure(t, ['--request-timeout', '60']);
  const record = (bytes) => Buffer.concat([Buffer.from([0x16, 3, 1, bytes.length >> 8, bytes.length & 255]), bytes]);
  const part = Buffer.alloc(16_000);
  // Begins a hello of 64 KB.
  const begin = async () => {
    const socket = net.connect(server.port, '127.0.0.1');
    socket.on('error', () => {}).resume();
    await once(socket, 'connect');
    socket.write(record(Buffer.from([1, 1, 0, 0, 3, 3])));
    return socket;
  };
  const [slow, long] = [await begin(), await begin()];
  for (let i = 0; i < 3; i++) long.write(record(part));
  await until('it is closed', () => long.closed);
  assert.equal(slow.closed, false);
  slow.destroy();
});

// With such a key a handshake takes the server several ms: connections wait for their address, and then for their handshake.
test('many handshakes of an address are made one after another, and those of other addresses between them', async (t) => {
  const { server, trust } = await startSecure(t, ['--address-limit', '20'], { newkey: ['-newkey', 'rsa:4096', '-nodes'] });
  let made = 0;
  const count = ({ error }) => (made += Number(error === undefined));
  const all = Array.from({ length: 110 }, () => shake(server, trust).then(count));
  const { error } = await shake(server, { ...trust, localAddress: '127.0.0.2' });
  assert.equal(error, undefined);
  const before = made;
  await Promise.all(all);
  assert.ok(before < 80 && made >= 80, `${made} handshakes, ${before} of them before the other address's`); // 80 at once, then 20 a second
  assert.equal((await get(`${server.url}healthz`, { ...trust, localAddress: '127.0.0.2' })).status, 200);
});

test('--healthcheck uses TLS', async (t) => {
  const { server, authority } = await startSecure(t);
  const env = { FLOCKD_PORT: String(server.port), FLOCKD_TLS_CERT: authority.ca, FLOCKD_TLS_KEY: authority.ca };
  assert.equal((await runToEnd(t, ['--healthcheck'], { env })).code, 0);
  await server.stop();
  const after = await runToEnd(t, ['--healthcheck'], { env });
  assert.equal(after.code, 1);
  assert.match(after.stderr, /no healthy server answers/);
});

test('SIGHUP loads a new certificate for new connections, and closes none', async (t) => {
  const { server, trust, authority, first } = await startSecure(t, ['--net-threads', '2']);
  const client = await flock.join(t, server.ws, {}, trust);
  const shown = async () => (await shake(server, trust)).serial;
  assert.equal(await shown(), first.serial);

  // Of another kind: the old one must not stay for clients that prefer it.
  const second = await authority.issue({ newkey: ['-newkey', 'rsa:2048', '-nodes'] });
  authority.install(second);
  server.kill('SIGHUP');
  await until('it says so', () => /SIGHUP: .* valid until 20\d\d-/.test(server.stderr), () => server.stderr);
  for (let i = 0; i < 4; i++) assert.equal(await shown(), second.serial); // of both threads
  const { time } = client.snapshot;
  await client.until('the first goes on', () => client.snapshot.time > time + 200_000);

  authority.install({ ...second, key: first.key });
  server.kill('SIGHUP');
  await until('it refuses the pair', () => /SIGHUP: --tls-key: .*belongs to the certificate in .*; flockd continues with the old certificate/.test(server.stderr), () => server.stderr);
  assert.equal(await shown(), second.serial);
  assert.equal(client.closed, null);
});

// flockd in its own terminal. Killing the resolved server closes the terminal.
const IN_TERMINAL = ['sh', '-c', 'exec script -qec "$*" /dev/null', 'sh', 'exec', FLOCKD];

test('in a terminal SIGHUP does the same, until the terminal closes', async (t) => {
  const authority = await createAuthority(t);
  const server = await startServer(t, authority.install(await authority.issue()), { command: IN_TERMINAL });
  const client = await flock.join(t, server.ws, {}, { ca: readFileSync(authority.ca) });
  const pid = Number(readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'utf8'));
  process.kill(pid, 'SIGHUP');
  await until('it says so', () => /SIGHUP: new connections/.test(server.stdout), () => server.stdout);
  assert.equal(client.closed, null);
  server.kill('SIGKILL');
  assert.equal((await client.untilClosed()).code, 3000);
  await server.ended;
});

test('flockd refuses an invalid pair of files with the reason', async (t) => {
  const authority = await createAuthority(t);
  const good = await authority.issue();
  const other = await authority.issue();
  const expired = await authority.issue({ from: -3, until: -1 });
  const early = await authority.issue({ from: 1, until: 2 });
  const weak = await authority.issue({ newkey: ['-newkey', 'rsa:1024', '-nodes'] });
  const empty = `${authority.folder}/empty`;
  const secret = `${authority.folder}/secret`;
  writeFileSync(empty, '');
  const torn = `${authority.folder}/torn`;
  const whole = readFileSync(good.cert, 'utf8');
  writeFileSync(torn, whole + whole.slice(0, 300));
  await run('openssl', ['pkey', '-in', good.key, '-aes256', '-passout', 'pass:x', '-out', secret]);
  const cases = [
    [{ cert: '/nowhere', key: good.key }, /--tls-cert: cannot read \/nowhere: No such file or directory/],
    [{ cert: good.cert, key: '/nowhere' }, /--tls-key: cannot read \/nowhere: No such file or directory/],
    [{ cert: empty, key: good.key }, /--tls-cert: .*empty: expected a certificate in PEM/],
    [{ cert: torn, key: good.key }, /--tls-cert: .*torn: expected only certificates in PEM after the first/],
    [{ cert: good.cert, key: empty }, /--tls-key: .*empty: expected a private key in PEM, without a passphrase/],
    [{ cert: good.cert, key: secret }, /--tls-key: .*secret: expected a private key in PEM, without a passphrase/],
    [{ cert: good.cert, key: other.key }, /--tls-key: .*expected the key that belongs to the certificate in .*/],
    [expired, /--tls-cert: .*: the certificate has expired on 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC/],
    [early, /--tls-cert: .*: the certificate is not valid before 20\d\d/],
    [weak, /--tls-cert: .*: OpenSSL refuses it: ee key too small/],
  ];
  for (const [{ cert, key }, line] of cases) {
    const { code, stderr } = await runToEnd(t, ['--port', '0', '--tls-cert', cert, '--tls-key', key]);
    assert.match(stderr, line);
    assert.deepEqual([code, stderr.trim().split('\n').length], [1, 1], stderr);
  }
  chmodSync(good.key, 0o000);
  if (process.getuid() !== 0) {
    assert.match((await runToEnd(t, ['--tls-cert', good.cert, '--tls-key', good.key])).stderr, /--tls-key: .*Permission denied/);
  }
  /** @type {[string[], RegExp][]} */
  const halves = [
    [['--tls-cert', good.cert], /--tls-cert: expected --tls-key too/],
    [['--tls-key', good.key], /--tls-key: expected --tls-cert too/],
  ];
  for (const [args, line] of halves) {
    const { code, stderr } = await runToEnd(t, args);
    assert.equal(code, 2);
    assert.match(stderr, line);
  }
});

test('flockd prints the certificate\'s name as its address', async (t) => {
  const authority = await createAuthority(t);
  const pair = authority.install(await authority.issue({ names: 'DNS:*.example.org,DNS:flock.example.org' }));
  const server = await startServer(t, [...pair, '--bind', '0.0.0.0']);
  assert.match(server.stdout, /https:\/\/flock\.example\.org:\d+\/$/m);
  const addresses = server.stdout.match(/\w+:\/\/[^/]+/g);
  assert.deepEqual([...new Set(addresses.map((each) => new URL(each).hostname))], ['flock.example.org'], server.stdout);
});

// Opens a terminal and types a command line of flock-term.
async function terminalWith(t, line) {
  const terminal = await openTerminal(t, { columns: 100 });
  await terminal.start(line);
  return terminal;
}

test('flock-term trusts the given authority, for the requested host', async (t) => {
  const { server, authority } = await startSecure(t, ['--boids', '300'], { names: 'DNS:localhost' });
  const drawn = (lines) => brailleDots(lines).length > 20;
  const at = (host) => `https://${host}:${server.port}/`;
  const trusting = await terminalWith(t, `--ca ${authority.ca} ${at('localhost')}`);
  await trusting.until('the flock by wss', drawn);
  const system = await terminalWith(t, at('localhost'));
  await system.until('no trust in it', (lines) => /certificate is not trusted: .*issuer/.test(lines.join(' ')));
  const other = await terminalWith(t, `--ca ${authority.ca} ${at('127.0.0.1')}`);
  await other.until('another host', (lines) => /certificate is not trusted: .*mismatch/i.test(lines.join(' ')));
  const insecure = await terminalWith(t, `--insecure ${at('127.0.0.1')}`);
  await insecure.until('the flock all the same', drawn);
});
