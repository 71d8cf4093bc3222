// Reads the server's messages. Made from protocol/schema.mjs by `make protocol`: edit that.

import { ADD_MAX, BOIDS_MAX, BOID_SIZE, CLUSTERS, CURSOR_SIZE, DONE, ERROR, EVENT, GOODBYE, LEADS, MARKS, NEW_KEY, PACKED, PARAMS, PAST, PENNED, PERIOD_MAX, PONG, PRESENCE, PUSHES, REACH, ROLE, ROOM, SELF, SNAPSHOT, STREAM, SWEPT, THINGS, TOKEN_SIZE, WELCOME, WHY } from './messages';
import type { Room, ServerMessage } from './protocol';
import { type Fields, type List, UINT32_MAX, absent, bin, bins, bool, change, copy, flags, integerOr0, isTrue, list, map, measures, number, pair, record, role, target, text, uint, wall } from './read';

function readWelcome(from: Fields): Extract<ServerMessage, { kind: 'welcome' }> {
  uint(from['version'], 'version', 1, 1);
  return {
    kind: 'welcome',
    server: text(from['server'], 'server'),
    id: uint(from['id'], 'id', 0, UINT32_MAX),
    token: copy(from['token'], 'token', TOKEN_SIZE),
    name: text(from['name'], 'name'),
    color: uint(from['color'], 'color', 0, 0xffffff),
    role: from['role'] === undefined ? 'viewer' : role(from['role'], 'role'),
    encoding: text(from['encoding'], 'encoding'),
    rate: number(from['rate'], 'rate', 0.001, 1_000),
    boids: uint(from['boids'], 'boids', 0, UINT32_MAX),
    stride: uint(from['stride'], 'stride', 1, UINT32_MAX),
    time: uint(from['time'], 'time'),
    capabilities: list(from['capabilities'], 'capabilities', (each) => text(each, 'capabilities')),
    room: readRoom(map(from['room'], 'room')),
  };
}

function readRoom(from: Fields): Room {
  const tickRate = number(from['tick_rate'], 'tick_rate', 1, 1_000);
  return {
    code: text(from['code'], 'code'),
    title: text(from['title'], 'title'),
    instance: uint(from['instance'], 'instance'),
    model: text(from['model'], 'model'),
    boundary: text(from['boundary'], 'boundary'),
    update: text(from['update'], 'update'),
    world: pair(from['world'], 'world', (each) => number(each, 'world', 1, 1_000_000)),
    quantum: number(from['quantum'], 'quantum', 0.000001, 1_000),
    period: from['period'] === undefined ? null : pair(from['period'], 'period', (each) => uint(each, 'period', 1, PERIOD_MAX)),
    tickRate,
    snapshotRate: number(from['snapshot_rate'], 'snapshot_rate', 0.001, tickRate),
    policy: text(from['policy'], 'policy'),
    idle: text(from['idle'], 'idle'),
    cursorTimeout: number(from['cursor_timeout'], 'cursor_timeout', Number.MIN_VALUE),
    params: list(from['params'], 'params', (each) => record(each, 'params', (of) => ({ name: text(of[0], 'params.name'), unit: text(of[1], 'params.unit'), min: number(of[2], 'params.min'), max: number(of[3], 'params.max'), initial: number(of[4], 'params.initial'), value: number(of[5], 'params.value'), text: text(of[6], 'params.text') }))),
    peopleMax: uint(from['people_max'], 'people_max', 1, UINT32_MAX),
    boidsMax: uint(from['boids_max'], 'boids_max', 1, UINT32_MAX),
    controls: from['controls'] === undefined ? [] : list(from['controls'], 'controls', (each) => record(each, 'controls', (of) => ({ name: text(of[0], 'controls.name'), value: text(of[1], 'controls.value'), choices: list(of[2], 'controls.choices', (each) => record(each, 'controls.choices', (of) => ({ value: text(of[0], 'controls.choices.value'), text: text(of[1], 'controls.choices.text'), saved: isTrue(of[2], 'controls.choices.saved') }))), text: text(of[3], 'controls.text') }))),
    undo: from['undo'] === undefined ? false : bool(from['undo'], 'undo'),
    attention: from['attention'] === undefined ? null : text(from['attention'], 'attention'),
    spotlight: from['spotlight'] === undefined ? 0 : uint(from['spotlight'], 'spotlight', 0, UINT32_MAX),
    storeFailing: from['store_failing'] === undefined ? false : bool(from['store_failing'], 'store_failing'),
    door: from['door'] === undefined ? 'open' : text(from['door'], 'door'),
    unnamed: from['unnamed'] === undefined ? false : bool(from['unnamed'], 'unnamed'),
    beside: from['beside'] === undefined ? '' : text(from['beside'], 'beside'),
    recording: from['recording'] === undefined ? false : bool(from['recording'], 'recording'),
    locked: from['locked'] === undefined ? false : bool(from['locked'], 'locked'),
    walls: from['walls'] === undefined ? [] : list(from['walls'], 'walls', (each) => wall(each, 'walls')),
    look: from['look'] === undefined ? null : record(from['look'], 'look', (of) => ({ shape: text(of[0], 'look.shape'), size: number(of[1], 'look.size', Number.MIN_VALUE) })),
    click: from['click'] === undefined ? 0 : uint(from['click'], 'click', 1, ADD_MAX),
    ground: from['ground'] === undefined ? '' : text(from['ground'], 'ground'),
    pen: from['pen'] === undefined ? null : wall(from['pen'], 'pen'),
  };
}

