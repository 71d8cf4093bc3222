// A plain decoder of packed boids, written from protocol/PROTOCOL.md. createUnpacker() returns a function from a bin to
// { key, sequence, steps, headings }, or to null for a useless delta.
const BLOCK = 64;

/** @param {number} value */
const int16 = (value) => (value << 16) >> 16;

/** @param {Uint8Array} bytes */
function bitReader(bytes) {
  let at = 0;
  const bit = () => {
    if (at >= 8 * bytes.length) throw new Error('the residuals are cut short');
    const value = (bytes[at >> 3] >> (at & 7)) & 1;
    at++;
    return value;
  };
  /** @param {number} count */
  const number = (count) => {
    let value = 0;
    for (let i = 0; i < count; i++) value += bit() << i;
    return value;
  };
  /** @param {number} width */
  const residual = (width) => {
    let zeros = 0;
    while (zeros < 16 && bit() === 0) zeros++;
    const z = zeros === 16 ? number(16) : (zeros << width) + number(width);
    return (z >> 1) ^ -(z & 1);
  };
  return { number, residual, size: () => Math.ceil(at / 8) };
}

/** @returns {(bin: Uint8Array) => import('./types.d.ts').Unpacked | null} */
export function createUnpacker() {
  /** @type {{ position: import('./types.d.ts').Point, moved: import('./types.d.ts').Point }[]} */
  let boids = []; // { position: [x, y], moved: [x, y] }
  /** @type {number | null} */
  let last = null;

  return (bin) => {
    const bytes = Buffer.from(bin);
    const [key, count, sequence] = [bytes[0] === 1, bytes.readUInt32LE(8), bytes.readUInt32LE(4)];
    /** @type {<T>(read: (axis: 0 | 1) => T) => [T, T]} */
    const both = (read) => [read(0), read(1)];
    const gain = both((axis) => bytes.readInt8(2 + axis));
    const period = both((axis) => bytes.readUInt16LE(12 + 2 * axis));
    const shift = both((axis) => bytes.readInt16LE(16 + 2 * axis));
    /** @type {(at: number) => import('./types.d.ts').Point} */
    const positionAt = (at) => [bytes.readInt16LE(at), bytes.readInt16LE(at + 2)];
    if (!key && (last === null || sequence !== last + 1)) {
      last = null;
      return null;
    }
    let at = 20;
    let headings = null;
    if (key) {
      boids = Array.from({ length: count }, (_, i) => ({ position: positionAt(at + 4 * i), moved: [0, 0] }));
      headings = [...bytes.subarray(at + 4 * count, at + 5 * count)];
      at += 5 * count;
    } else {
      boids = boids.slice(0, count);
    }
    const bits = bitReader(bytes.subarray(at));
    for (let first = 0; first < boids.length; first += BLOCK) {
      for (const axis of /** @type {const} */ ([0, 1])) {
        const width = bits.number(4);
        for (const boid of boids.slice(first, first + BLOCK)) {
          const r = width === 15 ? 0 : bits.residual(width);
          boid.moved[axis] = int16(shift[axis] + ((gain[axis] * boid.moved[axis] + 32) >> 6) + r);
          if (key) continue;
          let position = int16(boid.position[axis] + boid.moved[axis]);
          if (period[axis] > 0 && position >= period[axis] - Math.floor(period[axis] / 2)) position -= period[axis];
          if (period[axis] > 0 && position < -Math.floor(period[axis] / 2)) position += period[axis];
          boid.position[axis] = position;
        }
      }
    }
    at += bits.size();
    for (; boids.length < count; at += 4) boids.push({ position: positionAt(at), moved: [0, 0] });
    if (at !== bytes.length) throw new Error(`${bytes.length - at} bytes are left over`);
    last = sequence;
    return { key, sequence, steps: boids.map(({ position }) => [...position]), headings };
  };
}
