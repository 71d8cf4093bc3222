// All panels, in the order in which the model calls them. A new panel is a folder and a row here.

import { framed } from '../app/go';
import { areLayersChosen } from '../app/shown-layers';
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
import { mount as shown } from './why/shown';

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
  { name: 'people', stand: 'fold', key: 'people', kept: 'browser', mount: people },
  { name: 'measures', stand: 'fold', key: 'measures', kept: 'browser', mount: measures },
  { name: 'help', stand: 'dialog', opener: 'help-open', key: 'help', load: () => import('./help') },
  { name: 'plots', stand: 'side', opener: 'plot', key: 'plots', kept: 'tab', load: () => import('./plots') },
  { name: 'looks', stand: 'side', opener: 'look', key: 'look', load: () => import('./looks') },
  {
    ...{ name: 'layers', stand: 'page' },
    opens: ({ settings, looks }) => areLayersChosen(settings) || looks.chosen().coloring === 'clusters',
    load: () => import('./layers'),
  },
  { name: 'why', stand: 'side', opener: 'why-open', key: 'why', needs: 'room', load: () => import('./why') },
  { name: 'shown', stand: 'page', mount: shown },
  { name: 'projector', stand: 'whole', opener: 'project', key: 'projector', kept: 'address', load: () => import('./projector') },
  {
    ...{ name: 'welcome', stand: 'sheet', needs: 'room', kept: 'browser', load: () => import('./welcome') },
    opens: ({ identity, settings, dock }) =>
      !framed() && identity.name() === '' && settings.tokens.load() === null && !dock.isWanted('projector'),
  },
  { name: 'pen', stand: 'page', needs: 'pen', opens: () => true, load: () => import('./pen') },
  { name: 'draw', stand: 'side', opener: 'draw-open', key: 'draw', needs: 'drawing', load: () => import('./draw') },
  { name: 'things', stand: 'page', needs: 'room', opens: () => true, load: () => import('./things') },
  { name: 'cursors', stand: 'page', mount: cursors },
  { name: 'beside', stand: 'page', opens: framed, load: () => import('./beside/framed') },
];
