// MessagePack (https://github.com/msgpack/msgpack/blob/master/spec.md) for this client's messages, which have no nil and at most
// 1,024 bytes. Each value has its shortest form. A fraction has 32 bits, which is exact to 1/256 of a world unit at the end of the
// largest range. unpack.ts reads the server's messages, which may have any form.

export type Value = number | string | boolean | Uint8Array | readonly Value[] | { readonly [key: string]: Value };

const TEXT = new TextEncoder();

export function pack(value: Value): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  put(bytes, value);
  return Uint8Array.from(bytes);
}

function put(bytes: number[], value: Value): void {
  if (typeof value === 'number') {
    if (Number.isInteger(value)) putInteger(bytes, value);
    else putNumber(bytes, 0xca, 4, (view) => view.setFloat32(0, value));
  } else if (typeof value === 'string') {
    const text = TEXT.encode(value);
    if (text.length < 32) bytes.push(0xa0 | text.length, ...text);
    else putSized(bytes, 0xd9, text);
  } else if (typeof value === 'boolean') {
    bytes.push(value ? 0xc3 : 0xc2);
  } else if (value instanceof Uint8Array) {
    putSized(bytes, 0xc4, value);
  } else if (isArray(value)) {
    putCount(bytes, 0x90, value.length);
    for (const each of value) put(bytes, each);
  } else {
    const entries = Object.entries(value);
    putCount(bytes, 0x80, entries.length);
    for (const entry of entries) for (const each of entry) put(bytes, each);
  }
}

const isArray: (value: Value) => value is readonly Value[] = Array.isArray;

/** first: the type with a size of 8 bits; the next type has 16 bits. */
function putSized(bytes: number[], first: number, data: Uint8Array): void {
  if (data.length < 0x100) bytes.push(first, data.length, ...data);
  else bytes.push(first + 1, data.length >> 8, data.length & 0xff, ...data);
}

function putCount(bytes: number[], type: number, count: number): void {
  if (count > 15) throw new RangeError(`a message has no ${count} elements`);
  bytes.push(type | count);
}

function putInteger(bytes: number[], value: number): void {
  if (value >= -32 && value < 0x80) bytes.push(value & 0xff);
  else if (value < -0x80000000 || value > Number.MAX_SAFE_INTEGER) putNumber(bytes, 0xcb, 8, (view) => view.setFloat64(0, value));
  else if (value >= 2 ** 32) putNumber(bytes, 0xcf, 8, (view) => view.setBigUint64(0, BigInt(value)));
  else {
    const size = value < 0 ? (value >= -0x80 ? 1 : value >= -0x8000 ? 2 : 4) : value < 0x100 ? 1 : value < 0x10000 ? 2 : 4;
    const type = (value < 0 ? 0xd0 : 0xcc) + Math.log2(size);
    // The shorter forms are the last bytes of the four.
    putNumber(bytes, type, 4, (view) => view.setUint32(0, value), 4 - size);
  }
}

function putNumber(bytes: number[], type: number, size: number, set: (view: DataView) => void, skip = 0): void {
  const view = new DataView(new ArrayBuffer(size));
  set(view);
  bytes.push(type, ...new Uint8Array(view.buffer, skip));
}
