// The plots as files: a table of the measures, and a picture.

import { make } from '../../app/dom';
import { save } from '../../app/save';
import type { Room } from '../../net/protocol';
import { fontOf } from './board';
import { MEASURES } from './columns';
import type { Plotted } from './rooms';
import type { Style } from './style';

const DIGITS = 6;

/** Returns a cell. A spreadsheet takes no text that people have chosen for a formula. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const figure = (value: number | null): string => (value === null ? '' : String(Number(value.toPrecision(DIGITS))));

/** Returns a table with a row for each sample of each room. Of several rooms, each row begins with the room's code. The last column has
 * the changes since the row before. Marks are in ascending order. */
export function tableOf(rooms: readonly Pick<Plotted, 'room' | 'samples' | 'marks'>[]): string {
  const codeOf = (code: string): string[] => (rooms.length > 1 ? [code] : []);
  const head = [...codeOf('room'), 'tick', 'seconds', ...MEASURES.map(({ name }) => name), 'changes'];
  const rows = rooms.flatMap(({ room, samples, marks }) => {
    let before = -Infinity;
    return samples.map((sample) => {
      const second = sample.tick / room.tickRate;
      const changes = marks.filter(({ at }) => at > before && at <= second).map(({ text }) => text);
      before = second;
      const values = MEASURES.map(({ of }) => figure(of(sample, room)));
      return [...codeOf(room.code), String(sample.tick), figure(second), ...values, cell(changes.join('; '))].join(',');
    });
  });
  return `${[head.join(','), ...rows].join('\r\n')}\r\n`;
}

export const saveTable = (text: string, name: string): void => save(new Blob([text], { type: 'text/csv' }), `${name}.csv`);

/** Returns the name of a file about those times, without its ending. */
export const fileName = ({ code }: Room, times: string): string => `flock-${code}-${times.replace(' – ', '-')}`.replaceAll(':', '.');

/** A part of a picture's title, and its colour. */
export type Titled = readonly [text: string, color: string];

/** Saves the pictures beside each other, below the title. null, or without a size: not drawn. */
export function savePictures(found: readonly (HTMLCanvasElement | null)[], title: readonly Titled[], style: Style, name: string): void {
  const pictures = found.filter((each) => each !== null && each.width > 0) as HTMLCanvasElement[];
  if (pictures.length > 0) compose(pictures, title, style).toBlob((blob) => blob !== null && save(blob, `${name}.png`));
}

/** Puts the pictures beside each other, below the title. */
function compose(pictures: readonly HTMLCanvasElement[], title: readonly Titled[], { size, ground }: Style): HTMLCanvasElement {
  const [text, ratio] = [size * devicePixelRatio, devicePixelRatio];
  const width = pictures.reduce((sum, picture) => sum + picture.width, 0);
  const top = Math.ceil(2 * text);
  const canvas = make('canvas', {});
  canvas.width = width;
  canvas.height = top + Math.max(...pictures.map(({ height }) => height));
  const pen = canvas.getContext('2d');
  if (pen === null) return canvas;
  pen.fillStyle = ground;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.font = fontOf(text, 600);
  pen.textBaseline = 'middle';
  let left = 8 * ratio;
  for (const [part, color] of title) {
    pen.fillStyle = color;
    pen.fillText(part, left, top / 2, Math.max(1, width - left - 8 * ratio));
    left += pen.measureText(part).width + text;
  }
  left = 0;
  for (const picture of pictures) {
    pen.drawImage(picture, left, top);
    left += picture.width;
  }
  return canvas;
}
