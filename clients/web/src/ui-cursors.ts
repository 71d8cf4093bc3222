// The cursors over the flock: one's own (where the pointer is, at once), those of the others (interpolated, with name
// and colour), and the mark of the target. Elements are moved by transforms, which costs no layout.

import { type Camera, toScreen } from './camera';
import { byId, hex, setText } from './dom';
import type { PointerKind } from './input';
import { clamp } from './numbers';
import type { Person } from './protocol';
import { type Moment, pointAt } from './timeline';

export interface Cursor {
  id: number;
  name: string;
  x: number; // world units
  y: number;
}

export interface CursorsView {
  /** Draws the moment's cursors; returns those of the others. */
  draw(camera: Camera, moment: Moment | null, people: ReadonlyMap<number, Person>, self: number): Cursor[];
  /** steers: whether the server counts it. */
  own(camera: Camera, at: { x: number; y: number; kind: PointerKind } | null, color: number, steers: boolean): void;
  target(camera: Camera, at: [number, number] | null): void;
}

interface Mark {
  element: HTMLElement;
  name: HTMLElement;
  person: Person | undefined;
  transform: string;
  seen: number; // the draw in which it was last there
}

const INSET = 4; // CSS pixels: a cursor outside the window is shown at its edge
const NAMES_MAX = 32; // cursors; with more, names would only hide each other and the flock

export function createCursorsView(): CursorsView {
  const layer = byId('cursors', HTMLElement);
  const template = byId('cursor-template', HTMLTemplateElement);
  const own = byId('own', HTMLElement);
  const target = byId('target', HTMLElement);
  const marks = new Map<number, Mark>();
  let draws = 0;

  function add(id: number): Mark {
    const element = (template.content.cloneNode(true) as DocumentFragment).firstElementChild as HTMLElement;
    const mark: Mark = {
      element,
      name: element.querySelector('bdi') as HTMLElement,
      person: undefined,
      transform: '',
      seen: 0,
    };
    layer.append(element);
    marks.set(id, mark);
    return mark;
  }

  function move(element: HTMLElement, camera: Camera, x: number, y: number): string {
    const [px, py] = toScreen(camera, x, y);
    const transform = `translate(${clamp(px, INSET, camera.width - INSET).toFixed(1)}px, ${clamp(py, INSET, camera.height - INSET).toFixed(1)}px)`;
    if (element.style.transform !== transform) element.style.transform = transform;
    return transform;
  }

  return {
    draw(camera, moment, people, self) {
      draws++;
      const shown: Cursor[] = [];
      if (moment !== null) {
        for (const [id, later] of moment.b.cursors) {
          const at = id === self ? null : pointAt(moment.a.cursors.get(id) ?? null, later, moment.alpha);
          if (at === null) continue;
          const person = people.get(id);
          const mark = marks.get(id) ?? add(id);
          mark.seen = draws;
          if (mark.person !== person) {
            mark.person = person;
            setText(mark.name, person?.name ?? '');
            mark.name.hidden = person === undefined || person.name === '';
            mark.element.style.setProperty('--person', hex(person?.color ?? 0xa0b0c8));
          }
          move(mark.element, camera, at[0], at[1]);
          shown.push({ id, name: person?.name ?? '', x: at[0], y: at[1] });
        }
      }
      for (const [id, mark] of marks) {
        if (mark.seen === draws) continue;
        mark.element.remove();
        marks.delete(id);
      }
      layer.classList.toggle('crowded', shown.length > NAMES_MAX);
      return shown;
    },
    own(camera, at, color, steers) {
      own.hidden = at === null;
      if (at === null) return;
      own.className = steers ? `${at.kind} steers` : at.kind;
      own.style.setProperty('--person', hex(color));
      move(own, camera, at.x, at.y);
    },
    target(camera, at) {
      target.hidden = at === null;
      if (at !== null) move(target, camera, at[0], at[1]);
    },
  };
}
