// An attack with the beginnings of TLS connections. The server computes a signature for each; its client sends the same bytes each time.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { at, now, open, sleep } from './raw.mjs';
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
function clientHello() {
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
      tls.connect({ port, host: '127.0.0.1', servername: 'localhost', rejectUnauthorized: false }).on('error', () => {});
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
  target.begin?.();
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, i) => repeat(at(target, `127.0.6.${1 + (i % ADDRESSES)}`))));
  assert.ok(begun > 0, 'the server answers');
  return `${begun} handshakes begun by ${CONNECTIONS} connections of ${ADDRESSES} addresses`;
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
];
