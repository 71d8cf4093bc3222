// What the page says about itself: the connection's state with what can be done about it, the figures in the corner,
// short notices of errors, and the first hint.

import type { Status } from './connection';
import { byId, plural, setText } from './dom';

const TOAST_TIME = 6000; // ms

export interface Figures {
  boids: number | null; // on the page
  flock: number; // boids of the room
  rate: number; // snapshots per second
  less: boolean; // than the room has
  latency: number | null; // ms
  model: string;
}

export interface StatusActions {
  retry(): void;
  rejoin(asNewPerson: boolean): void;
  reload(): void;
  lobby(): void;
}

export interface StatusView {
  show(status: Status, now: number): void;
  /** Keeps the countdown going. */
  tick(now: number): void;
  figures(figures: Figures): void;
  toast(text: string): void;
  hint(shown: boolean): void;
}

interface Ending {
  text: string;
  choices: readonly (readonly [label: string, run: () => void])[];
}

/** What a close for good means to a person, and what they can do. */
export function ending(code: number, reason: string, actions: StatusActions): Ending {
  const again = ['Join again', () => actions.rejoin(false)] as const;
  const because = reason === '' ? '' : ` (${reason})`;
  switch (code) {
    case 3501:
      return {
        text: `This page does not fit the server any more${because}.`,
        choices: [['Reload the page', () => actions.reload()]],
      };
    case 3502:
      return { text: 'There is no such room.', choices: [['Go to the lobby', () => actions.lobby()]] };
    case 3503:
      return { text: `The server closed the connection: too many messages${because}.`, choices: [again] };
    case 3504:
      return {
        text: 'You have joined from elsewhere: another tab or window goes on as you.',
        choices: [
          ['Join as a new person', () => actions.rejoin(true)],
          ['Come back here', () => actions.rejoin(false)],
        ],
      };
    default:
      return {
        text: `The server closed the connection: ${reason || `code ${code}`}.`,
        choices: [again, ['Reload the page', () => actions.reload()]],
      };
  }
}

export function createStatusView(actions: StatusActions): StatusView {
  const notice = byId('notice', HTMLElement);
  const text = byId('notice-text', HTMLElement);
  const count = byId('notice-count', HTMLElement);
  const spoken = byId('spoken', HTMLElement); // the state alone, without a countdown, for those who listen to it
  const buttons = [byId('notice-first', HTMLButtonElement), byId('notice-second', HTMLButtonElement)];
  const connection = byId('connection', HTMLElement);
  const toast = byId('toast', HTMLElement);
  const hint = byId('hint', HTMLElement);
  const figures = {
    boids: byId('boids', HTMLElement),
    rate: byId('rate', HTMLElement),
    latency: byId('latency', HTMLElement),
    model: byId('model', HTMLElement),
  };
  let status: Status = { kind: 'connecting' };
  let toastTimer: ReturnType<typeof setTimeout> | undefined;
  let seen = false; // whether there has been a flock to look at

  function choose(choices: Ending['choices']): void {
    buttons.forEach((button, index) => {
      const choice = choices[index];
      button.hidden = choice === undefined;
      if (choice === undefined) return;
      setText(button, choice[0]);
      button.onclick = choice[1];
    });
  }

  function countdown(now: number): void {
    const left = status.kind === 'waiting' ? Math.max(0, Math.ceil((status.until - now) / 1000)) : 0;
    setText(count, status.kind === 'waiting' ? `in ${left} s` : '');
  }

  return {
    show(next, now) {
      status = next;
      const root = document.documentElement;
      root.classList.remove('connecting', 'connected', 'waiting', 'closed');
      root.classList.add(next.kind);
      seen ||= next.kind === 'connected';
      root.classList.toggle('stale', seen && next.kind !== 'connected');
      notice.hidden = next.kind === 'connected';
      connection.title = {
        connecting: 'Connecting',
        connected: 'Connected',
        waiting: 'Not connected',
        closed: 'Closed',
      }[next.kind];
      switch (next.kind) {
        case 'connecting':
          setText(text, seen ? 'Reconnecting…' : 'Connecting…');
          choose([]);
          break;
        case 'connected':
          setText(text, 'Connected');
          choose([]);
          break;
        case 'waiting':
          setText(text, `${capitalised(next.reason)}. Trying again`);
          choose([['Now', () => actions.retry()]]);
          break;
        case 'closed': {
          const end = ending(next.code, next.reason, actions);
          setText(text, end.text);
          choose(end.choices);
          break;
        }
      }
      setText(spoken, text.textContent ?? '');
      countdown(now);
    },
    tick: countdown,
    figures({ boids, flock, rate, less, latency, model }) {
      document.documentElement.classList.toggle('less', less || (boids ?? flock) < flock);
      setText(figures.boids, boids === null ? '' : amount(boids, flock, less ? rate : 0));
      setText(figures.rate, rate > 0 && !less ? `${Math.round(rate)} Hz` : '');
      setText(figures.latency, latency === null ? '' : latency < 1 ? '<1 ms' : `${Math.round(latency)} ms`);
      setText(figures.model, model);
    },
    toast(message) {
      setText(toast, message);
      toast.hidden = false;
      clearTimeout(toastTimer);
      toastTimer = setTimeout(() => (toast.hidden = true), TOAST_TIME);
    },
    hint(shown) {
      if (hint.hidden === shown) hint.hidden = !shown;
    },
  };
}

/** What of the flock is on the page. rate: snapshots per second, when they are fewer than there could be; else 0. */
export function amount(boids: number, flock: number, rate: number): string {
  const part = boids < flock ? `showing ${boids.toLocaleString('en')} of ` : '';
  return `${part}${plural(flock, 'boid', 'boids')}${rate > 0 ? `, ${Math.round(rate)} a second` : ''}`;
}

const capitalised = (text: string): string => (text.charAt(0).toUpperCase() + text.slice(1)).replace(/[.\s]+$/, '');
