// Rooms over HTTP: docs/API.md.
import assert from 'node:assert/strict';

// For a server whose test makes many rooms.
export const MANY_ROOMS = ['--rooms-per-hour', '10000'];

// Resolves to { status, headers, body }; parses a JSON body. Sends text and bytes unchanged.
/**
 * @typedef {object} Call
 * @property {string} [key]
 * @property {unknown} [body]
 * @property {Record<string, string>} [headers]
 *
 * @param {{ url: string }} server
 * @param {string} method
 * @param {string} path
 * @param {Call} options
 */
export async function call(server, method, path, { key, body, headers = {} } = {}) {
  const response = await fetch(new URL(path, server.url), {
    method,
    headers: {
      connection: 'close',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: typeof body === 'string' || body instanceof Uint8Array ? new Uint8Array(Buffer.from(body)) : JSON.stringify(body),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) };
}

// Makes a room and resolves to the answer: { code, address, path, key }.
/**
 * @param {{ url: string }} server
 * @param {Record<string, unknown>} fields
 * @param {Call} options
 * @returns {Promise<import('./types.d.ts').Made>}
 */
export async function createRoom(server, fields = {}, options = {}) {
  const { status, body } = await call(server, 'POST', '/api/rooms', { body: fields, ...options });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

/** @param {{ code: string }} room */
export const roomOf = ({ code }) => `/api/rooms/${code}`;

// Asserts that an answer is an error whose message names the field.
/**
 * @param {Awaited<ReturnType<typeof call>>} answer
 * @param {{ status: number, code?: string, field?: string }} expected
 * @param {string} what
 */
export function assertError({ status, headers, body }, expected, what = '') {
  const { code, field, message } = body?.error ?? assert.fail(`${what}: ${status} ${JSON.stringify(body)}`);
  const said = `${what}: ${status} ${JSON.stringify(body)}`;
  assert.equal(status, expected.status, said);
  assert.match(headers.get('content-type') ?? '', /^application\/json/);
  if (expected.code !== undefined) assert.equal(code, expected.code, said);
  if (expected.field !== undefined) assert.equal(field, expected.field, said);
  assert.ok(typeof message === 'string' && message.length > 10, said);
  if (expected.field) assert.ok(message.includes(expected.field.replace(/.*\./, '')), `the message names the field: ${said}`);
}