function readParams(from: List): Extract<ServerMessage, { kind: 'params' }> {
  return {
    kind: 'params',
    values: list(from[0], 'values', (each) => number(each, 'values')),
  };
}

function readPresence(from: List): Extract<ServerMessage, { kind: 'presence' }> {
  return {
    kind: 'presence',
    since: uint(from[0], 'since'),
    sequence: uint(from[1], 'sequence'),
    people: list(from[2], 'people', (each) => change(each, 'people')),
    left: list(from[3], 'left', (each) => uint(each, 'left', 0, UINT32_MAX)),
    away: from[4] == null ? null : list(from[4], 'away', (each) => absent(each, 'away')),
  };
}

function readSnapshot(from: List): Extract<ServerMessage, { kind: 'snapshot' }> {
  return {
    kind: 'snapshot',
    epoch: uint(from[0], 'epoch'),
    tick: uint(from[1], 'tick'),
    time: uint(from[2], 'time'),
    people: uint(from[3], 'people'),
    target: target(from[4], from[5]),
    boids: bins(from[6], 'boids', BOID_SIZE, BOIDS_MAX),
    cursors: bins(from[7], 'cursors', CURSOR_SIZE, 1_024),
    flock: uint(from[8], 'flock'),
    measures: from[9] === null ? null : measures(from[9], 'measures'),
  };
}

function readPacked(from: List): Extract<ServerMessage, { kind: 'packed' }> {
  return {
    kind: 'packed',
    epoch: uint(from[0], 'epoch'),
    tick: uint(from[1], 'tick'),
    time: uint(from[2], 'time'),
    people: uint(from[3], 'people'),
    target: target(from[4], from[5]),
    boids: bin(from[6], 'boids', 14_000_020),
    cursors: bins(from[7], 'cursors', CURSOR_SIZE, 1_024),
    flock: uint(from[8], 'flock'),
    measures: from[9] === null ? null : measures(from[9], 'measures'),
  };
}

function readStream(from: List): Extract<ServerMessage, { kind: 'stream' }> {
  return {
    kind: 'stream',
    rate: number(from[0], 'rate', 0.001, 1_000),
    boids: uint(from[1], 'boids', 0, UINT32_MAX),
    stride: uint(from[2], 'stride', 1, UINT32_MAX),
    slow: bool(from[3], 'slow'),
  };
}

function readRole(from: List): Extract<ServerMessage, { kind: 'role' }> {
  return {
    kind: 'role',
    role: role(from[0], 'role'),
  };
}

function readPong(from: List): Extract<ServerMessage, { kind: 'pong' }> {
  return {
    kind: 'pong',
    t: uint(from[0], 't'),
    time: uint(from[1], 'time'),
  };
}

function readDone(from: List): Extract<ServerMessage, { kind: 'done' }> {
  return {
    kind: 'done',
    type: uint(from[0], 'type', 0, UINT32_MAX),
    tag: from[1] === null ? null : uint(from[1], 'tag', 0, UINT32_MAX),
  };
}

function readError(from: List): Extract<ServerMessage, { kind: 'error' }> {
  return {
    kind: 'error',
    code: text(from[0], 'code'),
    type: from[1] === null ? null : uint(from[1], 'type', 0, UINT32_MAX),
    tag: from[2] === null ? null : uint(from[2], 'tag', 0, UINT32_MAX),
    field: text(from[3], 'field'),
    name: text(from[4], 'name'),
    message: text(from[5], 'message'),
    fatal: bool(from[6], 'fatal'),
    after: integerOr0(from[7], 'after'),
  };
}

