// The presenter's panel: everything that the room lets one change, built from what the server says that there is.

import { type ChoiceView, createChoice } from './choices';
import { byId, plural, setText } from './dom';
import { writing } from './input';
import {
  type Control,
  type Param,
  type Room,
  type ServerError,
  encodeAdd,
  encodeParam,
  encodeRemove,
  encodeReset,
  encodeSet,
  encodeStep,
} from './protocol';
import { BOIDS, culprit } from './refusals';
import { paused, spoken } from './room-news';
import { type SliderView, createSlider } from './sliders';
import { createTuning } from './tuning';

export interface PanelOptions {
  send(message: Uint8Array<ArrayBuffer>): void;
  /** The panel covers another part of the window now. */
  onLayout(): void;
  /** The point of the world where the keyboard adds boids. */
  cursor(): [number, number];
  open: boolean; // as it was left
  onToggle(open: boolean): void;
}

export interface Panel {
  /** Whether this person may change the room. */
  offer(presenter: boolean): void;
  connected(is: boolean): void;
  room(room: Room): void;
  /** The parameters' values of the room have changed. */
  values(params: readonly Param[]): void;
  boids(count: number): void;
  /** Shows the error at the control that it is about; false when it is about none. */
  refuse(error: ServerError): boolean;
  /** Adds boids at that point of the world, if the tool for it is at hand; returns how many. */
  addAt(x: number, y: number): number;
  /** CSS pixels of the window that the panel covers. */
  covers(): { right: number; bottom: number };
}

const RUN = 'run'; // the control that has its own buttons

