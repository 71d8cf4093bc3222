import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPeople } from '../src/flock/people';
import type { Change, Person, Presence } from '../src/net/protocol';

const ADA = { id: 7, name: 'Ada', color: 0x112233 };

const whole = (id: number, name: string, flags = 0): Change => ({
  id,
  identity: { id, name, color: id },
  presenter: (flags & 1) !== 0,
  active: (flags & 2) !== 0,
  owner: (flags & 32) !== 0,
  team: (flags & 28) >> 2,
});

const flags = (id: number, value: number): Change => ({ ...whole(id, '', value), identity: null });

const presence = (since: number, sequence: number, people: Change[], left: number[] = [], away: Person[] | null = null): Presence => ({
  kind: 'presence',
  since,
  sequence,
  people,
  left,
  away,
});

function setUp() {
  const people = createPeople();
  people.welcomed(ADA, 'viewer');
  return { people, names: () => people.all().map(({ name }) => name) };
}

test('changes update the list', () => {
  const { people, names } = setUp();
  assert.ok(people.take(presence(0, 3, [whole(1, 'Ben'), whole(7, 'Ada'), whole(2, 'Eve', 1)])));
  assert.deepEqual(names(), ['Ada', 'Eve', 'Ben'], 'oneself, presenters, others');
  assert.ok(people.take(presence(3, 4, [flags(1, 2), whole(3, 'Zoë')], [2])));
  assert.deepEqual(names(), ['Ada', 'Ben', 'Zoë']);
  assert.deepEqual(people.get(1), { id: 1, name: 'Ben', color: 1, presenter: false, active: true, owner: false, team: 0 });
  assert.ok(people.take(presence(4, 5, [whole(1, 'Benjamin')])));
  assert.equal(people.get(1)?.name, 'Benjamin');
});

test('after the first list of a connection, the list is complete', () => {
  const { people } = setUp();
  assert.equal(people.complete(), false);
  people.take(presence(0, 1, [whole(7, 'Ada')]));
  assert.equal(people.complete(), true);
  people.welcomed(ADA, 'viewer');
  assert.equal(people.complete(), false);
});

test('presenters who are away stay known until the next list of them', () => {
  const { people, names } = setUp();
  const ben = { id: 1, name: 'Ben', color: 1, presenter: false, active: false, owner: false, team: 0 };
  people.take(presence(0, 1, [whole(7, 'Ada'), whole(1, 'Ben', 1)]));
  assert.deepEqual(people.away(), []);
  people.take(presence(1, 2, [], [1], [ben]));
  assert.deepEqual([names(), people.away()], [['Ada'], [ben]]);
  people.take(presence(2, 3, [whole(2, 'Eve')]));
  assert.deepEqual(people.away(), [ben]);
  people.take(presence(3, 4, [whole(1, 'Ben', 1)], [], []));
  assert.deepEqual([names(), people.away()], [['Ada', 'Ben', 'Eve'], []]);
  people.take(presence(4, 5, [], [1], [ben]));
  people.take(presence(0, 9, [whole(7, 'Ada')]));
  assert.deepEqual(people.away(), []);
});

test('a whole list (since 0) replaces the old one', () => {
  const { people, names } = setUp();
  people.take(presence(0, 1, [whole(7, 'Ada'), whole(1, 'Ben')]));
  people.take(presence(0, 9, [whole(7, 'Ada'), whole(2, 'Eve')]));
  assert.deepEqual(names(), ['Ada', 'Eve']);
});

test('changes to another list, and flags of unknown people, change nothing', () => {
  const { people, names } = setUp();
  people.take(presence(0, 1, [whole(7, 'Ada'), whole(1, 'Ben')]));
  assert.equal(people.take(presence(5, 6, [whole(2, 'Eve')], [1])), false);
  assert.ok(people.take(presence(1, 2, [flags(99, 1)])));
  assert.deepEqual(names(), ['Ada', 'Ben']);
});

test('this person is always listed, also if the server’s list lacks it', () => {
  const { people, names } = setUp();
  assert.deepEqual(names(), ['Ada']);
  people.take(presence(0, 1, [whole(1, 'Ben')]));
  assert.deepEqual(names(), ['Ada', 'Ben']);
  people.take(presence(1, 2, [], [7]));
  assert.deepEqual(names(), ['Ada', 'Ben']);
  people.renamed('Lady Ada');
  people.became('presenter');
  assert.deepEqual(people.self(), { id: 7, name: 'Lady Ada', color: 0x112233, presenter: true, active: false, owner: false, team: 0 });
  people.take(presence(2, 3, [whole(7, 'Ada L.', 2)]));
  assert.deepEqual(people.self(), { id: 7, name: 'Ada L.', color: 7, presenter: false, active: true, owner: false, team: 0 });
});

test('a self message counts if the list lacks this person', () => {
  const { people } = setUp();
  const is = (name: string, presenter = false, active = false, team = 0) =>
    assert.deepEqual(people.self(), { ...ADA, name, presenter, active, owner: false, team });
  const said = (name: string, value: number) =>
    people.told({ name, presenter: (value & 1) !== 0, active: (value & 2) !== 0, owner: (value & 32) !== 0, team: (value & 28) >> 2 });
  const listed = (name: string, value: number): Change => ({ ...whole(7, name, value), identity: { ...ADA, name } });
  people.take(presence(0, 1, [whole(1, 'Ben')]));
  said('finch-7', 2 + (3 << 2));
  is('finch-7', false, true, 3);
  people.take(presence(1, 2, [listed('Ada', 1)]));
  is('Ada', true, false);
  said('wren-7', 0); // the message arrives before the list that removes this person
  is('Ada', true, false);
  people.take(presence(2, 3, [flags(7, 3)]));
  is('Ada', true, true);
  people.take(presence(3, 4, [], [7]));
  is('wren-7');
  people.take(presence(4, 5, [listed('Ada', 2)]));
  said('finch-7', 0);
  people.take(presence(0, 9, [listed('Ada', 1)])); // newer than the self message
  people.take(presence(9, 10, [], [7]));
  is('Ada', true, false);
  people.take(presence(10, 11, [listed('Ada', 2)]));
  said('finch-7', 0);
  people.take(presence(0, 15, []));
  is('finch-7');
});

test('a new connection begins with this person alone', () => {
  const { people, names } = setUp();
  people.take(presence(0, 1, [whole(7, 'Ada'), whole(1, 'Ben')]));
  people.welcomed({ ...ADA, id: 8 }, 'presenter');
  assert.deepEqual(names(), ['Ada']);
  assert.ok(people.self()?.presenter);
  assert.equal(people.take(presence(1, 2, [whole(3, 'Zoë')])), false, 'the old list is not this one');
});
