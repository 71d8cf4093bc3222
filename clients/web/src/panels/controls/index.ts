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
import { createRecording } from './recording';
import { createRoomPanel } from './room';
import { createTimelineBar } from './timeline';

export { default as sheet } from './index.css';
export { default as html } from './index.html';

export function mount(context: Context): Panel {
  const { model, identity, show } = context;
  const api = createRoomsApi((url, init) => fetch(url, init), ROOT);
  const admission = createAdmission(context, api);
  byId('panel-room', HTMLElement).append(admission.element);
  show(admission);
  for (const create of [createAttentionForm, createRoomPanel, createTimelineBar, createOffer]) show(create(context));
  const { key } = identity.presenter;
  for (const place of ['panel-recording', 'past-tools']) byId(place, HTMLElement).append(createRecording({ model, key, api }));
  return createControls(context);
}
