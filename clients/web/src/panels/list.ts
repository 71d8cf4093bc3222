// All panels, in the order in which the model calls them. A new panel is a folder and a row here.

import { framed } from '../app/go';
import type { PanelRow } from '../app/panels';
import { mount as attention } from './attention';
import { mount as cursors } from './cursors';
import { mount as guide } from './guide';
import { mount as measures } from './measures';
import { mount as news } from './news';
import { mount as past } from './past';
import { mount as people } from './people';
import { mount as room } from './room';
import { mount as status } from './status';

const exceeds = ([width, height]: readonly [number, number]): boolean => innerWidth > width && innerHeight > height;
// Widths and heights of the window, CSS pixels. In a window that exceeds both, a panel is open at first.
const SMALL = [560, 400] as const; // for the list of people
const ROOMY = [900, 560] as const; // for the measures
const NARROW = [440, 480] as const; // for the measures of two rooms beside each other, which people compare

export const PANELS: readonly PanelRow[] = [
  { name: 'status', stand: 'page', mount: status },
  {
    ...{ name: 'controls', stand: 'side', id: 'panel', opener: 'panel-open', key: 'controls', who: 'presenter', kept: 'tab' },
    opens: () => !framed(),
    load: () => import('./controls'),
  },
  { name: 'attention', stand: 'page', mount: attention },
  { name: 'past', stand: 'page', mount: past },
  { name: 'news', stand: 'page', mount: news },
  { name: 'guide', stand: 'page', mount: guide },
  { name: 'room', stand: 'page', mount: room },
  { name: 'lead', stand: 'page', needs: 'leaders', opens: () => true, load: () => import('./lead') },
  { name: 'invite', stand: 'dialog', opener: 'room', key: 'invite', needs: 'room', load: () => import('./invite') },
  { name: 'people', stand: 'fold', key: 'people', kept: 'browser', opens: () => exceeds(SMALL) && !framed(), mount: people },
  { name: 'measures', stand: 'fold', key: 'measures', kept: 'browser', opens: () => exceeds(framed() ? NARROW : ROOMY), mount: measures },
  { name: 'help', stand: 'dialog', opener: 'help-open', key: 'help', load: () => import('./help') },
  { name: 'projector', stand: 'whole', opener: 'project', key: 'projector', kept: 'address', load: () => import('./projector') },
  {
    ...{ name: 'welcome', stand: 'sheet', needs: 'room', load: () => import('./welcome') },
    opens: ({ identity, settings, dock }) =>
      !framed() &&
      identity.name() === '' &&
      settings.tokens.load() === null &&
      !dock.isWanted('projector') &&
      matchMedia('(pointer: coarse)').matches,
  },
  { name: 'cursors', stand: 'page', mount: cursors },
  { name: 'beside', stand: 'page', opens: framed, load: () => import('./beside/framed') },
];
