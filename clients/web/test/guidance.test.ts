// The page's description of the cursor's effect, for the states of a room.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Guidance, guidance } from '../src/flock/guidance';
import type { Control, Param, Room } from '../src/net/protocol';
import { en } from '../src/texts/en';
import { room } from './samples';

const control = (name: string, value: string): Control => ({ name, value, choices: [], text: '' });
const param = (name: string, value: number): Param => ({ name, value, unit: '', min: 0, max: 10, initial: 0, text: '' });

interface State {
  policy?: string;
  params?: Param[];
  controls?: Record<string, string>;
  presenter?: boolean;
  turn?: boolean | null;
}

const of = ({ policy = 'mean', params = [], controls = {}, presenter = false, turn = null }: State): Guidance =>
  guidance(
    room({ policy, params, controls: Object.entries(controls).map(([name, value]) => control(name, value)) } as Partial<Room>),
    presenter,
    turn,
  );

const scare = { cursors: 'scare' };
const watch = { viewers: 'watch' };
const still = { run: 'paused' };

const CASES: [what: string, state: State, guidance: Guidance][] = [
  ['the flock follows the mean', {}, 'follow'],
  ['who moved last', { policy: 'latest' }, 'latest'],
  ['each boid the nearest', { policy: 'nearest' }, 'nearest'],
  ['a policy that this page does not know', { policy: 'new-one' }, 'follow'],
  ['teams', { policy: 'teams' }, 'team'],
  ['a relay, and this person leads', { policy: 'relay', turn: true }, 'lead'],
  ['a relay, and another person leads', { policy: 'relay', turn: false }, 'wait'],
  ['a relay without a leader', { policy: 'relay' }, 'lead'],
  ['teams of sharks', { policy: 'teams', controls: scare, params: [param('flee_weight', 3)] }, 'flee'],
  ['only the presenter leads, and this is none', { policy: 'presenter' }, 'shown'],
  ['only the presenter leads, and this is one', { policy: 'presenter', presenter: true }, 'follow'],
  ['viewers’ cursors are locked', { controls: watch }, 'watches'],
  ['viewers’ cursors are locked, and this is a presenter', { controls: watch, presenter: true }, 'follow'],
  ['cursors scare', { controls: scare, params: [param('flee_weight', 3)] }, 'flee'],
  ['cursors scare, but nobody fears them', { controls: scare, params: [param('flee_weight', 0)] }, 'nothing'],
  ['cursors scare, and only the presenter has one', { controls: { ...scare, ...watch } }, 'watches'],
  ['paused', { controls: still }, 'paused'],
  ['paused, while cursors scare', { controls: { ...still, ...scare } }, 'paused'],
  ['paused, of a presenter', { controls: still, presenter: true }, 'paused'],
  ['running', { controls: { run: 'running', cursors: 'lead', viewers: 'steer' } }, 'follow'],
  ['billiards', { controls: { preset: 'billiards' }, params: [param('seek_weight', 0.3)] }, 'pull'],
  ['billiards that flee', { controls: { preset: 'billiards', ...scare }, params: [param('flee_weight', 1)] }, 'flee'],
  ['no pull of the cursor', { params: [param('seek_weight', 0)] }, 'nothing'],
  ['no pull in a swarm', { params: [param('alignment_min', 0), param('alignment_max', 0)] }, 'nothing'],
  ['a pull in a swarm', { params: [param('alignment_min', 0), param('alignment_max', 0.3)] }, 'follow'],
];

for (const [what, state, expected] of CASES) test(`what the cursor does: ${what}`, () => assert.equal(of(state), expected));

test('“follows” appears only if the flock follows', () => {
  for (const [, state] of CASES) {
    const now = of(state);
    const hint = Object.hasOwn(en.hint, now) ? en.hint[now as keyof typeof en.hint] : null;
    const follows = ['follow', 'latest', 'nearest'].includes(now);
    assert.equal(hint !== null && /follow/.test(hint.mouse) && /follow/.test(hint.finger), follows, now);
  }
});
