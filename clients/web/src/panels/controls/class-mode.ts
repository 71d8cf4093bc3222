// The class mode: one choice in the place of the controls `policy` and `cursors`, with the number of teams and the length of a turn
// beside the modes that have them.

import { RELAY, SCARE, TEAMS, classMode } from '../../flock/leads';
import type { Model } from '../../flock/model';
import { control } from '../../flock/room';
import { type Control, type Request, type Room, request } from '../../net/protocol';
import { type Language, texts } from '../../texts/texts';
import { make } from '../../app/dom';
import { type ChoiceView, createChoice } from './choices';
import { CLASS_TEXTS } from '../../texts/class-mode';

const CURSORS = 'cursors';
const TURN = 'turn';
/** The order of the choices; a mode that this page does not know comes last. */
const ORDER = ['mean', 'nearest', TEAMS, RELAY, SCARE, 'latest', 'presenter'];

/** The controls that the class mode stands for. */
export const OF_CLASS_MODE: readonly string[] = ['policy', CURSORS, TEAMS, TURN];

/** The changes of controls that lead from the room's mode to that one, in their order. */
export function stepsTo(mode: string, room: Room): [control: string, value: string][] {
  if (mode === SCARE) return [[CURSORS, SCARE]];
  if (classMode(room) !== SCARE) return [['policy', mode]];
  const calm: [string, string] = [CURSORS, 'lead'];
  return room.policy === mode ? [calm] : [calm, ['policy', mode]];
}

/** The control `policy` with all modes that the room has. */
export function modesOf(room: Room): Control | null {
  const policy = control(room, 'policy');
  if (policy === undefined) return null;
  const scare = control(room, CURSORS)?.choices.find(({ value }) => value === SCARE);
  const all = scare === undefined ? policy.choices : [...policy.choices, scare];
  const rank = ({ value }: { value: string }): number => (ORDER.includes(value) ? ORDER.indexOf(value) : ORDER.length);
  return { ...policy, choices: [...all].sort((a, b) => rank(a) - rank(b)), value: classMode(room) };
}

export interface ClassMode extends ChoiceView {
  /** Shows the room's mode. */
  update(): void;
}

/** choose: sets a control. demand: sends a request that belongs to no control. */
export function createClassMode(
  modes: Control,
  { room }: Pick<Model, 'room'>,
  choose: (name: string, value: string) => void,
  demand: (message: Request) => void,
): ClassMode {
  const t = CLASS_TEXTS[texts.language as Language];
  const steps = (mode: string): [control: string, value: string][] => {
    const here = room();
    return here === null ? [] : stepsTo(mode, here);
  };
  const view = createChoice(modes, (mode) => steps(mode).forEach((step) => choose(...step)), (mode) => t.modes[mode]);
  const skip = make('button', { type: 'button' }, t.skip);
  const teams = more(TEAMS, t.teams, (value) => value);
  const turn = more(TURN, t.turn, (value) => t.seconds(Number(value)));
  const beside = make('div', { class: 'beside', hidden: '' }, ...[teams, turn].flatMap((each) => each?.element ?? []), skip);
  view.element.append(beside);
  skip.addEventListener('click', () => demand(request.skip()));

  /** The choices of a control in a line of their own; null: the room does not have it. */
  function more(name: string, label: string, text: (value: string) => string): { element: HTMLElement; inputs: HTMLInputElement[] } | null {
    const here = room();
    const found = here === null ? undefined : control(here, name);
    if (found === undefined) return null;
    const inputs = found.choices.map(({ value }) => make('input', { type: 'radio', name: `control-${name}`, value, 'aria-label': text(value) }));
    const chips = found.choices.map(({ value }, index) => make('label', {}, inputs[index], make('span', {}, text(value))));
    const group = make('div', { class: 'chips', role: 'radiogroup', 'aria-label': label }, ...chips);
    group.addEventListener('change', ({ target }) => choose(name, (target as HTMLInputElement).value));
    return { element: make('div', { 'data-control': name }, make('span', { class: 'name' }, label), group), inputs };
  }

  function update(): void {
    const here = room();
    if (here === null) return;
    const mode = classMode(here);
    view.show(mode);
    for (const [name, each] of [[TEAMS, teams], [TURN, turn]] as const) {
      if (each === null) continue;
      each.element.hidden = mode !== (name === TURN ? RELAY : TEAMS);
      for (const input of each.inputs) input.checked = input.value === control(here, name)?.value;
    }
    skip.hidden = mode !== RELAY;
    beside.hidden = mode !== RELAY && mode !== TEAMS;
  }

  update();
  return { ...view, show: update, update };
}
