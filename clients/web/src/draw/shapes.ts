// The shapes of boids as data. A boid is 1 long and heads toward +x; its parts lie one over another. Both renderers and the start
// page's pictures draw them from here.

import type { Shape } from './look';
import { type Color, css } from './scene';
import { mix } from '../numbers';

export type Drawable = Exclude<Shape, 'blur'>;

/** shade: 0 black, 0.5 the boid's colour, 1 white. at: x, y, and the radii along and across of an ellipse; or the corners of a smooth
 * outline. An ellipse beside the axis and an outline that does not begin on it are drawn on both sides. An outline that begins
 * on the axis is half of one. A corner given twice is sharp. */
interface Part {
  shade: number;
  opacity?: number;
  at: readonly number[];
}

/** Moves a point of the shape. beat: radians of a wing beat. */
type Move = (x: number, y: number, beat: number) => readonly [number, number];

interface Figure {
  parts: readonly Part[];
  rim?: number; // width of a dark outline around opaque parts, for boids that are as bright as a ground
  move?: Move;
  beats?: number; // a second
}

const FIGURES: Record<Drawable, Figure> = {
  arrow: { parts: [{ shade: 0.5, at: [0.54, 0, 0.54, 0, -0.45, 0.32, -0.45, 0.32, -0.27, 0, -0.27, 0] }] },
  triangle: { parts: [{ shade: 0.5, at: [0.54, 0, 0.54, 0, -0.4, 0.3, -0.4, 0.3, -0.4, 0] }] },
  bird: {
    parts: [
      { shade: 0.46, at: [0.2, 0.04, 0.27, 0.22, 0.1, 0.5, -0.16, 0.74, -0.16, 0.74, -0.1, 0.42, -0.16, 0.04] },
      { shade: 0.5, at: [0.5, 0, 0.5, 0, 0.38, 0.09, 0.12, 0.12, -0.2, 0.06, -0.5, 0.14, -0.5, 0.14, -0.44, 0] },
    ],
    move: (x, y, beat) => {
      const wing = Math.max(0, Math.abs(y) - 0.1) * (1 - Math.cos(beat));
      return [x - 0.24 * wing, y - 0.34 * Math.sign(y) * wing];
    },
    beats: 3.2,
  },
  fish: {
    parts: [
      { shade: 0.42, at: [0.2, 0.08, -0.02, 0.26, -0.06, 0.23, 0.04, 0.08] },
      { shade: 0.44, at: [-0.26, 0, -0.34, 0.04, -0.56, 0.2, -0.56, 0.2, -0.45, 0] },
      { shade: 0.5, at: [0.5, 0, 0.46, 0.06, 0.26, 0.14, -0.02, 0.14, -0.28, 0.05, -0.4, 0.03, -0.4, 0] },
      { shade: 0.72, at: [0.06, 0, 0.27, 0.05] },
      { shade: 0.06, at: [0.35, 0.075, 0.035, 0.03] },
    ],
    move: (x, y, beat) => [x, y + 0.16 * Math.max(0, 0.35 - x) ** 1.4 * Math.sin(beat + 4 * x)],
    beats: 2.2,
  },
  sheep: {
    parts: [
      { shade: 0.4, at: [-0.36, 0.1, 0.16, 0.17] },
      { shade: 0.4, at: [-0.18, 0.19, 0.17, 0.14] },
      { shade: 0.4, at: [0.03, 0.17, 0.18, 0.15] },
      { shade: 0.5, at: [-0.16, 0, 0.38, 0.26] },
      { shade: 0.62, at: [-0.19, 0, 0.26, 0.16] },
      { shade: 0.15, at: [0.2, 0.13, 0.3, 0.25, 0.22, 0.26, 0.12, 0.14] },
      { shade: 0.18, at: [0.62, 0, 0.6, 0.08, 0.42, 0.14, 0.2, 0.14, 0.12, 0.1, 0.12, 0] },
      { shade: 0.46, at: [0.13, 0, 0.09, 0.1] },
    ],
    rim: 0.045,
    move: (x, y, beat) => [x, y + 0.14 * Math.max(0, x - 0.2) * Math.sin(beat)],
    beats: 0.7,
  },
  bee: {
    parts: [
      { shade: 0.1, at: [0.34, 0, 0.16, 0.15] },
      { shade: 0.5, at: [-0.1, 0, 0.38, 0.23] },
      { shade: 0.1, at: [0.03, 0, 0.06, 0.21] },
      { shade: 0.1, at: [-0.17, 0, 0.055, 0.2] },
      { shade: 0.1, at: [-0.36, 0, 0.07, 0.11] },
      { shade: 0.92, opacity: 0.7, at: [0.16, 0.12, 0.2, 0.34, 0.02, 0.54, -0.16, 0.46, -0.06, 0.2] },
    ],
    rim: 0.05,
    move: (x, y, beat) => {
      const wing = Math.max(0, Math.abs(y) - 0.24) * (1 - Math.cos(beat));
      return [x - 0.4 * wing, y - 0.2 * Math.sign(y) * wing];
    },
    beats: 9,
  },
  ball: {
    rim: 0.045,
    parts: [
      { shade: 0.3, at: [0, 0, 0.5, 0.5] },
      { shade: 0.5, at: [-0.04, 0, 0.45, 0.45] },
      { shade: 0.68, at: [-0.13, 0, 0.29, 0.29] },
      { shade: 0.95, at: [-0.22, 0, 0.12, 0.12] },
    ],
  },
  person: {
    parts: [
      { shade: 0.2, at: [0.06, 0.16, 0.2, 0.1] },
      { shade: 0.38, at: [0.08, 0.4, 0.17, 0.09] },
      { shade: 0.5, at: [-0.02, 0, 0.2, 0.44] },
      { shade: 0.74, at: [0.13, 0, 0.15, 0.13] },
      { shade: 0.15, at: [0.01, 0, 0.2, 0.19] },
    ],
    move: (x, y, beat) => [x + 0.3 * y * Math.sin(beat), y],
    beats: 1.3,
  },
  ant: {
    parts: [
      { shade: 0.4, at: [0.08, 0.04, 0.24, 0.26, 0.4, 0.33, 0.4, 0.33, 0.27, 0.22, 0.14, 0.04] },
      { shade: 0.4, at: [-0.02, 0.04, 0.0, 0.26, -0.04, 0.4, -0.04, 0.4, 0.06, 0.26, 0.05, 0.04] },
      { shade: 0.4, at: [-0.06, 0.04, -0.2, 0.26, -0.4, 0.38, -0.4, 0.38, -0.17, 0.3, 0, 0.04] },
      { shade: 0.4, at: [0.36, 0.04, 0.48, 0.18, 0.6, 0.2, 0.6, 0.2, 0.5, 0.13, 0.4, 0.03] },
      { shade: 0.44, at: [-0.31, 0, 0.2, 0.15] },
      { shade: 0.5, at: [0.02, 0, 0.15, 0.085] },
      { shade: 0.5, at: [0.31, 0, 0.14, 0.115] },
      { shade: 0.66, at: [-0.33, 0, 0.1, 0.06] },
    ],
    move: (x, y, beat) => [x + 0.22 * Math.max(0, Math.abs(y) - 0.06) * Math.sin(beat + 9 * x) * Math.sign(y), y],
    beats: 3,
  },
};

