// Explains one boid: a bar and a figure for each rule, a sentence in words, and its neighbours. While it is open, the tool `inspect` is
// in hand: a click or a tap picks a boid. The arrows are in draw/why.ts.

import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { byId, make, setText } from '../../app/dom';
import { toScreen } from '../../draw/camera';
import { pickBoid } from '../../draw/pick';
import type { Scene, Theme } from '../../draw/scene';
import { colorInPanel, placeOf, pushName, whyLayer } from '../../draw/why';
import { changeOf, longestOf, sentenceOf } from '../../flock/why';
import { TOPIC_WHY } from '../../net/messages';
import { type Near, type Push, type Why, request } from '../../net/protocol';
import { number, type Language, texts } from '../../texts/texts';
import { WHY_TEXTS } from '../../texts/why';
import { clamp } from '../../numbers';

export { default as sheet } from './index.css';
export { default as html } from './index.html';

const TOOL = 'inspect';
const SUM = '+'; // the row of the sum
const REACH = 60; // CSS pixels: a click farther from any boid picks none
const READ_TIME = 800; // ms for which a sentence stays at least, while the flock runs
const SPOKEN_GAP = 2000; // ms between two announcements
const FOLLOWING = 180; // ms: the camera's time constant
const SEEN = 1.6; // radii of the view that fit into the window's shorter side when the camera begins to follow

interface Row {
  item: HTMLElement;
  arrow: HTMLElement;
  figure: HTMLElement;
  bar: HTMLElement;
}

type Parts = Pick<Context, 'model' | 'source' | 'ask' | 'dock' | 'tools' | 'held' | 'layers' | 'viewport' | 'ownCursor'>;

