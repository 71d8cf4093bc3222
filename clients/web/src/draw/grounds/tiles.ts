// The tiles of the grounds' patterns: pictures whose opposite edges fit. The same numbers make the same tiles on every screen.

import type { Pattern } from './table';

export const TILE = 384; // pixels of a tile's side

/** Returns pseudorandom numbers from 0 to 1, with the constants of Numerical Recipes. */
function numbers(): () => number {
  let state = 7;
  return () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
}

type Pen = CanvasRenderingContext2D;

/** Draws what is near an edge at the opposite edge, too. */
function around(pen: Pen, x: number, y: number, reach: number, draw: () => void): void {
  for (const dx of [-TILE, 0, TILE]) {
    for (const dy of [-TILE, 0, TILE]) {
      const [left, top] = [x + dx, y + dy];
      if (left < -reach || top < -reach || left > TILE + reach || top > TILE + reach) continue;
      pen.save();
      pen.translate(left, top);
      draw();
      pen.restore();
    }
  }
}

function grass(pen: Pen, line: string): void {
  const random = numbers();
  pen.lineCap = 'round';
  for (let i = 0; i < 26; i++) {
    const [x, y, size] = [TILE * random(), TILE * random(), 40 + 60 * random()];
    const shade = pen.createRadialGradient(0, 0, 0, 0, 0, size);
    shade.addColorStop(0, `rgb(0 30 0 / ${(0.04 + 0.06 * random()).toFixed(3)})`);
    shade.addColorStop(1, 'rgb(0 30 0 / 0)');
    pen.fillStyle = shade;
    around(pen, x, y, size, () => pen.fillRect(-size, -size, 2 * size, 2 * size));
  }
  for (let i = 0; i < 620; i++) {
    const [x, y, lean, height, dark] = [TILE * random(), TILE * random(), 5 * (random() - 0.5), 4 + 6 * random(), random() < 0.45];
    pen.strokeStyle = dark ? 'rgb(0 30 0 / 0.22)' : line;
    pen.lineWidth = 0.8 + 0.5 * random();
    around(pen, x, y, 12, () => {
      pen.beginPath();
      pen.moveTo(0, 0);
      pen.quadraticCurveTo(0, -height / 2, lean, -height);
      pen.stroke();
    });
  }
}

function sand(pen: Pen, line: string): void {
  const random = numbers();
  pen.strokeStyle = line;
  for (let row = 0; row < 16; row++) {
    const [phase, height] = [2 * Math.PI * random(), 2 + 3 * random()];
    pen.lineWidth = 1 + 1.6 * random();
    for (const copy of [-TILE, 0, TILE]) {
      pen.beginPath();
      for (let x = -4; x <= TILE + 4; x += 4) {
        const way = (2 * Math.PI * x) / TILE;
        pen.lineTo(x, copy + (row + 0.5) * (TILE / 16) + height * Math.sin(2 * way + phase) + 3 * Math.sin(5 * way + 2 * phase));
      }
      pen.stroke();
    }
  }
  pen.fillStyle = line;
  for (let i = 0; i < 900; i++) pen.fillRect(TILE * random(), TILE * random(), 1, 1);
}

/** Light and dark grains of about a pixel. */
function felt(pen: Pen, line: string): void {
  const random = numbers();
  for (let i = 0; i < 9000; i++) {
    pen.fillStyle = i % 2 === 0 ? line : 'rgb(0 0 0 / 0.07)';
    pen.fillRect(TILE * random(), TILE * random(), 1.2 + 1.4 * random(), 1);
  }
}

