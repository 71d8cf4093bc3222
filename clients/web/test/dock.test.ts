// The dock: places, opens and closes panels.
import assert from 'node:assert/strict';
import { type Panel, type Place, createDock } from '../src/app/dock';
import type { KeyRow, KeyRun } from '../src/app/keys';
import type { Load } from '../src/app/load';
import type { Subscriber } from '../src/flock/model';
import type { Status } from '../src/net/connection';
import type { Role, Room } from '../src/net/protocol';
import { createPage, find, set } from './document';
import { testsAfter } from './fresh';
import { room } from './samples';

const PAGE = `<nav id="controls"><button id="panel-open"></button><button id="help-open"></button><button id="project"></button></nav>
  <details id="people"><summary tabindex="0"></summary><input></details><section id="projector" hidden></section>
  <aside id="panel" tabindex="-1" hidden><button></button></aside><aside id="other" hidden></aside>`;
const CONTROLS: Place = {
  name: 'controls',
  stand: 'side',
  id: 'panel',
  opener: 'panel-open',
  key: 'controls',
  who: 'presenter',
  kept: 'tab',
};
const HELP: Place = { name: 'help', stand: 'dialog', opener: 'help-open', key: 'help' };
const PEOPLE: Place = { name: 'people', stand: 'fold', key: 'people', kept: 'browser' };

function setUp() {
  const page = createPage(PAGE);
  set('innerWidth', 1000);
  const model: { role: Role; room: Room | null; status: Status } = { role: 'viewer', room: null, status: { kind: 'connected' } };
  const views: Subscriber[] = [];
  const done: string[] = [];
  const keys = new Map<string, KeyRun>();
  const rows: KeyRow[] = [];
  const load: Load = Object.assign(<Part>(part: () => Promise<Part>): Promise<Part> => part(), { hurry: () => done.push('hurry') });
  const dock = createDock({
    model: { role: () => model.role, room: () => model.room, status: () => model.status, subscribe: (view) => void views.push(view) },
    keys: {
      on: (runs) => Object.entries(runs).forEach(([action, run]) => keys.set(action, run)),
      addRow(row, run) {
        rows.push(row);
        keys.set(row.action, run);
      },
    },
    settings: { keepOpen: (id, kept, open) => done.push(`${kept} ${id} ${open}`) },
    load,
    onMounted: () => done.push('mounted'),
    onLayout: () => done.push('layout'),
  });
  const panel = (name: string): Panel => ({ opened: (open) => done.push(`${name} ${open ? 'opened' : 'closed'}`) });
  return {
    ...{ page, dock, done, rows },
    /** Adds a panel of the first load. */
    add: (place: Place, open = false) => dock.add(place, open, { mount: () => panel(place.name) }),
    /** Adds a panel that the dock loads when it opens. */
    addLate: (place: Place, html: string, open = false) => dock.add(place, open, async () => ({ html, mount: () => panel(place.name) })),
    press: (action: string) => keys.get(action)?.({} as KeyboardEvent),
    become(role: Role) {
      model.role = role;
      for (const view of views) view.role?.(role);
    },
    enter(changes: Partial<Room> = {}) {
      model.room = room(changes);
      for (const view of views) view.room?.(model.room);
    },
    end: () => views.forEach((view) => view.status?.({ kind: 'closed', code: 3506, reason: '' })),
  };
}

let it: ReturnType<typeof setUp>;
const test = testsAfter(() => (it = setUp()));
const element = (id: string): HTMLElement => find(document, `#${id}`);
const loaded = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const isDialogOpen = (id: string): boolean => (element(id) as HTMLDialogElement).open;

test('a panel beside the flock opens only for presenters, takes the focus, and returns it', () => {
  it.add(CONTROLS);
  assert.equal(element('panel-open').hidden, true);
  it.press('controls');
  assert.equal(it.dock.isOpen('controls'), false);
  it.become('presenter');
  assert.equal(element('panel-open').hidden, false);
  it.done.length = 0;
  element('panel-open').click();
  assert.deepEqual(it.done, ['tab panel true', 'controls opened', 'layout']);
  assert.equal(element('panel-open').getAttribute('aria-expanded'), 'true');
  assert.equal(document.activeElement?.id, 'panel');
  find(document, '#panel button').focus();
  it.press('controls');
  assert.deepEqual([it.dock.isOpen('controls'), document.activeElement?.id], [false, 'panel-open']);
});

test('a panel that the person wants opens when the person begins to present, and closes with the role', () => {
  it.add(CONTROLS, true);
  assert.deepEqual([it.dock.isOpen('controls'), it.dock.isWanted('controls')], [false, true]);
  it.become('presenter');
  assert.equal(it.dock.isOpen('controls'), true);
  it.become('viewer');
  assert.deepEqual([it.dock.isOpen('controls'), it.dock.isWanted('controls')], [false, true]);
});

