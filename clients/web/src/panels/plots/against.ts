// One measure against another: the flock's way through both.

import { type Axis, type Board, createBoard, drawAxes } from './board';
import type { Style } from './style';

const PARTS = 12; // of the way; older parts are fainter
const FAINT = 0.15; // opacity of the oldest part
const LONG = 1.8; // the plot's width at most, as a part of its height

export interface Way {
  x: readonly (number | null)[];
  y: readonly (number | null)[];
}

export interface Against {
  board: Board;
  /** kept: the way in another span, or null. */
  draw(way: Way, kept: Way | null, across: Axis, up: Axis, style: Style, color: string): void;
}

export function createAgainst(host: HTMLElement): Against {
  const board = createBoard(host);
  return {
    board,
    draw(way, kept, across, up, style, color) {
      const begun = board.begin();
      if (begun === null) return;
      const { pen } = begun;
      const width = Math.min(begun.width, LONG * begun.height);
      pen.translate((begun.width - width) / 2, 0);
      const area = drawAxes(pen, { width, height: begun.height }, style, across, up);
      const xOf = (value: number): number => area.left + (value / across.most) * area.width;
      const yOf = (value: number): number => area.top + area.height - (value / up.most) * area.height;

      /** Draws a part of the way. A gap interrupts it. */
      function trace({ x, y }: Way, from: number, to: number): void {
        let drawing = false;
        pen.beginPath();
        for (let i = from; i <= to && i < x.length; i++) {
          const [across, up] = [x[i], y[i]];
          if (across === null || up === null) drawing = false;
          else if (drawing) pen.lineTo(xOf(across), yOf(up));
          else pen.moveTo(xOf(across), yOf(up));
          drawing = across !== null && up !== null;
        }
        pen.stroke();
      }

      pen.lineJoin = 'round';
      pen.lineWidth = 0.1 * style.size;
      pen.strokeStyle = style.quiet;
      pen.setLineDash([4, 3]);
      if (kept !== null) trace(kept, 0, kept.x.length);
      pen.setLineDash([]);
      pen.strokeStyle = color;
      pen.lineWidth = 0.14 * style.size;
      for (let part = 0; part < PARTS; part++) {
        const [from, to] = [part, part + 1].map((each) => Math.floor((each * way.x.length) / PARTS));
        pen.globalAlpha = FAINT + ((1 - FAINT) * (part + 1)) / PARTS;
        trace(way, from, to);
      }
      pen.globalAlpha = 1;
      const [x, y] = [way.x.at(-1), way.y.at(-1)];
      if (x == null || y == null) return;
      pen.beginPath();
      pen.arc(xOf(x), yOf(y), 0.4 * style.size, 0, 2 * Math.PI);
      pen.fillStyle = color;
      pen.fill();
      pen.strokeStyle = style.ground;
      pen.stroke();
    },
  };
}
