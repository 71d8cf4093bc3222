// A link with a room's preset and settings. The start page of any flockd makes a room from it: docs/API.md has the fields. The server
// checks all values, so the page passes them on.

import type { Control, Room } from './protocol';

const PRESET = 'preset';
/** The fields of a new room that are words. Other names are parameters. */
const WORDS = [
  PRESET,
  'model',
  'boundary',
  'update',
  'policy',
  'teams',
  'turn',
  'cursors',
  'viewers',
  'drawing',
  'idle',
  'layers',
  'coloring',
  'run',
];
/** A preset says these. */
const OF_PRESET = ['model', 'boundary', 'update'];
/** Without a choice, the server or the preset has values of its own for these. */
const ALWAYS = ['policy', 'cursors', 'idle'];
const PASSING = ['run']; // a state of the room, and no setting
const ASIDE = ['lang', 'name']; // parameters of the page
const DIGITS = 7; // of a parameter, which is a 32-bit float

/** Returns the query of the link. boids: of the flock; 0: unknown. Walls that were drawn are left out. */
export function setupQuery({ controls, params, model, world }: Room, boids: number): string {
  const query = new URLSearchParams();
  const chosen = controls.find(({ name }) => name === PRESET);
  const known = chosen?.choices.find(({ value, saved }) => value === chosen.value && !saved);
  const differs = ({ name, value, choices }: Control): boolean =>
    OF_PRESET.includes(name) ? known === undefined : ALWAYS.includes(name) || value !== choices[0]?.value;
  if (known === undefined) query.set('model', model);
  else query.set(PRESET, known.value);
  for (const control of controls)
    if (control.name !== PRESET && WORDS.includes(control.name) && !PASSING.includes(control.name) && differs(control))
      query.set(control.name, control.value);
  if (known === undefined) query.set('world', world.join('x'));
  if (boids > 0) query.set('boids', String(boids));
  for (const { name, value, initial } of params)
    if (known === undefined || value !== initial) query.set(name, String(Number(value.toPrecision(DIGITS))));
  return String(query);
}

/** Returns a number, or null for a text that is none. */
function numberIn(text: string): number | null {
  const value = Number(text);
  return text.trim() === '' || !Number.isFinite(value) ? null : value;
}

/** Returns the names and values of the query that are for a new room. */
export const settingsIn = (query: URLSearchParams): [string, string][] => [...query].filter(([name]) => !ASIDE.includes(name));

/** Returns the fields of a new room that the query names; null: it names none. */
export function setupFields(query: URLSearchParams): Readonly<Record<string, unknown>> | null {
  const fields = new Map<string, unknown>();
  const parameters = new Map<string, number | null>();
  for (const [name, value] of settingsIn(query)) {
    if (WORDS.includes(name)) fields.set(name, value);
    else if (name === 'boids') fields.set(name, numberIn(value));
    else if (name === 'world') fields.set(name, value.split('x').map(numberIn));
    else parameters.set(name, numberIn(value));
  }
  if (parameters.size > 0) fields.set('parameters', Object.fromEntries(parameters));
  return fields.size > 0 ? Object.fromEntries(fields) : null;
}
