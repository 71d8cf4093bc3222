// The plots as files: a table of the measures, and a picture.

import { make } from '../../app/dom';
import type { Sample } from '../../flock/samples';
import type { Room } from '../../net/protocol';
import { fontOf } from './board';
import { MEASURES } from './columns';
import type { Mark } from './lanes';
import type { Style } from './style';

const DIGITS = 6;

/** Returns a cell. A spreadsheet takes no text that people have chosen for a formula. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const figure = (value: number | null): string => (value === null ? '' : String(Number(value.toPrecision(DIGITS))));

/** Returns a table with a row for each sample. The last column has the changes since the row before. marks: in ascending order. */
export function tableOf(samples: readonly Sample[], marks: readonly Mark[], room: Room): string {
  const head = ['tick', 'seconds', ...MEASURES.map(({ name }) => name), 'changes'];
  let before = -Infinity;
  const rows = samples.map((sample) => {
    const second = sample.tick / room.tickRate;
    const changes = marks.filter(({ at }) => at > before && at <= second).map(({ text }) => text);
    before = second;
    const values = MEASURES.map(({ of }) => figure(of(sample, room)));
    return [String(sample.tick), figure(second), ...values, cell(changes.join('; '))].join(',');
  });
  return `${[head.join(','), ...rows].join('\r\n')}\r\n`;
}

/** Puts the pictures beside each other, below the title. */
export function compose(pictures: readonly HTMLCanvasElement[], title: string, { size, ink, ground }: Style): HTMLCanvasElement {
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
  pen.fillStyle = ink;
  pen.font = fontOf(text, 600);
  pen.textBaseline = 'middle';
  pen.fillText(title, 8 * ratio, top / 2, width - 16 * ratio);
  let left = 0;
  for (const picture of pictures) {
    pen.drawImage(picture, left, top);
    left += picture.width;
  }
  return canvas;
}