test('Escape closes what opened last, wherever the focus is, and returns the focus', () => {
  it.add(CONTROLS);
  it.add(PEOPLE);
  it.add({ name: 'projector', stand: 'whole', opener: 'project' });
  it.become('presenter');
  assert.equal(it.dock.leave(), false);
  it.press('controls');
  it.dock.open('people');
  it.dock.open('projector');
  const closed: string[] = [];
  it.dock.lay(element('other'), () => closed.push('the element along the lower edge'));
  it.dock.lay(element('other'), () => closed.push('it, as it is now'));
  find(document, '#panel button').focus();
  const open = (): string[] => ['controls', 'people', 'projector'].filter(it.dock.isOpen);
  it.dock.leave();
  assert.deepEqual([closed, open()], [['it, as it is now'], ['controls', 'people', 'projector']]);
  it.dock.lay(null, null);
  it.dock.leave();
  assert.deepEqual(open(), ['controls', 'people']);
  it.dock.leave();
  assert.deepEqual([open(), document.activeElement?.parentElement?.id], [['controls'], 'panel']);
  assert.equal(it.dock.leave(), true);
  assert.deepEqual([open(), document.activeElement?.id], [[], 'panel-open']);
  assert.equal(it.dock.leave(), false);
});

test('Escape puts a tool down in its turn: before what opened earlier, after what opened later', () => {
  it.add(PEOPLE);
  it.add(CONTROLS);
  it.become('presenter');
  it.press('controls');
  let held = true;
  it.dock.setCloser(document.body, () => {
    held = false;
    it.dock.setCloser(document.body, null);
  });
  it.dock.open('people');
  const now = (): boolean[] => [it.dock.isOpen('controls'), held, it.dock.isOpen('people')];
  it.dock.leave();
  assert.deepEqual(now(), [true, true, false]);
  it.dock.leave();
  assert.deepEqual(now(), [true, false, false]);
  it.dock.leave();
  assert.deepEqual(now(), [false, false, false]);
});

test('Escape closes nothing that is out of sight, and nothing that this person may not close', () => {
  it.add(CONTROLS);
  it.become('presenter');
  it.press('controls');
  element('panel').getClientRects = () => [] as unknown as DOMRectList;
  it.dock.lay(element('other'), null);
  assert.deepEqual([it.dock.leave(), it.dock.isOpen('controls')], [false, true]);
});

test('a list that Escape folds gives its title the focus that it had', () => {
  it.add(PEOPLE);
  const people = element('people') as HTMLDetailsElement;
  people.open = true; // like a click on its title
  people.dispatchEvent(new it.page.Event('toggle'));
  find(document, '#people input').focus();
  it.dock.leave();
  assert.equal(document.activeElement?.tagName, 'SUMMARY');
});

test('a panel opened temporarily is not remembered and takes no focus', () => {
  it.add(CONTROLS);
  it.become('presenter');
  it.done.length = 0;
  it.dock.show('controls', true);
  assert.deepEqual([it.dock.isOpen('controls'), it.done], [true, ['controls opened', 'layout']]);
  assert.notEqual(document.activeElement?.id, 'panel');
});

test('two panels beside the flock are not open at the same time', () => {
  it.add({ ...CONTROLS });
  it.add({ name: 'other', stand: 'side' });
  it.become('presenter');
  it.dock.open('controls');
  it.dock.open('other');
  assert.deepEqual([it.dock.isOpen('controls'), it.dock.isOpen('other')], [false, true]);
});

test('a panel along the lower edge stands beside one at the right edge, and both cover the flock', () => {
  it.add(CONTROLS);
  it.add({ name: 'other', stand: 'side' });
  it.become('presenter');
  for (const [id, sizes] of [
    ['panel', { offsetTop: 0, offsetWidth: 300, offsetHeight: 700 }],
    ['other', { offsetTop: 400, offsetWidth: 500, offsetHeight: 250 }],
  ] as const)
    for (const [name, value] of Object.entries(sizes)) Object.defineProperty(element(id), name, { value });
  it.dock.open('controls');
  it.dock.open('other');
  assert.deepEqual([it.dock.isOpen('controls'), it.dock.isOpen('other')], [true, true]);
  assert.deepEqual(it.dock.covers(), { right: 300, bottom: 250 });
});

test('a dialog is loaded when it opens, and closes by its key, beside it and when the room has ended', async () => {
  it.addLate(HELP, '<dialog id="help"><p></p></dialog>');
  assert.equal(document.querySelector('#help'), null);
  element('help-open').click();
  await loaded();
  assert.deepEqual([isDialogOpen('help'), it.done], [true, ['hurry', 'mounted', 'help opened']]);
  it.press('help');
  assert.equal(isDialogOpen('help'), false);
  it.press('help');
  find(document, '#help p').click();
  assert.equal(isDialogOpen('help'), true, 'a click in it does nothing');
  element('help').click();
  assert.equal(isDialogOpen('help'), false);
  it.press('help');
  it.end();
  assert.equal(isDialogOpen('help'), false);
});

