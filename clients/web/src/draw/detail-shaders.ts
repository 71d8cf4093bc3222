// The shaders of shapes and of the map, which are loaded after the first picture.

import { HEAD } from './shaders';

export const SHAPE_FRAGMENT = `${HEAD}
in vec2 at; in vec3 color; flat in float phase;
uniform sampler2D atlas;            // pictures of a wing beat; red is the shade
uniform float size, opacity;
uniform vec2 pictures;              // their number, and from their middle to their edge in sizes
out vec4 pixel;
void main() {
  vec2 place = clamp(at / (size * pictures.y) * 0.5 + 0.5, 0.0, 1.0);
  vec4 t = texture(atlas, vec2((floor(phase * pictures.x) + place.x) / pictures.x, place.y));
  float cover = t.a * opacity;
  if (cover <= 0.004) discard;
  float shade = 2.0 * t.r / t.a;
  pixel = vec4(shade < 1.0 ? color * shade : mix(color, vec3(1.0), shade - 1.0), 1.0) * cover;
}`;

/** Adds a boid to the density map: its colour times its weight, and the weight. */
export const SPLAT_FRAGMENT = `${HEAD}
in vec2 at; in vec3 color;
uniform float size;
out vec4 pixel;
void main() {
  pixel = vec4(color, 1.0) * exp(-4.0 * dot(at, at) / (size * size));
}`;

export const MAP_FRAGMENT = `${HEAD}
in vec2 place;
uniform sampler2D sums;
uniform float usual, opacity;       // the usual weight of a place with boids
out vec4 pixel;
void main() {
  vec4 t = texture(sums, place);
  float cover = 1.0 - exp(-1.4 * t.a / usual);
  pixel = vec4(t.rgb / max(t.a, 0.001), 1.0) * cover * opacity;
}`;
