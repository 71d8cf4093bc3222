// What the presenter's controls need of the page.

import type { Keys } from '../../app/keys';
import type { View } from '../../app/view';
import type { Model } from '../../flock/model';
import type { Ask } from '../../net/requests';

export interface ControlsOptions {
  model: Model;
  keys: Keys;
  ask: Ask;
  key(): string; // the room's presenter key; empty: it is not known here
  /** A request was refused, or the controls cannot be loaded, and there is no better position to say so. */
  onRefused(message: string): void;
  /** The controls cover another part of the window now. */
  onLayout(): void;
  canvas: HTMLElement;
  /** The point of the world at that point of the window. */
  toWorld(px: number, py: number): [number, number];
  /** The point of the world where the keyboard adds boids. */
  cursor(): [number, number];
  open: boolean; // as the person left them
  onToggle(open: boolean): void;
  /** Whether their keys work while they are closed. */
  keysAlone(): boolean;
  /** Views that were loaded: they are to hear of the model from now on. */
  onLoaded(views: readonly View[]): void;
}
