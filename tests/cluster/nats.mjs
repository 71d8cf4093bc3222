// A client of NATS in a few lines, for tests that speak as another node, or as an attacker who has the credentials.
import net from 'node:net';
import { atEnd } from '../e2e/atend.mjs';

// Connects to a NATS server. publish() sends a message; flush() resolves when the server has taken all of them.
/** @param {import('../e2e/types.d.ts').Test} t @param {string} url */
export async function connectNats(t, url) {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  const pongs = [];
  let text = '';
  socket.setEncoding('latin1').on('data', (more) => {
    text += more;
    for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
      const line = text.slice(0, end);
      text = text.slice(end + 2);
      if (line === 'PING') socket.write('PONG\r\n');
      if (line === 'PONG') pongs.shift()?.();
    }
  });
  socket.on('error', () => {});
  atEnd(t, () => socket.destroy());
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write('CONNECT {"verbose":false,"pedantic":false,"name":"test"}\r\n');
  return {
    /** @param {string} subject @param {Uint8Array} bytes */
    publish(subject, bytes) {
      socket.write(`PUB ${subject} ${bytes.length}\r\n`);
      socket.write(bytes);
      socket.write('\r\n');
    },
    flush: () =>
      new Promise((resolve) => {
        pongs.push(() => resolve(undefined));
        socket.write('PING\r\n');
      }),
  };
}

// A line to a NATS server that breaks those connections of its first ones (from 0) as soon as they are made. Resolves to its URL.
/** @param {import('../e2e/types.d.ts').Test} t @param {string} url @param {number[]} broken */
export async function breakLine(t, url, broken) {
  const { hostname, port } = new URL(url);
  const sockets = new Set();
  let made = 0;
  const listener = net.createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    if (broken.includes(made++)) {
      socket.destroy();
      return;
    }
    const line = net.connect(Number(port), hostname).on('error', () => {});
    sockets.add(line);
    socket.pipe(line).pipe(socket);
  });
  await new Promise((resolve) => listener.listen(0, '127.0.0.1', () => resolve(undefined)));
  atEnd(t, () => {
    listener.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port: own } = /** @type {import('node:net').AddressInfo} */ (listener.address());
  return `nats://127.0.0.1:${own}`;
}