export function mount({ model, source, ask, dock, tools, held, layers, viewport, ownCursor }: Parts): Panel {
  const t = WHY_TEXTS[texts.language as Language];
  const panel = byId('why', HTMLElement);
  const sentence = byId('why-text', HTMLElement);
  const spoken = byId('why-spoken', HTMLElement);
  const list = byId('why-pushes', HTMLElement);
  const field = byId('why-number', HTMLInputElement);
  const follow = byId('why-follow', HTMLInputElement);
  const lead = byId('why-lead', HTMLElement);
  const showing = byId('why-show', HTMLInputElement);
  const count = byId('why-count', HTMLElement);
  const near = byId('why-near', HTMLElement);
  const rows = new Map<string, Row>();
  let pick: number | null = null;
  let automatic = false; // the page has picked the boid, so a presenter's one replaces it
  let refused = ''; // why the server has refused or ended the pick
  let waiting = 0; // picks without an answer
  let joined = model.welcome(); // the welcome after which the server knows the pick
  let listed = ''; // the neighbours that the list has
  let read = { text: '', at: -Infinity };
  let spokenAt = -Infinity;
  let following = false;
  let theme: Theme = 'dark';

  for (const [id, text] of Object.entries({
    ...{ title: t.title, about: t.about, boid: t.boid, 'near-title': t.nearest, zones: t.zones, unit: t.unit },
  }))
    setText(byId(`why-${id}`, HTMLElement), text);
  setText(follow.nextElementSibling as HTMLElement, t.follow);
  setText(showing.nextElementSibling as HTMLElement, t.show);

  const isOpen = (): boolean => dock.isOpen('why');
  const shown = (): Why | null => (model.why(true)?.boid == null ? null : model.why(true));
  const own = (): Why | null => (pick !== null && model.why(false)?.boid === pick ? model.why(false) : null);
  /** The explanation in the panel: of this person's boid, else of the one that a presenter shows. */
  const current = (): Why | null => (pick === null ? shown() : own());

  function choose(boid: number): void {
    pick = boid;
    automatic = false;
    refused = '';
    read.at = -Infinity; // another boid is said at once
    field.value = String(boid);
    waiting += 1;
    ask(request.pick(boid, showing.checked && model.role() === 'presenter'), (outcome) => {
      waiting -= 1;
      if (outcome.kind !== 'error' || waiting > 0 || pick === null) return;
      refused = outcome.code === 'full' ? t.full : t.gone;
      update();
    });
    update();
  }

  /** Returns the middle of the part of the window that no panel covers. */
  function middle(): [number, number] {
    const { right, bottom } = dock.covers();
    return [(innerWidth - right) / 2, (innerHeight - bottom) / 2];
  }

  function chooseAt(px: number, py: number, reach: number): void {
    const boid = pickBoid(model.shown(), viewport.camera(), px, py, reach);
    if (boid !== null) choose(boid);
  }

  function begin(): void {
    source.subscribe(TOPIC_WHY, true);
    tools.take(TOOL);
    if (held.boid !== null) choose(held.boid);
    else if (shown() === null) chooseAt(...middle(), Infinity);
    automatic = held.boid === null;
    held.boid = null;
    if (document.activeElement?.closest('input, textarea, dialog') == null) panel.focus({ preventScroll: true });
    update();
  }

  function unpick(): void {
    if (pick !== null) ask(request.unpick());
    pick = null;
  }

  /** The server has ended a pick. While a pick has no answer, that was an earlier one. */
  function takeEnd(): void {
    if (pick === null || waiting > 0) return;
    pick = null;
    refused = t.ended;
    listed = '';
    list.replaceChildren();
    near.replaceChildren();
    setText(count, '');
  }

  function end(): void {
    unpick();
    source.subscribe(TOPIC_WHY, false);
    tools.putDown(TOOL);
    leaveBoid();
  }

  // ---- what is said ----

  function rowOf(name: string): Row {
    const known = rows.get(name);
    if (known !== undefined) return known;
    const arrow = make('span', {});
    arrow.append(byId('why-arrow', HTMLTemplateElement).content.cloneNode(true));
    const row = { arrow, figure: make('b', {}), bar: make('i', {}), item: make('li', name === SUM ? { class: 'sum' } : {}) };
    row.item.append(row.arrow, make('span', {}, name === SUM ? t.change : pushName(name)), row.figure, row.bar);
    rows.set(name, row);
    return row;
  }

  function showPush(name: string, { x, y }: Pick<Push, 'x' | 'y'>, most: number): HTMLElement {
    const { item, arrow, figure, bar } = rowOf(name);
    const length = Math.hypot(x, y);
    arrow.style.visibility = length > 0 ? 'visible' : 'hidden';
    arrow.style.transform = `rotate(${((Math.atan2(y, x) * 180) / Math.PI).toFixed(0)}deg)`;
    arrow.style.color = bar.style.background = name === SUM ? 'var(--ink)' : colorInPanel(name, theme);
    bar.style.transform = `scaleX(${(most > 0 ? length / most : 0).toFixed(3)})`;
    setText(figure, number(length, 3));
    return item;
  }

  function showPushes(why: Why): void {
    const { pushes, motion } = why;
    const most = longestOf(why);
    const items = motion === null ? [] : pushes.map((push) => showPush(push.name, push, most));
    if (motion !== null) items.push(showPush(SUM, changeOf(motion), most));
    if (items.length !== list.children.length || items.some((item, index) => list.children[index] !== item)) list.replaceChildren(...items);
  }

  function showNear(why: Why): void {
    setText(count, why.motion === null ? '' : t.neighbours(why.seen, why.crowding));
    const next = why.near.map(({ number: each, close }) => `${each}${close ? '!' : ''}`).join();
    if (next === listed || near.contains(document.activeElement)) return; // a button keeps the focus
    listed = next;
    near.replaceChildren(...why.near.map((each, index) => make('li', {}, nearButton(each, index + 1))));
  }

  function nearButton({ number: boid, x, y, close }: Near, place: number): HTMLElement {
    const text = t.pick(place, boid, number(Math.hypot(x, y)));
    const button = make('button', { type: 'button', title: text, 'aria-label': text, ...(close && { class: 'close-by' }) }, String(place));
    button.addEventListener('click', ({ detail }) => {
      listed = '';
      choose(boid);
      button.blur();
      (detail === 0 ? field : panel).focus({ preventScroll: true }); // by the keyboard; a field would open that of a phone
    });
    return button;
  }

  function textOf(why: Why | null): string {
    if (refused !== '' && (why === null || pick !== null)) return refused;
    if (why === null) return pick === null ? t.about : '';
    if (why.motion === null) return t.gone;
    const cursors = (model.shown()?.moment.b.cursors.size ?? 0) > 0;
    const told = sentenceOf(why, { model: model.room()?.model ?? '', cursors });
    const name = model.people.all().find(({ id }) => id === why.by)?.name;
    return why.shown && name !== undefined ? `${t.shownBy(name)} ${told}` : told;
  }

  /** Shows a sentence for a while, so that people can read it, and announces it seldom. */
  function say(text: string): void {
    const now = performance.now();
    if (text !== read.text && now - read.at >= READ_TIME) {
      read = { text, at: text === '' ? -Infinity : now }; // an empty text takes no time to read
      setText(sentence, text);
    }
    if (read.text !== '' && now - spokenAt >= SPOKEN_GAP && spoken.textContent !== read.text) {
      spokenAt = now;
      setText(spoken, read.text);
    }
  }

  function update(): void {
    if (!isOpen()) return;
    if (automatic && shown() !== null && model.why(true)?.by !== model.welcome()?.id) unpick();
    const why = current();
    say(textOf(why));
    lead.hidden = model.role() !== 'presenter';
    lead.prepend(...document.querySelectorAll('#panel #transport')); // a presenter steps, and sees the arrows change
    if (why === null) return;
    if (document.activeElement !== field && why.boid !== null) field.value = String(why.boid);
    showPushes(why);
    showNear(why);
  }

  // ---- the camera ----

  function leaveBoid(): void {
    if (!following) return;
    following = follow.checked = false;
    if (viewport.mode() === 'free') viewport.back();
  }

  /** Comes so near that the window shows what the boid sees. */
  function approach({ zones }: Why, [x, y]: [number, number]): void {
    const { scale } = viewport.camera();
    const side = Math.min(...middle()) * 2;
    const wanted = side / (2 * SEEN * Math.max(zones.view, zones.close, 10));
    viewport.zoom(Math.max(1, wanted / scale), x, y);
    following = true;
  }

  function followBoid(scene: Scene): void {
    const why = current();
    const at = why && placeOf(why, scene);
    if (why === null || at === null) return;
    if (following && viewport.mode() !== 'free') return leaveBoid(); // the person wants the whole flock
    if (!following) approach(why, toScreen(viewport.camera(), ...at));
    const [x, y] = toScreen(viewport.camera(), ...at);
    const [cx, cy] = middle();
    const part = 1 - Math.exp(-clamp(scene.passed, 0, 1000) / FOLLOWING);
    viewport.zoom(1, x, y, (cx - x) * part, (cy - y) * part);
  }

  field.addEventListener('change', () => field.value !== '' && choose(clamp(Math.round(Number(field.value)), 0, 0xffffffff)));
  follow.addEventListener('change', () => {
    if (!follow.checked) leaveBoid();
  });
  showing.addEventListener('change', () => pick !== null && choose(pick));
  byId('why-close', HTMLButtonElement).addEventListener('click', () => dock.toggle('why'));
  tools.add({
    name: TOOL,
    follows: ownCursor.steering,
    click: (px, py) => chooseAt(px, py, REACH),
    // Escape puts the tool down, and another tool leaves the panel open.
    held: (is) => !is && isOpen() && tools.inHand().name === 'steer' && dock.close('why'),
  });
  layers.add(whyLayer('why', () => (isOpen() && own()?.boid !== shown()?.boid ? own() : null)));

  return {
    opened: (open) => (open ? begin() : end()),
    room() {
      const welcome = model.welcome();
      if (welcome === joined) return;
      joined = welcome;
      if (isOpen() && pick !== null) choose(pick);
    },
    role: update,
    why(why) {
      if (why.boid === null && !why.shown) takeEnd();
      update();
    },
    frame(scene) {
      theme = scene.theme;
      if (isOpen() && follow.checked) followBoid(scene);
    },
    figures: () => isOpen() && say(textOf(current())),
  };
}
