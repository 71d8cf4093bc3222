// The ground of the room's preset, loaded when a room has one.

import type { Camera } from '../draw/camera';
import type { Grounds } from '../draw/grounds';
import type { Backdrop, Theme } from '../draw/scene';
import type { Room } from '../net/protocol';
import type { Context } from './context';
import { byId, make } from './dom';

/** Returns a function that returns the ground to draw in a frame; null: none, or it is not loaded yet. */
export function createGround({ load, still }: Pick<Context, 'load' | 'still'>): (room: Room, camera: Camera, theme: Theme, now: number) => Backdrop | null {
  let grounds: Grounds | null = null;
  let loading = false;
  return (room, camera, theme, now) => {
    if (room.ground !== '' && !loading) {
      loading = true;
      const walls = make('canvas', { id: 'walls', class: 'above', 'aria-hidden': 'true' });
      byId('overlay', HTMLCanvasElement).before(walls);
      void load(() => import('../draw/grounds')).then(({ createGrounds }) => (grounds = createGrounds(walls)));
    }
    return grounds?.of(room, camera, theme, now, still()) ?? null;
  };
}
