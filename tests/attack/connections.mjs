// Attacks with many, long or slow connections.
import assert from 'node:assert/strict';
import net from 'node:net';
import { from, closeCode, exchange, head, join, now, open, openMany, sleep, upgrade } from './raw.mjs';
import { load } from './target.mjs';

const SPINNING = 0.6; // of a processor; the good client and closing connections take a few per cent

// Returns the sockets that the server has neither closed nor announced to close.
const alive = (sockets) => sockets.filter((socket) => !socket.gone && !socket.halved && closeCode(socket.seen) === 0).length;

// Resolves to the ms until the server has closed all sockets, or to null if that takes longer than `ms`.
async function untilClosed(sockets, ms) {
  const began = now();
  while (alive(sockets) > 0 && now() - began < ms) await sleep(50);
  return alive(sockets) === 0 ? Math.round(now() - began) : null;
}

async function resets(target, ms) {
  const end = now() + ms;
  let count = 0;
  const one = (text) =>
    new Promise((resolve) => {
      const socket = net.connect({ host: target.host, port: target.port, ...from(target) });
      socket.on('error', resolve);
      socket.on('close', resolve);
      socket.once('connect', () => (text === '' ? socket.resetAndDestroy() : socket.write(text, () => socket.resetAndDestroy())));
    });
  const texts = ['', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', 'GET /ws HTTP/1.1\r\nUpgrade: websocket\r\n'];
  while (now() < end) {
    await Promise.all(Array.from({ length: 50 }, (_, i) => one(texts[i % texts.length])));
    count += 50;
  }
  return `${count} connections`;
}

// Sends complete upgrades, and resets the connection right after each.
async function resetUpgrades(target, ms) {
  const end = now() + ms;
  let count = 0;
  while (now() < end) {
    const sockets = await openMany(target, 20, () => open(target, { reads: false }));
    const lines = ['Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Protocol: flock.v1'];
    for (const socket of sockets) {
      socket.write(head(target, 'GET', '/ws', [...lines, 'Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==']), () => socket.reset());
    }
    await Promise.all(sockets.map((socket) => Promise.race([socket.ended, sleep(500)])));
    count += sockets.length;
  }
  const connected = await connectedClients(target, 1);
  if (connected !== null) assert.equal(connected, 1, 'clients_connected counts the good client alone');
  return `${count} upgrades`;
}

// Returns a value of /metrics once it is the expected one, or after 30 s; null if there is no such value.
async function connectedClients(target, expected) {
  let value = null;
  for (let turn = 0; turn < 300; turn += 1) {
    const { text } = await exchange(target, head(target, 'GET', '/metrics', ['Connection: close']));
    value = text.match(/^flockd_clients_connected (\d+)$/m)?.[1] ?? null;
    if (value === null || Number(value) === expected) break;
    await sleep(100);
  }
  return value === null ? null : Number(value);
}

async function halfOpen(target, ms) {
  const silent = await openMany(target, 200, () => open(target));
  const slow = await openMany(target, 200, () => open(target));
  const text = head(target, 'GET', '/', ['X-Padding: '.padEnd(200, 'x')]);
  const began = now();
  for (let at = 0; now() - began < Math.max(ms, 12_000) && alive([...silent, ...slow]) > 0; at += 1) {
    for (const socket of slow) if (!socket.gone) socket.write(text[at % text.length]);
    await sleep(100);
  }
  const left = alive([...silent, ...slow]);
  assert.equal(left, 0, `${left} of 400 connections that ask for nothing are open after 12 s`);
  return `400 closed within ${((now() - began) / 1000).toFixed(1)} s`;
}

// Loads pages and leaves their connections open.
async function keptAlive(target, ms) {
  const sockets = await openMany(target, 400, () => open(target));
  for (const socket of sockets) if (!socket.gone) socket.write(head(target, 'GET', '/', []));
  await sleep(Math.min(ms, 1000));
  const answered = sockets.filter((socket) => socket.taken > 0).length;
  const took = await untilClosed(sockets, 8000);
  assert.ok(took !== null, 'a kept-alive connection is closed within 8 s');
  return `${answered} of 400 answered, all closed ${((took + ms) / 1000).toFixed(1)} s later`;
}

// Sends bodies byte by byte.
async function slowPosts(target) {
  const sockets = await openMany(target, 50, () => open(target));
  const lines = ['Content-Type: application/json', 'Content-Length: 4000'];
  for (const socket of sockets) if (!socket.gone) socket.write(head(target, 'POST', '/api/rooms', lines));
  const began = now();
  while (alive(sockets) > 0 && now() - began < 14_000) {
    for (const socket of sockets) if (!socket.gone) socket.write(' ');
    await sleep(500);
  }
  assert.equal(alive(sockets), 0, 'a request that is not whole after 14 s is ended');
  return `50 closed within ${((now() - began) / 1000).toFixed(1)} s`;
}

// Takes all slots that one address can get, while clients of a class are connected from another address.
async function takenPlaces(target, ms) {
  const held = [];
  const end = now() + ms;
  while (now() < end && held.length < 200) held.push(...(await openMany(target, 50, () => join(target, {}, { reads: false }))));
  return `${held.filter((socket) => socket !== null && !socket.gone).length} of ${held.length} held by the attacker`;
}

async function churn(target, ms) {
  const end = now() + ms;
  let count = 0;
  const one = async () => {
    while (now() < end) {
      const socket = await join(target, { name: `n${count}` });
      if (socket === null) {
        await sleep(20);
        continue;
      }
      count += 1;
      const began = now();
      while (socket.seen.length === 0 && !socket.gone && now() - began < 2000) await sleep(2);
      socket.destroy();
    }
  };
  await Promise.all(Array.from({ length: 20 }, one));
  return `${count} joins`;
}

// Sends the upgrade, and after its answer the hello and cursors, with one byte in each segment.
async function bytewise(target, ms) {
  const began = now();
  const socket = await open(target);
  const { message, upgradeLines } = await import('./raw.mjs');
  const { hello, CURSOR } = await import('../e2e/messages.mjs');
  const write = async (bytes) => {
    for (const byte of Buffer.from(bytes)) {
      if (!socket.gone) await new Promise((resolve) => socket.write(Buffer.from([byte]), resolve));
    }
  };
  await write(head(target, 'GET', '/ws', upgradeLines()));
  while (socket.taken === 0 && !socket.gone && now() - began < 20_000) await sleep(5);
  const messages = Buffer.concat([message(hello({ name: 'bytewise' })), ...Array.from({ length: 20 }, (_, i) => message([CURSOR, i, i]))]);
  await write(messages);
  const until = now() + Math.max(1000, ms - (now() - began));
  while (socket.taken < 2000 && !socket.gone && now() < until) await sleep(20);
  assert.ok(!socket.gone && socket.taken > 2000, `the client of one-byte segments is served, and has ${socket.taken} bytes`);
  return `${messages.length} bytes of messages`;
}

// Sends many requests without reading answers, then one more byte or a half-close.
async function pipelined(target, ms) {
  const page = await exchange(target, head(target, 'GET', '/r/lobby', ['Connection: close']));
  const asset = page.text.match(/src="(?:\.\.)?\/?([^"]+\.js)"/)?.[1] ?? '';
  const request = head(target, 'GET', `/${asset.replace(/^\//, '')}`);
  const sockets = await openMany(target, 40, async (i) => {
    const socket = await open(target, { reads: false, allowHalfOpen: true });
    socket.pause();
    socket.write(request.repeat(60));
    setTimeout(() => (i % 2 === 0 ? socket.write('G') : socket.end()), 200);
    return socket;
  });
  // A thread that polls a socket but never reads it would use a whole processor.
  let least = Infinity;
  for (const end = now() + ms; now() < end; ) least = Math.min(least, await load(target, 250));
  assert.ok(least < SPINNING, `${Math.round(100 * least)} % of a processor all the time, for connections that are not read`);
  return `${sockets.length} connections with 60 requests each`;
}

