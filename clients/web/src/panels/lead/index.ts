// The class modes with leaders: this person's figure, the choice of a team, the bar of all teams, and the turn of a relay. It also
// gives the boids the colours of their leaders.

import type { Context } from '../../app/context';
import type { Panel } from '../../app/dock';
import { byId, hex, keepHeight, make, setText } from '../../app/dom';
import { control } from '../../flock/room';
import { personThen } from '../../flock/cursors';
import { NEAREST, RELAY, TEAMS, TEAM_COLORS, classMode, colorOf, hasLeaders, ownTurn } from '../../flock/leads';
import { TEAMS_MAX, TOPIC_LEADS } from '../../net/messages';
import { type Leader, request } from '../../net/protocol';
import { type Language, texts } from '../../texts/texts';
import { createColors } from './colors';
import { stringsLayer } from './strings';
import { LEAD_TEXTS } from '../../texts/lead';

export { default as sheet } from './index.css';
export { default as html } from './index.html';

const SIGNS = ['●', '■', '▲', '◆'];

interface Team {
  button: HTMLButtonElement;
  part: HTMLElement; // of the bar
}

export function mount(context: Context): Panel {
  const { model, source, ownCursor, ask, keys, dock, tint, layers } = context;
  const t = LEAD_TEXTS[texts.language as Language];
  const root = document.documentElement;
  const panel = byId('lead', HTMLElement);
  const text = byId('lead-text', HTMLElement);
  const next = byId('lead-next', HTMLElement);
  const group = byId('lead-teams', HTMLElement);
  const bar = byId('lead-bar', HTMLElement);
  const spoken = byId('lead-spoken', HTMLElement);
  const all = Array.from({ length: TEAMS_MAX }, (_, index) => makeTeam(index + 1));
  let mode = ''; // '': none with leaders
  let led = false; // whether it was this person's turn
  let team = -1; // this person's; -1: not known yet
  let turnAt = 0; // when the turn's seconds were counted, ms

  group.setAttribute('aria-label', t.choose);
  group.append(...all.map(({ button }) => button));
  bar.append(...all.map(({ part }) => part));
  panel.setAttribute('aria-label', t.label);
  keepHeight(panel, '--lead'); // messages stand above it
  byId('own', HTMLElement).before(panel); // which does not cover this person's name
  const colors = createColors(context);
  const hasBoids = (): boolean => mode === NEAREST && !dock.isOpen('projector') && boidsOf(model.welcome()?.id ?? 0) !== undefined;
  tint.of = colors;
  layers.add(stringsLayer(context, ({ theme }) => (hasBoids() ? colors(theme) : null)));

  function makeTeam(number: number): Team {
    const sign = SIGNS[number - 1];
    const button = make(
      'button',
      { type: 'button', class: `team-${number}`, 'aria-label': t.join(number), title: t.join(number), 'aria-pressed': 'false' },
      ...[make('i', { 'aria-hidden': 'true' }, sign), ' ', t.teams[number - 1]],
    );
    const part = make('span', { class: `team-${number}` }, make('i', {}, sign), ' ', make('b', {}), ' ', make('span', {}));
    setText(part.lastElementChild as HTMLElement, t.teams[number - 1]);
    button.style.setProperty('--dark', hex(TEAM_COLORS[number - 1]));
    part.style.setProperty('--dark', hex(TEAM_COLORS[number - 1]));
    button.addEventListener('click', () => join(number));
    keys.addRow(
      { key: String(number), action: `team-${number}`, who: 'everyone', text: { [texts.language]: t.key(number) } },
      () => mode === TEAMS && join(number),
    );
    return { button, part };
  }

  function join(number: number): void {
    if (number <= teams()) ask(request.team(number));
  }

  function teams(): number {
    const room = model.room();
    return room === null ? 0 : Number(control(room, TEAMS)?.value ?? 0);
  }

  const leaders = (): readonly Leader[] => model.leads()?.leaders ?? [];
  const boidsOf = (who: number): Leader | undefined => leaders().find((each) => each.who === who);

  function nameOf(id: number): string {
    const name = personThen(model, id)?.name;
    return name === undefined || root.classList.contains('nameless') ? texts.news.somebody : texts.news.person(name);
  }

  /** The text between two ` is large. */
  function write(element: HTMLElement, said: string): void {
    if (element.dataset['said'] === said) return;
    element.dataset['said'] = said;
    element.replaceChildren(...said.split('`').map((part, index) => (index % 2 === 0 ? part : make('b', {}, part))));
  }

  /** Says how to lead boids, with a mouse or with a finger. */
  function hint(of: 'nearest' | 'team' | 'lead' | 'wait', element = text): void {
    const { mouse, finger } = texts.hint[of];
    write(element, matchMedia('(pointer: coarse)').matches ? finger : mouse);
  }

  /** Whether this viewer has never moved the cursor, and so has no part yet. */
  const isNew = (): boolean => !ownCursor.used() && model.role() === 'viewer' && !dock.isOpen('projector');

  function showNearest(): void {
    const own = boidsOf(model.welcome()?.id ?? 0);
    if (own === undefined) hint('nearest');
    else write(text, t.nearest(own.boids));
  }

  function showTeams(): void {
    const count = teams();
    const own = model.people.self()?.team ?? 0;
    const leader = boidsOf(own);
    write(text, own === 0 ? t.choose : t.team(own, leader?.boids ?? 0));
    if (own > 0 && isNew()) hint('team', next);
    else write(next, own === 0 ? '' : t.steer(leader?.people ?? 0, ownCursor.steers()));
    all.forEach(({ button, part }, index) => {
      const boids = boidsOf(index + 1)?.boids ?? 0;
      button.hidden = part.hidden = index >= count;
      button.setAttribute('aria-pressed', String(own === index + 1));
      part.style.flexGrow = String(boids);
      part.classList.toggle('none', boids === 0);
      setText(part.querySelector('b') as HTMLElement, boids.toLocaleString(texts.language));
    });
    bar.setAttribute('aria-label', Array.from({ length: count }, (_, index) => t.bar(index + 1, boidsOf(index + 1)?.boids ?? 0)).join(', '));
    if (team > 0 && own > 0 && own !== team) setText(spoken, t.joined(own));
    team = own;
  }

  function showRelay(now: number): void {
    const turn = model.leads()?.turn ?? null;
    const own = ownTurn(model);
    const passed = Math.max(0, now - turnAt); // a frame's time may be before the message's
    const left = turn === null ? 0 : Math.max(0, turn.seconds - Math.floor(passed / 1000));
    if (turn === null || own === null) hint('lead');
    else if (own) write(text, t.own(left));
    else write(text, t.other(nameOf(turn.id), left));
    const after = turn?.next ?? 0;
    if (own === false && isNew()) hint('wait', next);
    else write(next, own === null || after === 0 ? '' : after === model.welcome()?.id ? t.ownNext : t.next(nameOf(after)));
    const leader = own === null ? undefined : personThen(model, turn?.id ?? 0);
    panel.style.setProperty('--person', leader === undefined ? 'currentColor' : hex(colorOf(leader)));
    panel.classList.toggle('own', own === true);
    if (own === true && !led) setText(spoken, t.spoken);
    led = own === true;
  }

  function show(now: number): void {
    const room = model.room();
    mode = room !== null && hasLeaders(room) ? classMode(room) : '';
    source.subscribe(TOPIC_LEADS, mode !== '' && model.welcome()?.capabilities.includes('topics') === true);
    const steers = model.standing() === 'steers';
    const visible = mode !== '' && room?.attention === null && model.status().kind === 'connected';
    const leads = mode === TEAMS || (mode === NEAREST ? boidsOf(model.welcome()?.id ?? 0) !== undefined : ownTurn(model) !== null);
    const knows = !leads && dock.isOpen('controls'); // the presenter who chose the mode needs no hint
    panel.hidden = !visible || knows || (dock.isOpen('projector') ? mode === NEAREST : !steers || model.past().shown);
    root.classList.toggle('led', !panel.hidden);
    panel.className = mode;
    group.hidden = bar.hidden = mode !== TEAMS;
    next.hidden = mode === NEAREST;
    const self = model.people.self();
    if (self !== null) panel.style.setProperty('--person', hex(colorOf(self)));
    if (mode === NEAREST) showNearest();
    if (mode === TEAMS) showTeams();
    if (mode === RELAY) showRelay(now);
  }

  const showNow = (): void => show(performance.now());
  return {
    room: showNow,
    role: showNow,
    people: showNow,
    status: showNow,
    past: showNow,
    leads(leads) {
      turnAt = performance.now();
      if (leads.turn !== null) showNow();
    },
    figures: show,
    frame: ({ now }) => mode === RELAY && showRelay(now),
  };
}
