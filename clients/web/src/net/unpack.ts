// MessagePack (https://github.com/msgpack/msgpack/blob/master/spec.md) of the server's messages, which may have any form. The protocol
// has no extension types. Each element takes a byte of the message at least, so a short message takes little memory, also if it claims a large size.

import { BOIDS_MAX } from './messages';
import { Malformed } from './read';

const TEXT_MAX = 16_384; // bytes
const BYTES_MAX = 20 + 14 * BOIDS_MAX; // of packed boids
const ARRAY_MAX = 1024; // elements
const MAP_MAX = 256; // keys

const TEXT = new TextDecoder();
// By the logarithm of their bytes.
const UNSIGNED = ['getUint8', 'getUint16', 'getUint32', 'getBigUint64'] as const;
const SIGNED = ['getInt8', 'getInt16', 'getInt32', 'getBigInt64'] as const;
const FLOATS = ['getFloat32', 'getFloat64'] as const;

/** Returns the value. Throws RangeError if it is cut off, and Malformed if it is none or too large. Bytes are a part of the data. */
export function unpack(data: ArrayBuffer | Uint8Array): unknown {
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = 0;

  function number(read: (typeof UNSIGNED | typeof SIGNED | typeof FLOATS)[number], size: number): number {
    at += size;
    return Number(view[read](at - size));
  }

  function count(log: number, most: number): number {
    const read = number(UNSIGNED[log], 1 << log);
    if (read > most) throw new Malformed('size', `at most ${most}`);
    return read;
  }

  function part(size: number): Uint8Array {
    if (at + size > bytes.length) throw new RangeError('the message ends early');
    at += size;
    return bytes.subarray(at - size, at);
  }

  const text = (size: number): string => TEXT.decode(part(size));

  function array(size: number): unknown[] {
    const read: unknown[] = [];
    while (read.length < size) read.push(value());
    return read;
  }

  function map(size: number): Record<string, unknown> {
    const read: Record<string, unknown> = {};
    for (let i = 0; i < size; i++) {
      const [key, its] = array(2);
      if (typeof key === 'string' && key !== '__proto__') read[key] = its; // other keys are unknown
    }
    return read;
  }

  function value(): unknown {
    const type = number('getUint8', 1);
    if (type < 0x80) return type;
    if (type < 0x90) return map(type & 15);
    if (type < 0xa0) return array(type & 15);
    if (type < 0xc0) return text(type & 31);
    if (type >= 0xe0) return type - 0x100;
    if (type === 0xc0) return null;
    if (type === 0xc2 || type === 0xc3) return type === 0xc3;
    if (type >= 0xc4 && type <= 0xc6) return part(count(type - 0xc4, BYTES_MAX));
    if (type === 0xca || type === 0xcb) return number(FLOATS[type - 0xca], 4 << (type - 0xca));
    if (type >= 0xcc && type <= 0xcf) return number(UNSIGNED[type - 0xcc], 1 << (type - 0xcc));
    if (type >= 0xd0 && type <= 0xd3) return number(SIGNED[type - 0xd0], 1 << (type - 0xd0));
    if (type >= 0xd9 && type <= 0xdb) return text(count(type - 0xd9, TEXT_MAX));
    if (type === 0xdc || type === 0xdd) return array(count(type - 0xdb, ARRAY_MAX));
    if (type === 0xde || type === 0xdf) return map(count(type - 0xdd, MAP_MAX));
    throw new Malformed('type', `no ${type}`);
  }

  const read = value();
  if (at < bytes.length) throw new Malformed('message', `${at} bytes`);
  return read;
}
