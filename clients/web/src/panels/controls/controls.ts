// The controls, for presenters: built from the controls and parameters in the server's room message.

import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { type KeyRun, focusOf } from '../../app/keys';
import { type ChoiceView, createChoice } from './choices';
import { type ClassMode, OF_CLASS_MODE, createClassMode, modesOf } from './class-mode';
import { errorText } from '../../app/errors';
import { byId, make, setText } from '../../app/dom';
import { createOwnPresets } from './own-presets';
import { type Control, type Param, type Request, type Room, type ServerError, request } from '../../net/protocol';
import { pairOf, waysBack } from '../../flock/pairs';
import { OF_LOOKS, PRESET, control, paused } from '../../flock/room';
import { modelName, paramName } from '../../texts/names';
import { controlsTexts } from '../../texts/controls';
import { joined, number, texts } from '../../texts/texts';
import { tidy } from './scale';
import { type SliderView, createSlider } from './sliders';
import type { TimelineBar } from './timeline';
import { createTuning } from './tuning';

const RUN = 'run'; // the control that has its own buttons
const WORLD = 'of-world';
/** The part of the panel in which each control stands; other controls stand in the world's. */
const PARTS: Readonly<Record<string, string>> = {
  model: 'of-rules',
  ...Object.fromEntries([...OF_CLASS_MODE, 'viewers', 'drawing'].map((name) => [name, 'of-class'])),
  [PRESET]: 'of-presets',
  update: 'of-more',
  idle: 'of-more',
};
const ADD = 'add'; // the tool
const MARK_TIME = 700; // ms for which the place is marked where boids were added

