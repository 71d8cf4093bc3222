// The WebGL2 renderer: one instanced draw for the flock. It uploads a snapshot's positions and headings once, when they are
// first shown. Each frame the vertex shader interpolates between two snapshots, so 12 boids and 200,000 take the main thread
// equally long.
//
// Trails are in a separate texture. Each frame it fades by a constant, and the boids' paths of that frame are drawn into it
// with MAX blending. Trails are therefore independent of the frame rate, and 8 bits fade to 0.
//
// Shapes, the map, and how crowded boids are come from detail.ts, which is loaded after the first picture.

import type { Room } from '../net/protocol';
import type { Detail } from './detail';
import { COLORINGS } from './look';
import { type Program, type Upload, createTexture, link } from './gl';
import { STEPS, glowOf, paletteOf } from './palette';
import {
  type Backdrop,
  COLORS,
  type Load,
  type Renderer,
  type Scene,
  boidOpacity,
  isCrowdShown,
  placeOf,
  trailStrength,
  trailTime,
} from './scene';
import * as shaders from './shaders';
import { type Frame, type Moment, shownCount } from '../flock/timeline';

const UPLOADS = 4; // snapshots kept on the GPU: the two that are shown, and two for a playhead that goes back
const POSITION_BYTES = 4; // bytes of a boid's position, and of its heading
const ARROW_EXTENT = [0.56, 0.34]; // of a boid's quad along and across its heading, in its lengths
const BLUR_EXTENT = [0.62, 0.62];
const WIDEST = [1, 1];
const ARROW_NOTCH = -0.27; // of the tail, in lengths
const TRIANGLE_NOTCH = -0.4;
const GONE_MOST = 4000; // ms of drawing without a context, after which it counts as broken
const STEPS_MAX = 3; // maximum length of one frame's trail, in snapshot intervals

/** The content of a frame of the screen. */
export interface Shown {
  scene: Scene;
  room: Room;
  moment: Moment;
  count: number; // boids
}

interface Resources {
  arrow: Program;
  blur: Program;
  trail: Program;
  fade: Program;
  screen: Program;
  boids: WebGLVertexArrayObject;
  tints: WebGLBuffer; // a byte a boid
  nothing: WebGLVertexArrayObject;
  uploads: Upload[];
  detail: Detail | null; // null: it is not loaded
  texture: WebGLTexture;
  ground: WebGLTexture;
  painted: number; // the version of the backdrop in it; 0: none
  buffer: WebGLFramebuffer;
  width: number; // of the texture
  height: number;
  place: string; // the look and camera of the trails in the texture
}

/** Returns null if the browser has no WebGL2; throws if it cannot build the shaders. After a lost context comes back, makes all
 * resources again; calls onBroken() if that fails, or if the context does not come back. */