test('a dialog that the browser has closed does not open again by itself', async () => {
  it.addLate({ ...HELP, needs: 'room' }, '<dialog id="help"></dialog>');
  it.dock.open('help');
  await loaded();
  assert.equal(document.querySelector('#help'), null, 'it waits for the room');
  it.enter();
  await loaded();
  assert.equal(isDialogOpen('help'), true);
  (element('help') as HTMLDialogElement).close();
  it.enter();
  assert.equal(isDialogOpen('help'), false);
});

test('drawing and its button are there for presenters, and for viewers while a presenter allows it', async () => {
  const opener = element('project');
  const drawing = (value: string): Partial<Room> => ({ controls: [{ name: 'drawing', value, choices: [], text: '' }] });
  it.addLate({ name: 'draw', stand: 'side', opener: 'project', key: 'draw', needs: 'drawing' }, '<aside id="draw" hidden></aside>');
  assert.equal(opener.hidden, true);
  it.enter(drawing('presenters'));
  it.press('draw');
  await loaded();
  assert.equal(opener.hidden, true);
  assert.equal(document.querySelector('#draw'), null);
  it.enter(drawing('all'));
  assert.equal(opener.hidden, false);
  it.press('draw');
  await loaded();
  assert.equal(element('draw').hidden, false);
  it.enter(drawing('presenters'));
  assert.equal(opener.hidden, true);
  assert.equal(element('draw').hidden, true);
  it.become('presenter');
  assert.equal(opener.hidden, false);
  it.enter();
  assert.equal(opener.hidden, true, 'an older server has no drawing');
});

test('one dialog closes the other', async () => {
  it.addLate(HELP, '<dialog id="help"></dialog>');
  it.addLate({ name: 'invite', stand: 'dialog', key: 'invite' }, '<dialog id="invite"></dialog>');
  it.press('help');
  await loaded();
  it.press('invite');
  await loaded();
  assert.deepEqual([it.dock.isOpen('help'), it.dock.isOpen('invite')], [false, true]);
});

test('the page remembers whether a fold is open, also after a click on its title', () => {
  it.add(PEOPLE);
  const people = element('people') as HTMLDetailsElement;
  it.press('people');
  people.dispatchEvent(new it.page.Event('toggle'));
  assert.deepEqual([people.open, it.dock.isOpen('people'), it.done.includes('browser people true')], [true, true, true]);
  people.open = false; // like a click on its title
  people.dispatchEvent(new it.page.Event('toggle'));
  assert.deepEqual([it.dock.isOpen('people'), it.done.includes('browser people false')], [false, true]);
});

test('the chosen view is in the address, and its button is pressed', () => {
  it.add({ name: 'projector', stand: 'whole', opener: 'project', key: 'projector', kept: 'address' });
  it.press('projector');
  assert.deepEqual([it.dock.isOpen('projector'), it.done], [true, ['mounted', 'address projector true', 'projector opened']]);
  assert.equal(element('project').getAttribute('aria-pressed'), 'true');
});

test('a new part is inert if the page around it is', async () => {
  element('controls').inert = true;
  it.addLate(HELP, '<dialog id="help"></dialog>');
  it.dock.open('help');
  await loaded();
  assert.equal(element('help').inert, true);
});

test('a panel with its own key has a row in the help, and a button', () => {
  const text = { en: 'shows the clock', de: 'zeigt die Uhr', es: 'muestra el reloj', fr: 'montre l’heure', ja: '時計', ko: '시계' };
  it.add({ name: 'other', stand: 'side', key: { key: 'g', text } });
  assert.deepEqual(it.rows, [{ key: 'g', action: 'other', who: 'everyone', text }]);
  const button = find(document, '#controls button');
  assert.deepEqual([button.textContent, button.title], ['G', 'shows the clock']);
  button.click();
  assert.equal(it.dock.isOpen('other'), true);
});

test('no two panels have the same name, and only panels in the list can be opened', () => {
  it.add(PEOPLE);
  assert.throws(() => it.add(PEOPLE), /two panels/);
  assert.throws(() => it.dock.open('none'), /no panel/);
});

test('an element along the lower edge counts as covered while it is laid there', () => {
  const strip = element('other');
  Object.defineProperty(strip, 'offsetHeight', { value: 60 });
  it.dock.lay(strip, null);
  assert.equal(it.dock.covers().bottom, 60);
  it.done.length = 0;
  it.dock.lay(null, null);
  assert.equal(it.dock.covers().bottom, 0);
  assert.deepEqual(it.done, ['layout'], 'the flock takes the place');
});
