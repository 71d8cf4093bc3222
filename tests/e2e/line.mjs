// A slow or late network between a client and a server.
import net from 'node:net';
import { atEnd } from './atend.mjs';

const STEP = 20; // ms between two transfers of the line

// A line to a server. Carries `rate` bytes a second toward the client; in both directions each byte is `delay` ms late, at times up
// to `jitter` ms later. Resolves to the addresses of its near end, a changeable `rate`, and the number of bytes `carried`.
/**
 * @param {import('./types.d.ts').Test} t
 * @param {number} port
 * @param {number} rate
 */
export async function slowLine(t, port, rate, { delay = 0, jitter = 0 } = {}) {
  const ends = { rate, carried: 0 };
  const open = new Set();
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
      open.delete(end);
      near.destroy();
      far.destroy();
    };
    const later = createDelay(delay, jitter);
    near.on('data', (data) => later(() => far.write(data)));
    far.on('readable', () => {});
    for (const socket of [near, far]) socket.on('error', end);
    near.on('close', end);
    far.on('close', () => late(end)); // after its bytes
    open.add(end);
  });
  // After the page is closed: a page complains about a part that is cut while it loads.
  atEnd(t, () => {
    server.close();
    for (const end of open) end();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
  const { port: near } = /** @type {net.AddressInfo} */ (server.address());
  return Object.assign(ends, { url: `http://127.0.0.1:${near}/`, ws: `ws://127.0.0.1:${near}/ws` });
}

// Runs calls late and in order. The delays are the same in every run.
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