export function createWebglRenderer(canvas: HTMLCanvasElement, load: Load, onBroken: () => void): Renderer | null {
  const context = canvas.getContext('webgl2', { alpha: false, antialias: false, depth: false });
  if (context === null) return null;
  const gl = context;
  let live: Resources | null = createResources(gl);
  let draws = 0;
  let gone = 0; // ms of drawing since the context was lost
  let fading = 0; // steps of 1/255 by which the trails will fade
  let asked = false; // for the detail
  let parts: typeof import('./detail') | null = null;
  canvas.addEventListener('webglcontextlost', (event) => {
    event.preventDefault();
    live = null;
  });
  canvas.addEventListener('webglcontextrestored', () => {
    try {
      live = createResources(gl);
    } catch {
      onBroken();
    }
  });

  function draw(scene: Scene): void {
    gone = live === null ? gone + scene.passed : 0;
    if (live === null) return gone > GONE_MOST ? onBroken() : undefined;
    const { camera, moment, room } = scene;
    const width = Math.max(1, Math.round(camera.width * camera.ratio));
    const height = Math.max(1, Math.round(camera.height * camera.ratio));
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    const count = moment === null ? 0 : shownCount(moment);
    const shown = moment === null || room === null || count === 0 ? null : { scene, room, moment, count };
    if (shown !== null && parts !== null) live.detail ??= parts.createDetail(gl);
    const detail = live.detail;
    const map = detail?.canMap === true ? scene.map : 0;
    if (shown !== null) bind(live, shown);
    if (shown !== null && scene.tint !== null) bindTints(live, scene.tint.of(shown.moment.b, shown.room));
    if (scene.trails) drawTrails(live, scene, width, height, shown);
    if (shown !== null && detail !== null && map > 0) {
      detail.beginMap(scene);
      drawBoids(live, detail.splat, shown, detail.mapScale(scene), 1);
    }
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, width, height);
    drawScreen(live, scene, width, height, 0);
    if (map > 0) detail?.drawMap(scene, map);
    if (shown !== null && map < 1) drawBoids(live, programOf(live, scene), shown, 1, (1 - map) * boidOpacity(scene.shape, count));
    if (scene.backdrop !== null && scene.backdrop.rim > 0) drawScreen(live, scene, width, height, scene.backdrop.rim);
    if (shown !== null && !asked) {
      asked = true;
      void load(() => import('./detail')).then((loaded) => (parts = loaded));
    }
  }

  /** Binds the moment's two frames to the attributes, and uploads them if necessary. */
  function bind(from: Resources, { scene, room, moment }: Shown): void {
    draws++;
    gl.bindVertexArray(from.boids);
    const { detail } = from;
    const crowded = detail !== null && isCrowdShown(scene, moment);
    [moment.a, moment.b].forEach((frame, index) => {
      const upload = uploaded(from, frame);
      gl.bindBuffer(gl.ARRAY_BUFFER, upload.positions);
      gl.vertexAttribPointer(index, 2, gl.SHORT, false, POSITION_BYTES, 0);
      gl.bindBuffer(gl.ARRAY_BUFFER, upload.headings);
      gl.vertexAttribPointer(2 + index, 2, gl.SHORT, true, POSITION_BYTES, 0);
      if (crowded) {
        if (!upload.crowded) detail.uploadCrowd(upload, frame, room);
        gl.bindBuffer(gl.ARRAY_BUFFER, upload.crowd);
        gl.vertexAttribPointer(5 + index, 1, gl.UNSIGNED_BYTE, true, 1, 0);
        gl.enableVertexAttribArray(5 + index);
      } else {
        gl.disableVertexAttribArray(5 + index);
        gl.vertexAttrib1f(5 + index, 0.5);
      }
    });
  }

  function bindTints(from: Resources, tints: Uint8Array): void {
    gl.bindBuffer(gl.ARRAY_BUFFER, from.tints);
    gl.bufferData(gl.ARRAY_BUFFER, tints, gl.STREAM_DRAW);
    gl.vertexAttribPointer(4, 1, gl.UNSIGNED_BYTE, false, 1, 0);
  }

  function uploaded(from: Resources, frame: Frame): Upload {
    const known = from.uploads.find((upload) => upload.serial === frame.serial);
    if (known !== undefined) {
      known.used = draws;
      return known;
    }
    const upload = from.uploads.reduce((oldest, other) => (other.used < oldest.used ? other : oldest));
    upload.serial = frame.serial;
    upload.used = draws;
    upload.crowded = false;
    const grow = frame.count > upload.capacity;
    if (grow) upload.capacity = Math.ceil(frame.count * 1.2);
    for (const [buffer, data] of [
      [upload.positions, frame.positions],
      [upload.headings, frame.headings],
    ] as const) {
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      if (grow) gl.bufferData(gl.ARRAY_BUFFER, upload.capacity * POSITION_BYTES, gl.STREAM_DRAW);
      gl.bufferSubData(gl.ARRAY_BUFFER, 0, data, 0, 2 * frame.count);
    }
    return upload;
  }

  function drawTrails(from: Resources, scene: Scene, width: number, height: number, shown: Shown | null): void {
    const { camera } = scene;
    const scale = Math.min(1, 1.25 / camera.ratio); // trails are soft, so a higher resolution shows no difference
    gl.bindFramebuffer(gl.FRAMEBUFFER, from.buffer);
    placeTrails(
      from,
      Math.ceil(width * scale),
      Math.ceil(height * scale),
      [scene.shape, scene.theme, camera.left, camera.top, camera.scale].join(),
    );
    gl.viewport(0, 0, from.width, from.height);
    fading += (255 * scene.passed) / trailTime(scene.shape);
    const steps = Math.min(255, Math.floor(fading));
    fading -= Math.floor(fading);
    gl.enable(gl.BLEND);
    if (steps > 0) {
      // Each channel loses the same amount, so a trail's colour deepens as it fades.
      gl.blendEquation(gl.FUNC_REVERSE_SUBTRACT);
      gl.blendFunc(gl.ONE, gl.ONE);
      gl.useProgram(from.fade.program);
      gl.uniform1f(from.fade.at['level'], steps / 255);
      gl.bindVertexArray(from.nothing);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    }
    gl.blendEquation(gl.MAX);
    if (shown !== null && scene.level !== 'map') drawBoids(from, from.trail, shown, from.width / width, trailStrength(scene.shape));
    gl.blendEquation(gl.FUNC_ADD);
  }

  /** Resizes the texture. Empties it if the size, look or camera has changed. */
  function placeTrails(from: Resources, width: number, height: number, place: string): void {
    if (from.width !== width || from.height !== height) {
      from.width = width;
      from.height = height;
      gl.bindTexture(gl.TEXTURE_2D, from.texture);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
    } else if (from.place === place) {
      return;
    }
    from.place = place;
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
  }

  /** Draws the background and the trails. With a rim (CSS pixels), draws the background over the boids near the world's edge. */
  function drawScreen(from: Resources, scene: Scene, width: number, height: number, rim: number): void {
    const { program, at } = from.screen;
    const { camera, backdrop, room } = scene;
    if (rim > 0) gl.enable(gl.BLEND);
    else gl.disable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.useProgram(program);
    gl.uniform1f(at['rim'], rim * camera.ratio);
    gl.uniform1f(at['shown'], backdrop?.opacity ?? 0);
    if (backdrop !== null) {
      const [scale, left, top] = placeOf(backdrop, camera);
      const [across, down] = [backdrop.camera.width, backdrop.camera.height].map((side) => side * scale * camera.ratio);
      gl.uniform4f(at['place_of'], left * camera.ratio, top * camera.ratio, 1 / across, 1 / down);
      gl.uniform2f(at['sway'], (backdrop.sway * camera.ratio) / across, (scene.now % 1e6) / 1000);
      const [right, bottom] = (room?.world ?? [0, 0]).map((side) => side * camera.scale * camera.ratio);
      gl.uniform4f(at['world'], camera.left * camera.ratio, camera.top * camera.ratio, right, bottom);
      bindGround(from, backdrop);
    }
    gl.uniform2f(at['screen'], width, height);
    gl.uniform1f(at['trail'], scene.trails && rim === 0 ? 1 : 0);
    gl.uniform1i(at['ground'], 1);
    gl.uniform1f(at['light'], COLORS[scene.theme].light ? 1 : 0);
    gl.uniform3fv(at['middle'], COLORS[scene.theme].middle);
    gl.uniform3fv(at['edge'], COLORS[scene.theme].edge);
    gl.bindTexture(gl.TEXTURE_2D, from.texture);
    gl.bindVertexArray(from.nothing);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  function bindGround(from: Resources, { picture, version }: Backdrop): void {
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, from.ground);
    if (from.painted !== version) gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, gl.RGBA, gl.UNSIGNED_BYTE, picture);
    from.painted = version;
    gl.activeTexture(gl.TEXTURE0);
  }

  /** Returns the program that draws the boids. Until the shapes are loaded, boids are arrows. */
  function programOf({ arrow, blur, detail }: Resources, { shape, level }: Scene): Program {
    if (shape === 'blur') return blur;
    if (level === 'arrow' || shape === 'arrow' || shape === 'triangle') return arrow;
    return detail?.shapeProgram(shape) ?? arrow;
  }

  /** Draws the boids, or their paths, or their sums. scale: pixels of the buffer per pixel of the screen. */
  function drawBoids(
    from: Resources,
    { program, at }: Program,
    { scene, room, moment, count }: Shown,
    scale: number,
    opacity: number,
  ): void {
    const { camera, shape, tint } = scene;
    const [width, height] = room.world;
    const pixels = camera.ratio * scale;
    const { detail } = from;
    const splat = program === detail?.splat.program;
    gl.useProgram(program);
    gl.uniform1f(at['alpha'], moment.alpha);
    gl.uniform1f(at['passed'], Math.min(STEPS_MAX, scene.passed * moment.perMs));
    gl.uniform2f(at['period'], ...(room.period ?? [0, 0]));
    gl.uniform3f(
      at['view'],
      room.quantum * camera.scale * pixels,
      (camera.left + (width / 2) * camera.scale) * pixels,
      (camera.top + (height / 2) * camera.scale) * pixels,
    );
    gl.uniform2f(at['screen'], camera.width * pixels, camera.height * pixels);
    gl.uniform1f(at['size'], splat ? detail.reach : scene.length * pixels);
    gl.uniform1f(at['notch'], shape === 'triangle' ? TRIANGLE_NOTCH : ARROW_NOTCH);
    gl.uniform1i(at['coloring'], tint !== null ? COLORINGS.length : COLORINGS.indexOf(scene.coloring));
    gl.uniform1f(at['pace'], scene.coloring === 'speed' ? (detail?.pace(moment, room) ?? 0) : 0);
    gl.uniform2f(at['glow'], ...glowOf(scene));
    gl.uniform1f(at['turns'], shape === 'ball' ? 0 : 1);
    gl.uniform1f(at['beat'], scene.beat * (detail?.beats(shape) ?? 0));
    gl.uniform2f(at['pictures'], ...(detail?.pictures ?? [1, 1]));
    gl.uniform1f(at['trail'], program === from.trail.program ? 1 : 0);
    gl.uniform2fv(at['extent'], program === from.arrow.program ? ARROW_EXTENT : program === from.blur.program ? BLUR_EXTENT : WIDEST);
    gl.uniform1f(at['opacity'], opacity);
    gl.uniform3fv(at['palette'], paletteOf(scene).slice(0, STEPS).flat());
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, splat ? gl.ONE : gl.ONE_MINUS_SRC_ALPHA);
    gl.bindVertexArray(from.boids);
    // Without tints the attribute is a constant: its buffer may have fewer boids.
    if (tint !== null) gl.enableVertexAttribArray(4);
    else gl.disableVertexAttribArray(4);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
  }

  return { kind: 'webgl2', draw };
}

