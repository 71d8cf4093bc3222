// The boids' colours: each has the colour of the person or team that leads it. While this person leads, boids of others are paler.
// Boids without a leader are grey.

import type { Context } from '../../app/context';
import { COLORS, type Color, OWN_COLORS, type Theme, type Tint } from '../../draw/scene';
import { createTerritory, onGround } from '../../draw/territory';
import { personThen } from '../../flock/cursors';
import { NEAREST, TEAMS, TEAM_COLORS, classMode } from '../../flock/leads';
import type { Leads } from '../../net/protocol';
import { mix } from '../../numbers';

/** The index of this person's colour, while the person leads boids. */
export const OWN = 1;
const PALE = 0.5; // of the way from a colour to the ground
const UNKNOWN = 0x93a3bd; // of a person who is not in the list
const FREE = 0xa8a8a8; // of boids without a leader
/** The teams' colours on a light ground. */
const TEAMS_ON_LIGHT = [0xb3140a, 0x1e5fd0, 0xc28c00, 0x007f78];

export function createColors({ model, dock }: Pick<Context, 'model' | 'dock'>): (theme: Theme) => Tint | null {
  const territory = createTerritory();
  let divided: Leads | null = null; // the leaders among whom the world is divided
  let drawn = ''; // the values for which `colors` is made
  let colors: readonly Color[] = [];
  let indexes = new Map<number, number>(); // of leaders, into `colors`

  const personal = (id: number): number => personThen(model, id)?.color ?? UNKNOWN;

  function ofTeams(theme: Theme): void {
    const ground = COLORS[theme];
    colors = [FREE, ...(ground.light ? TEAMS_ON_LIGHT : TEAM_COLORS)].map((color) => onGround(color, ground));
    indexes = new Map(colors.map((_, index) => [index, index]));
  }

  function ofPeople(theme: Theme, { leaders }: Leads, own: number): void {
    const ground = COLORS[theme];
    const { middle } = ground;
    const paler = (color: Color): Color => [mix(color[0], middle[0], PALE), mix(color[1], middle[1], PALE), mix(color[2], middle[2], PALE)];
    const known = new Map<number, number>(); // by colour
    const next: Color[] = [onGround(FREE, ground)];
    if (own > 0) next.push(onGround(personal(own), ground));
    indexes = new Map(own > 0 ? [[own, OWN]] : []);
    for (const { who } of leaders) {
      if (who === own) continue;
      const color = personal(who);
      const index = known.get(color) ?? Math.min(next.length, OWN_COLORS - 1);
      if (index === next.length) next.push(own === 0 ? onGround(color, ground) : paler(onGround(color, ground)));
      known.set(color, index);
      indexes.set(who, index);
    }
    colors = next;
  }

  return (theme) => {
    const [room, leads] = [model.room(), model.leads()];
    if (room === null || leads === null || leads.leaders.length === 0) return null;
    const mode = classMode(room);
    if (mode !== NEAREST && mode !== TEAMS) return null;
    const id = model.welcome()?.id ?? 0;
    const own = !dock.isOpen('projector') && leads.leaders.some(({ who }) => who === id) ? id : 0;
    const { middle, edge } = COLORS[theme];
    const next = [mode, theme, middle, edge, own, ...(mode === NEAREST ? leads.leaders.map(({ who }) => `${who} ${personal(who)}`) : [])].join();
    if (next !== drawn) {
      if (mode === TEAMS) ofTeams(theme);
      else ofPeople(theme, leads, own);
    }
    if (next !== drawn || divided !== leads) territory.divide(leads.leaders.map(({ who, x, y }) => ({ x, y, index: indexes.get(who) ?? 0 })), room, 0);
    drawn = next;
    divided = leads;
    return { colors, of: territory.of };
  };
}
