// All that only presenters have, in a file of its own that is loaded when one presents: the panel with the controls, what it
// says of the room, and the timeline.

import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { byId } from '../../app/dom';
import { ROOT } from '../../net/codes';
import { createRoomsApi } from '../../net/rooms-api';
import { createAttentionForm } from './attention';
import { createControls } from './controls';
import { createRecording } from './recording';
import { createRoomPanel } from './room';
import { createTimelineBar } from './timeline';

export { default as sheet } from './index.css';
export { default as html } from './index.html';

export function mount(context: Context): Panel {
  const { model, identity, show } = context;
  for (const create of [createAttentionForm, createRoomPanel, createTimelineBar]) show(create(context));
  // Both where the timeline is, and where there is none because the present is shown.
  const api = createRoomsApi((url, init) => fetch(url, init), ROOT);
  const { key } = identity.presenter;
  for (const place of ['panel-recording', 'past-tools']) byId(place, HTMLElement).append(createRecording({ model, key, api }));
  return createControls(context);
}