function createResources(gl: WebGL2RenderingContext): Resources {
  const boids = gl.createVertexArray();
  gl.bindVertexArray(boids);
  for (let attribute = 0; attribute < 7; attribute++) {
    if (attribute < 4) gl.enableVertexAttribArray(attribute);
    gl.vertexAttribDivisor(attribute, 1);
  }
  const [ground, texture] = [createTexture(gl), createTexture(gl)];
  const buffer = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, buffer);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  const boid = (fragment: string): Program => link(gl, shaders.BOID_VERTEX, fragment);
  const screen = (fragment: string): Program => link(gl, shaders.SCREEN_VERTEX, fragment);
  return {
    arrow: boid(shaders.ARROW_FRAGMENT),
    blur: boid(shaders.BLUR_FRAGMENT),
    trail: boid(shaders.TRAIL_FRAGMENT),
    fade: screen(shaders.FADE_FRAGMENT),
    screen: screen(shaders.SCREEN_FRAGMENT),
    boids,
    tints: gl.createBuffer(),
    nothing: gl.createVertexArray(),
    uploads: Array.from({ length: UPLOADS }, () => ({
      serial: 0,
      used: 0,
      positions: gl.createBuffer(),
      headings: gl.createBuffer(),
      crowd: gl.createBuffer(),
      crowded: false,
      capacity: 0,
    })),
    detail: null,
    texture,
    ground,
    painted: 0,
    buffer,
    width: 1,
    height: 1,
    place: '',
  };
}
