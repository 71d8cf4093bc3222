// The network between a client and a server, where it is not what one would wish.
import net from 'node:net';
import { atEnd } from './atend.mjs';

const STEP = 20; // ms between two times at which the line carries something

// A line to a server that carries so many bytes a second toward us, each of them `delay` ms late, up to `jitter` ms later
// at times, and in both directions. Resolves to the addresses of its near end, `rate`, which may be
// changed, and how many bytes it has `carried`.
/**
 * @param {import('./types.d.ts').Test} t
 * @param {number} port
 * @param {number} rate
 */
export async function slowLine(t, port, rate, { delay = 0, jitter = 0 } = {}) {
  const ends = { rate, carried: 0 };
  const server = net.createServer((near) => {
    const far = net.connect(port, '127.0.0.1');
    const late = createDelay(delay, jitter);
    const carry = setInterval(() => {
      const data = far.read(Math.min(far.readableLength, Math.ceil((ends.rate * STEP) / 1000)));
      if (data !== null) {
        ends.carried += data.length;
        late(() => near.write(data));
      }
    }, STEP);
    const end = () => {
      clearInterval(carry);
      near.destroy();
      far.destroy();
    };
    const later = createDelay(delay, jitter);
    near.on('data', (data) => later(() => far.write(data)));
    far.on('readable', () => {});
    for (const socket of [near, far]) socket.on('error', end);
    near.on('close', end);
    far.on('close', () => late(end)); // after what it has said
    atEnd(t, end);
  });
  atEnd(t, () => server.close());
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
  const { port: near } = /** @type {net.AddressInfo} */ (server.address());
  return Object.assign(ends, { url: `http://127.0.0.1:${near}/`, ws: `ws://127.0.0.1:${near}/ws` });
}

// Does things late and in order; how late is the same in every run.
function createDelay(delay, jitter) {
  const waiting = [];
  let seed = 1;
  const next = () => {
    while (waiting.length > 0 && waiting[0].due <= performance.now()) waiting.shift().run();
    if (waiting.length > 0) setTimeout(next, waiting[0].due - performance.now());
  };
  return (run) => {
    if (delay + jitter === 0) return run();
    seed = (seed * 48271) % 2147483647;
    waiting.push({ due: performance.now() + delay + (jitter * seed) / 2147483647, run });
    if (waiting.length === 1) next();
  };
}
