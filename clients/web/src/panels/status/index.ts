// The connection's state with buttons that help, and the figures in the corner.

import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { summary } from '../../flock/room';
import { CLOSE_SILENT, CLOSE_UNANSWERED } from '../../net/connection';
import { ROOT, spacedCode } from '../../net/codes';
import { texts } from '../../texts/texts';
import { goTo } from '../../app/go';
import { byId, keepHeight, setText } from '../../app/dom';

const SILENT = 2000; // ms without a message after which the page shows silence
const SILENT_SNAPSHOTS = 3; // intervals of snapshots without a message; the longer time counts

export interface StatusActions {
  retry(): void;
  rejoin(asNewPerson: boolean): void;
  reload(): void;
  start(): void; // goes to the start page
}

interface Ending {
  text: string;
  more?: string;
  choices: readonly (readonly [label: string, run: () => void])[];
  asks?: true; // for the room's join key
}

/** Returns the text and the buttons after a final close. room: its code as people read it; keyGiven: whether the page had a join key;
 * wait: s after which the same hello may succeed; 0: unknown. */
export function ending(code: number, reason: string, room: string, keyGiven: boolean, actions: StatusActions, wait: number): Ending {
  const t = texts.ending;
  const again = [t.joinAgain, () => actions.rejoin(false)] as const;
  const start = [texts.common.startPage, () => actions.start()] as const;
  const reload = [t.reload, () => actions.reload()] as const;
  switch (code) {
    case 3501:
      return { text: t.version, choices: [reload] };
    case 3502:
      return { text: t.noRoom(room), more: t.noRoomMore, choices: [start] };
    case 3503:
      return { text: t.flood, choices: [again, start] };
    case 3504:
      return {
        text: t.elsewhere,
        choices: [
          [t.joinNew, () => actions.rejoin(true)],
          [t.comeBack, () => actions.rejoin(false)],
        ],
      };
    case 3506:
      return { text: t.ended, more: t.endedMore, choices: [start] };
    case 3507:
      return { text: t.removed, more: t.removedMore(Math.ceil(wait / 60)), choices: [again, start] };
    case 3510:
      return { text: t.noNewcomers(room), more: t.noNewcomersMore, choices: [again, start] };
    case 3508:
      return { text: t.wrongKeys, more: t.wrongKeysMore, choices: [again, start] };
    case 3509:
      return {
        text: t.locked(room),
        more: wait > 0 ? texts.errors.keys(wait) : keyGiven ? t.lockedWrong : t.lockedMore,
        choices: [start],
        asks: true,
      };
    default:
      return { text: t.closed, more: reason || t.code(code), choices: [again, reload] };
  }
}

/** Returns the reason why the page waits before it connects again. */
function waitingText(code: number): string {
  const t = texts.connection;
  const WHY: Record<number, string> = {
    3000: t.shuttingDown,
    3001: t.full,
    3002: t.stalled,
    [CLOSE_SILENT]: t.fellSilent,
    [CLOSE_UNANSWERED]: t.noAnswer,
  };
  return t.again(WHY[code] ?? t.lost);
}

