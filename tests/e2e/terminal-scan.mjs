// Reads a terminal's screen with its styles, and scans the QR code on it like a phone: cells become pixels, and a decoder finds the code.
import qr from 'jsqr';

const STYLE_OR_CHARACTER = new RegExp(`${String.fromCharCode(27)}\\[([\\d;]*)m|(.)`, 'gsu');
const PIXELS = 4; // of a half block, across and down
const HALVES = { '█': [true, true], '▀': [true, false], '▄': [false, true] }; // of a cell: in its ink or not
const DARK = [0, 0, 0];
const LIGHT = [229, 229, 229];
const CUBE = [0, 95, 135, 175, 215, 255]; // of the 256 colours

// Applies the numbers of a style: [ink, ground, bold, dim, reverse].
function restyle(style, numbers) {
  const next = [...style];
  for (let i = 0; i < numbers.length; i += 1) {
    const number = numbers[i];
    const layer = number === 38 || number === 48 ? numbers.slice(i, i + (numbers[i + 1] === 2 ? 5 : 3)) : [number];
    i += layer.length - 1;
    if (number === 0) next.fill('');
    else if (number === 1 || number === 2 || number === 7) next[{ 1: 2, 2: 3, 7: 4 }[number]] = String(number);
    else next[number >= 40 && number < 50 ? 1 : number >= 100 ? 1 : 0] = number === 39 || number === 49 ? '' : layer.join(';');
  }
  return next;
}

// Yields the characters of a screen, as tmux captures it, with their styles.
/** @param {string} styled */
export function* styledCharacters(styled) {
  let style = ['', '', '', '', ''];
  for (const [, code, character] of styled.matchAll(STYLE_OR_CHARACTER)) {
    if (code !== undefined) style = restyle(style, code === '' ? [0] : code.split(';').map(Number));
    else yield /** @type {[string, string[]]} */ ([character, style]);
  }
}

// Returns the red, green and blue of a style's colour. own: the terminal's own.
function colorOf(code, own) {
  const numbers = code.split(';').map(Number);
  const index = numbers.length > 2 ? numbers[2] : numbers[0] % 10;
  if (code === '') return own;
  if (numbers[1] === 2) return numbers.slice(2, 5);
  if (index < 16) return index === 7 || index > 8 ? LIGHT : DARK;
  if (index > 231) return Array(3).fill(8 + 10 * (index - 232));
  return [36, 6, 1].map((step) => CUBE[Math.floor((index - 16) / step) % 6]);
}

// Returns the rows of a screen: the colours of the upper and lower half of each cell.
function readHalves(styled) {
  /** @type {number[][][]} */
  let row = [];
  const rows = [row];
  for (const [character, [ink, ground, , , reverse]] of styledCharacters(styled)) {
    const colors = [colorOf(ground, DARK), colorOf(ink, LIGHT)];
    if (character === '\n') rows.push((row = []));
    else row.push((HALVES[character] ?? [false, false]).map((lit) => colors[lit !== (reverse !== '') ? 1 : 0]));
  }
  return rows;
}

// Returns the text of the QR code on a screen, as tmux captures it with styles; null if there is none that a phone reads.
/** @param {string} styled */
export function scan(styled) {
  const rows = readHalves(styled);
  const [width, height] = [PIXELS * Math.max(...rows.map((row) => row.length)), 2 * PIXELS * rows.length];
  const pixels = new Uint8ClampedArray(4 * width * height).fill(255);
  const fill = (left, top, color) => {
    for (let i = 0; i < PIXELS * PIXELS; i += 1) pixels.set(color, 4 * ((top + Math.floor(i / PIXELS)) * width + left + (i % PIXELS)));
  };
  rows.forEach((row, y) => row.forEach((halves, x) => halves.forEach((color, half) => fill(PIXELS * x, PIXELS * (2 * y + half), color))));
  return qr.default(pixels, width, height)?.data ?? null;
}
