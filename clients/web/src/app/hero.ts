// The cursors in the start page's large picture: three people who lead the flock together.

const PEOPLE = [
  { name: 'Ada', color: '#7ce0ff', x: -34, y: -16, turn: 0 },
  { name: 'Ben', color: '#ffd166', x: 30, y: -20, turn: 2.1 },
  { name: 'Yuki', color: '#ff9bc2', x: 4, y: 36, turn: 4.2 },
];
const SWAY = 5; // CSS pixels by which a cursor moves about its place
const TIME = 1900; // ms of its way around

/** Draws the cursors, whose mean is the point x, y. size: of the picture; 1: 240 CSS pixels wide. */
export function drawCursors(pen: CanvasRenderingContext2D, x: number, y: number, size: number): void {
  const angle = (2 * Math.PI * performance.now()) / TIME / 3;
  pen.font = `600 ${Math.round(Math.max(11, 6.5 * size))}px system-ui, sans-serif`;
  for (const { name, color, x: dx, y: dy, turn } of PEOPLE) {
    const left = x + (dx + SWAY * Math.cos(angle + turn)) * size;
    const top = y + (dy + SWAY * Math.sin(angle + turn)) * size;
    pen.beginPath();
    for (const [px, py] of [[0, 0], [3, 10], [5, 6.4], [9, 6]]) pen.lineTo(left + px * size, top + py * size);
    pen.closePath();
    pen.fillStyle = color;
    pen.strokeStyle = 'rgb(5 7 12 / 0.75)';
    pen.lineWidth = 1.5;
    pen.stroke();
    pen.fill();
    pen.strokeStyle = 'rgb(5 7 12 / 0.85)';
    pen.lineWidth = 3;
    pen.lineJoin = 'round';
    pen.strokeText(name, left + 8 * size, top + 15 * size);
    pen.fillText(name, left + 8 * size, top + 15 * size);
  }
}
