// The class mode: how people share the flock, and who leads it.

import type { Leads, Person, Room, Welcome } from '../net/protocol';

export const SCARE = 'scare';
export const TEAMS = 'teams';
export const RELAY = 'relay';
export const NEAREST = 'nearest';

/** Of the teams' cursors, in the order of the teams: red, blue, yellow and green that differ for colour-blind people, too. */
export const TEAM_COLORS = [0xff5c45, 0x49a8ff, 0xffe04a, 0x52e0b0] as const;

/** A policy, or scare. */
export const classMode = ({ controls, policy }: Room): string =>
  controls.some(({ name, value }) => name === 'cursors' && value === SCARE) ? SCARE : policy;

/** Whether people or teams lead parts of the flock or take turns: the server says who in the topic leads. */
export const hasLeaders = (room: Room | null): boolean => room !== null && [NEAREST, TEAMS, RELAY].includes(classMode(room));

/** Whether the turn is this person's; null: no person leads alone. */
export function ownTurn({ leads, welcome }: { leads(): Leads | null; welcome(): Pick<Welcome, 'id'> | null }): boolean | null {
  const id = leads()?.turn?.id ?? 0;
  return id === 0 ? null : id === welcome()?.id;
}

/** The colour of a person's cursor. */
export const colorOf = ({ color, team }: Pick<Person, 'color' | 'team'>): number => TEAM_COLORS[team - 1] ?? color;
