// A client of NATS in a few lines, for tests that speak as another node, or as an attacker who has the credentials.
import net from 'node:net';
import { atEnd } from '../e2e/atend.mjs';

// Connects to a NATS server as a user, NAME:PASSWORD. flush() resolves when the server has read all that was sent; `errors` then has
// the server's refusals, and `subjects` has the subjects of the messages that came.
/** @param {import('../e2e/types.d.ts').Test} t @param {string} url @param {string} login */
export async function connectNats(t, url, login) {
  const { hostname, port } = new URL(url);
  const [user, pass] = login.split(':');
  const socket = net.connect(Number(port), hostname);
  const pongs = [];
  const errors = [];
  /** @type {Set<string>} */
  const subjects = new Set();
  let subscriptions = 0;
  let text = '';
  socket.setEncoding('latin1').on('data', (more) => {
    text += more;
    for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
      const line = text.slice(0, end);
      text = text.slice(end + 2);
      if (line === 'PING') socket.write('PONG\r\n');
      if (line === 'PONG') pongs.shift()?.();
      if (line.startsWith('MSG ')) subjects.add(line.split(' ')[1]);
      if (line.startsWith('-ERR ')) errors.push(line.slice(5));
    }
  });
  socket.on('error', () => {});
  atEnd(t, () => socket.destroy());
  await new Promise((resolve) => socket.once('connect', resolve));
  socket.write(`CONNECT ${JSON.stringify({ verbose: false, pedantic: false, name: 'test', user, pass })}\r\n`);
  return {
    errors,
    subjects,
    /** @param {string} subject @param {Uint8Array} bytes */
    publish(subject, bytes) {
      socket.write(`PUB ${subject} ${bytes.length}\r\n`);
      socket.write(bytes);
      socket.write('\r\n');
    },
    /** @param {string} subject */
    subscribe(subject) {
      socket.write(`SUB ${subject} ${(subscriptions += 1)}\r\n`);
    },
    flush: () =>
      new Promise((resolve) => {
        pongs.push(() => resolve(undefined));
        socket.write('PING\r\n');
      }),
  };
}

// Makes a line to a NATS server. The line counts its connections from 0, and breaks each whose number is in `broken`. Resolves to the line's URL.
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
