// The histograms of a snapshot: headings as a rose, and distances to the nearest boid as bars.

import { type Axis, type Board, createBoard, drawAxes, fontOf } from './board';
import { BARS, SECTORS, type Spread } from './spread';
import type { Style } from './style';

export interface Rose {
  board: Board;
  draw(headings: Spread, style: Style, color: string, label: string): void;
}

/** The area of a sector is in proportion to its boids. Directions are as on the screen. */
export function createRose(host: HTMLElement): Rose {
  const board = createBoard(host);
  return {
    board,
    draw({ counts }, style, color, label) {
      const begun = board.begin();
      if (begun === null) return;
      const { pen, width, height } = begun;
      const { size } = style;
      const radius = Math.max(1, Math.min(width / 2, (height - 1.9 * size) / 2) - 0.5 * size);
      const [x, y] = [width / 2, 1.9 * size + (height - 1.9 * size) / 2];
      const most = Math.max(1, ...counts);
      pen.fillStyle = style.ink;
      pen.font = fontOf(size, 600);
      pen.textBaseline = 'top';
      pen.fillText(label, 0.4 * size, 0.2 * size);
      pen.strokeStyle = style.line;
      for (const part of [0.5, 1]) {
        pen.beginPath();
        pen.arc(x, y, radius * Math.sqrt(part), 0, 2 * Math.PI);
        pen.stroke();
      }
      pen.fillStyle = color;
      pen.strokeStyle = style.ground;
      counts.forEach((count, sector) => {
        const [from, to] = [sector - 0.5, sector + 0.5].map((edge) => (edge / SECTORS) * 2 * Math.PI);
        if (count === 0) return;
        pen.beginPath();
        pen.moveTo(x, y);
        pen.arc(x, y, radius * Math.sqrt(count / most), from, to);
        pen.closePath();
        pen.fill();
        pen.stroke();
      });
    },
  };
}

export interface Bars {
  board: Board;
  draw(spread: Spread, across: Axis, up: Axis, style: Style, color: string): void;
}

export function createBars(host: HTMLElement): Bars {
  const board = createBoard(host);
  return {
    board,
    draw({ counts }, across, up, style, color) {
      const begun = board.begin();
      if (begun === null) return;
      const { pen } = begun;
      const area = drawAxes(pen, begun, style, across, up);
      const wide = area.width / BARS;
      pen.fillStyle = color;
      counts.forEach((count, bar) => {
        const high = (count / up.most) * area.height;
        pen.fillRect(area.left + bar * wide + 0.5, area.top + area.height - high, Math.max(1, wide - 1), high);
      });
    },
  };
}
