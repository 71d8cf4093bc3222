// What a room is at the moment, in words, and what is new about it.

import type { Control, Room } from './protocol';

export interface News {
  title: string;
  text: string;
}

const PAUSE = 'run'; // the control that lets time pass; everyone sees what it says in another way

const control = (room: Room, name: string): Control | undefined => room.controls.find((each) => each.name === name);

export const paused = (room: Room): boolean => control(room, PAUSE)?.value === 'paused';

/** The preset, if one is in force, and the model. */
export function summary(room: Room): string {
  const preset = control(room, 'preset')?.value ?? '';
  return preset === '' ? room.model : `${preset} · ${room.model}`;
}

/** The first control, in the server's order, that has another value now. A preset changes several. */
export function news(before: Room, next: Room): News | null {
  for (const { name, value, choices } of next.controls) {
    const old = control(before, name);
    if (old === undefined || old.value === value || value === '' || name === PAUSE) continue;
    const text = choices.find((choice) => choice.value === value)?.text ?? '';
    return { title: `${spoken(name)}: ${value}`, text };
  }
  return null;
}

/** A name of the protocol for people. */
export const spoken = (name: string): string => name.replace(/[_-]+/g, ' ');
