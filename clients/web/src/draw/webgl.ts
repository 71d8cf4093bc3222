// The WebGL2 renderer: one instanced draw for the flock. It uploads a snapshot's positions and headings once, when they are
// first shown. Each frame the vertex shader interpolates between two snapshots, so 12 boids and 200,000 take the main thread
// equally long.
//
// Trails are in a separate texture. Each frame it fades by a constant, and the boids' paths of that frame are drawn into it
// with MAX blending. Trails are therefore independent of the frame rate, and 8 bits fade to 0.

import type { Room } from '../net/protocol';
import { COLORS, type Renderer, type Scene, TRAIL_STRENGTH, TRAIL_TIME, boidOpacity, paletteOf } from './scene';
import { type Shape, SHAPES } from './look';
import { ARROW_FRAGMENT, BLUR_FRAGMENT, BOID_VERTEX, FADE_FRAGMENT, SCREEN_FRAGMENT, SCREEN_VERTEX, TRAIL_FRAGMENT } from './shaders';
import { type Frame, type Moment, shownCount } from '../flock/timeline';

const UPLOADS = 4; // snapshots kept on the GPU: the two that are shown, and two for a playhead that goes back
const POSITION_BYTES = 4; // bytes of a boid's position, and of its heading
const ARROW_EXTENT = [0.56, 0.34]; // of a boid's quad along and across its heading, in its lengths
const BLUR_EXTENT = [0.62, 0.62];
const UNMASKED_RENDERER_WEBGL = 0x9246;
const STEPS_MAX = 3; // maximum length of one frame's trail, in snapshot intervals

type Uniforms = Record<string, WebGLUniformLocation | null>;

interface Program {
  program: WebGLProgram;
  at: Uniforms;
}

interface Upload {
  serial: number;
  used: number; // the number of the draw that last used it
  positions: WebGLBuffer;
  headings: WebGLBuffer;
  capacity: number; // boids
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
  texture: WebGLTexture;
  buffer: WebGLFramebuffer;
  width: number; // of the texture
  height: number;
  place: string; // the look and camera of the trails in the texture
}

