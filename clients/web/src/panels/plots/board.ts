// A canvas for a drawing, and what several drawings need: texts and axes.

import { make } from '../../app/dom';
import { number } from '../../texts/texts';
import type { Style } from './style';

/** The parts of an axis that ends with a number of this first digit: see roundTop(). */
const PARTS: Readonly<Record<number, number>> = { 1: 5, 2: 4, 3: 3, 4: 4, 5: 5, 6: 3, 8: 4 };

/** The area of a drawing, CSS pixels. */
export interface Area {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface Axis {
  least?: number; // the value at its beginning; missing: 0
  most: number; // at its end
  label: string;
  unit: string;
}

export interface Board {
  canvas: HTMLCanvasElement;
  /** Clears the canvas and returns its pen, in CSS pixels, and its size. null: it has no size, or the browser has no pen left. */
  begin(): { pen: CanvasRenderingContext2D; width: number; height: number } | null;
}

export const fontOf = (size: number, weight = 400): string => `${weight} ${size}px system-ui, sans-serif`;

/** Formats a round number with the decimals that it has. */
export const shortly = (value: number): string => number(value, (String(value).split('.')[1] ?? '').length);

/** Returns the text, cut to that width with an ellipsis; empty if there is no room for four characters. */
export function fitting(pen: CanvasRenderingContext2D, text: string, width: number): string {
  if (width <= 0) return '';
  const whole = pen.measureText(text).width;
  if (whole <= width) return text;
  const signs = [...text];
  const length = Math.floor((signs.length * width) / whole) - 1;
  return length < 4 ? '' : `${signs.slice(0, length).join('')}…`;
}

export function createBoard(host: HTMLElement): Board {
  const canvas = make('canvas', { 'aria-hidden': 'true' });
  host.append(canvas);
  return {
    canvas,
    begin() {
      const [width, height, ratio] = [host.clientWidth, host.clientHeight, devicePixelRatio];
      const pen = canvas.getContext('2d');
      if (pen === null || width === 0 || height === 0) return null;
      canvas.width = Math.round(width * ratio); // clears it
      canvas.height = Math.round(height * ratio);
      pen.setTransform(ratio, 0, 0, ratio, 0, 0);
      return { pen, width, height };
    },
  };
}

/** Returns the values at an axis, as round as its end. */
function valuesOn({ least = 0, most }: Axis): number[] {
  if (least !== 0) return [0, 1, 2, 3, 4].map((part) => Number((least + ((most - least) * part) / 4).toPrecision(4)));
  const power = 10 ** Math.floor(Math.log10(most) + 1e-9);
  const parts = PARTS[Math.round(most / power)] ?? 5;
  return Array.from({ length: parts + 1 }, (_, part) => Number(((most * part) / parts).toPrecision(6)));
}

/** Draws two axes with their labels, and returns the area between them. across: the horizontal axis. */
export function drawAxes(
  pen: CanvasRenderingContext2D,
  { width, height }: Pick<Area, 'width' | 'height'>,
  { size, ink, quiet, line }: Style,
  across: Axis,
  up: Axis,
): Area {
  const area = { left: 3.6 * size, top: 1.9 * size, width: width - 4.6 * size, height: height - 5 * size };
  pen.strokeStyle = line;
  pen.fillStyle = quiet;
  pen.lineWidth = 1;
  pen.font = fontOf(0.9 * size);
  pen.beginPath();
  pen.textAlign = 'center';
  pen.textBaseline = 'top';
  const { least = 0, most } = across;
  for (const value of valuesOn(across)) {
    const x = Math.round(area.left + ((value - least) / (most - least)) * area.width) + 0.5;
    pen.moveTo(x, area.top);
    pen.lineTo(x, area.top + area.height);
    pen.fillText(shortly(value), x, area.top + area.height + 0.3 * size);
  }
  pen.textAlign = 'right';
  pen.textBaseline = 'middle';
  for (const value of valuesOn(up)) {
    const y = Math.round(area.top + area.height - (value / up.most) * area.height) + 0.5;
    pen.moveTo(area.left, y);
    pen.lineTo(area.left + area.width, y);
    pen.fillText(shortly(value), area.left - 0.4 * size, y);
  }
  pen.stroke();
  pen.fillStyle = ink;
  pen.font = fontOf(size, 600);
  const named = ({ label, unit }: Axis): string => (unit === '' ? label : `${label} (${unit})`);
  pen.textBaseline = 'top';
  pen.fillText(fitting(pen, named(across), area.width), area.left + area.width, area.top + area.height + 1.7 * size);
  pen.textAlign = 'left';
  pen.fillText(fitting(pen, named(up), width - 0.8 * size), 0.4 * size, 0.2 * size);
  return area;
}