export function mount({ model, source, identity, settings, load }: Context): Panel {
  const actions: StatusActions = {
    retry: source.retry,
    rejoin: source.rejoin,
    reload: () => location.reload(),
    start: () => goTo(ROOT),
  };
  const notice = byId('notice', HTMLElement);
  const text = byId('notice-text', HTMLElement);
  const more = byId('notice-more', HTMLElement);
  const spoken = byId('spoken', HTMLElement); // the state without a countdown, for screen readers
  const buttons = [byId('notice-first', HTMLButtonElement), byId('notice-second', HTMLButtonElement)];
  const join = byId('join', HTMLFormElement);
  const joinKey = byId('join-key', HTMLInputElement);
  const connection = byId('connection', HTMLElement);
  const figures = {
    boids: byId('boids', HTMLElement),
    rate: byId('rate', HTMLElement),
    latency: byId('latency', HTMLElement),
    model: byId('model', HTMLElement),
  };
  // On a phone the figures may be above the buttons. Messages are then placed above the figures.
  keepHeight(byId('status', HTMLElement), '--figures');
  void load(() => import('../../app/clear')).then(({ keepClear }) => [notice, byId('toast', HTMLElement)].forEach(keepClear));
  join.addEventListener('submit', (event) => {
    event.preventDefault();
    identity.useJoinKey(joinKey.value.trim().toLowerCase());
  });
  let silent = false; // connected, but no message comes

  /** Whether the page has ever shown a flock. */
  const seen = (): boolean => model.welcome() !== null;

  function choose(choices: Ending['choices']): void {
    buttons.forEach((button, index) => {
      const choice = choices[index];
      button.hidden = choice === undefined;
      if (choice === undefined) return;
      setText(button, choice[0]);
      button.onclick = choice[1];
    });
  }

  /** Covers the page or uncovers it. Behind a final notice only the notice takes the focus, and keys.ts ignores keys. */
  function cover(is: boolean): void {
    for (const each of document.body.children)
      if (each instanceof HTMLElement && each !== notice && each !== spoken) each.inert = is;
    if (is) (join.hidden ? buttons[0] : joinKey).focus();
  }

  function countdown(now: number): void {
    const status = model.status();
    if (status.kind === 'waiting') setText(more, texts.connection.inSeconds(Math.max(0, Math.ceil((status.until - now) / 1000))));
  }

  /** Shows that the server is silent. Without this, a dead connection looks like a paused flock. */
  function showSilence(): void {
    const { rate } = source.stream();
    const silence = source.silence();
    const is = silence > Math.max(SILENT, (SILENT_SNAPSHOTS * 1000) / Math.max(rate, 1));
    if (is !== silent) {
      silent = is;
      document.documentElement.classList.toggle('silent', is);
      const said = is ? texts.connection.silent : texts.connection.connected;
      connection.title = said;
      notice.hidden = !is;
      setText(text, said);
      setText(spoken, text.textContent ?? '');
      choose([]);
    }
    setText(more, is ? texts.connection.silentFor(Math.round(silence / 1000)) : '');
  }

  function showFigures(): void {
    const connected = model.status().kind === 'connected';
    if (connected) showSilence();
    const live = connected && !silent; // otherwise the rate and the round trip are unknown
    const newest = model.timeline()?.newest() ?? null;
    const { full, rate: granted, slow } = source.stream();
    const interval = model.timeline()?.interval() ?? Infinity;
    const [rate, less, latency] = [1000 / interval, granted < full, source.roundTrip()];
    const flock = newest?.flock ?? 0;
    document.documentElement.classList.toggle('less', less || slow || (newest?.count ?? flock) < flock);
    setText(figures.boids, newest === null ? '' : amount(newest.count, flock, less && live ? rate : 0, slow));
    setText(figures.rate, rate > 0 && !less && live ? texts.connection.hertz(Math.round(rate)) : '');
    setText(figures.latency, latency === null || !live ? '' : milliseconds(latency));
    const room = model.room();
    setText(figures.model, room === null ? '' : summary(room));
  }

  return {
    status(next) {
      silent = false;
      document.documentElement.classList.remove('silent');
      const root = document.documentElement;
      root.classList.remove('connecting', 'connected', 'waiting', 'closed');
      root.classList.add(next.kind);
      root.classList.toggle('stale', seen() && next.kind !== 'connected');
      notice.hidden = next.kind === 'connected';
      setText(more, '');
      join.hidden = true;
      connection.title = texts.connection[next.kind];
      switch (next.kind) {
        case 'connecting':
          setText(text, seen() ? texts.connection.reconnecting : texts.connection.connectingNow);
          choose([]);
          break;
        case 'connected':
          setText(text, texts.connection.connected);
          choose([]);
          break;
        case 'waiting':
          setText(text, waitingText(next.code));
          choose([[texts.connection.now, () => actions.retry()]]);
          break;
        case 'closed': {
          const end = ending(next.code, next.reason, spacedCode(settings.room), identity.joinKey() !== '', actions, model.refusal()?.after ?? 0);
          setText(text, end.text);
          setText(more, end.more ?? '');
          choose(end.choices);
          join.hidden = end.asks === undefined;
          break;
        }
      }
      cover(next.kind === 'closed');
      setText(spoken, text.textContent ?? '');
      countdown(performance.now());
    },
    figures(now) {
      countdown(now);
      showFigures();
    },
  };
}

const milliseconds = (ms: number): string => texts.connection.milliseconds(ms < 1 ? '<1' : String(Math.round(ms)));

/** Describes how much of the flock the page shows. rate: snapshots per second if fewer than possible, else 0. slow: the
 * server grants less than the page wants. */
export function amount(boids: number, flock: number, rate: number, slow: boolean): string {
  const t = texts.connection;
  const part = boids < flock ? t.showing(boids, flock) : texts.common.boids(flock);
  const pace = rate > 0 ? t.pace(part, Math.round(rate)) : part;
  return slow ? t.slow(pace) : pace;
}
