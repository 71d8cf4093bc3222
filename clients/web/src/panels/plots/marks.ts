// The changes in the plot of the measures by time, and the moment of the past that the room shows.

import { type Area, fitting, fontOf } from './board';
import type { Span } from './columns';
import type { Style } from './style';

const DOT = 3; // CSS pixels: radius of the sign of a change
const GAP = 6; // CSS pixels between a line and its text
const APART = 8; // CSS pixels between a text and the next sign

/** A change in the flock's time, s. */
export interface Mark {
  at: number;
  text: string;
  color?: string; // missing: that of the style
}

export interface Marked {
  span: Span;
  marks: readonly Mark[]; // in ascending order
  shown: number | null; // the moment of the past that the room shows, s
}

/** The area of the lanes, pixels of the canvas. */
export interface Place extends Area {
  ratio: number; // pixels of a CSS pixel
  x(second: number): number;
}

/** Draws a line for each change, with as much of its text as there is room for before the next one. */
export function drawMarks(pen: CanvasRenderingContext2D, { span, marks, shown }: Marked, place: Place, style: Style): void {
  const { left, top, width, height, ratio } = place;
  const visible = marks.filter(({ at }) => at >= span.from && at <= span.to);
  const middle = top - 0.75 * style.size * ratio;

  function line(x: number): void {
    pen.beginPath();
    pen.moveTo(x, top);
    pen.lineTo(x, top + height);
    pen.stroke();
  }

  pen.save();
  pen.lineWidth = ratio;
  pen.font = fontOf(0.85 * style.size * ratio);
  pen.textAlign = 'left';
  pen.textBaseline = 'middle';
  pen.setLineDash([2 * ratio, 3 * ratio]);
  visible.forEach(({ at, text, color }, index) => {
    const x = Math.round(place.x(at));
    const next = visible[index + 1];
    const end = next === undefined ? left + width : place.x(next.at) - (DOT + APART) * ratio;
    pen.strokeStyle = pen.fillStyle = color ?? style.accent;
    line(x);
    pen.beginPath();
    pen.arc(x, middle, DOT * ratio, 0, 2 * Math.PI);
    pen.fill();
    pen.fillText(fitting(pen, text, end - x - GAP * ratio), x + GAP * ratio, middle);
  });
  if (shown !== null && shown >= span.from && shown <= span.to) {
    pen.setLineDash([]);
    pen.lineWidth = 2 * ratio;
    pen.strokeStyle = style.ink;
    line(Math.round(place.x(shown)));
  }
  pen.restore();
}
