// A screen without a monitor: Xvfb, which keeps its pixels in a file.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from './e2e/until.mjs';

// Opens a screen of that size: its display, and a folder of its own for other files.
/** @param {number[]} size */
export async function openDisplay([width, height]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'flockd-looks-'));
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', `${width}x${height}x24`, '-fbdir', folder, '-nocursor'], { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  let number = '';
  server.stdio[3]?.on('data', (data) => (number += data));
  await until('Xvfb has a display', () => number.endsWith('\n'));
  return {
    folder,
    name: `:${number.trim()}`,
    read: (/** @type {number[]} */ size) => readScreen(path.join(folder, 'Xvfb_screen0'), size),
    close() {
      server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// Reads the upper left part of the screen: a header of big-endian numbers, colours, then pixels of 4 bytes.
/**
 * @param {string} file
 * @param {number[]} size
 */
function readScreen(file, [width, height]) {
  const data = readFileSync(file);
  const [header, line, entries] = [data.readUInt32BE(0), data.readUInt32BE(48), data.readUInt32BE(76)];
  const pixels = Buffer.alloc(3 * width * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const from = header + 12 * entries + y * line + 4 * x;
      const to = 3 * (y * width + x);
      [pixels[to], pixels[to + 1], pixels[to + 2]] = [data[from + 2], data[from + 1], data[from]];
    }
  }
  return { width, height, pixels };
}
