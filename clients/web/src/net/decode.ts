// Decodes and checks the server's messages (protocol/PROTOCOL.md). decode() does not throw: a message that breaks the protocol
// becomes `malformed` with the reason. All other messages have values of the right type and range. Unknown types, keys and elements
// are ignored.

import { readMessage } from './decoders';
import type { ServerMessage } from './protocol';
import { Malformed, UINT32_MAX, uint } from './read';
import { unpack } from './unpack';

export function decode(data: ArrayBuffer | Uint8Array): ServerMessage {
  try {
    const message = unpack(data);
    if (!Array.isArray(message)) throw new Malformed('message', 'an array');
    const [type, ...fields] = message as unknown[];
    return readMessage(uint(type, 'type', 0, UINT32_MAX), fields);
  } catch (error) {
    return { kind: 'malformed', why: error instanceof Error ? error.message : String(error) };
  }
}