/** Whether WebGL2 has a GPU. Without a GPU, Canvas2D is several times faster. */
export function hasGpu(): boolean {
  const gl = document.createElement('canvas').getContext('webgl2');
  if (gl === null) return false;
  let name = String(gl.getParameter(gl.RENDERER));
  // Chromium and Safari return the device's name only here. Firefox returned it above, and logs a warning here.
  if (name.startsWith('WebKit') && gl.getExtension('WEBGL_debug_renderer_info') !== null)
    name = String(gl.getParameter(UNMASKED_RENDERER_WEBGL));
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return !/swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

/** Returns null if the browser has no WebGL2; throws if it cannot build the shaders. After a lost context comes back, makes all
 * resources again; calls onBroken() if that fails. */
export function createWebglRenderer(canvas: HTMLCanvasElement, onBroken: () => void): Renderer | null {
  const context = canvas.getContext('webgl2', { alpha: false, antialias: false, depth: false });
  if (context === null) return null;
  const gl = context;
  let live: Resources | null = createResources(gl);
  let draws = 0;
  let fading = 0; // steps of 1/255 by which the trails will fade
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
    if (live === null) return;
    const { camera, moment, room } = scene;
    const width = Math.max(1, Math.round(camera.width * camera.ratio));
    const height = Math.max(1, Math.round(camera.height * camera.ratio));
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    const count = moment === null ? 0 : shownCount(moment);
    if (moment !== null && count > 0) bind(live, moment);
    if (moment !== null && room !== null && count > 0 && scene.tint !== null) bindTints(live, scene.tint.of(moment.b, room));
    if (scene.trails) drawTrails(live, scene, width, height, count);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, width, height);
    drawScreen(live, scene, width, height);
    if (moment !== null && room !== null && count > 0) drawBoids(live, programOf(live, scene.shape), scene, room, moment, count, 1);
  }

  /** Binds the moment's two frames to the attributes, and uploads them if necessary. */
  function bind(from: Resources, moment: Moment): void {
    draws++;
    gl.bindVertexArray(from.boids);
    [moment.a, moment.b].forEach((frame, index) => {
      const upload = uploaded(from, frame);
      gl.bindBuffer(gl.ARRAY_BUFFER, upload.positions);
      gl.vertexAttribPointer(index, 2, gl.SHORT, false, POSITION_BYTES, 0);
      gl.bindBuffer(gl.ARRAY_BUFFER, upload.headings);
      gl.vertexAttribPointer(2 + index, 2, gl.SHORT, true, POSITION_BYTES, 0);
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

  function drawTrails(from: Resources, scene: Scene, width: number, height: number, count: number): void {
    const { camera, moment, room } = scene;
    const scale = Math.min(1, 1.25 / camera.ratio); // trails are soft, so a higher resolution shows no difference
    gl.bindFramebuffer(gl.FRAMEBUFFER, from.buffer);
    placeTrails(
      from,
      Math.ceil(width * scale),
      Math.ceil(height * scale),
      [scene.shape, scene.theme, camera.left, camera.top, camera.scale].join(),
    );
    gl.viewport(0, 0, from.width, from.height);
    fading += (255 * scene.passed) / TRAIL_TIME;
    const steps = Math.min(255, Math.floor(fading));
    fading -= Math.floor(fading);
    gl.enable(gl.BLEND);
    if (steps > 0) {
      // Each channel loses the same amount, so a trail's colour deepens as it fades.
      gl.blendEquation(gl.FUNC_REVERSE_SUBTRACT);
      gl.blendFunc(gl.ONE, gl.ONE);
      gl.useProgram(from.fade.program);
      gl.uniform1f(from.fade.at['level'] ?? null, steps / 255);
      gl.bindVertexArray(from.nothing);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    }
    gl.blendEquation(gl.MAX);
    if (moment !== null && room !== null && count > 0) drawBoids(from, from.trail, scene, room, moment, count, from.width / width);
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

  function drawScreen(from: Resources, scene: Scene, width: number, height: number): void {
    const { program, at } = from.screen;
    gl.disable(gl.BLEND);
    gl.useProgram(program);
    gl.uniform2f(at['screen'] ?? null, width, height);
    gl.uniform1f(at['trail'] ?? null, scene.trails ? 1 : 0);
    gl.uniform1f(at['light'] ?? null, COLORS[scene.theme].light ? 1 : 0);
    gl.uniform3fv(at['middle'] ?? null, COLORS[scene.theme].middle);
    gl.uniform3fv(at['edge'] ?? null, COLORS[scene.theme].edge);
    gl.bindTexture(gl.TEXTURE_2D, from.texture);
    gl.bindVertexArray(from.nothing);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
  }

  /** Draws the boids, or their paths with the trail's program. scale: pixels of the buffer per pixel of the screen. */
  function drawBoids(
    from: Resources,
    { program, at }: Program,
    scene: Scene,
    room: Room,
    moment: Moment,
    count: number,
    scale: number,
  ): void {
    const { camera, shape, tint } = scene;
    const blur = shape === 'blur';
    const [width, height] = room.world;
    const pixels = camera.ratio * scale;
    const path = program === from.trail.program;
    gl.useProgram(program);
    gl.uniform1f(at['alpha'] ?? null, moment.alpha);
    gl.uniform1f(at['passed'] ?? null, Math.min(STEPS_MAX, scene.passed * moment.perMs));
    gl.uniform2f(at['period'] ?? null, ...(room.period ?? [0, 0]));
    gl.uniform3f(
      at['view'] ?? null,
      room.quantum * camera.scale * pixels,
      (camera.left + (width / 2) * camera.scale) * pixels,
      (camera.top + (height / 2) * camera.scale) * pixels,
    );
    gl.uniform2f(at['screen'] ?? null, camera.width * pixels, camera.height * pixels);
    gl.uniform1f(at['size'] ?? null, scene.length * pixels);
    gl.uniform1i(at['shape'] ?? null, SHAPES.indexOf(shape));
    gl.uniform1f(at['own'] ?? null, tint !== null ? 2 : blur ? 1 : 0);
    gl.uniform1f(at['trail'] ?? null, path ? 1 : 0);
    gl.uniform2fv(at['extent'] ?? null, blur ? BLUR_EXTENT : ARROW_EXTENT);
    gl.uniform1f(at['opacity'] ?? null, path ? TRAIL_STRENGTH : boidOpacity(shape, count));
    gl.uniform3fv(at['palette'] ?? null, paletteOf(scene).flat());
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    gl.bindVertexArray(from.boids);
    // Without tints the attribute is a constant: its buffer may have fewer boids.
    if (tint !== null) gl.enableVertexAttribArray(4);
    else gl.disableVertexAttribArray(4);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, count);
  }

  return { kind: 'webgl2', draw };
}

const programOf = (from: Resources, shape: Shape): Program => (shape === 'blur' ? from.blur : from.arrow);

function createResources(gl: WebGL2RenderingContext): Resources {
  const boids = gl.createVertexArray();
  gl.bindVertexArray(boids);
  for (let attribute = 0; attribute < 5; attribute++) {
    if (attribute < 4) gl.enableVertexAttribArray(attribute);
    gl.vertexAttribDivisor(attribute, 1);
  }
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
  gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
  const buffer = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, buffer);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, texture, 0);
  return {
    arrow: link(gl, BOID_VERTEX, ARROW_FRAGMENT),
    blur: link(gl, BOID_VERTEX, BLUR_FRAGMENT),
    trail: link(gl, BOID_VERTEX, TRAIL_FRAGMENT),
    fade: link(gl, SCREEN_VERTEX, FADE_FRAGMENT),
    screen: link(gl, SCREEN_VERTEX, SCREEN_FRAGMENT),
    boids,
    tints: gl.createBuffer(),
    nothing: gl.createVertexArray(),
    uploads: Array.from({ length: UPLOADS }, () => ({
      serial: 0,
      used: 0,
      positions: gl.createBuffer(),
      headings: gl.createBuffer(),
      capacity: 0,
    })),
    texture,
    buffer,
    width: 1,
    height: 1,
    place: '',
  };
}

function link(gl: WebGL2RenderingContext, vertex: string, fragment: string): Program {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertex],
    [gl.FRAGMENT_SHADER, fragment],
  ] as const) {
    const shader = gl.createShader(type) as WebGLShader;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost())
      throw new Error(`shader: ${gl.getShaderInfoLog(shader) ?? 'unknown error'}`);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost())
    throw new Error(`shaders: ${gl.getProgramInfoLog(program) ?? 'unknown error'}`);
  const at: Uniforms = {};
  const count = Number(gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS) ?? 0);
  for (let i = 0; i < count; i++) {
    const name = gl.getActiveUniform(program, i)?.name.replace('[0]', '') ?? '';
    at[name] = gl.getUniformLocation(program, name);
  }
  return { program, at };
}
