// The descriptions of the class modes, below their choices, and the offer to change from `together`.

import { type Language, number } from './texts';

export interface ClassTexts {
  /** By the mode: a policy, or scare. */
  modes: Readonly<Record<string, string>>;
  teams: string;
  turn: string;
  seconds(count: number): string;
  skip: string;
  offer(cursors: number): string;
  nearest: string;
  inTeams: string;
  dismiss: string;
}

const en: ClassTexts = {
  modes: {
    mean: 'The flock goes to the middle of all cursors.',
    nearest: 'Each boid follows the nearest cursor: everybody has boids of their own.',
    teams: 'Boids follow the nearest team. Everybody picks a team; a bar shows who has how many.',
    relay: 'One person leads at a time. The others see whose turn it is and who is next.',
    scare: 'Everyone is a shark: the flock flees from all cursors.',
    latest: 'The flock goes to the cursor that moved last.',
    presenter: 'Only presenters lead. The cursors of the others are shown.',
  },
  teams: 'Teams',
  turn: 'Turn',
  seconds: (count) => `${number(count)} s`,
  skip: 'Skip this turn',
  offer: (cursors) => `${number(cursors)} cursors share one target, so each has little effect.`,
  nearest: 'Own boids for everybody',
  inTeams: 'Play in teams',
  dismiss: 'Keep together',
};

const ja: ClassTexts = {
  modes: {
    mean: '群れは全員のカーソルの真ん中へ向かいます。',
    nearest: 'ボイドはいちばん近いカーソルについていきます。全員に自分のボイドができます。',
    teams: 'ボイドはいちばん近いチームについていきます。好きなチームを選べます。バーでボイドの数がわかります。',
    relay: 'ひとりずつ順番に先導します。だれの番か、次がだれかが全員に見えます。',
    scare: '全員がサメです。群れはすべてのカーソルから逃げます。',
    latest: '群れは最後に動いたカーソルへ向かいます。',
    presenter: '発表者だけが先導します。ほかの人のカーソルは見えるだけです。',
  },
  teams: 'チーム数',
  turn: 'ひとりの時間',
  seconds: (count) => `${number(count)} 秒`,
  skip: '次の人へ',
  offer: (cursors) => `${number(cursors)} 個のカーソルの真ん中が目標なので、ひとりひとりの動きが目立ちません。`,
  nearest: '全員に自分のボイド',
  inTeams: 'チームに分ける',
  dismiss: 'このまま',
};

const ko: ClassTexts = {
  modes: {
    mean: '무리는 모든 커서의 가운데로 갑니다.',
    nearest: '보이드마다 가장 가까운 커서를 따라갑니다. 모두에게 자기 보이드가 생깁니다.',
    teams: '보이드가 가장 가까운 팀을 따라갑니다. 각자 팀을 고르고, 막대에 팀마다 몇 마리인지 보입니다.',
    relay: '한 사람씩 차례로 이끕니다. 누구 차례이고 다음이 누구인지 모두에게 보입니다.',
    scare: '모두가 상어입니다. 무리가 모든 커서를 피해 달아납니다.',
    latest: '무리는 마지막에 움직인 커서로 갑니다.',
    presenter: '진행자만 이끕니다. 다른 사람의 커서는 보이기만 합니다.',
  },
  teams: '팀 수',
  turn: '한 차례',
  seconds: (count) => `${number(count)}초`,
  skip: '다음 사람으로',
  offer: (cursors) => `커서 ${number(cursors)}개의 가운데가 목표라서 한 사람 한 사람의 움직임이 눈에 띄지 않습니다.`,
  nearest: '모두에게 자기 보이드',
  inTeams: '팀으로 나누기',
  dismiss: '이대로',
};

const de: ClassTexts = {
  modes: {
    mean: 'Der Schwarm zieht zur Mitte aller Zeiger.',
    nearest: 'Jeder Boid folgt dem nächsten Zeiger: Alle haben eigene Boids.',
    teams: 'Boids folgen dem nächsten Team. Alle wählen ein Team; ein Balken zeigt, wer wie viele hat.',
    relay: 'Es führt immer nur eine Person. Die anderen sehen, wer dran ist und wer als Nächstes kommt.',
    scare: 'Alle sind Haie: Der Schwarm flieht vor allen Zeigern.',
    latest: 'Der Schwarm zieht zu dem Zeiger, der sich zuletzt bewegt hat.',
    presenter: 'Nur die Leitung führt. Die Zeiger der anderen sind zu sehen.',
  },
  teams: 'Teams',
  turn: 'Dauer',
  seconds: (count) => `${number(count)} s`,
  skip: 'Nächste Person',
  offer: (cursors) => `${number(cursors)} Zeiger teilen sich ein Ziel, darum bewirkt jeder wenig.`,
  nearest: 'Eigene Boids für alle',
  inTeams: 'In Teams spielen',
  dismiss: 'So lassen',
};

const es: ClassTexts = {
  modes: {
    mean: 'La bandada va al centro de todos los cursores.',
    nearest: 'Cada boid sigue al cursor más cercano: cada persona tiene boids propios.',
    teams: 'Los boids siguen al equipo más cercano. Cada persona elige un equipo; una barra muestra cuántos tiene cada uno.',
    relay: 'Por turnos, una persona lleva la bandada. Las demás ven a quién le toca y quién va después.',
    scare: 'Todos son tiburones: la bandada huye de todos los cursores.',
    latest: 'La bandada va al último cursor que se movió.',
    presenter: 'Solo guían los responsables. Los cursores de los demás se ven.',
  },
  teams: 'Equipos',
  turn: 'Turno',
  seconds: (count) => `${number(count)} s`,
  skip: 'Saltar turno',
  offer: (cursors) => `${number(cursors)} cursores comparten un objetivo, así que cada uno influye poco.`,
  nearest: 'Boids propios para cada uno',
  inTeams: 'Jugar en equipos',
  dismiss: 'Dejarlo así',
};

const fr: ClassTexts = {
  modes: {
    mean: 'La nuée va vers le milieu de tous les curseurs.',
    nearest: 'Chaque boid suit le curseur le plus proche\u00a0: chaque personne a ses propres boids.',
    teams: 'Les boids suivent l’équipe la plus proche. Chaque personne choisit une équipe\u202f; une barre montre qui en a combien.',
    relay: 'Une personne mène à la fois. Les autres voient à qui c’est le tour et qui vient après.',
    scare: 'Tous sont des requins\u00a0: la nuée fuit tous les curseurs.',
    latest: 'La nuée va vers le dernier curseur qui a bougé.',
    presenter: 'Seuls les hôtes mènent. On voit les curseurs des autres.',
  },
  teams: 'Équipes',
  turn: 'Tour',
  seconds: (count) => `${number(count)} s`,
  skip: 'Passer ce tour',
  offer: (cursors) => `${number(cursors)} curseurs partagent une cible, chacun a donc peu d’effet.`,
  nearest: 'À chacun ses boids',
  inTeams: 'Jouer en équipes',
  dismiss: 'Laisser ainsi',
};

export const CLASS_TEXTS: Readonly<Record<Language, ClassTexts>> = { en, de, es, fr, ja, ko };
