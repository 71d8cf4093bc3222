// The cursors over the flock. This person's cursor is at the pointer, without delay. The other people's cursors are interpolated, and
// have names and colours. Transforms move the elements, because they cost no layout.

import { type Camera, inside, toScreen } from '../../draw/camera';
import { byId, hex, setText } from '../../app/dom';
import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { takeShape } from '../../app/marks';
import { type Core, type Side, place } from '../../draw/labels';
import { ORDER } from '../../draw/layers';
import { centroidIn, radiusIn } from '../../draw/overlay';
import { clamp } from '../../numbers';
import type { Person } from '../../net/protocol';
import type { Scene } from '../../draw/scene';
import { othersCursors } from '../../flock/cursors';
import { colorOf } from '../../flock/leads';

interface Mark {
  element: HTMLElement;
  name: HTMLElement;
  person: Person | null; // null: just added
  at: [number, number]; // CSS pixels
  world: string; // its last position in the world
  moved: number; // when it moved, ms
  side: Side | null; // of its name; null: not shown
  seen: number; // the number of the last draw with this cursor
}

const INSET = 4; // CSS pixels: a cursor outside the window is shown at its edge, without a name
const CORE_MOST = 0.25; // of the window's shorter side
const UNDER_TOP = 120; // CSS pixels: parts at the window's top would cover the name above a finger that is as near to it
const NAMES_GAP = 150; // ms between two placements of the names

export function mount({ model, ownCursor, layers }: Pick<Context, 'model' | 'ownCursor' | 'layers'>): Panel {
  const template = byId('cursor-template', HTMLTemplateElement);
  const others = byId('cursors', HTMLElement);
  const own = byId('own', HTMLElement);
  const ownName = byId('own-name', HTMLElement);
  const marks = new Map<number, Mark>();
  let draws = 0;
  let labelled = -Infinity;

  /** The spotlight, or the one who leads alone. */
  const isMarked = (id: number | undefined): boolean => id !== undefined && [model.room()?.spotlight, model.leads()?.turn?.id].includes(id);

  function add(id: number): Mark {
    const element = (template.content.cloneNode(true) as DocumentFragment).firstElementChild as HTMLElement;
    const mark: Mark = {
      element,
      name: element.querySelector('bdi') as HTMLElement,
      person: null,
      at: [0, 0],
      world: '',
      moved: 0,
      side: null,
      seen: 0,
    };
    others.append(element);
    marks.set(id, mark);
    return mark;
  }

  function move(element: HTMLElement, camera: Camera, size: number, x: number, y: number): [number, number] {
    const [px, py] = toScreen(camera, x, y);
    const at: [number, number] = [clamp(px, INSET, camera.width - INSET), clamp(py, INSET, camera.height - INSET)];
    const transform = `translate(${at[0].toFixed(1)}px, ${at[1].toFixed(1)}px) scale(${size.toFixed(2)})`;
    if (element.style.transform !== transform) element.style.transform = transform;
    return at;
  }

  /** Returns the middle of the flock. Of a wide flock it is a part, so that names remain. */
  function core(scene: Scene): Core | null {
    const { camera } = scene;
    const at = centroidIn(scene);
    if (at === null) return null;
    const [x, y] = toScreen(camera, ...at);
    return { x, y, radius: Math.min(radiusIn(scene) * camera.scale, CORE_MOST * Math.min(camera.width, camera.height)) };
  }

  function drawNames(scene: Scene, size: number): void {
    const { camera: { width, height, scale }, room, now } = scene;
    if (room === null || now - labelled < NAMES_GAP) return;
    labelled = now;
    const cursors = [...marks].map(([id, { at: [x, y], moved, side, person }]) => {
      const first = isMarked(id) || person?.presenter;
      const outside = !inside(x, y, INSET + 1, INSET + 1, width - INSET - 1, height - INSET - 1);
      return { id, name: outside && !first ? '' : (person?.name ?? ''), x, y, moved, side, first };
    });
    const world = Math.min(width * height, room.world[0] * room.world[1] * scale * scale);
    const sides = place(cursors, width, height, size, world, core(scene));
    for (const [id, mark] of marks) {
      mark.side = sides.get(id) ?? null;
      const shown = mark.side ?? 'unnamed'; // a new cursor's name has no class
      if (mark.name.className !== shown) mark.name.className = shown;
    }
  }

  function drawOthers({ camera, moment, now }: Scene, size: number): void {
    draws++;
    for (const { person, at, newest } of moment === null ? [] : othersCursors(model, moment)) {
      const mark = marks.get(person.id) ?? add(person.id);
      mark.seen = draws;
      if (mark.person !== person) {
        mark.person = person;
        setText(mark.name, person.name);
        mark.name.hidden = person.name === '';
        mark.element.style.setProperty('--person', hex(colorOf(person)));
        takeShape(mark.element, person.id, person.team);
      }
      mark.element.classList.toggle('spot', isMarked(person.id));
      mark.at = move(mark.element, camera, size, at[0], at[1]);
      const world = newest.join();
      if (world !== mark.world) mark.moved = now;
      mark.world = world;
    }
    for (const [id, mark] of marks) {
      if (mark.seen === draws) continue;
      mark.element.remove();
      marks.delete(id);
    }
  }

  function drawOwn({ camera }: Scene, size: number): void {
    const at = ownCursor.steering.cursor();
    own.hidden = at === null;
    if (at === null) return;
    const steers = ownCursor.steers() ? ' steers' : '';
    const self = model.people.self();
    own.style.setProperty('--person', hex(self === null ? 0xffffff : colorOf(self)));
    setText(ownName, self?.name ?? '');
    const [x, y] = move(own, camera, size, at.x, at.y);
    own.className = `${at.kind}${steers}${isMarked(model.welcome()?.id) ? ' spot' : ''}${y < UNDER_TOP * size ? ' low' : ''}`;
    own.style.setProperty('--left', `${x / size}px`);
    own.style.setProperty('--right', `${(camera.width - x) / size}px`);
  }

  layers.add(
    { name: 'cursors', order: ORDER.cursors, move: drawOthers },
    { name: 'names', order: ORDER.names, move: drawNames },
    { name: 'own', order: ORDER.own, move: drawOwn },
  );
  return {};
}
