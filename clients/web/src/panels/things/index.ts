// Food and hunters over the flock.

import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { ORDER } from '../../draw/layers';
import { TOPIC_THINGS } from '../../net/messages';
import { createGlide } from './glide';
import { paintFood, paintHunters } from './paint';

const STEPS = 10; // of a world unit in which the layer sees a hunter move

export function mount({ model, source, layers }: Pick<Context, 'model' | 'source' | 'layers'>): Panel {
  const glide = createGlide();

  const subscribe = (): void => void source.subscribe(TOPIC_THINGS, model.welcome()?.capabilities.includes('topics') === true);

  layers.add({
    name: 'things',
    order: ORDER.things,
    shows({ room, now }) {
      const things = model.things();
      if (room === null || things === null || things.food.length + things.hunters.length === 0) return null;
      const hunters = glide.at(now).map(({ x, y, angle }) => [Math.round(STEPS * x), Math.round(STEPS * y), angle]);
      return [things.food.map(({ x, y, amount }) => [x, y, amount]), hunters];
    },
    paint(pen, { now }) {
      paintFood(pen, model.things()?.food ?? []);
      paintHunters(pen, glide.at(now));
    },
  });

  return {
    room: subscribe,
    status: subscribe,
    things(things) {
      const room = model.room();
      if (room !== null) glide.take(things, room, performance.now());
    },
  };
}
