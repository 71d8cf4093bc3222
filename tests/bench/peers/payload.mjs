// The payload of all peers: bytes that begin with the time of sending (ns of CLOCK_MONOTONIC) and a running number.
const [port, bytes, hz] = process.argv.slice(2).map(Number);
if (!(port > 0 && bytes >= 16 && hz > 0)) {
  console.error(`usage: ${process.argv[1]} PORT BYTES HZ`);
  process.exit(2);
}

export { port };
export const interval = 1000 / hz;

let number = 0n;

// Returns a new buffer each time, because buffers that wait to be sent must not change.
export function payload() {
  const buffer = Buffer.alloc(bytes);
  buffer.writeBigUInt64LE(process.hrtime.bigint(), 0);
  buffer.writeBigUInt64LE(number++, 8);
  return buffer;
}

export const ready = () => console.log(`listening on ${port}`);
