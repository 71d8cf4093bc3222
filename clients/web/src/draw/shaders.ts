// The WebGL renderer's shaders. Lengths are pixels of the target buffer unless a comment states another unit.

import { STEPS } from './palette';

export const HEAD = `#version 300 es
precision highp float;
precision highp int;
`;

export const BOID_VERTEX = `${HEAD}
layout(location=0) in vec2 a;      // position in the earlier frame, quanta from the world's middle
layout(location=1) in vec2 b;      // and in the later one
layout(location=2) in vec2 ha;     // heading, unit vector
layout(location=3) in vec2 hb;
layout(location=4) in float tint;  // index into the palette
layout(location=5) in float na;    // how crowded the boid is in the earlier frame, 0 to 1
layout(location=6) in float nb;    // and in the later one
uniform float alpha;               // 0: a, 1: b
uniform float passed;              // alpha that passed since the frame drawn before
uniform vec2 period;               // of a torus, quanta; 0: none
uniform vec3 view;                 // pixels = quanta * x + yz
uniform vec2 screen;
uniform float size;                // of a boid
uniform vec2 extent;               // of its quad, in sizes
uniform float trail;               // 1: draw the path of this frame, 0: the boid
uniform vec3 palette[${STEPS}];
uniform int coloring;              // 0: heading, 1: speed, 2: neighbours, 3: a colour of the boid's own, 4: tint
uniform float pace;                // 1 / twice the usual movement from a to b
uniform vec2 glow;                 // brightness of a boid alone, and what a crowd adds
uniform float turns;               // 0: the boid has no heading
uniform float beat;                // of wings, in beats
out vec2 at;                       // from the middle, along and across the heading
out vec3 color;
flat out float reach;              // half the length of a trail
flat out float phase;              // of the wing beat, 0 to 1

float hash(uint n) {
  n = (n ^ 61u) ^ (n >> 16); n *= 9u; n ^= n >> 4; n *= 0x27d4eb2du; n ^= n >> 15;
  return float(n >> 8) / 16777216.0;
}

void main() {
  gl_Position = vec4(2.0, 2.0, 2.0, 1.0);
  // At the ends of the range the position is clamped, so the boid is not drawn.
  if (any(lessThan(min(a, b), vec2(-32767.5))) || any(greaterThan(max(a, b), vec2(32766.5)))) return;
  vec2 way = b - a;
  if (period.x > 0.0) way -= period * floor(way / period + 0.5);
  vec2 q = a + way * alpha;
  if (period.x > 0.0) q -= period * floor(q / period + 0.5);
  vec2 middle = q * view.x + view.yz;
  vec2 moved = way * passed * view.x;
  vec2 heading = mix(ha, hb, clamp(alpha, 0.0, 1.0));
  heading = dot(heading, heading) > 1e-4 ? normalize(heading) : dot(way, way) > 0.0 ? normalize(way) : vec2(0.0, -1.0);

  float chance = hash(uint(gl_InstanceID));
  float crowd = mix(na, nb, clamp(alpha, 0.0, 1.0));
  float entry = coloring == 0 ? fract(atan(heading.y, heading.x) / 6.2831853) * ${STEPS}.0
    : coloring == 1 ? min(1.0, length(way) * pace) * ${STEPS - 1}.0
    : coloring == 2 ? crowd * ${STEPS - 1}.0
    : coloring == 3 ? float(gl_InstanceID % ${STEPS}) : tint;
  int first = int(entry) % ${STEPS};
  color = mix(palette[first], palette[(first + 1) % ${STEPS}], fract(entry)) * (glow.x + glow.y * crowd) * (0.94 + 0.06 * chance);
  phase = fract(beat + chance * sign(beat));
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  reach = 0.0;
  if (trail > 0.0) {
    float length_moved = length(moved);
    if (length_moved > 0.01) heading = moved / length_moved;
    middle -= moved * 0.5;
    reach = length_moved * 0.5;
    float across = size * 0.22 + 1.0;
    at = corner * (vec2(reach, 0.0) + across + 1.0);
  } else {
    at = corner * (size * extent + 1.0);
    if (turns < 0.5) heading = vec2(0.6, 0.8);
  }
  vec2 position = middle + at.x * heading + at.y * vec2(-heading.y, heading.x);
  gl_Position = vec4(position / screen * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0);
}`;

