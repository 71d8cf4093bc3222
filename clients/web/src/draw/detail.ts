// The WebGL renderer's detail, loaded after the first picture: shapes, crowding, speeds, and the map of very many boids.
//
// A shape is a row of pictures in a texture, which is painted when the shape is first drawn. The map is the sum of the boids' colours
// in a texture of half floats; a GPU without such textures shows arrows in place of the map.

import type { Room } from '../net/protocol';
import type { Frame, Moment } from '../flock/timeline';
import { createPace, crowding } from './crowding';
import { MAP_FRAGMENT, SHAPE_FRAGMENT, SPLAT_FRAGMENT } from './detail-shaders';
import { type Program, type Upload, createTexture, link } from './gl';
import type { Shape } from './look';
import type { Scene } from './scene';
import { BOID_VERTEX, SCREEN_VERTEX } from './shaders';
import { type Drawable, PHASES, REACH, beatsOf, paintAtlas } from './shapes';
import { useShapeTones } from './tones';

const MAP_SCALE = 0.5; // pixels of the map for each CSS pixel
const SPLAT = 2.4; // reach of a boid on the map, its pixels
const SPLAT_SUM = Math.PI * (SPLAT / 2) ** 2; // the weights of a boid on the map

export interface Detail {
  readonly canMap: boolean; // the GPU can add up boids
  readonly splat: Program; // adds a boid to the map
  readonly reach: number; // of a boid on the map, its pixels
  readonly pictures: readonly [number, number]; // of a wing beat: their number, and from their middle to their edge in lengths
  /** Returns the program that draws the shape, with its pictures bound, or null if the browser cannot paint them. */
  shapeProgram(shape: Drawable): Program | null;
  beats(shape: Shape): number; // in a second
  uploadCrowd(upload: Upload, frame: Frame, room: Room): void;
  /** Returns 1 / twice the usual movement from the moment's earlier frame to the later one, quanta. */
  pace(moment: Moment, room: Room): number;
  /** Pixels of the map for each pixel of the screen. */
  mapScale(scene: Scene): number;
  /** Empties the map and binds it. */
  beginMap(scene: Scene): void;
  drawMap(scene: Scene, opacity: number): void;
}

export function createDetail(gl: WebGL2RenderingContext): Detail {
  useShapeTones();
  const shape = link(gl, BOID_VERTEX, SHAPE_FRAGMENT);
  const splat = link(gl, BOID_VERTEX, SPLAT_FRAGMENT);
  const map = link(gl, SCREEN_VERTEX, MAP_FRAGMENT);
  const canMap = gl.getExtension('EXT_color_buffer_float') !== null || gl.getExtension('EXT_color_buffer_half_float') !== null;
  const atlas = createTexture(gl, gl.LINEAR_MIPMAP_LINEAR);
  const sums = createTexture(gl);
  const buffer = gl.createFramebuffer();
  const nothing = gl.createVertexArray();
  const pace = createPace();
  let bytes = new Uint8Array(0); // for crowding()
  let painted = ''; // the shape in the atlas
  let [width, height] = [0, 0]; // of the map

  return {
    ...{ canMap, splat, reach: SPLAT, pictures: [PHASES, REACH] as const, beats: beatsOf },
    shapeProgram(wanted) {
      gl.bindTexture(gl.TEXTURE_2D, atlas);
      if (painted === wanted) return shape;
      const picture = paintAtlas(wanted);
      if (picture === null) return null;
      painted = wanted;
      gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, picture);
      gl.generateMipmap(gl.TEXTURE_2D);
      return shape;
    },
    uploadCrowd(upload, frame, room) {
      if (bytes.length < frame.count) bytes = new Uint8Array(Math.ceil(frame.count * 1.2));
      crowding(frame, room, bytes);
      upload.crowded = true;
      gl.bindBuffer(gl.ARRAY_BUFFER, upload.crowd);
      gl.bufferData(gl.ARRAY_BUFFER, bytes, gl.STREAM_DRAW, 0, frame.count);
    },
    pace: (moment, room) => 0.5 / Math.max(1e-3, pace.follow(moment, room)),
    mapScale: ({ camera }) => MAP_SCALE / camera.ratio,
    beginMap({ camera }) {
      const size = [camera.width, camera.height].map((side) => Math.max(1, Math.round(side * MAP_SCALE)));
      gl.bindFramebuffer(gl.FRAMEBUFFER, buffer);
      if (width !== size[0] || height !== size[1]) {
        [width, height] = size;
        gl.bindTexture(gl.TEXTURE_2D, sums);
        gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA16F, width, height, 0, gl.RGBA, gl.HALF_FLOAT, null);
        gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, sums, 0);
      }
      gl.viewport(0, 0, width, height);
      gl.clearColor(0, 0, 0, 0);
      gl.clear(gl.COLOR_BUFFER_BIT);
    },
    drawMap({ spacing }, opacity) {
      gl.enable(gl.BLEND);
      gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
      gl.useProgram(map.program);
      gl.uniform1f(map.at['usual'], SPLAT_SUM / (MAP_SCALE * spacing) ** 2);
      gl.uniform1f(map.at['opacity'], opacity);
      gl.bindTexture(gl.TEXTURE_2D, sums);
      gl.bindVertexArray(nothing);
      gl.drawArrays(gl.TRIANGLES, 0, 3);
    },
  };
}
