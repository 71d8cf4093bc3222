// Attacks with the beginnings of TLS connections. The server computes a signature for each; its client sends the same bytes each time.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { at, now, open, openMany, sleep } from './raw.mjs';
import { STRICT } from './target.mjs';

const CONNECTIONS = 400;
const ADDRESSES = 4;

let files;

// Returns the options of flockd for a certificate with an RSA key, which is removed with this process.
export function certificate() {
  if (files === undefined) {
    const folder = mkdtempSync(path.join(tmpdir(), 'flockd-attack-'));
    files = { cert: path.join(folder, 'cert.pem'), key: path.join(folder, 'key.pem') };
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', files.key, '-out', files.cert, '-days', '2', '-subj', '/CN=localhost'], { stdio: 'ignore' });
  }
  return ['--tls-cert', files.cert, '--tls-key', files.key];
}

// Resolves to the first bytes of a TLS client.
/** @returns {Promise<Buffer>} */
function clientHello(options = {}) {
  return new Promise((resolve) => {
    const server = net.createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', (bytes) => {
        socket.destroy();
        server.close();
        resolve(bytes);
      });
    });
    server.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {net.AddressInfo} */ (server.address());
      tls.connect({ port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false, ...options }).on('error', () => {});
    });
  });
}

async function handshakes(target, ms) {
  const hello = await clientHello();
  const end = now() + ms;
  let begun = 0;
  const repeat = async (from) => {
    while (now() < end) {
      const socket = await open(from, { secure: false });
      socket.write(hello);
      while (!socket.gone && socket.taken === 0 && now() < end) await Promise.race([new Promise((resolve) => socket.once('data', resolve)), socket.ended, sleep(1000)]);
      begun += Number(socket.taken > 0);
      socket.destroy();
    }
  };
  await target.begin?.();
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, i) => repeat(at(target, `127.0.6.${1 + (i % ADDRESSES)}`))));
  assert.ok(begun > 0, 'the server answers');
  return `${begun} handshakes begun by ${CONNECTIONS} connections of ${ADDRESSES} addresses`;
}

// ---- second flights at the same moment ----

const EVERY = 300; // ms between two moments, at least
const PATIENCE = 5000; // ms until all are answered

// Resolves to the first two flights of a TLS client.
/** @returns {Promise<Buffer[]>} */
function twoFlights(target, options) {
  return new Promise((resolve) => {
    /** @type {Buffer[]} */
    const flights = [];
    const relay = net.createServer((socket) => {
      const server = net.connect(target.port, target.host);
      const end = () => [socket, server, relay].forEach((each) => ('destroy' in each ? each.destroy() : each.close()));
      socket.on('error', end).on('data', (bytes) => {
        flights.push(bytes);
        server.write(bytes);
        if (flights.length < 2) return;
        end();
        resolve(flights);
      });
      server.on('error', end).on('data', (bytes) => socket.write(bytes));
    });
    relay.listen(0, '127.0.0.1', () => {
      const { port } = /** @type {net.AddressInfo} */ (relay.address());
      tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options }).on('error', () => {});
    });
  });
}

// Returns the same handshake message in two records. The first one holds 4 bytes.
function split(record) {
  const part = (bytes) => Buffer.concat([record.subarray(0, 3), Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
  return [part(record.subarray(5, 9)), part(record.subarray(9))];
}

async function flights(target, ms) {
  const hello = await clientHello({ ecdhCurve: 'P-384', minVersion: 'TLSv1.3' }); // the costliest group
  const again = await twoFlights(target, { ecdhCurve: 'X448:P-384', minVersion: 'TLSv1.3' }); // the server asks for a key of another group
  const old = await twoFlights(target, { ecdhCurve: 'P-384', maxVersion: 'TLSv1.2' });
  const kinds = [split(hello), again, old];
  const kindOf = (i) => kinds[Math.floor(i / ADDRESSES) % kinds.length];
  let [end, sent, answered, moments] = [Infinity, 0, 0, 0];
  while (now() < end) {
    const begun = now();
    const sockets = await openMany(target, CONNECTIONS, (i) => open(at(target, `127.0.6.${1 + (i % ADDRESSES)}`), { secure: false }));
    sockets.forEach((socket, i) => socket.write(kindOf(i)[0]));
    await sleep(Math.max(50, EVERY - (now() - begun)));
    if (end === Infinity) {
      await target.begin?.();
      end = now() + ms;
    }
    const before = sockets.map(({ taken }) => taken);
    const ready = sockets.map((socket, i) => !socket.gone && socket.write(kindOf(i)[1]));
    const isDone = (socket, i) => !ready[i] || socket.gone || socket.taken > before[i];
    for (const fired = now(); !sockets.every(isDone) && now() < fired + PATIENCE; ) await sleep(5);
    sent += ready.filter(Boolean).length;
    answered += sockets.filter((socket, i) => ready[i] && socket.taken > before[i]).length;
    moments += 1;
    for (const socket of sockets) socket.reset();
  }
  const said = `${sent} second flights in ${moments} moments, ${answered} answered`;
  assert.ok(answered >= CONNECTIONS / 2, said);
  return said;
}

export const secure = [
  {
    name: 'tls-handshakes',
    about: 'TLS connections that are only begun',
    ...STRICT,
    begins: true,
    outside: false,
    get args() {
      return [...STRICT.args, ...certificate()];
    },
    run: handshakes,
  },
  {
    name: 'tls-flights',
    about: '400 TLS connections at a time whose costly bytes all come at the same moment',
    short: true,
    alone: true,
    ...STRICT,
    begins: true,
    outside: false,
    get args() {
      return [...STRICT.args, ...certificate()];
    },
    run: flights,
  },
];
