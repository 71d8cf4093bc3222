// The sense of an explanation: which way the boid turns, and which rules push it there or against it.

import type { Push, Why } from '../net/protocol';
import { type Language, texts } from '../texts/texts';
import { WHY_TEXTS, type WhyTexts } from '../texts/why';

export type Side = 'left' | 'right';
export type Turn = Side | 'straight' | 'faster' | 'slower';

/** A rule that pushes to a side of the boid, as seen from above and along its heading. */
export interface Reason {
  name: string; // of the push
  side: Side;
  crowd: number; // of separation: how many neighbours are too close …
  crowdSide: Side | null; // … and the side of most of them; null: as many on both sides
}

export interface Story {
  turn: Turn;
  reason: Reason | null; // the strongest rule that pushes to the side of the turn; without a turn, the stronger side
  against: Reason | null; // the strongest one to the other side; without a turn, only if both are about as strong
}

/** The rules' own pushes. The others follow from them, or keep what is there. */
const DERIVED = ['limits', 'inertia'];

const ANGLE = 0.0025; // radians: a smaller turn in a tick is flying straight on
const SPEED = 0.005; // share of the speed: a smaller change is none
const WEAK = 0.15; // a push against the turn with a smaller share of the reason's strength is left out
const EQUAL = 0.5; // pushes to both sides cancel out if the weaker one has at least this share of the other's strength
const IDLE = 1e-6; // units a tick: nothing pushes

/** Returns how far the push points to the right of the direction, as seen from above. */
const across = ([hx, hy]: readonly [number, number], { x, y }: Pick<Push, 'x' | 'y'>): number => hx * y - hy * x;

const sideOf = (value: number): Side => (value < 0 ? 'left' : 'right');

function turnOf({ vx, vy, nextX, nextY }: NonNullable<Why['motion']>): Turn {
  const angle = Math.atan2(vx * nextY - vy * nextX, vx * nextX + vy * nextY);
  if (Math.abs(angle) > ANGLE) return sideOf(angle);
  const [before, after] = [Math.hypot(vx, vy), Math.hypot(nextX, nextY)];
  if (Math.abs(after - before) <= SPEED * before) return 'straight';
  return after > before ? 'faster' : 'slower';
}

/** Returns the direction of the boid: of its velocity or, at rest, of its next one. */
export function headingOf({ vx, vy, nextX, nextY }: NonNullable<Why['motion']>): [number, number] {
  const [x, y] = vx === 0 && vy === 0 ? [nextX, nextY] : [vx, vy];
  const length = Math.hypot(x, y);
  return length > 0 ? [x / length, y / length] : [1, 0];
}

/** Returns the sense of an explanation; null: the boid is gone. */
export function storyOf(why: Why): Story | null {
  if (why.motion === null) return null;
  const heading = headingOf(why.motion);
  const turn = turnOf(why.motion);
  const pushes = why.pushes
    .filter(({ name }) => !DERIVED.includes(name))
    .map((push) => ({ push, strength: across(heading, push) }))
    .filter(({ strength }) => Math.abs(strength) > IDLE);
  const strongest = (side: Side): (typeof pushes)[number] | undefined =>
    pushes.filter(({ strength }) => sideOf(strength) === side).sort((a, b) => Math.abs(b.strength) - Math.abs(a.strength))[0];
  const balance = why.near.filter(({ close }) => close).reduce((sum, near) => sum + Math.sign(across(heading, near)), 0);
  const reason = (of: (typeof pushes)[number] | undefined): Reason | null =>
    of === undefined
      ? null
      : {
          name: of.push.name,
          side: sideOf(of.strength),
          crowd: of.push.name === 'separation' ? why.crowding : 0,
          crowdSide: balance === 0 ? null : sideOf(balance),
        };
  const sides = [strongest('left'), strongest('right')];
  const turns = turn === 'left' || turn === 'right';
  const force = (of: (typeof pushes)[number] | undefined): number => Math.abs(of?.strength ?? 0);
  if (turns ? turn === 'right' : force(sides[1]) > force(sides[0])) sides.reverse();
  const [main, other] = sides;
  const both = force(other) > 0 && force(other) >= (turns ? WEAK : EQUAL) * force(main);
  if (!turns && !both) return { turn, reason: null, against: null };
  return { turn, reason: reason(main), against: both ? reason(other) : null };
}

/** Returns how far the boid's velocity changes, units a tick. */
export const changeOf = ({ vx, vy, nextX, nextY }: NonNullable<Why['motion']>): Pick<Push, 'x' | 'y'> => ({ x: nextX - vx, y: nextY - vy });

/** Returns the length of the longest of a boid's arrows, to which the bars are drawn. The sum may be longer than each push. */
export const longestOf = ({ pushes, motion }: Pick<Why, 'pushes' | 'motion'>): number =>
  Math.max(0, ...[...pushes, ...(motion === null ? [] : [changeOf(motion)])].map(({ x, y }) => Math.hypot(x, y)));

/** More that the words of an explanation depend on. */
export interface Surroundings {
  model: string; // of the room
  cursors: boolean; // some cursor steers; false: the target wanders
}

function reasonText(t: WhyTexts, { name, side, crowd, crowdSide }: Reason, { model, cursors }: Surroundings): string {
  switch (name) {
    case 'separation':
      return t.separation(crowd, crowdSide);
    case 'alignment':
      return t.alignment(side);
    case 'cohesion':
      return model === 'swarm' ? t.middle(side) : t.cohesion(side);
    case 'seek':
      return cursors ? t.cursor(side) : t.target(side);
    case 'food':
      return t.food(side);
    case 'flee':
      return t.flee(side);
    case 'noise':
      return t.noise(side);
    case 'walls':
      return t.walls;
    default: // a rule of a later server
      return name;
  }
}

/** Returns the explanation as a sentence; empty: the boid is gone. */
export function sentenceOf(why: Why, around: Surroundings): string {
  const t = WHY_TEXTS[texts.language as Language];
  const story = storyOf(why);
  if (story === null) return '';
  const text = (reason: Reason | null): string | null => reason && reasonText(t, reason, around);
  const turns = story.turn === 'left' || story.turn === 'right';
  if (!turns && story.reason !== null && story.against !== null)
    return t.balance(t.turns[story.turn], reasonText(t, story.reason, around), reasonText(t, story.against, around));
  return t.sentence(t.turns[story.turn], text(story.reason), text(story.against));
}