export const ARROW_FRAGMENT = `${HEAD}
in vec2 at; in vec3 color;
uniform float size, opacity, notch; // notch: where the tail's edge meets the axis
out vec4 pixel;
float away(vec2 p, float x, vec2 side) { return dot(p - vec2(x, 0.0), normalize(side)); }
void main() {
  // Distances to the outline: a nose, and two wings with a notch, or the straight end of a triangle.
  vec2 p = vec2(at.x, abs(at.y)) / size;
  float d = max(away(p, 0.54, vec2(0.32, 0.99)), notch > -0.3 ? away(p, notch, vec2(-0.32, -0.18)) : notch - p.x) * size;
  // The soft edge would hide most of a small boid, so small boids are drawn slightly larger.
  float cover = clamp(0.5 + 0.9 / size - d, 0.0, 1.0) * opacity;
  if (cover <= 0.0) discard;
  pixel = vec4(color * (0.96 + 0.24 * p.x), 1.0) * cover;
}`;

export const BLUR_FRAGMENT = `${HEAD}
in vec2 at; in vec3 color;
uniform float size, opacity;
uniform vec2 glow;
out vec4 pixel;
void main() {
  float r = length(at) / (size * 0.62);
  float cover = (1.0 - smoothstep(0.12, 1.0, r)) * opacity;
  if (cover <= 0.0) discard;
  float white = glow.y > 0.0 ? 0.25 - 0.25 * smoothstep(0.0, 0.5, r) : 0.0; // on a dark ground
  pixel = vec4(mix(color, vec3(1.0), white), 1.0) * cover;
}`;

export const TRAIL_FRAGMENT = `${HEAD}
in vec2 at; in vec3 color; flat in float reach;
uniform float size, opacity;
out vec4 pixel;
void main() {
  float d = length(vec2(max(0.0, abs(at.x) - reach), at.y));
  pixel = vec4(color, 1.0) * (opacity * (1.0 - smoothstep(0.0, size * 0.22 + 1.0, d)));
}`;

export const SCREEN_VERTEX = `${HEAD}
out vec2 place;
void main() {
  place = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0;
  gl_Position = vec4(place * 2.0 - 1.0, 0.0, 1.0);
}`;

export const SCREEN_FRAGMENT = `${HEAD}
in vec2 place;
uniform sampler2D trails;
uniform vec2 screen;
uniform float trail, light;
uniform vec3 middle, edge;          // of the background
uniform sampler2D ground;
uniform float shown;                // opacity of the ground
uniform vec4 place_of;              // of the ground's picture: its corner, and 1 / its size
uniform vec2 sway;                  // how far the ground moves, in pictures; s
uniform vec4 world;                 // its corner and its size
uniform float rim;                  // over 0: draw the background alone, opaque at the world's edge and beyond
out vec4 pixel;
vec3 behind(vec2 p, vec3 plain) {
  if (shown <= 0.0) return plain;
  vec2 at = (p - place_of.xy) * place_of.zw;
  vec2 wave = sin(at.yx * 31.0 + sin(at.xy * 17.0 + sway.y * 0.5) + sway.y * vec2(0.6, 0.45));
  float swell = sway.x > 0.0 ? 0.025 * sin(at.x * 9.0 + at.y * 5.0 + wave.x - sway.y * 0.3) : 0.0;
  return mix(plain, texture(ground, at + wave * sway.x).rgb * (1.0 + swell), shown);
}
void main() {
  vec2 p = vec2(place.x, 1.0 - place.y) * screen;
  vec2 centre = (p - 0.5 * screen) / max(screen.x, screen.y);
  vec3 color = behind(p, mix(middle, edge, smoothstep(0.0, 0.62, length(centre))));
  if (trail > 0.0) {
    vec4 t = texture(trails, place);
    vec3 glow = t.rgb * t.rgb;
    // Trails are bright on a dark background and dark on a light one.
    color = light > 0.0 ? mix(color, t.rgb / max(t.a, 0.01), 0.6 * t.a * t.a) : color + glow * (1.0 - color);
  }
  // Half a step of noise hides the bands of dark gradients.
  float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
  vec2 inside = min(p - world.xy, world.xy + world.zw - p);
  float inner = min(inside.x, inside.y) / max(rim, 1.0);
  float cover = rim > 0.0 ? 1.0 - smoothstep(0.0, 1.0, inner) : 1.0;
  if (cover <= 0.0) discard;
  pixel = vec4(color + noise / 255.0, 1.0) * cover;
}`;

export const FADE_FRAGMENT = `${HEAD}
uniform float level;
out vec4 pixel;
void main() { pixel = vec4(level); }`;