function readEvent(from: List): Extract<ServerMessage, { kind: 'event' }> {
  return {
    kind: 'event',
    tick: uint(from[0], 'tick'),
    by: uint(from[1], 'by', 0, UINT32_MAX),
    who: text(from[2], 'who'),
    name: text(from[3], 'name'),
    what: text(from[4], 'what'),
    from: text(from[5], 'from'),
    to: text(from[6], 'to'),
  };
}

function readKey(from: List): Extract<ServerMessage, { kind: 'key' }> {
  return {
    kind: 'key',
    key: text(from[0], 'key'),
  };
}

function readGoodbye(from: List): Extract<ServerMessage, { kind: 'goodbye' }> {
  return {
    kind: 'goodbye',
    code: uint(from[0], 'code', 0, 65_535),
    after: from[1] === null ? null : uint(from[1], 'after'),
  };
}

function readPast(from: List): Extract<ServerMessage, { kind: 'past' }> {
  return {
    kind: 'past',
    shown: bool(from[0], 'shown'),
    span: number(from[1], 'span'),
    back: number(from[2], 'back'),
    speed: number(from[3], 'speed'),
    ...(from[4] != null && { people: list(from[4], 'people', (each) => absent(each, 'people')) }),
  };
}

function readSelf(from: List): Extract<ServerMessage, { kind: 'self' }> {
  return {
    kind: 'self',
    name: text(from[0], 'name'),
    ...flags(from[1], 'flags'),
  };
}

function readLeads(from: List): Extract<ServerMessage, { kind: 'leads' }> {
  return {
    kind: 'leads',
    leaders: list(from[0], 'leaders', (each) => record(each, 'leaders', (of) => ({ who: uint(of[0], 'leaders.who', 0, UINT32_MAX), x: number(of[1], 'leaders.x'), y: number(of[2], 'leaders.y'), boids: uint(of[3], 'leaders.boids', 0, UINT32_MAX), people: uint(of[4], 'leaders.people', 0, UINT32_MAX) }))),
    turn: from[1] === null ? null : record(from[1], 'turn', (of) => ({ id: uint(of[0], 'turn.id', 0, UINT32_MAX), seconds: uint(of[1], 'turn.seconds', 0, UINT32_MAX), next: uint(of[2], 'turn.next', 0, UINT32_MAX) })),
  };
}

function readMarks(from: List): Extract<ServerMessage, { kind: 'marks' }> {
  return {
    kind: 'marks',
    marks: list(from[0], 'marks', (each) => record(each, 'marks', (of) => ({ back: number(of[0], 'marks.back'), by: uint(of[1], 'marks.by', 0, UINT32_MAX), who: text(of[2], 'marks.who'), name: text(of[3], 'marks.name'), what: text(of[4], 'marks.what'), from: text(of[5], 'marks.from'), to: text(of[6], 'marks.to') }))),
  };
}

function readPenned(from: List): Extract<ServerMessage, { kind: 'penned' }> {
  return {
    kind: 'penned',
    inside: uint(from[0], 'inside', 0, UINT32_MAX),
    boids: uint(from[1], 'boids', 0, UINT32_MAX),
    seconds: uint(from[2], 'seconds', 0, UINT32_MAX),
    done: bool(from[3], 'done'),
  };
}

function readClusters(from: List): Extract<ServerMessage, { kind: 'clusters' }> {
  return {
    kind: 'clusters',
    count: uint(from[0], 'count', 0, UINT32_MAX),
    boids: uint(from[1], 'boids', 0, UINT32_MAX),
  };
}

function readReach(from: List): Extract<ServerMessage, { kind: 'reach' }> {
  return {
    kind: 'reach',
    there: bool(from[0], 'there'),
  };
}

function readThings(from: List): Extract<ServerMessage, { kind: 'things' }> {
  return {
    kind: 'things',
    food: list(from[0], 'food', (each) => record(each, 'food', (of) => ({ x: number(of[0], 'food.x'), y: number(of[1], 'food.y'), amount: uint(of[2], 'food.amount', 0, UINT32_MAX) }))),
    hunters: list(from[1], 'hunters', (each) => record(each, 'hunters', (of) => ({ x: number(of[0], 'hunters.x'), y: number(of[1], 'hunters.y') }))),
  };
}