export function createPanel(options: PanelOptions): Panel {
  const root = document.documentElement;
  const panel = byId('panel', HTMLElement);
  const opener = byId('panel-open', HTMLButtonElement);
  const everything = byId('panel-all', HTMLFieldSetElement);
  const transport = byId('transport', HTMLFieldSetElement);
  const controlList = byId('panel-controls', HTMLElement);
  const paramList = byId('panel-params', HTMLElement);
  const model = byId('panel-model', HTMLElement);
  const initial = byId('panel-initial', HTMLButtonElement);
  const run = byId('run', HTMLButtonElement);
  const step = byId('step', HTMLButtonElement);
  const reset = byId('reset', HTMLButtonElement);
  const add = byId('add', HTMLButtonElement);
  const remove = byId('remove', HTMLButtonElement);
  const amounts = byId('amounts', HTMLElement);
  const size = byId('flock-size', HTMLElement);
  const full = byId('flock-full', HTMLElement);
  const choices = new Map<string, ChoiceView>();
  const sliders = new Map<string, SliderView>();
  let offered = false;
  let wanted = options.open;
  let adding = false;
  let current: Room | null = null;
  let schema = ['', '']; // of the controls and of the parameters that are on the page
  let flock = 0; // boids
  let last: string | null = null; // the control or parameter that was last sent

  const tuning = createTuning({
    send(name, value) {
      last = name;
      options.send(encodeParam(name, value));
    },
    show: (name, value) => sliders.get(name)?.show(value),
    now: () => performance.now(),
    later: (ms, then) => void setTimeout(then, ms),
  });

  const isOpen = (): boolean => !panel.hidden;
  const amount = (): number => Number(amounts.querySelector<HTMLInputElement>('input:checked')?.value ?? 1);
  const places = (): number => (current === null ? 0 : Math.max(0, current.boidsMax - flock));
  const runs = (): Control | undefined => current?.controls.find(({ name }) => name === RUN);

  function layOut(): void {
    panel.hidden = !(offered && wanted);
    opener.hidden = !offered;
    opener.setAttribute('aria-expanded', String(isOpen()));
    if (!isOpen()) useAdding(false);
    const { right, bottom } = covers();
    root.style.setProperty('--covered-right', `${right}px`);
    root.style.setProperty('--covered-bottom', `${bottom}px`);
    options.onLayout();
  }

  function covers(): { right: number; bottom: number } {
    if (!isOpen()) return { right: 0, bottom: 0 };
    const { offsetWidth: width, offsetHeight: height } = panel; // where it will be, when it has come in
    return width > 0.6 * innerWidth ? { right: 0, bottom: height } : { right: width, bottom: 0 };
  }

  function toggle(open = !isOpen()): void {
    if (!offered || open === isOpen()) return;
    const focused = panel.contains(document.activeElement);
    wanted = open;
    options.onToggle(open);
    layOut();
    if (open) panel.focus({ preventScroll: true });
    else if (focused) opener.focus();
  }

  function useAdding(use: boolean): void {
    adding = use;
    add.setAttribute('aria-pressed', String(use));
    root.classList.toggle('adding', use);
  }

  function choose(name: string, value: string): void {
    last = name;
    options.send(encodeSet(name, value));
  }

  function buildControls(controls: readonly Control[]): void {
    choices.clear();
    for (const control of controls) {
      if (control.name === RUN) continue;
      const view = createChoice(control, (value) => choose(control.name, value));
      choices.set(control.name, view);
    }
    controlList.replaceChildren(...[...choices.values()].map(({ element }) => element));
  }

  function buildParams(params: readonly Param[]): void {
    sliders.clear();
    for (const param of params) sliders.set(param.name, createSlider(param, tuning));
    paramList.replaceChildren(...[...sliders.values()].map(({ element }) => element));
  }

  function showRun(): void {
    const still = current !== null && paused(current);
    run.hidden = step.hidden = runs() === undefined;
    setText(run, still ? 'Run' : 'Pause');
    run.classList.toggle('still', still);
    step.disabled = !still;
  }

  function showBoids(): void {
    const most = current?.boidsMax ?? 0;
    setText(size, plural(flock, 'boid', 'boids'));
    full.hidden = places() > 0;
    setText(full, `The room is full: ${plural(most, 'boid', 'boids')} at most.`);
    add.disabled = places() === 0;
    remove.disabled = flock <= 1;
    if (add.disabled) useAdding(false);
  }

  function addBoids(x: number, y: number): number {
    const count = Math.min(amount(), places());
    if (count > 0) options.send(encodeAdd(x, y, count));
    return count;
  }

  function togglePause(): void {
    if (current !== null && runs() !== undefined) choose(RUN, paused(current) ? 'running' : 'paused');
  }

  function removeBoids(): void {
    if (flock > 1) options.send(encodeRemove(amount()));
  }

  function stepOnce(): void {
    if (current !== null && paused(current)) options.send(encodeStep());
  }

  run.addEventListener('click', togglePause);
  step.addEventListener('click', stepOnce);
  reset.addEventListener('click', () => options.send(encodeReset()));
  add.addEventListener('click', () => useAdding(!adding));
  remove.addEventListener('click', removeBoids);
  initial.addEventListener('click', () => {
    for (const { name, initial, value } of current?.params ?? []) if (value !== initial) tuning.change(name, initial);
  });
  opener.addEventListener('click', () => toggle());
  byId('panel-close', HTMLButtonElement).addEventListener('click', () => toggle(false));
  addEventListener('resize', layOut);
  // What was clicked does not keep the focus: the space bar pauses then, and the arrow keys steer.
  panel.addEventListener('click', ({ detail }) => {
    if (detail === 0) return; // by the keyboard
    setTimeout(() => {
      const { activeElement } = document;
      if (panel.contains(activeElement) && activeElement?.matches('button, [type=radio]') === true)
        panel.focus({ preventScroll: true });
    });
  });

  const keys: Record<string, () => unknown> = {
    ' ': togglePause,
    '.': stepOnce,
    b: () => add.click(),
    '+': () => addBoids(...options.cursor()),
    '-': removeBoids,
  };
  addEventListener('keydown', (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || !offered || writing(target)) return;
    if (key.toLowerCase() === 'p') {
      if (!event.repeat) toggle();
    } else if (key === 'Escape' && isOpen() && (adding || panel.contains(target as Node))) {
      if (adding) useAdding(false);
      else toggle(false);
    } else if (isOpen() && !everything.disabled && Object.hasOwn(keys, key.toLowerCase())) {
      // The space bar on a button presses that one.
      const pressed = target instanceof Element && target.closest('button, summary, [type=checkbox]') !== null;
      if (key === ' ' && pressed) return;
      if (!event.repeat || '.+-'.includes(key)) keys[key.toLowerCase()]?.();
    } else {
      return;
    }
    event.preventDefault();
  });

  return {
    offer(presenter) {
      offered = presenter;
      layOut();
    },
    connected(is) {
      transport.disabled = everything.disabled = !is;
      if (!is) useAdding(false);
    },
    room(room) {
      current = room;
      const next = [
        JSON.stringify(room.controls.map(({ name, choices, text }) => [name, choices, text])),
        JSON.stringify([room.model, room.params.map((param) => ({ ...param, value: 0 }))]),
      ];
      if (next[0] !== schema[0]) buildControls(room.controls);
      if (next[1] !== schema[1]) buildParams(room.params);
      schema = next;
      setText(model, spoken(room.model));
      for (const { name, value } of room.controls) choices.get(name)?.show(value);
      tuning.server(room.params);
      showRun();
      showBoids();
    },
    values: tuning.server,
    boids(count) {
      if (count === flock) return;
      flock = count;
      showBoids();
    },
    refuse(error) {
      const name = isOpen() ? culprit(error, [...choices.keys(), ...sliders.keys()], last) : null;
      if (name === null) return false;
      if (name === BOIDS) {
        setText(full, error.message);
        full.hidden = false;
        return true;
      }
      tuning.refused(name);
      const control = current?.controls.find((each) => each.name === name);
      if (control !== undefined) choices.get(name)?.show(control.value);
      (choices.get(name) ?? sliders.get(name))?.refuse(error.message);
      return true;
    },
    addAt: (x, y) => (adding ? addBoids(x, y) : 0),
    covers,
  };
}