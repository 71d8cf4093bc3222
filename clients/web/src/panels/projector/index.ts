// The projector view, for a class: the flock, the address and code in a corner, and greetings for new people. The text grows with the
// window.

import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { LOBBY, spacedCode } from '../../net/codes';
import { texts } from '../../texts/texts';
import { byId, hex, make, setText } from '../../app/dom';
import { namesTexts } from './texts';

const SIZES = ['small', 'large', 'huge', 'none'] as const; // of the code
const NAMES = 'names'; // whether they are shown, as the browser remembers it
const AWAKE = 2500; // ms for which a move of the mouse shows the buttons
const GREETED = 6000; // ms for which a greeting is shown
const GREETINGS_MAX = 4; // shown at the same time

export { default as sheet } from './index.css';
export { default as html } from './index.html';

export function mount({ model, keys, dock, identity, load, settings, say }: Context): Panel {
  const root = document.documentElement;
  const card = byId('projector-card', HTMLButtonElement);
  const picture = byId('projector-qr', HTMLElement);
  const server = byId('projector-server', HTMLElement);
  const code = byId('projector-code', HTMLElement);
  const people = byId('projector-people', HTMLElement);
  const greetings = byId('greetings', HTMLElement);
  let size = 0;
  let nameless = settings.wasOpen(NAMES, 'browser') === false;
  let drawn = ''; // the room and the join key whose code is shown
  let known: Set<number> | null = null; // people seen before; null: none yet
  const greeted = new Map<number, HTMLElement>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const shown = (): boolean => dock.isOpen('projector');

  async function draw(): Promise<void> {
    const room = model.room();
    const join = identity.joinFragment();
    const next = `${room?.code}${join}`;
    if (!shown() || room === null || next === drawn) return;
    drawn = next;
    const { reach, drawCode, readable, roomBelow } = await load(() => import('../../app/code'));
    const { roots } = await reach();
    if (next !== drawn) return; // another call draws another code
    drawCode(picture, roomBelow(roots[0], room.code) + join);
    setText(server, readable(roots[0]));
    setText(code, room.code === LOBBY ? '' : spacedCode(room.code));
  }

  function resize(): void {
    size = (size + 1) % SIZES.length;
    card.dataset['size'] = SIZES[size];
  }

  function wake(): void {
    root.classList.add('awake');
    clearTimeout(timer);
    timer = setTimeout(() => root.classList.remove('awake'), AWAKE);
  }

  function greet(id: number, name: string, color: number): void {
    const [before, after] = texts.projector.greeting;
    const element = make('li', {}, before, make('bdi', {}, texts.news.person(name)), after);
    element.style.setProperty('--person', hex(color));
    greetings.append(element);
    greeted.set(id, element);
    setTimeout(() => {
      element.remove();
      greeted.delete(id);
    }, GREETED);
    while (greetings.children.length > GREETINGS_MAX) greetings.firstElementChild?.remove();
  }

  card.addEventListener('click', resize);
  addEventListener('pointermove', wake);
  addEventListener('pointerdown', wake);
  /** Hides people's names, or shows them: on cursors, in greetings and in the news. */
  function toggleNames(): void {
    nameless = !nameless;
    settings.keepOpen(NAMES, 'browser', !nameless);
    root.classList.toggle('nameless', nameless);
    say(nameless ? namesTexts().hidden : namesTexts().shown);
  }

  keys.on({ codeSize: () => shown() && resize(), names: () => shown() && toggleNames() });
  card.dataset['size'] = SIZES[size];

  return {
    opened(open) {
      root.classList.toggle('projector', open);
      root.classList.toggle('nameless', open && nameless);
      if (!open) greetings.replaceChildren();
      void draw();
    },
    room: () => void draw(),
    people() {
      const all = model.people.all();
      for (const { id, name, color } of all) {
        const element = greeted.get(id)?.querySelector('bdi');
        if (element != null) setText(element, texts.news.person(name)); // new people often change their names
        else if (shown() && known !== null && !known.has(id)) greet(id, name, color);
      }
      if (model.people.complete()) known = new Set(all.map(({ id }) => id));
    },
    status({ kind }) {
      if (kind !== 'connected') known = null;
    },
    figures() {
      const count = model.timeline()?.newest()?.people;
      if (shown() && count !== undefined) setText(people, texts.common.people(count));
      void draw(); // with a new join key
    },
  };
}
