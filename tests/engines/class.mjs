// A lesson with 30 simulated pupils, a teacher's page and one pupil's page, in one engine. The pictures are in build/looks/class/.
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { createRoom } from '../e2e/api.mjs';
import { RESTING } from '../e2e/browser.mjs';
import * as flock from '../e2e/client.mjs';
import { root } from '../e2e/server.mjs';
import { openWindow, startRecordedServer } from './window.mjs';

/** @typedef {import('../e2e/types.d.ts').Point} Point */

const NAMES = `Ada Amir Ana Aya Bo Cem Cleo Dan Eli Emma Eve Finn Gil Hana Ida Ivan Jan Kai Lena Leo Lin Mia Nia Noah Olga
  Omar Pia Rosa Sam Tom`.split(/\s+/);
const TEACHER = [1024, 640];
const PUPIL = [390, 664];
// Bees reach each leader within seconds.
const BOIDS = 120;
const WORLD = [600, 400];
const ROOM = { title: 'Class 7b', preset: 'bees', boids: BOIDS, world: WORLD, boundary: 'walls', idle: 'hold' };

const pictures = path.join(root, 'build/looks/class');
const pageOf = (server, { path: place }, rest = '') => `${new URL(place, server.url)}${rest}`;

async function shoot(view, what) {
  mkdirSync(pictures, { recursive: true });
  writeFileSync(path.join(pictures, `${view.name.toLowerCase()}-${what}.png`), await view.picture());
}

/** Lets 30 pupils into a room, who read little. */
const openPupils = (t, server, { code }) =>
  Promise.all(NAMES.map((name) => flock.join(t, server.ws, { room: code, name, rate: 2 })));

/** @type {(i: number) => Point} */
const spread = (i) => [WORLD[0] * (0.08 + 0.84 * ((i * 0.618) % 1)), WORLD[1] * (0.08 + 0.84 * ((i + 0.5) / NAMES.length))];
const point = (pupil, [x, y]) => pupil.send([flock.CURSOR, x, y]);

const choose = async (teacher, mode) => {
  await teacher.click(`[data-control=policy] label:has([value=${mode}])`);
  await teacher.seen(`the mode is ${mode}`, () => teacher.run((value) => document.querySelector(`[data-control=policy] [value=${value}]`).checked, mode));
};

/** Waits until an element that is seen says that, and returns its match. */
async function says(view, selector, what) {
  let match = null;
  await view.seen(`${selector} says ${what}`, async () => (match = what.exec(await view.shown(selector))) !== null, () => view.shown(selector));
  return /** @type {RegExpExecArray} */ (match);
}

/** Holds the pointer over a point of the world, which moves with the camera, until the probe is true. A point outside of the window is
 * as near as the window's edge. */
const pointUntil = (view, place, what, probe) =>
  view.seen(what, async () => {
    const [x, y] = await view.toScreen(place);
    const [width, height] = await view.run(() => [innerWidth, innerHeight]);
    await view.move([Math.min(Math.max(x, 8), width - 9), Math.min(Math.max(y, 8), height - 9)]);
    return probe();
  }, () => view.shown('#lead'));

/** The boids that are nearer to the cursor than to any other, as another client sees it. */
function nearestTo({ boids, cursors }, id) {
  const all = [...cursors];
  const leader = (boid) => all.reduce((best, each) => (flock.distance(each[1], boid) < flock.distance(best[1], boid) ? each : best))[0];
  return boids.filter((boid) => leader(boid) === id).length;
}

