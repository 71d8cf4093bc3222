// Opens connections over and over, each with one request of `path`, and joins the lobby a number of times a second, until it is ended. It leaves
// `stay` ms after the welcome has begun, or with `atOnce` as soon as the hello is sent. A worker of door.mjs, so that this does not
// delay the others' clients. Reports { knocks, joins } every 100 ms.
import net from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { hello } from '../e2e/messages.mjs';
import { head, message, upgradeLines } from './raw.mjs';

const { host, port, localAddress, loops, rate, stay, atOnce, path = '/healthz' } = workerData;
const target = { host, port };
const request = head(target, 'GET', path, ['Connection: close']);
const upgrading = head(target, 'GET', '/ws', upgradeLines());
const greeting = message(hello({ rate: 1, boids: 1 })); // after the answer to the upgrade: flockd would not read it before
const WELCOMED = 600; // bytes: the answer to the upgrade, and the beginning of a welcome
const LONGEST = 15_000; // ms of a join
const count = { knocks: 0, joins: 0 };

function knock() {
  const socket = net.connect({ host, port, localAddress });
  socket.on('error', () => {});
  socket.on('close', () => setImmediate(knock));
  socket.write(request);
  socket.resume();
  count.knocks += 1;
}

function join() {
  const socket = net.connect({ host, port, localAddress });
  socket.on('error', () => {});
  socket.write(upgrading);
  socket.once('data', () => socket.write(greeting, () => atOnce && socket.destroy()));
  socket.on('data', () => socket.bytesRead > WELCOMED && setTimeout(() => socket.destroy(), stay));
  socket.setTimeout(LONGEST, () => socket.destroy());
  count.joins += 1;
}

for (let i = 0; i < loops; i += 1) knock();
const began = performance.now();
setInterval(() => {
  const due = ((performance.now() - began) * rate) / 1000;
  for (let more = Math.min(rate / 10, due - count.joins); more >= 1; more -= 1) join();
}, 20);
setInterval(() => parentPort?.postMessage(count), 100);