export function createControls(context: Context, timeline: TimelineBar): Panel {
  const { model, ask, say, keys, dock, tools, ownCursor } = context;
  const t = controlsTexts();
  const panel = byId('panel', HTMLElement);
  const everything = byId('panel-all', HTMLFieldSetElement);
  const transport = byId('transport', HTMLFieldSetElement);
  const paramList = byId('panel-params', HTMLElement);
  const heading = byId('panel-model', HTMLElement);
  const initial = byId('panel-initial', HTMLButtonElement);
  const run = byId('run', HTMLButtonElement);
  const step = byId('step', HTMLButtonElement);
  const reset = byId('reset', HTMLButtonElement);
  const undo = byId('undo', HTMLButtonElement);
  const add = byId('add', HTMLButtonElement);
  const remove = byId('remove', HTMLButtonElement);
  const amounts = byId('amounts', HTMLElement);
  const size = byId('flock-size', HTMLElement);
  const full = byId('flock-full', HTMLElement);
  const slow = byId('flock-slow', HTMLElement);
  const unsaved = byId('unsaved', HTMLElement);
  const choices = new Map<string, ChoiceView>();
  const sliders = new Map<string, SliderView>();
  let classMode: ClassMode | null = null;
  let schema = ['', '']; // of the controls and of the parameters that are on the page
  let offered = 0; // boids for each click, by which the tool was last chosen

  const tuning = createTuning({
    params: () => room()?.params ?? [],
    send(name, value) {
      ask(request.param(name, value), (outcome) => {
        if (outcome.kind !== 'error' || !tuning.refused(name, value)) return;
        const contradicts = contradiction(name, value);
        const message = contradicts ?? errorText(outcome);
        const slider = sliders.get(name);
        const inPast = model.past().shown;
        const isSo = (): boolean => (contradicts === null ? model.past().shown === inPast : contradiction(name, value) === contradicts);
        if (isOpen() && slider !== undefined) slider.refuse(message, value, isSo);
        else say(message);
      });
    },
    show: (name, value) => sliders.get(name)?.show(value),
    now: () => performance.now(),
    later: (ms, then) => void setTimeout(then, ms),
  });

  const noPreset = make('p', { class: 'none' }, t.presets.none);
  const ownPresets = createOwnPresets(model, ask, (value) => choose(PRESET, value));

  const isOpen = (): boolean => dock.isOpen('controls');
  const adding = (): boolean => tools.inHand().name === ADD;
  const amount = (): number => Number(amounts.querySelector<HTMLInputElement>('input:checked')?.value ?? 1);
  const room = (): Room | null => model.room();
  const flock = (): number => model.timeline()?.newest()?.flock ?? 0;
  const places = (): number => Math.max(0, (room()?.boidsMax ?? 0) - flock());
  const isPaused = (): boolean => {
    const here = room();
    return here !== null && paused(here);
  };
  const runs = (): Control | undefined => room()?.controls.find(({ name }) => name === RUN);

  function useAdding(use: boolean): void {
    if (use) tools.take(ADD);
    else tools.putDown(ADD);
  }

  /** Where a click adds boids, as the preset has it, the tool for that is in hand. */
  function followClick(): void {
    const click = room()?.click ?? 0;
    if (click === offered) return;
    offered = click;
    const fitting = amounts.querySelector<HTMLInputElement>(`input[value="${click}"]`);
    if (fitting !== null) fitting.checked = true;
    useAdding(isOpen() && click > 0);
  }

  function choose(name: string, value: string): void {
    ask(request.set(name, value), (outcome) => {
      if (outcome.kind === 'done') return;
      const control = room()?.controls.find((each) => each.name === name);
      if (control !== undefined) choices.get(name)?.show(control.value);
      if (outcome.kind === 'error') refuse(choices.get(name), outcome);
    });
  }

  /** Says why at the control itself, if it can be seen. */
  function refuse(view: { refuse(message: string): void } | undefined, error: ServerError): void {
    if (isOpen() && view !== undefined) view.refuse(errorText(error));
    else say(errorText(error));
  }

  /** Asks for more boids, fewer or others. */
  function askBoids(message: Request): void {
    ask(message, (outcome) => {
      showBoids();
      if (outcome.kind === 'error') refuse({ refuse: (text) => showFull(text) }, outcome);
    });
  }

  function showFull(text: string): void {
    setText(full, text);
    full.hidden = false;
  }

  function buildControls(here: Room, controls: readonly Control[]): void {
    const modes = modesOf(here);
    classMode = modes && createClassMode(modes, model, choose, ask);
    choices.clear();
    for (const { name, ...rest } of controls) {
      if (name === RUN || OF_LOOKS.includes(name)) continue;
      const ofMode = OF_CLASS_MODE.includes(name) ? classMode : null;
      choices.set(name, ofMode ?? createChoice({ name, ...rest }, (value) => choose(name, value)));
    }
    for (const part of new Set([WORLD, ...Object.values(PARTS)])) {
      const standing = [...choices].filter(([name]) => (PARTS[name] ?? WORLD) === part).map(([, { element }]) => element);
      byId(part, HTMLElement).replaceChildren(...new Set(standing));
    }
    choices.get(PRESET)?.element.append(noPreset);
    choices.get(PRESET)?.element.after(ownPresets.element);
  }

  /** Returns why a value contradicts the other value of its pair; null: it does not. */
  function contradiction(name: string, value: number): string | null {
    const pair = pairOf(room()?.params ?? [], name);
    if (pair === null || (pair.least ? value <= pair.other.value : value >= pair.other.value)) return null;
    const say = pair.least ? t.panel.atMost : t.panel.atLeast;
    return say(paramName(name), paramName(pair.other.name), tidy(pair.other.value));
  }

  /** A refused value may be valid now. */
  const review = (): void => sliders.forEach((slider) => slider.review());

  function buildParams(params: readonly Param[]): void {
    sliders.clear();
    for (const param of params) sliders.set(param.name, createSlider(param, tuning));
    paramList.replaceChildren(...[...sliders.values()].map(({ element }) => element));
  }

  function showRun(): void {
    const still = isPaused();
    run.hidden = step.hidden = runs() === undefined;
    setText(run, still ? t.panel.run : t.panel.pause);
    run.classList.toggle('still', still);
    step.disabled = !still;
  }

  function showBoids(): void {
    const most = room()?.boidsMax ?? 0;
    setText(size, texts.common.boids(flock()));
    full.hidden = places() > 0;
    setText(full, t.panel.full(most));
    add.disabled = places() === 0;
    remove.disabled = flock() <= 1;
    if (add.disabled) useAdding(false);
  }

  function addBoids(x: number, y: number): number {
    const count = Math.min(amount(), places());
    if (count > 0) askBoids(request.add(x, y, count));
    return count;
  }

  /** Adds boids at that point of the window, and marks it. */
  function addAt(px: number, py: number): void {
    const count = addBoids(...context.toWorld(px, py));
    if (count === 0) return;
    const mark = make('div', { class: 'added', 'aria-hidden': 'true' }, `+${count}`);
    mark.style.translate = `${px}px ${py}px`;
    document.body.append(mark);
    setTimeout(() => mark.remove(), MARK_TIME);
  }

  /** Where the keyboard adds boids: at the cursor, or else in the world's middle. */
  function addHere(): void {
    const at = ownCursor.steering.cursor();
    const [width, height] = room()?.world ?? [0, 0];
    addBoids(at?.x ?? width / 2, at?.y ?? height / 2);
  }

  function togglePause(): void {
    if (runs() !== undefined) choose(RUN, isPaused() ? 'running' : 'paused');
  }

  function removeBoids(): void {
    if (flock() > 1) askBoids(request.remove(amount()));
  }

  function undoLast(): void {
    if (room()?.undo === true) askBoids(request.undo());
  }

  function stepOnce(): void {
    if (isPaused()) ask(request.step());
  }

  for (const input of amounts.querySelectorAll('input')) setText(input.nextElementSibling as HTMLElement, number(Number(input.value)));
  run.addEventListener('click', togglePause);
  step.addEventListener('click', stepOnce);
  reset.addEventListener('click', () => askBoids(request.reset()));
  undo.addEventListener('click', undoLast);
  add.addEventListener('click', () => useAdding(!adding()));
  remove.addEventListener('click', removeBoids);
  initial.addEventListener('click', () => {
    for (const { name, initial } of waysBack(room()?.params ?? [])) tuning.change(name, initial);
  });
  byId('panel-close', HTMLButtonElement).addEventListener('click', () => dock.toggle('controls'));
  // A clicked button does not keep the focus: the space bar pauses then, and the arrow keys steer.
  const leaveButton = ({ detail }: MouseEvent): void => {
    if (detail === 0) return; // by the keyboard
    setTimeout(() => document.activeElement?.closest('aside :is(button, [type=radio])')?.closest<HTMLElement>('aside')?.focus({ preventScroll: true }));
  };
  for (const part of [panel, transport]) part.addEventListener('click', leaveButton); // they may be apart

  /** Nothing can be changed without a connection. A field keeps the focus then: elsewhere, letters are keys of the page. */
  function enable(): void {
    const { activeElement } = document;
    const types = everything.contains(activeElement) && focusOf(activeElement) === 'text';
    transport.disabled = model.status().kind !== 'connected';
    everything.disabled = transport.disabled && !types;
  }
  panel.addEventListener('focusout', () => setTimeout(enable));

  /** A key of the controls: it works while they are open, and without them where nothing else is shown. `also`: a panel with which it
   * works, too. */
  const key =
    (run: () => unknown, also = 'projector'): KeyRun =>
    () =>
      (isOpen() || dock.isOpen('projector') || dock.isOpen(also) || model.past().shown) && !transport.disabled && run();

  /** While the room shows its past, a key moves in it. */
  const inPast =
    (past: () => void, present: () => void) =>
    (): void =>
      model.past().shown ? past() : present();

  keys.on({
    // The space bar on a button presses that one, and on a choice takes it.
    run: (press) =>
      !(press.target instanceof Element && press.target.closest('button, summary, [type=checkbox], [type=radio]') !== null) &&
      key(inPast(timeline.toggle, togglePause), 'why')(press),
    step: key(inPast(() => timeline.step(1), stepOnce), 'why'),
    rewind: key(timeline.enter, 'why'),
    add: key(() => add.click()),
    addHere: key(addHere),
    remove: key(removeBoids),
    undo: key(undoLast),
  });

  tools.add({
    name: ADD,
    follows: ownCursor.steering,
    click: addAt,
    held(is) {
      add.setAttribute('aria-pressed', String(is));
      document.documentElement.classList.toggle('adding', is);
    },
  });

  return {
    opened(open) {
      if (open) byId('panel-title', HTMLElement).after(transport);
      useAdding(open && (room()?.click ?? 0) > 0);
    },
    status({ kind }) {
      enable();
      if (kind === 'connected') return;
      useAdding(false);
      offered = 0; // the next welcome offers the tool again
    },
    room(room) {
      const everywhere = room.controls.map((control) => ({ ...control, choices: control.choices.filter(({ saved }) => !saved) }));
      const presets = control(room, PRESET);
      const next = [
        JSON.stringify(everywhere.map(({ name, choices, text }) => [name, choices, text])),
        JSON.stringify([room.model, room.params.map((param) => ({ ...param, value: 0 }))]),
      ];
      if (next[0] !== schema[0]) buildControls(room, everywhere);
      classMode?.update();
      if (presets !== undefined) ownPresets.show(presets);
      noPreset.hidden = presets?.value !== '';
      if (next[1] !== schema[1]) buildParams(room.params);
      schema = next;
      setText(heading, t.panel.rulesOf(modelName(room.model)));
      for (const { name, value } of room.controls) choices.get(name)?.show(value);
      tuning.update();
      review();
      followClick();
      undo.disabled = !room.undo;
      setText(unsaved, joined(texts.news.unsaved, texts.news.unsavedMore));
      unsaved.hidden = !room.storeFailing;
      showRun();
      showBoids();
    },
    params() {
      tuning.update();
      review();
    },
    past({ shown }) {
      review();
      if (!shown) for (const view of [...choices.values(), ownPresets]) view.correct(); // hides the refusals of the past
    },
    figures(now) {
      if (size.textContent !== texts.common.boids(flock())) showBoids();
      const dropped = model.slow(now);
      slow.hidden = dropped === null;
      if (dropped !== null) setText(slow, (dropped.own ? t.panel.slow : t.panel.slowServer)(Math.round(dropped.percent)));
    },
  };
}