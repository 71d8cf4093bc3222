// What the boids of the start page's moving pictures look like: for each preset a ground, a shape and its colours.

/** Draws a boid at the origin, heading toward +x. size: CSS pixels; beat: radians of its wing beat or step; id: its number. */
export type Shape = (pen: CanvasRenderingContext2D, size: number, beat: number, id: number) => void;

export interface Look {
  ground: readonly [string, string]; // the colours of the middle and of the corners
  tail: string; // the colour of the line behind a boid; empty: none
  size: number; // of a boid, CSS pixels in a picture 240 pixels wide
  wall: string;
  shape: Shape;
}

function ellipse(pen: CanvasRenderingContext2D, color: string, x: number, y: number, along: number, across: number): void {
  pen.fillStyle = color;
  pen.beginPath();
  pen.ellipse(x, y, along, across, 0, 0, 2 * Math.PI);
  pen.fill();
}

function polygon(pen: CanvasRenderingContext2D, color: string, size: number, points: readonly (readonly [number, number])[]): void {
  pen.fillStyle = color;
  pen.beginPath();
  for (const [x, y] of points) pen.lineTo(x * size, y * size);
  pen.fill();
}

const bird: Shape = (pen, size, beat) => {
  const reach = 0.35 + 0.3 * Math.abs(Math.sin(beat));
  pen.strokeStyle = '#10131c';
  pen.lineWidth = 0.2 * size;
  pen.beginPath();
  pen.moveTo(-0.25 * size, -reach * size);
  pen.lineTo(0.2 * size, 0);
  pen.lineTo(-0.25 * size, reach * size);
  pen.stroke();
};

const fish: Shape = (pen, size, beat) => {
  const bend = 0.16 * Math.sin(beat) * size;
  const flank = Math.sin(beat / 3) > 0.8 ? '#ffffff' : '#bcd9ea';
  ellipse(pen, flank, 0.1 * size, 0, 0.45 * size, 0.17 * size);
  polygon(pen, flank, 1, [
    [-0.25 * size, 0],
    [-0.6 * size, bend - 0.2 * size],
    [-0.6 * size, bend + 0.2 * size],
  ]);
};

const goldfish: Shape = (pen, size, beat) => {
  const bend = 0.2 * Math.sin(beat) * size;
  ellipse(pen, '#ffa04d', 0.1 * size, 0, 0.42 * size, 0.22 * size);
  polygon(pen, '#ffbf73', 1, [
    [-0.2 * size, 0],
    [-0.65 * size, bend - 0.28 * size],
    [-0.65 * size, bend + 0.28 * size],
  ]);
};

const sheep: Shape = (pen, size) => {
  ellipse(pen, '#f7f4ea', -0.05 * size, 0, 0.42 * size, 0.32 * size);
  ellipse(pen, '#3c3530', 0.4 * size, 0, 0.17 * size, 0.13 * size);
};

const bee: Shape = (pen, size, beat) => {
  const wing = 0.26 + 0.12 * Math.sin(2 * beat);
  ellipse(pen, 'rgb(255 255 255 / 0.55)', 0, -wing * size, 0.2 * size, 0.14 * size);
  ellipse(pen, 'rgb(255 255 255 / 0.55)', 0, wing * size, 0.2 * size, 0.14 * size);
  ellipse(pen, '#ffc933', 0, 0, 0.42 * size, 0.22 * size);
  pen.fillStyle = '#241a05';
  for (const x of [-0.22, 0.04]) pen.fillRect(x * size, -0.2 * size, 0.12 * size, 0.4 * size);
};

const ant: Shape = (pen, size) => {
  for (const [x, r] of [[-0.34, 0.2], [0.02, 0.13], [0.32, 0.15]]) ellipse(pen, '#3a2416', x * size, 0, r * size, r * 0.8 * size);
};

const COATS = ['#c8553d', '#3d6fa8', '#4f8a5b', '#8a5aa0', '#c9962f'];
const walker: Shape = (pen, size, _, id) => {
  ellipse(pen, COATS[id % COATS.length], 0, 0, 0.2 * size, 0.44 * size);
  ellipse(pen, '#4a372c', 0.04 * size, 0, 0.18 * size, 0.18 * size);
};

const BALLS = ['#f4d03f', '#2e63c4', '#c8362e', '#6b3fa0', '#e67e22', '#1d7a4b', '#7b241c', '#f5f2e6'];
const ball: Shape = (pen, size, _, id) => {
  ellipse(pen, 'rgb(0 0 0 / 0.35)', 0.06 * size, 0.08 * size, 0.44 * size, 0.44 * size);
  ellipse(pen, BALLS[id % BALLS.length], 0, 0, 0.44 * size, 0.44 * size);
};

const LIGHTS = ['#ff6b6b', '#ffd166', '#06d6a0', '#4cc9f0', '#b388ff', '#ff9f6b', '#9be564', '#ff7ab8', '#7adfff', '#ffe66d', '#8cffc1', '#c0a2ff'];
const light: Shape = (pen, size, _, id) => {
  const glow = pen.createRadialGradient(0, 0, 0, 0, 0, 0.6 * size);
  glow.addColorStop(0, LIGHTS[id % LIGHTS.length]);
  glow.addColorStop(0.45, `${LIGHTS[id % LIGHTS.length]}b0`);
  glow.addColorStop(1, `${LIGHTS[id % LIGHTS.length]}00`);
  pen.fillStyle = glow;
  pen.fillRect(-0.6 * size, -0.6 * size, 1.2 * size, 1.2 * size);
};

const arrow =
  (color: string): Shape =>
  (pen, size) =>
    polygon(pen, color, size, [
      [0.55, 0],
      [-0.4, -0.3],
      [-0.22, 0],
      [-0.4, 0.3],
    ]);

const SLATE = ['#141c2c', '#070a12'] as const;
const PLAIN: Look = { ground: SLATE, tail: 'rgb(143 211 255 / 0.25)', size: 8, wall: '#8fd3ff', shape: arrow('#8fd3ff') };

const LOOKS: Readonly<Record<string, Partial<Look>>> = {
  murmuration: { ground: ['#f2b184', '#4a4e7d'], tail: 'rgb(20 20 40 / 0.16)', size: 6, shape: bird },
  sardines: { ground: ['#1d6f96', '#062a47'], tail: 'rgb(190 225 240 / 0.2)', size: 9, shape: fish },
  bees: { ground: ['#fbe3a1', '#d58b2c'], tail: 'rgb(90 55 0 / 0.16)', size: 8, shape: bee },
  sheep: { ground: ['#8dbb62', '#4f8440'], tail: '', size: 8, wall: '#6d4a2b', shape: sheep },
  march: { ground: ['#ecd6ac', '#c79f68'], tail: 'rgb(90 55 25 / 0.2)', size: 8, shape: ant },
  crowd: { ground: ['#d9d6cf', '#a9a59b'], tail: '', size: 8, shape: walker },
  billiards: { ground: ['#1f8a5f', '#0d4d37'], tail: '', size: 8, wall: '#7a4a24', shape: ball },
  original: { tail: 'rgb(255 255 255 / 0.12)', size: 24, shape: light },
  'js-birds': { tail: 'rgb(255 230 150 / 0.25)', size: 8, shape: arrow('#ffe08a') },
  'ue4-fish': { ground: ['#1b7f8c', '#06323f'], tail: '', size: 11, wall: '#9be7f0', shape: goldfish },
  'cpp-boids': { tail: 'rgb(200 255 200 / 0.2)', shape: arrow('#b6f0a0') },
};

export const lookOf = (preset: string): Look => ({ ...PLAIN, ...LOOKS[preset] });