function readWhy(from: List): Extract<ServerMessage, { kind: 'why' }> {
  return {
    kind: 'why',
    boid: from[0] === null ? null : uint(from[0], 'boid', 0, UINT32_MAX),
    shown: bool(from[1], 'shown'),
    by: uint(from[2], 'by', 0, UINT32_MAX),
    tick: uint(from[3], 'tick'),
    motion: from[4] === null ? null : record(from[4], 'motion', (of) => ({ x: number(of[0], 'motion.x'), y: number(of[1], 'motion.y'), vx: number(of[2], 'motion.vx'), vy: number(of[3], 'motion.vy'), nextX: number(of[4], 'motion.nextX'), nextY: number(of[5], 'motion.nextY') })),
    zones: record(from[5], 'zones', (of) => ({ view: number(of[0], 'zones.view'), viewAngle: number(of[1], 'zones.viewAngle'), close: number(of[2], 'zones.close'), closeAngle: number(of[3], 'zones.closeAngle') })),
    pushes: list(from[6], 'pushes', (each) => record(each, 'pushes', (of) => ({ name: text(of[0], 'pushes.name'), x: number(of[1], 'pushes.x'), y: number(of[2], 'pushes.y') }))),
    near: list(from[7], 'near', (each) => record(each, 'near', (of) => ({ number: uint(of[0], 'near.number', 0, UINT32_MAX), x: number(of[1], 'near.x'), y: number(of[2], 'near.y'), close: bool(of[3], 'near.close') }))),
    seen: uint(from[8], 'seen', 0, UINT32_MAX),
    crowding: uint(from[9], 'crowding', 0, UINT32_MAX),
  };
}

function readPushes(from: List): Extract<ServerMessage, { kind: 'pushes' }> {
  return {
    kind: 'pushes',
    rules: list(from[0], 'rules', (each) => text(each, 'rules')),
    tick: uint(from[1], 'tick'),
    boids: list(from[2], 'boids', (each) => record(each, 'boids', (of) => ({ number: uint(of[0], 'boids.number', 0, UINT32_MAX), x: number(of[1], 'boids.x'), y: number(of[2], 'boids.y'), pushes: list(of[3], 'boids.pushes', (each) => record(each, 'boids.pushes', (of) => ({ x: number(of[0], 'boids.pushes.x'), y: number(of[1], 'boids.pushes.y') }))) }))),
  };
}

function readSwept(from: List): Extract<ServerMessage, { kind: 'swept' }> {
  return {
    kind: 'swept',
    state: text(from[0], 'state'),
    by: uint(from[1], 'by', 0, UINT32_MAX),
    who: text(from[2], 'who'),
    name: text(from[3], 'name'),
    from: number(from[4], 'from'),
    to: number(from[5], 'to'),
    steps: uint(from[6], 'steps', 0, UINT32_MAX),
    warmUp: uint(from[7], 'warm_up', 0, UINT32_MAX),
    seconds: uint(from[8], 'seconds', 0, UINT32_MAX),
    points: list(from[9], 'points', (each) => record(each, 'points', (of) => ({ value: number(of[0], 'points.value'), samples: uint(of[1], 'points.samples', 0, UINT32_MAX), means: list(of[2], 'points.means', (each) => number(each, 'points.means')), errors: list(of[3], 'points.errors', (each) => number(each, 'points.errors')) }))),
  };
}

/** Reads a message's fields. Throws Malformed if a field breaks the protocol. */
export function readMessage(type: number, from: List): ServerMessage {
  switch (type) {
    case WELCOME:
      return readWelcome(map(from[0], 'welcome'));
    case ROOM:
      return { kind: 'room', room: readRoom(map(from[0], 'room')) };
    case PARAMS:
      return readParams(from);
    case PRESENCE:
      return readPresence(from);
    case SNAPSHOT:
      return readSnapshot(from);
    case PACKED:
      return readPacked(from);
    case STREAM:
      return readStream(from);
    case ROLE:
      return readRole(from);
    case PONG:
      return readPong(from);
    case DONE:
      return readDone(from);
    case ERROR:
      return readError(from);
    case EVENT:
      return readEvent(from);
    case NEW_KEY:
      return readKey(from);
    case GOODBYE:
      return readGoodbye(from);
    case PAST:
      return readPast(from);
    case SELF:
      return readSelf(from);
    case LEADS:
      return readLeads(from);
    case MARKS:
      return readMarks(from);
    case PENNED:
      return readPenned(from);
    case CLUSTERS:
      return readClusters(from);
    case REACH:
      return readReach(from);
    case THINGS:
      return readThings(from);
    case WHY:
      return readWhy(from);
    case PUSHES:
      return readPushes(from);
    case SWEPT:
      return readSwept(from);
    default:
      return { kind: 'ignored', type };
  }
}
