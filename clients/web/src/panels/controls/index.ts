// The presenters' part of the page, loaded when a person becomes a presenter: the panel with the controls and the room's settings, and
// the timeline.

import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { byId } from '../../app/dom';
import { ROOT } from '../../net/codes';
import { createRoomsApi } from '../../net/rooms-api';
import { createAdmission } from './admission';
import { createAttentionForm } from './attention';
import { createControls } from './controls';
import { createOffer } from './offer';
import { createParts } from './parts';
import { createRecording } from './recording';
import { createRoomPanel } from './room';
import { createTimelineBar } from './timeline';
import { createTogether } from './together';

export { default as sheet } from './index.css';
export { default as html } from './index.html';
export { controlsTexts as texts } from '../../texts/controls';

export function mount(context: Context): Panel {
  const { model, identity, show } = context;
  const api = createRoomsApi((url, init) => fetch(url, init), ROOT);
  const admission = createAdmission(context, api);
  byId('panel-room', HTMLElement).append(admission.element);
  show(admission);
  const timeline = createTimelineBar(context);
  show(timeline);
  for (const create of [createAttentionForm, createRoomPanel, createOffer]) show(create(context));
  createParts(context);
  const { key } = identity.presenter;
  const together = createTogether(context);
  show(together);
  byId('panel-recording', HTMLElement).append(createRecording({ model, key, api }), together.element);
  timeline.tools.append(createRecording({ model, key, api, small: true }));
  return createControls(context, timeline);
}
