// Decodes and checks the server's messages (protocol/PROTOCOL.md). decode() does not throw: a message that breaks the protocol
// becomes `malformed` with the reason. All other messages have values of the right type and range. Unknown types, keys and elements
// are ignored.

import { Decoder } from '@msgpack/msgpack';
import { readMessage } from './decoders';
import { BOIDS_MAX } from './messages';
import type { ServerMessage } from './protocol';
import { Malformed, UINT32_MAX, uint } from './read';

const decoder = new Decoder({
  maxStrLength: 16_384,
  maxBinLength: 20 + 14 * BOIDS_MAX, // bytes of packed boids
  maxArrayLength: 1024,
  maxMapLength: 256,
  maxExtLength: 0,
});

export function decode(data: ArrayBuffer | Uint8Array): ServerMessage {
  try {
    const message = decoder.decode(data);
    if (!Array.isArray(message)) throw new Malformed('message', 'an array');
    const [type, ...fields] = message as unknown[];
    return readMessage(uint(type, 'type', 0, UINT32_MAX), fields);
  } catch (error) {
    return { kind: 'malformed', why: error instanceof Error ? error.message : String(error) };
  }
}
