// The page of a room: connects the shared parts, the panels and the frames of the screen.

import { type Context, createContext } from './app/context';
import { framed } from './app/go';
import { startLanguage } from './app/language';
import { createGround } from './app/ground';
import { createLoop } from './app/loop';
import { createPair } from './app/pair';
import { addPanels } from './app/panels';
import { type Settings, loadSettings } from './app/settings';
import { createTheme } from './app/theme';
import { createToolbar } from './app/toolbar';
import { arrowsIn, centroidIn } from './draw/overlay';
import { besideIn } from './net/codes';
import { PANELS } from './panels/list';
import { fillTexts } from './texts/fill';
import { texts } from './texts/texts';

const NO_ROOM = 3502; // close code: the room does not exist

const translated = await startLanguage();
const settings = loadSettings();
const alone = await showTwo(settings);
const context = createContext(settings);
const { model, source, say } = context;

addPanels(context, PANELS);
draw(context);
follow(context);
model.subscribe(createPair());
if (settings.room === '') model.apply({ kind: 'status', status: { kind: 'closed', code: NO_ROOM, reason: '' } }, 0);
else source.start();
if (!translated) say(texts.view.untranslated);
if (!alone) say(texts.beside.failed);

/** Shows two rooms if the address names two. The promise is then never resolved, because this page shows nothing else. Returns false
 * if the script for two rooms could not be loaded. */
async function showTwo({ wasOpen, keepOpen }: Settings): Promise<boolean> {
  const codes = framed() ? null : besideIn(location);
  if (codes === null) return true;
  createTheme();
  try {
    const { showBeside } = await import('./panels/beside');
    await showBeside({
      ...{ codes, open: wasOpen('panel', 'tab') === true, onProjector: (shown) => keepOpen('projector', 'address', shown) },
      makeBoth: (frames, leave) => import('./panels/plots/both').then(({ createBoth }) => createBoth(frames, leave, fillTexts)),
    });
  } catch {
    return false;
  }
  return new Promise(() => undefined);
}

/** Starts the frames that draw the flock. */
function draw({ load, keys, theme, viewport, renderer, layers, views, identity, ownCursor, tint, looks, still }: Context): void {
  createToolbar(keys, theme.next);
  const loop = createLoop({
    ...{ model, viewport, renderer, layers, views },
    look: looks.drawn,
    theme: theme.now,
    tint: (drawn) => looks.tint(tint.of(drawn), drawn),
    still,
    ground: createGround(context),
    onFrame: ownCursor.steering.frame,
    onDrawn(took, now) {
      source.drew(took);
      source.tick(now);
    },
  });
  loop.run();
  if (!navigator.webdriver) return;
  void load(() => import('./app/hook')).then(({ exposeHook }) =>
    exposeHook({
      ...{ model, source, viewport, renderer, layers, loop, arrowsIn, centroidIn },
      name: identity.name,
      look: () => looks.drawn(model.room()),
      steers: ownCursor.steers,
    }),
  );
}

/** Follows changes of the window: its size, its visibility, its connection and its address. */
function follow({ viewport, identity, dock }: Context): void {
  function watch(): void {
    model.watch(!document.hidden);
    source.watch(!document.hidden);
  }

  function takeKeys(): void {
    if (identity.takeKeys()) dock.open('invite');
  }

  addEventListener('resize', () => viewport.aim(false));
  addEventListener('online', source.retry);
  document.addEventListener('visibilitychange', () => {
    watch();
    if (!document.hidden) source.retry();
  });
  addEventListener('hashchange', takeKeys);
  takeKeys();
  if (identity.presenter.key() !== '') dock.prepare();
  watch();
}
