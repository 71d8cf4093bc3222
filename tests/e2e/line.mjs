// The network between a client and a server, where it is not what one would wish.
import net from 'node:net';
import { atEnd } from './atend.mjs';

// A line to a server that carries so many bytes a second toward us. Resolves to the addresses of its near end.
export async function slowLine(t, port, rate) {
  const line = net.createServer((near) => {
    const far = net.connect(port, '127.0.0.1');
    const carry = setInterval(() => {
      const data = far.read(Math.min(far.readableLength, rate / 50));
      if (data !== null) {
        near.write(data);
      }
    }, 20);
    const end = () => {
      clearInterval(carry);
      near.destroy();
      far.destroy();
    };
    near.pipe(far);
    far.on('readable', () => {});
    for (const socket of [near, far]) {
      socket.on('error', end);
      socket.on('close', end);
    }
    atEnd(t, end);
  });
  atEnd(t, () => line.close());
  await new Promise((resolve) => line.listen(0, '127.0.0.1', resolve));
  const { port: near } = line.address();
  return { url: `http://127.0.0.1:${near}/`, ws: `ws://127.0.0.1:${near}/ws` };
}