/** Eight columns of hexagons, which are slightly higher than regular ones so that they fit the tile. */
function comb(pen: Pen, line: string): void {
  const random = numbers();
  const [columns, rows] = [8, 8];
  const [width, height] = [TILE / columns, TILE / rows];
  pen.strokeStyle = line;
  pen.lineWidth = 2.4;
  pen.lineJoin = 'round';
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const filled = random();
      around(pen, (column + (row % 2) / 2) * width, row * height, width, () => {
        pen.beginPath();
        for (const [x, y] of [
          [0, -2],
          [1, -1],
          [1, 1],
          [0, 2],
          [-1, 1],
          [-1, -1],
        ])
          pen.lineTo((x * width) / 2, (y * height) / 3);
        pen.closePath();
        pen.stroke();
        if (filled > 0.62) {
          pen.globalAlpha = 0.35 * filled;
          pen.fillStyle = line;
          pen.fill();
        }
      });
    }
  }
}

function ruled(pen: Pen, line: string): void {
  const random = numbers();
  pen.fillStyle = line;
  for (let y = 15; y < TILE; y += 32) pen.fillRect(0, y, TILE, 1.4);
  pen.globalAlpha = 0.25;
  for (let i = 0; i < 500; i++) pen.fillRect(TILE * random(), TILE * random(), 2 + 5 * random(), 0.7); // fibres
}

function grid(pen: Pen, line: string): void {
  pen.fillStyle = line;
  for (let at = 0; at < TILE; at += TILE / 16) {
    const wide = at % (TILE / 4) === 0 ? 2 : 1;
    pen.fillRect(0, at, TILE, wide);
    pen.fillRect(at, 0, wide, TILE);
  }
}

function slabs(pen: Pen, line: string): void {
  const random = numbers();
  const side = TILE / 4;
  for (let row = 0; row < 4; row++) {
    for (let column = 0; column < 4; column++) {
      const shade = random();
      pen.fillStyle = shade < 0.5 ? `rgb(0 0 0 / ${(0.07 * shade).toFixed(3)})` : `rgb(255 255 255 / ${(0.07 * (shade - 0.5)).toFixed(3)})`;
      around(pen, (column + (row % 2) / 2) * side, row * side, side, () => pen.fillRect(0, 0, side, side));
    }
  }
  pen.fillStyle = line;
  for (let row = 0; row < 4; row++) {
    pen.fillRect(0, row * side, TILE, 2);
    for (let column = 0; column < 4; column++) pen.fillRect((column + (row % 2) / 2) * side, row * side, 2, side);
  }
}

/** A net of light, as waves make it on the ground of shallow water. */
function water(pen: Pen, line: string): void {
  const side = TILE / 2; // drawn small, then enlarged: the net is soft
  const net = document.createElement('canvas');
  net.width = net.height = side;
  const netPen = net.getContext('2d');
  if (netPen === null) return;
  netPen.fillStyle = line;
  netPen.fillRect(0, 0, side, side);
  const image = netPen.getImageData(0, 0, side, side);
  const turn = (2 * Math.PI) / side;
  for (let y = 0; y < side; y++) {
    for (let x = 0; x < side; x++) {
      const [u, v] = [x * turn, y * turn];
      const [a, b] = [u * 2 + 1.3 * Math.sin(v * 2 + Math.sin(u)), v * 3 + 1.1 * Math.sin(u * 3 + 0.8 * Math.sin(v * 2))];
      const light = (1 - Math.abs(Math.sin(a))) * 0.6 + (1 - Math.abs(Math.sin(b))) * 0.6;
      image.data[4 * (y * side + x) + 3] *= Math.min(1, light ** 3);
    }
  }
  netPen.putImageData(image, 0, 0);
  pen.drawImage(net, 0, 0, TILE, TILE);
}

const DRAWN: Readonly<Partial<Record<Pattern, (pen: Pen, line: string) => void>>> = { grass, sand, felt, comb, ruled, grid, slabs, water };

/** Returns the tile of a pattern, or null if the pattern has none. */
export function tileOf(pattern: Pattern, line: string): HTMLCanvasElement | null {
  const draw = DRAWN[pattern];
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = TILE;
  const pen = canvas.getContext('2d');
  if (draw === undefined || pen === null) return null;
  draw(pen, line);
  return canvas;
}
