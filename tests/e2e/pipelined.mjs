// Requests with further requests behind them on the same connection, sent without waiting for the answer.
import assert from 'node:assert/strict';
import net from 'node:net';
import { once } from 'node:events';

// Sends the bytes unchanged, unlike fetch(), and resolves to the whole answer. Sends `rest` after the first bytes of the answer.
/**
 * @param {number} port
 * @param {string} request
 * @param {string} rest
 */
export async function raw(port, request, rest = '') {
  const socket = net.connect(port, '127.0.0.1').setEncoding('latin1').setTimeout(60_000, () => socket.destroy());
  let answer = '';
  socket.on('data', (text) => {
    if (answer === '' && rest !== '') socket.write(rest);
    answer += text;
  });
  socket.on('error', () => {});
  socket.write(request);
  await once(socket, 'close');
  return answer;
}

/** @param {string} line @param {string[]} headers @param {string} body */
const request = (line, headers = [], body = '') => {
  const all = ['Host: localhost', ...headers, ...(body ? ['Content-Type: application/json', `Content-Length: ${body.length}`] : [])];
  return `${line} HTTP/1.1\r\n${all.join('\r\n')}\r\n\r\n${body}`;
};

// Every kind of request gets one answer, also with more bytes behind it. key: the lobby's.
/**
 * @param {number} port
 * @param {string} key
 */
export async function assertAnswersFirst(port, key) {
  const get = request('GET /healthz');
  const page = request('POST /', [], '{}');
  const room = request('POST /api/rooms', [], '{}');
  const recording = request('GET /api/rooms/lobby/recording', [`Authorization: Bearer ${key}`]);
  const branch = request('POST /api/rooms/lobby/branch', [`Authorization: Bearer ${key}`]);
  const change = request('PATCH /api/rooms/lobby', [`Authorization: Bearer ${key}`], '{"title":"Starlings"}');
  for (const [first, status, ...others] of [
    [get, 200, get, room],
    [room, 201, room, get, 'x', room.slice(0, -2)],
    [page, 405, page, get, 'x'],
    [change, 204, change, get, 'x'],
    [recording, 409, recording, get, 'x'], // no one has joined yet
    [branch, 201, branch, get, 'x'],
  ]) {
    for (const other of others) {
      const answers = [...(await raw(port, `${first}${other}`)).matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, number]) => Number(number));
      assert.deepEqual(answers, [status], `${first}${other}`);
    }
  }
  const answer = await raw(port, page.slice(0, -1), page.slice(-1) + get);
  assert.equal([...answer.matchAll(/^HTTP\/1\.1 /gm)].length, 1, 'the end of a body comes with what follows it');
}
