import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { eventNews } from '../src/flock/news';
import type { RoomEvent } from '../src/net/protocol';
import { room } from './samples';

type Told = Omit<RoomEvent, 'kind' | 'tick'> & { title: string | null; text: string };

interface Vectors {
  self: number;
  controls: Record<string, Record<string, string>>;
  events: Told[];
}

test('the page and the terminal have the same words for events', () => {
  const { self, controls, events } = JSON.parse(readFileSync(`${REPOSITORY}/clients/vectors/events.json`, 'utf8')) as Vectors;
  const here = room({
    controls: Object.entries(controls).map(([name, choices]) => ({
      name,
      value: '',
      text: '',
      choices: Object.entries(choices).map(([value, text]) => ({ value, text, saved: false })),
    })),
  });
  assert.ok(events.length > 0);
  for (const { title, text, ...event } of events) {
    const told = eventNews({ kind: 'event', tick: 1, ...event }, here, event.by === self);
    assert.deepEqual(told, title === null ? null : { title, text }, JSON.stringify(event));
  }
});