/** The heading of all balls, whose light comes from one side; a part of a full turn. */
export const BALL_TURN = 0.15625;

/** Wing beats or steps of the shape in a second. */
export const beatsOf = (shape: Shape): number => (shape === 'blur' ? 0 : (FIGURES[shape].beats ?? 0));

const RIM_SHADE = 0.06;

/** Returns the shade of the shape's outline, or null if it has none. */
export const rimOf = (shape: Shape): { shade: number; width: number } | null => {
  const width = shape === 'blur' ? undefined : FIGURES[shape].rim;
  return width === undefined ? null : { shade: RIM_SHADE, width };
};

/** Returns the colour of a part. */
export const shaded = (color: Color, shade: number): Color => {
  const [to, t] = shade < 0.5 ? [0, 1 - 2 * shade] : [1, 2 * shade - 1];
  return [mix(color[0], to, t), mix(color[1], to, t), mix(color[2], to, t)];
};

const CORNERS = 12; // of an ellipse
const OUTSIDE = 1.035; // of an ellipse's corners: the smooth outline is inside them

type Point = readonly [number, number];

/** Returns the outlines of a part: one, or one on each side. */
function outlines(at: readonly number[]): Point[][] {
  const points: Point[] = [];
  if (at.length === 4) {
    for (let i = 0; i < CORNERS; i++) {
      const angle = (2 * Math.PI * i) / CORNERS;
      points.push([at[0] + OUTSIDE * at[2] * Math.cos(angle), at[1] + OUTSIDE * at[3] * Math.sin(angle)]);
    }
    if (at[1] === 0) return [points];
  } else {
    for (let i = 0; i < at.length; i += 2) points.push([at[i], at[i + 1]]);
  }
  const mirrored = points.map(([x, y]): Point => [x, -y]);
  mirrored.reverse(); // all outlines have the same direction, so that none cancels another one in a path
  return at.length > 4 && at[1] === 0 ? [[...points, ...mirrored]] : [points, mirrored];
}

