// A part of the page: it hears what has changed in the model, and may draw in each frame.

import type { Scene } from '../draw/scene';
import type { Subscriber } from '../flock/model';

export interface View extends Subscriber {
  /** Something is drawn: once for each frame of the screen. */
  frame?(scene: Scene): void;
  /** A few times a second: for what is read and not watched. now: ms of the page's clock. */
  figures?(now: number): void;
}