async function unspoken(target, ms) {
  const sockets = await openMany(target, 100, () => upgrade(target));
  const held = sockets.filter((socket) => socket !== null);
  const { frame } = await import('./raw.mjs');
  const began = now();
  while (alive(held) > 0 && now() - began < Math.max(ms, 13_000)) {
    for (const socket of held) if (!socket.gone) socket.write(frame(Buffer.alloc(0), { opcode: 10 })); // pongs do not count as a hello
    await sleep(500);
  }
  assert.equal(alive(held), 0, 'a connection without a hello is closed after 13 s');
  return `${held.length} closed within ${((now() - began) / 1000).toFixed(1)} s`;
}

export const connections = [
  { name: 'resets', about: 'connect and reset, with and without half a request', short: true, run: resets },
  { name: 'reset-upgrades', about: 'an upgrade, reset before it is answered', short: true, run: resetUpgrades },
  { name: 'half-open', about: 'silent connections, and requests byte by byte', run: halfOpen },
  { name: 'kept-alive', about: 'page loads whose connections are kept', run: keptAlive },
  { name: 'kept-alive-full', about: 'the same, with --max-clients 30', tight: ['--max-clients', '30'], run: keptAlive },
  { name: 'slow-posts', about: 'bodies that come a byte every half second', run: slowPosts },
  { name: 'taken-places', about: 'one address takes all the places that it gets', tight: ['--max-clients', '300'], run: takenPlaces },
  { name: 'churn', about: 'joins and leaves as fast as they go', run: churn },
  { name: 'bytewise', about: 'upgrade and messages in segments of one byte', run: bytewise },
  { name: 'pipelined', about: 'pipelined requests whose answers are not read', short: true, run: pipelined },
  { name: 'unspoken', about: 'WebSockets that say no hello, but pongs', run: unspoken },
];