/** Returns the outline with each point farther away from its middle. */
function grown(points: Point[], by: number): Point[] {
  const middle = [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
  return points.map(([x, y]) => {
    const [dx, dy] = [x - middle[0], y - middle[1]];
    const wider = 1 + by / Math.hypot(dx, dy);
    return [middle[0] + wider * dx, middle[1] + wider * dy];
  });
}

const MOMENTS = 16; // of a beat whose outlines are kept

interface Outline {
  shade: number;
  opacity: number;
  path: Path2D; // of a boid of length 1
}

const kept = new Map<string, readonly Outline[]>();

function outlinesAt(shape: Drawable, moment: number): readonly Outline[] {
  const key = `${shape} ${moment}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const { parts, rim = 0, move = (x, y) => [x, y] } = FIGURES[shape];
  const add = (path: Path2D, { at }: Part, wider: number): void => {
    for (const outline of outlines(at))
      addSmooth(
        path,
        grown(outline, wider).map(([x, y]) => move(x, y, (2 * Math.PI * moment) / MOMENTS)),
      );
  };
  const made = parts.map((part) => {
    const path = new Path2D();
    add(path, part, 0);
    return { shade: part.shade, opacity: part.opacity ?? 1, path };
  });
  if (rim > 0) {
    const path = new Path2D(); // one for all parts: without a GPU, an outline that is stroked costs much more time
    for (const part of parts) if (part.opacity === undefined) add(path, part, rim);
    made.unshift({ shade: RIM_SHADE, opacity: 1, path });
  }
  kept.set(key, made);
  return made;
}

/** Adds a closed outline that touches the middle of each side. */
function addSmooth(path: Path2D, points: readonly Point[]): void {
  const middle = (i: number): [number, number] => {
    const [a, b] = [points[i % points.length], points[(i + 1) % points.length]];
    return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  };
  path.moveTo(...middle(0));
  points.forEach((_, i) => path.quadraticCurveTo(...points[(i + 1) % points.length], ...middle(i + 1)));
}

/** Paints a boid at the origin, toward +x. size: its length; beat: radians. color: returns the colour of a shade. */
export function paintShape(
  pen: CanvasRenderingContext2D,
  shape: Drawable,
  size: number,
  beat: number,
  color: (shade: number) => string,
): void {
  const opacity = pen.globalAlpha;
  const moment = Math.round((beat * MOMENTS) / (2 * Math.PI)) & (MOMENTS - 1);
  pen.scale(size, size);
  for (const part of outlinesAt(shape, moment)) {
    pen.fillStyle = color(part.shade);
    pen.globalAlpha = opacity * part.opacity;
    pen.fill(part.path);
  }
  pen.scale(1 / size, 1 / size);
  pen.globalAlpha = opacity;
}

export const PHASES = 8; // pictures of a wing beat
export const REACH = 0.78; // from the middle of a boid's picture to its edge, in lengths of the boid
const TILE = 128; // pixels of a boid's picture

/** Returns the pictures of a wing beat beside one another. Their brightness is the shade. */
export function paintAtlas(shape: Drawable): HTMLCanvasElement | null {
  const canvas = document.createElement('canvas');
  canvas.width = PHASES * TILE;
  canvas.height = TILE;
  const pen = canvas.getContext('2d');
  for (let i = 0; i < PHASES && pen !== null; i++) {
    pen.setTransform(1, 0, 0, 1, (i + 0.5) * TILE, 0.5 * TILE);
    paintShape(pen, shape, TILE / (2 * REACH), (2 * Math.PI * i) / PHASES, (shade) => css([shade, shade, shade]));
  }
  return pen === null ? null : canvas;
}
