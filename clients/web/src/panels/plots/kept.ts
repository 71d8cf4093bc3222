// The choices in the plots that the browser remembers.

import { read, write } from '../../app/storage';
import { NAMES, type MeasureName } from './columns';

const KEY = 'flock.plots';
export const VIEWS = ['time', 'against', 'spread', 'sweep'] as const;
export type ViewName = (typeof VIEWS)[number];

export interface Choices {
  view: ViewName;
  measures: MeasureName[]; // at least one
  across: MeasureName;
  up: MeasureName;
  large: boolean;
}

const START: Choices = { view: 'time', measures: ['polarization', 'milling', 'radius', 'nearest'], across: 'polarization', up: 'milling', large: false };

const isName = (name: unknown): name is MeasureName => NAMES.some((each) => each === name);

/** Returns the choices in that text. A value that is none is as at first. */
export function choicesIn(text: string): Choices {
  let given: unknown = null;
  try {
    given = JSON.parse(text);
  } catch {
    return START;
  }
  if (typeof given !== 'object' || given === null) return START;
  const { view, measures, across, up, large } = given as Readonly<Record<keyof Choices, unknown>>;
  const known = Array.isArray(measures) ? NAMES.filter((name) => measures.includes(name)) : [];
  return {
    view: VIEWS.find((each) => each === view) ?? START.view,
    measures: known.length > 0 ? known : START.measures,
    across: isName(across) ? across : START.across,
    up: isName(up) ? up : START.up,
    large: large === true,
  };
}

export const loadChoices = (): Choices => choicesIn(read(() => localStorage, KEY));

/** Takes choices that the person makes in another page, and calls run() then. */
export function followChoices(choices: Choices, run: () => void): void {
  addEventListener('storage', ({ key }) => {
    if (key !== KEY) return;
    Object.assign(choices, loadChoices());
    run();
  });
}
export const keepChoices = (choices: Choices): void => write(() => localStorage, KEY, JSON.stringify(choices));
