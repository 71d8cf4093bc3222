// The tools for the pointer. The tool in hand decides what a pointer on the flock does. Two fingers and the wheel always belong to
// the view.

import type { PointerKind } from './input';

/** Something that follows the pointer, such as the person's own cursor. */
export interface Follower {
  /** The pointer is at that point of the world. now: ms. */
  point(x: number, y: number, kind: PointerKind, now: number): void;
  /** The finger was lifted, or the pointer has left the window. */
  leave(): void;
  /** The view has moved below a resting pointer, which is over that point now. */
  drift(x: number, y: number): void;
  /** Its place now; null: it follows no pointer. */
  cursor(): { kind: PointerKind } | null;
}

export interface Tool {
  name: string;
  follows: Follower;
  /** A click, or a finger's tap, at that point of the window. Missing: two taps zoom. */
  click?(px: number, py: number): void;
  /** It was taken in hand, or put down. */
  held?(is: boolean): void;
}

export interface Tools {
  add(tool: Tool): void;
  /** The tool in hand. */
  inHand(): Tool;
  /** Takes the tool with that name in hand. */
  take(name: string): void;
  /** Puts the tool in hand down, or only a tool with that name. The first tool takes its place. Returns false if the first tool
   * already was in hand. */
  putDown(name?: string): boolean;
}

/** first: the tool that is in hand while no other is. */
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
