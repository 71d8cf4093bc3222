// Opens connections over and over until it is ended, each with one request. A worker of door.mjs, so that this does not delay the
// others' clients. Reports the number of connections every 100 ms.
import net from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

const { host, port, localAddress, loops } = workerData;
const request = `GET /healthz HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`;
let count = 0;

function knock() {
  const socket = net.connect({ host, port, localAddress });
  socket.on('error', () => {});
  socket.on('close', () => setImmediate(knock));
  socket.end(request);
  socket.resume();
  count += 1;
}

for (let i = 0; i < loops; i += 1) knock();
setInterval(() => parentPort?.postMessage(count), 100);
