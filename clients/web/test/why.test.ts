// The sense of an explanation: which way a boid turns, why, and what pulls against it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Story, longestOf, sentenceOf, storyOf } from '../src/flock/why';
import type { Near, Push, Why } from '../src/net/protocol';
import { LANGUAGES, type Language, useLanguage } from '../src/texts/texts';

/** A boid that flies to the right of the screen: a push downward (y > 0) is to its right. next: how its velocity changes. */
const explained = (pushes: Record<string, [number, number]>, near: Omit<Near, 'number'>[] = []): Why => {
  const list: Push[] = Object.entries(pushes).map(([name, [x, y]]) => ({ name, x, y }));
  const sum = list.reduce(([x, y], push) => [x + push.x, y + push.y], [2, 0]);
  return {
    ...{ kind: 'why', boid: 3, shown: false, by: 0, tick: 9, pushes: list, seen: near.length },
    motion: { x: 50, y: 50, vx: 2, vy: 0, nextX: sum[0], nextY: sum[1] },
    zones: { view: 50, viewAngle: 360, close: 20, closeAngle: 360 },
    near: near.map((each, number) => ({ ...each, number })),
    crowding: near.filter(({ close }) => close).length,
  };
};

const below = { x: 3, y: 8, close: true };
const above = { x: 3, y: -8, close: true };

function told(why: Why): [string, string | undefined, string | undefined] {
  const { turn, reason, against } = storyOf(why) as Story;
  const name = (of: Story['reason']): string | undefined => (of === null ? undefined : `${of.name} ${of.side}`);
  return [turn, name(reason), name(against)];
}

const say = (why: Why, model = 'boids', cursors = true): string => sentenceOf(why, { model, cursors });

test('the strongest push to the side of the turn is the reason, and the strongest to the other side is against it', () => {
  const why = explained({ separation: [0, -0.3], alignment: [0, -0.1], seek: [0, 0.2], cohesion: [0, 0.05] });
  assert.deepEqual(told(why), ['left', 'separation left', 'seek right']);
  const other = explained({ separation: [0, -0.1], seek: [0, 0.2] });
  assert.deepEqual(told(other), ['right', 'seek right', 'separation left']);
});

test('a much weaker push is not worth a word, and limits are no reason', () => {
  assert.deepEqual(told(explained({ cohesion: [0, 0.3], noise: [0, -0.01] })), ['right', 'cohesion right', undefined]);
  assert.deepEqual(told(explained({ limits: [0, 0.3] })), ['right', undefined, undefined]);
});

test('without a turn it flies straight on, faster or slower', () => {
  assert.deepEqual(told(explained({ cohesion: [0, 0.001] })), ['straight', undefined, undefined]);
  assert.deepEqual(told(explained({ cohesion: [0.2, 0] })), ['faster', undefined, undefined]);
  assert.deepEqual(told(explained({ cohesion: [-0.2, 0] })), ['slower', undefined, undefined]);
});

test('pushes to both sides that cancel out are the reason to fly straight on', () => {
  const why = explained({ cohesion: [0, 0.3], seek: [0, -0.2], separation: [0, -0.1] });
  assert.deepEqual(told(why), ['straight', 'cohesion right', 'seek left']);
  assert.equal(say(why), 'Flies straight on: most of its neighbours are on its right; the cursor pulls left. Both cancel out.');
  assert.deepEqual(told(explained({ cohesion: [0, 0.3], limits: [0, -0.3] })), ['straight', undefined, undefined]);
});

test('the sum may be the longest arrow', () => {
  assert.equal(longestOf(explained({ alignment: [3, 0], cohesion: [0, 4] })), 5);
  assert.equal(longestOf(explained({ alignment: [-3, 0], cohesion: [4, 0] })), 4);
});

test('a boid that is gone has no story', () => {
  const gone = { ...explained({}), motion: null };
  assert.equal(storyOf(gone), null);
  assert.equal(say(gone), '');
});

test('the sentence names the side of the neighbours that are too close, and the cursor against it', () => {
  const why = explained({ separation: [0, -0.3], seek: [0, 0.2] }, [below, below, below]);
  assert.equal(say(why), 'Turns left: 3 neighbours are too close on its right; the cursor pulls right, but that counts less.');
  const both = explained({ separation: [0, -0.3] }, [below, above]);
  assert.equal(say(both), 'Turns left: 2 neighbours are too close.');
  assert.equal(say(explained({ separation: [0, -0.3] }, [below])), 'Turns left: 1 neighbour is too close on its right.');
});

test('without cursors the target pulls, and a swarm is drawn to its middle', () => {
  const why = explained({ seek: [0, 0.3], cohesion: [0, -0.1] });
  assert.equal(
    say(why, 'swarm', false),
    'Turns right: the target pulls right; the middle of the flock is on its left, but that counts less.',
  );
});

test('the sentence exists in all languages, for all rules and sides', async () => {
  const rules = ['separation', 'alignment', 'cohesion', 'seek', 'food', 'flee', 'noise', 'walls'];
  for (const language of Object.keys(LANGUAGES) as Language[]) {
    await useLanguage(language);
    const all = rules.flatMap((rule) => [0.3, -0.3].map((y) => say(explained({ [rule]: [0, y] }, [below]))));
    assert.equal(new Set(all).size, 2 * rules.length, `${language}: each is another sentence`);
    for (const sentence of all) assert.match(sentence, /\S[.。]$/u);
  }
  await useLanguage('en');
});

test('a rule of a later server has its own name', () => {
  assert.equal(say(explained({ hunger: [0, 0.3] })), 'Turns right: hunger.');
});
