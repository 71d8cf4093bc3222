// A view is a part of the page that is called after changes of the model, and may draw in each frame.

import type { Scene } from '../draw/scene';
import type { Subscriber } from '../flock/model';

export interface View extends Subscriber {
  /** Called once for each frame of the screen. */
  frame?(scene: Scene): void;
  /** Called every 400 ms, for figures that people read. now: ms of the page's clock. */
  figures?(now: number): void;
}
