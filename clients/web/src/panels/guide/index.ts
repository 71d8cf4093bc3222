// Says how a cursor acts in this room now: in a hint until this person's cursor has moved, and always to screen readers.

import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { type Guidance, guidanceOf } from '../../flock/guidance';
import { texts } from '../../texts/texts';
import { byId, keepHeight, setText } from '../../app/dom';

type Steers = keyof typeof texts.hint;

const steers = (guidance: Guidance): guidance is Steers => Object.hasOwn(texts.hint, guidance);

export function mount({ model, ownCursor, dock, tools }: Context): Panel {
  const hint = byId('hint', HTMLElement);
  const mouse = byId('hint-mouse', HTMLElement);
  const finger = byId('hint-finger', HTMLElement);
  const stage = byId('stage', HTMLElement);
  let panelUsed = false;

  keepHeight(hint, '--hint'); // the news stands above it

  function guide(): void {
    const now = guidanceOf(model);
    if (now === null) return;
    const { stage: seen, stageSteers, [now]: text } = texts.guidance;
    stage.setAttribute('aria-label', steers(now) ? stageSteers(text) : seen(text));
    if (!steers(now)) return;
    setText(mouse, texts.hint[now].mouse);
    setText(finger, texts.hint[now].finger);
  }

  return {
    room: guide,
    role: guide,
    params: guide,
    leads: guide,
    figures() {
      const now = guidanceOf(model);
      const inSight = model.shown() !== null && model.status().kind === 'connected' && model.room()?.attention === null && !model.past().shown;
      panelUsed ||= dock.isOpen('controls') && document.activeElement?.closest('#panel') != null;
      const idle = tools.inHand().name === 'steer' && !ownCursor.used() && !panelUsed;
      hint.hidden = !(inSight && now !== null && steers(now) && idle);
    },
  };
}
