// The tools for the pointer. The tool in hand decides what a pointer on the flock does. Two fingers and the wheel always move the
// view.

import type { PointerKind } from './input';

/** Something that follows the pointer, such as the person's own cursor. */
export interface Follower {
  /** Called when the pointer is at that point of the world. now: ms. */
  point(x: number, y: number, kind: PointerKind, now: number): void;
  /** Called when the finger was lifted or the pointer has left the window. */
  leave(): void;
  /** Called after the view has moved below a resting pointer, which is over that point now. */
  drift(x: number, y: number): void;
  /** Returns its present cursor, or null if it follows no pointer. */
  cursor(): { kind: PointerKind } | null;
}

export interface Drag {
  begin(px: number, py: number): void;
  end(px: number, py: number): void;
  /** Called instead of end() when a second finger came down or the browser took the pointer. */
  cancel(): void;
}

export interface Tool {
  name: string;
  follows: Follower;
  /** Called for a click or a finger's tap at that point of the window. Missing: two taps zoom. */
  click?(px: number, py: number): void;
  /** Called for a drag of the mouse, the pen or the first finger, instead of click(). Points are those of the window. */
  drag?: Drag;
  /** Called when the tool was taken in hand (true) or put down (false). */
  held?(is: boolean): void;
}

export interface Tools {
  add(tool: Tool): void;
  /** The tool in hand. */
  inHand(): Tool;
  /** Takes the tool with that name in hand, and puts the other one down. */
  take(name: string): void;
  /** Takes the first tool in hand again. name: only if the tool in hand has this name. Returns false if nothing changes. */
  putDown(name?: string): boolean;
}

/** first: the tool that is in hand at first and after putDown(). */
export function createTools(first: Tool): Tools {
  const tools = new Map([[first.name, first]]);
  let held = first;

  function take(name: string): void {
    const next = tools.get(name);
    if (next === undefined) throw new Error(`there is no tool ${name}`);
    if (next === held) return;
    const before = held;
    held = next;
    if (before.follows !== next.follows) before.follows.leave();
    before.held?.(false);
    next.held?.(true);
  }

  return {
    add(tool) {
      if (tools.has(tool.name)) throw new Error(`two tools are called ${tool.name}`);
      tools.set(tool.name, tool);
    },
    inHand: () => held,
    take,
    putDown(name = held.name) {
      if (held === first || held.name !== name) return false;
      take(first.name);
      return true;
    },
  };
}