export function testClass(start) {
  let teachers;
  let pupils;
  before(async () => {
    teachers = await start();
    pupils = await start();
    await teachers.resize(...TEACHER);
    await pupils.resize(...PUPIL);
  });
  after(async () => {
    await teachers?.close();
    await pupils?.close();
  });

  // The windows of a room whose teacher has the key, and of a pupil, Ben. Both have answered the question for a name.
  async function openLesson(t, preset = ROOM.preset) {
    const server = await startRecordedServer(t, RESTING);
    const room = await createRoom(server, { ...ROOM, preset });
    const others = await openPupils(t, server, room);
    const teacher = await openWindow(t, teachers, pageOf(server, room, `#key=${room.key}`));
    await teacher.fill('#welcome-name', 'Ms Lee');
    const pupil = await openWindow(t, pupils, pageOf(server, room));
    await pupil.seen('the question for a name', () => pupil.shown('#welcome'));
    await shoot(pupil, 'name');
    await pupil.fill('#welcome-name', 'Ben');
    await pupil.until('the pupil is in', ({ name, boids }) => name === 'Ben' && boids === BOIDS);
    await teacher.until('all are here', ({ people }) => people === NAMES.length + 2);
    const { id } = await pupil.state();
    return { server, room, others, teacher, pupil, id };
  }

  async function openPanel(teacher) {
    await teacher.click('#panel-open');
    await teacher.seen('the panel', () => teacher.shown('#panel'));
  }

  test('with 30 pupils: together, nearest and scare do what they say', async (t) => {
    const { others, teacher, pupil, id } = await openLesson(t);
    const [watcher] = others;
    for (const place of /** @type {Point[]} */ ([[120, 110], [480, 300]])) {
      others.forEach((other) => point(other, place));
      const near = () => flock.distance(flock.centroid(watcher.snapshot.boids), place) < 70;
      await pointUntil(pupil, place, `together the flock goes to ${place}`, near);
    }
    await says(teacher, '#offer', /cursors share one target/);
    await shoot(teacher, 'together-teacher');
    await teacher.clickOn(['#offer button', '^Own boids for everybody$']);
    await openPanel(teacher);
    await says(teacher, '[data-control=policy] > .about', /nearest cursor/);

    others.forEach((other, i) => point(other, spread(i)));
    await pointUntil(pupil, [300, 200], 'boids follow the pupil', async () => /^[1-9]\d* boids? follows? you$/.test(await pupil.shown('#lead')));
    await shoot(pupil, 'nearest-pupil');
    await shoot(teacher, 'nearest-teacher');
    await teacher.click('#run');
    await watcher.until('time stands still', () => flock.control(watcher, 'run').value === 'paused');
    const count = () => nearestTo(watcher.snapshot, id);
    await pupil.seen('the figure is true', async () => Number.parseInt(await pupil.shown('#lead'), 10) === count(), async () => `${await pupil.shown('#lead')}, not ${count()}`);
    await teacher.click('#run');

    await choose(teacher, 'scare');
    await says(teacher, '[data-control=policy] > .about', /Everyone is a shark/);
    others.forEach((other) => other.send([flock.AWAY]));
    const far = () => watcher.snapshot.boids.every((boid) => flock.distance(boid, [300, 200]) > 40);
    await pointUntil(pupil, [300, 200], 'boids flee from the pupil', far);
    assert.equal(await pupil.shown('#lead'), '', 'nobody leads');
    await shoot(pupil, 'scare-pupil');
  });

  test('with 30 pupils: a tap joins a team, and a live bar shows who has how many', async (t) => {
    const { others, teacher, pupil } = await openLesson(t, 'js-birds'); // of bees, which all gather, one team may win at once
    await openPanel(teacher);
    await choose(teacher, 'teams');
    await pupil.clickOn(['#lead-teams button', 'Red']);
    await says(pupil, '#lead-text', /^Team Red/);
    for (const [i, other] of others.entries()) assert.equal(await other.ask([flock.TEAM, 1 + (i % 2)]), null);
    others.forEach((other, i) => point(other, i % 2 === 0 ? [120, 200] : [480, 200]));
    const bar = () => pupil.run(() => document.getElementById('lead-bar').getAttribute('aria-label').match(/\d+/g).map(Number));
    await pupil.seen('both teams have boids, and no boid is left over', async () => {
      const [red, blue] = await bar();
      return red > 0 && blue > 0 && red + blue === BOIDS;
    }, bar);
    await says(pupil, '#lead', /you steer with your team/); // Ben has never moved
    await says(teacher, '#lead', /15 others|15 steer/); // half of the class
    await shoot(pupil, 'teams-pupil');
    await shoot(teacher, 'teams-teacher');
    others.forEach((other, i) => i % 2 === 0 && other.send([flock.AWAY]));
    await pupil.seen('a team without cursors has no boids', async () => (await bar()).join() === `0,${BOIDS}`, bar);
    others.forEach((other, i) => i % 2 === 0 && point(other, [440, 200]));
    await pupil.seen('the bar lives', async () => (await bar())[0] > 10, bar);
  });

  test('with 30 pupils: a relay names who leads and who is next, counts down, and the teacher skips', async (t) => {
    const { others, teacher, pupil } = await openLesson(t);
    others.forEach((other, i) => point(other, spread(i)));
    await openPanel(teacher);
    await choose(teacher, 'relay');
    const TURN = /^(\S+) leads, (\d+) s (?:· )?next: (\S+)$/;
    await says(pupil, '#lead', /^\S+ leads, \d+ s (?:· )?(Move|Drag a finger) to take part/);
    await pointUntil(pupil, [300, 200], 'Ben takes part', async () => TURN.test(await pupil.shown('#lead')));
    const [, first, seconds, next] = await says(pupil, '#lead', TURN);
    assert.ok(NAMES.includes(first) && NAMES.includes(next) && first !== next, `${first}, then ${next}`);
    assert.ok(Number(seconds) <= 10, `${seconds} s`);
    await shoot(pupil, 'relay-pupil');
    await shoot(teacher, 'relay-teacher');
    await pupil.seen('the seconds go down, or the next pupil leads', async () => {
      const [, who, left] = TURN.exec(await pupil.shown('#lead')) ?? [];
      return who !== undefined && (who === next || Number(left) < Number(seconds));
    });
    await teacher.click('#run'); // a turn may end before a busy window is clicked
    await others[0].until('time stands still', () => flock.control(others[0], 'run').value === 'paused');
    const [, leader, , after] = await says(teacher, '#lead', TURN);
    await teacher.clickOn(['[data-control=policy] button', '^Skip this turn$']);
    await says(pupil, '#lead', new RegExp(`^${after} leads`));
    assert.notEqual(leader, after);
  });

  test('a teacher who closes the tab is presenter again by the start page and by the address', async (t) => {
    const server = await startRecordedServer(t);
    const teacher = await openWindow(t, teachers, server.url);
    await teacher.click('.preset:has([value=bees])');
    await teacher.fill('#title', 'Class 7b');
    await teacher.until('the teacher presents', ({ role, boids }) => role === 'presenter' && boids > 0);
    const address = (await teacher.run(() => location.href)).replace(/[?#].*/, '');
    await teacher.newTab();
    await teacher.open(server.url);
    await teacher.seen('my rooms', () => teacher.shown('#mine'));
    await shoot(teacher, 'mine');
    await teacher.clickOn(['#mine a', 'Class 7b']);
    await teacher.until('the start page leads back', ({ role }) => role === 'presenter');
    await teacher.newTab();
    await teacher.open(address);
    await teacher.until('so does the address', ({ role }) => role === 'presenter');
  });

  test('the teacher keeps the room: door, an appointed pupil, a removed pupil, and the end', async (t) => {
    const server = await startRecordedServer(t, RESTING);
    const room = await createRoom(server, ROOM);
    const [watcher] = await openPupils(t, server, room);
    const teacher = await openWindow(t, teachers, pageOf(server, room, `?name=Lee#key=${room.key}`));
    await teacher.until('all are here', ({ people }) => people === NAMES.length + 1);
    await openPanel(teacher);
    await teacher.click('#panel-room > summary');
    await teacher.clickOn(['#admission label', 'Close the door']);
    await watcher.until('the door is closed', () => watcher.room.door === 'closed');
    const pupil = await openWindow(t, pupils, pageOf(server, room, '?name=Ben'));
    await says(pupil, '#notice', /takes no newcomers now\./);
    await shoot(pupil, 'door-pupil');
    await shoot(teacher, 'door-teacher');
    await teacher.clickOn(['#admission label', 'Close the door']);
    await watcher.until('the door is open', () => watcher.room.door === undefined);
    await pupil.clickOn(['#notice button', '^Join again$']);
    await pupil.until('the pupil is in', ({ status, boids }) => status === 'connected' && boids > 0);

    await teacher.press('n');
    const ofBen = ['#people-list li', 'Ben'];
    const act = async (...choices) => {
      await teacher.clickOn(ofBen, ['.more', '']);
      for (const choice of choices) await teacher.clickOn(ofBen, ['button', `^${choice}$`]);
    };
    await act('Make presenter');
    await pupil.until('Ben presents', ({ role }) => role === 'presenter');
    await pupil.click('#people > summary');
    await pupil.clickOn(['#people-list li', 'Lee'], ['.more', '']);
    const offered = await pupil.run(() => {
      const row = [...document.querySelectorAll('#people-list li')].find((each) => each.textContent.includes('Lee'));
      return [...row.querySelectorAll('button')].filter((each) => each.getClientRects().length > 0).map((each) => each.textContent);
    });
    assert.deepEqual(offered, ['⋯', 'Spotlight', 'Rename…'], 'nobody can remove the owner');
    await shoot(pupil, 'appointed-pupil');
    await act('Make viewer');
    await pupil.until('Ben is a pupil again', ({ role }) => role === 'viewer');
    await act('Remove…', 'Remove');
    await says(pupil, '#notice', /A presenter removed you from this room\./);
    await pupil.newTab();
    await pupil.open(pageOf(server, room));
    await says(pupil, '#notice', /A presenter removed you from this room\./);
    await shoot(pupil, 'removed-pupil');

    await teacher.click('#run'); // the flock rests, so that the windows draw nothing while the room ends
    await watcher.until('the flock rests', () => flock.control(watcher, 'run').value === 'paused');
    await teacher.clickOn(['#admission button', '^End the room…$']);
    await says(teacher, '#admission', /The room ends in \d+ s\./);
    await shoot(teacher, 'end-teacher');
    await teacher.clickOn(['#admission button', '^Undo$']);
    await teacher.seen('the end is taken back', async () => !/The room ends/.test(await teacher.shown('#admission')));
    await teacher.clickOn(['#admission button', '^End the room…$']);
    await says(teacher, '#notice', /This room has ended\./);
    await watcher.untilClosed();
  });
}
