// Shows everyone the boid that a presenter shows, and the rules of a parameter that changes. The drawing is loaded when it is needed.

import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { TOPIC_PUSHES, TOPIC_SHOWN } from '../../net/messages';
import type { Why } from '../../net/protocol';

export function mount({ model, source, layers, load }: Pick<Context, 'model' | 'source' | 'layers' | 'load'>): Panel {
  let wanted = false;

  const shown = (): Why | null => (model.why(true)?.boid == null ? null : model.why(true));

  /** Before the page is connected, a subscription would be lost. */
  function subscribe(): void {
    const has = model.welcome()?.capabilities.includes('topics') === true;
    if (model.status().kind === 'connected') source.subscribe(TOPIC_SHOWN | TOPIC_PUSHES, has);
  }

  function draw(): void {
    if (wanted || (shown() === null && !model.pushes()?.rules.length)) return;
    wanted = true;
    void load(() => import('../../draw/why')).then(({ whyLayer, pushesLayer }) => layers.add(whyLayer('shown', shown), pushesLayer(model.pushes)));
  }

  return { status: subscribe, room: subscribe, why: draw, pushes: draw };
}
