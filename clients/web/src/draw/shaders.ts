// The WebGL renderer's shaders. Lengths are pixels of the target buffer unless a comment states another unit.

import { COLORS, OWN_COLORS } from './scene';

const COUNT = COLORS.dark.palette.length; // a boid's colour is between two of these

const HEAD = `#version 300 es
precision highp float;
precision highp int;
`;

export const BOID_VERTEX = `${HEAD}
layout(location=0) in vec2 a;      // position in the earlier frame, quanta from the world's middle
layout(location=1) in vec2 b;      // and in the later one
layout(location=2) in vec2 ha;     // heading, unit vector
layout(location=3) in vec2 hb;
layout(location=4) in float tint;  // index into the palette
uniform float alpha;               // 0: a, 1: b
uniform float passed;              // alpha that passed since the frame drawn before
uniform vec2 period;               // of a torus, quanta; 0: none
uniform vec3 view;                 // pixels = quanta * x + yz
uniform vec2 screen;
uniform float size;                // of a boid
uniform vec2 extent;               // of its quad, in sizes
uniform float trail;               // 1: draw the path of this frame, 0: the boid
uniform vec3 palette[${OWN_COLORS}];
uniform float own;                 // 2: each boid has the colour of its tint, 1: one of the colours, 0: one between two
out vec2 at;                       // from the middle, along and across the heading
out vec3 color;
flat out float reach;              // half the length of a trail

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

  float near = hash(uint(gl_InstanceID) * 2u + 1u);
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
  }
  vec2 position = middle + at.x * heading + at.y * vec2(-heading.y, heading.x);
  gl_Position = vec4(position / screen * vec2(2.0, -2.0) + vec2(-1.0, 1.0), 0.0, 1.0);

  float hue = hash(uint(gl_InstanceID)) * ${(COUNT - 0.001).toFixed(3)};
  int first = int(hue);
  color = own > 1.0 ? palette[int(tint)] * (0.9 + 0.1 * near)
    : own > 0.0 ? palette[gl_InstanceID % ${OWN_COLORS}]
    : mix(palette[first], palette[(first + 1) % ${COUNT}], fract(hue)) * (0.9 + 0.1 * near);
}`;

export const ARROW_FRAGMENT = `${HEAD}
in vec2 at; in vec3 color; flat in float reach;
uniform float size, opacity;
uniform int shape;                 // 0: a dart, 1: a triangle, 2: a fish
out vec4 pixel;
float away(vec2 p, float x, vec2 side) { return dot(p - vec2(x, 0.0), normalize(side)); }
void main() {
  // Distances to the outline. A dart has a nose, two wings and a notch in the tail; a fish has an ellipse and a tail.
  vec2 p = vec2(at.x, abs(at.y)) / size;
  float nose = away(p, 0.54, vec2(0.32, 0.99));
  float d = shape == 0 ? max(nose, away(p, -0.27, vec2(-0.32, -0.18))) : max(nose, -0.4 - p.x);
  if (shape == 2) {
    float body = (length((p - vec2(0.12, 0.0)) / vec2(0.42, 0.17)) - 1.0) * 0.17;
    d = min(body, max(away(p, -0.18, vec2(0.62, 1.0)), -0.5 - p.x));
  }
  d *= size;
  // The soft edge would hide most of a small boid, so small boids are drawn slightly larger.
  float cover = clamp(0.5 + 0.9 / size - d, 0.0, 1.0) * opacity;
  if (cover <= 0.0) discard;
  pixel = vec4(color * (0.96 + 0.24 * p.x), 1.0) * cover;
}`;

export const BLUR_FRAGMENT = `${HEAD}
in vec2 at; in vec3 color; flat in float reach;
uniform float size, opacity;
out vec4 pixel;
void main() {
  float r = length(at) / (size * 0.62);
  float cover = (1.0 - smoothstep(0.12, 1.0, r)) * opacity;
  if (cover <= 0.0) discard;
  pixel = vec4(mix(color, vec3(1.0), 0.25 - 0.25 * smoothstep(0.0, 0.5, r)), 1.0) * cover;
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
out vec4 pixel;
void main() {
  vec2 p = vec2(place.x, 1.0 - place.y) * screen;
  vec2 centre = (p - 0.5 * screen) / max(screen.x, screen.y);
  vec3 color = mix(middle, edge, smoothstep(0.0, 0.62, length(centre)));
  if (trail > 0.0) {
    vec4 t = texture(trails, place);
    vec3 glow = t.rgb * t.rgb;
    // Trails are bright on a dark background and dark on a light one.
    color = light > 0.0 ? mix(color, t.rgb / max(t.a, 0.01), 0.6 * t.a * t.a) : color + glow * (1.0 - color);
  }
  // Half a step of noise hides the bands of dark gradients.
  float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
  pixel = vec4(color + noise / 255.0, 1.0);
}`;

export const FADE_FRAGMENT = `${HEAD}
uniform float level;
out vec4 pixel;
void main() { pixel = vec4(level); }`;
