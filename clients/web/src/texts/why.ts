// The texts of the panel that says why a boid turns, and the sentence in words, loaded with the panel or when a presenter shows a boid.

import type { Language } from './texts';

/** Words of the side, as seen along the boid's heading. */
type Side = 'left' | 'right';

export interface WhyTexts {
  title: string;
  about: string;
  boid: string;
  neighbours(seen: number, crowding: number): string;
  nearest: string;
  /** A button that picks a neighbour. */
  pick(place: number, boid: number, distance: string): string;
  zones: string;
  gone: string;
  full: string;
  /** The server has ended the pick. */
  ended: string;
  follow: string;
  show: string;
  shownBy(name: string): string;
  change: string;
  unit: string;
  pushes: Record<'separation' | 'alignment' | 'cohesion' | 'seek' | 'food' | 'flee' | 'inertia' | 'limits' | 'noise' | 'walls', string>;
  turns: Record<Side | 'straight' | 'faster' | 'slower', string>;
  /** crowd: neighbours that are too close; at: the side of most of them, or null. */
  separation(crowd: number, at: Side | null): string;
  alignment(side: Side): string;
  cohesion(side: Side): string;
  middle(side: Side): string; // the cohesion of the model `swarm`
  cursor(side: Side): string;
  target(side: Side): string;
  food(side: Side): string;
  flee(side: Side): string;
  noise(side: Side): string;
  walls: string;
  sentence(turn: string, reason: string | null, against: string | null): string;
  /** It does not turn, because two rules push to opposite sides. */
  balance(turn: string, one: string, other: string): string;
}

const EN = { left: 'left', right: 'right' };
const DE = { left: 'links', right: 'rechts' };
const ES = { left: 'la izquierda', right: 'la derecha' };
const FR = { left: 'gauche', right: 'droite' };
const JA = { left: '左', right: '右' };
const KO = { left: '왼쪽', right: '오른쪽' };

export const WHY_TEXTS: Record<Language, WhyTexts> = {
  en: {
    title: 'Why a boid turns',
    about: 'Click or tap a boid. The arrows are what each rule adds to its velocity in the next tick.',
    boid: 'Boid',
    neighbours: (seen, crowding) => `${seen} ${seen === 1 ? 'neighbour' : 'neighbours'}, ${crowding} too close`,
    nearest: 'Nearest neighbours',
    pick: (place, boid, distance) => `${place}: boid ${boid}, ${distance} away`,
    zones: 'Solid: how far it sees. Dashed: too close.',
    gone: 'This boid is no longer here. Pick another one.',
    full: 'Too many people look at a boid. Try again later.',
    ended: 'Others want to look at a boid. Pick another one.',
    follow: 'Follow with the camera',
    show: 'Show to everyone',
    shownBy: (name) => `${name} shows this boid.`,
    change: 'Sum',
    unit: 'Figures in units per tick',
    pushes: {
      separation: 'Separation',
      alignment: 'Alignment',
      cohesion: 'Cohesion',
      seek: 'Target',
      food: 'Food',
      flee: 'Flight',
      inertia: 'Inertia',
      limits: 'Limits',
      noise: 'Noise',
      walls: 'Walls',
    },
    turns: {
      left: 'Turns left',
      right: 'Turns right',
      straight: 'Flies straight on',
      faster: 'Flies straight on and speeds up',
      slower: 'Flies straight on and slows down',
    },
    separation: (crowd, at) =>
      `${crowd} ${crowd === 1 ? 'neighbour is' : 'neighbours are'} too close${at === null ? '' : ` on its ${EN[at]}`}`,
    alignment: (side) => `its neighbours head more to the ${EN[side]}`,
    cohesion: (side) => `most of its neighbours are on its ${EN[side]}`,
    middle: (side) => `the middle of the flock is on its ${EN[side]}`,
    cursor: (side) => `the cursor pulls ${EN[side]}`,
    target: (side) => `the target pulls ${EN[side]}`,
    food: (side) => `food pulls ${EN[side]}`,
    flee: (side) => `it flees ${EN[side]}`,
    noise: (side) => `chance turns it ${EN[side]}`,
    walls: 'a wall reflects it',
    sentence: (turn, reason, against) =>
      `${turn}${reason === null ? '' : `: ${reason}`}${against === null ? '' : `; ${against}, but that counts less`}.`,
    balance: (turn, one, other) => `${turn}: ${one}; ${other}. Both cancel out.`,
  },
  de: {
    title: 'Warum ein Boid abbiegt',
    about: 'Klick oder tipp auf einen Boid. Die Pfeile zeigen, was jede Regel im nächsten Schritt zu seiner Geschwindigkeit beiträgt.',
    boid: 'Boid',
    neighbours: (seen, crowding) => `${seen} ${seen === 1 ? 'Nachbar' : 'Nachbarn'}, davon zu nah: ${crowding}`,
    nearest: 'Nächste Nachbarn',
    pick: (place, boid, distance) => `${place}: Boid ${boid}, Abstand ${distance}`,
    zones: 'Durchgezogen: Sichtweite. Gestrichelt: zu nah.',
    gone: 'Diesen Boid gibt es nicht mehr. Wähl einen anderen.',
    full: 'Zu viele sehen sich gerade einen Boid an. Versuch es später noch einmal.',
    ended: 'Andere wollen sich einen Boid ansehen. Wähl einen anderen.',
    follow: 'Mit der Kamera folgen',
    show: 'Allen zeigen',
    shownBy: (name) => `${name} zeigt diesen Boid.`,
    change: 'Summe',
    unit: 'Zahlen in Einheiten pro Schritt',
    pushes: {
      separation: 'Separation',
      alignment: 'Ausrichtung',
      cohesion: 'Kohäsion',
      seek: 'Ziel',
      food: 'Futter',
      flee: 'Flucht',
      inertia: 'Trägheit',
      limits: 'Grenzen',
      noise: 'Rauschen',
      walls: 'Wände',
    },
    turns: {
      left: 'Biegt nach links ab',
      right: 'Biegt nach rechts ab',
      straight: 'Fliegt geradeaus',
      faster: 'Fliegt geradeaus und wird schneller',
      slower: 'Fliegt geradeaus und wird langsamer',
    },
    separation: (crowd, at) => {
      const [are, who] = crowd === 1 ? ['ist', '1 Nachbar'] : ['sind', `${crowd} Nachbarn`];
      return at === null ? `${who} ${are} zu nah` : `${DE[at]} ${are} ${who} zu nah`;
    },
    alignment: (side) => `seine Nachbarn fliegen weiter nach ${DE[side]}`,
    cohesion: (side) => `die meisten Nachbarn sind ${DE[side]} von ihm`,
    middle: (side) => `die Mitte des Schwarms ist ${DE[side]} von ihm`,
    cursor: (side) => `der Zeiger zieht nach ${DE[side]}`,
    target: (side) => `das Ziel zieht nach ${DE[side]}`,
    food: (side) => `das Futter zieht nach ${DE[side]}`,
    flee: (side) => `er flieht nach ${DE[side]}`,
    noise: (side) => `der Zufall dreht ihn nach ${DE[side]}`,
    walls: 'eine Wand wirft ihn zurück',
    sentence: (turn, reason, against) =>
      `${turn}${reason === null ? '' : `: ${reason}`}${against === null ? '' : `; ${against}, aber das zählt weniger`}.`,
    balance: (turn, one, other) => `${turn}: ${one}; ${other}. Beides hebt sich auf.`,
  },
  fr: {
    title: 'Pourquoi un boid tourne',
    about: 'Cliquez ou touchez un boid. Les flèches montrent ce que chaque règle ajoute à sa vitesse au prochain pas.',
    boid: 'Boid',
    neighbours: (seen, crowding) => `${seen} ${seen < 2 ? 'voisin' : 'voisins'}, dont trop près\u00a0: ${crowding}`,
    nearest: 'Voisins les plus proches',
    pick: (place, boid, distance) => `${place}\u00a0: boid ${boid}, à ${distance}`,
    zones: 'Trait plein\u00a0: portée de sa vue. Tirets\u00a0: trop près.',
    gone: 'Ce boid n’est plus là. Choisissez-en un autre.',
    full: 'Trop de personnes regardent un boid. Réessayez plus tard.',
    ended: 'D’autres veulent regarder un boid. Choisissez-en un autre.',
    follow: 'Suivre avec la caméra',
    show: 'Montrer à tous',
    shownBy: (name) => `${name} montre ce boid.`,
    change: 'Somme',
    unit: 'Nombres en unités par pas',
    pushes: {
      separation: 'Séparation',
      alignment: 'Alignement',
      cohesion: 'Cohésion',
      seek: 'Cible',
      food: 'Nourriture',
      flee: 'Fuite',
      inertia: 'Inertie',
      limits: 'Limites',
      noise: 'Bruit',
      walls: 'Murs',
    },
    turns: {
      left: 'Tourne à gauche',
      right: 'Tourne à droite',
      straight: 'Vole tout droit',
      faster: 'Vole tout droit et accélère',
      slower: 'Vole tout droit et ralentit',
    },
    separation: (crowd, at) => `${crowd} ${crowd === 1 ? 'voisin est' : 'voisins sont'} trop près${at === null ? '' : `, à sa ${FR[at]}`}`,
    alignment: (side) => `ses voisins vont plus à ${FR[side]}`,
    cohesion: (side) => `la plupart de ses voisins sont à sa ${FR[side]}`,
    middle: (side) => `le milieu de la nuée est à sa ${FR[side]}`,
    cursor: (side) => `le curseur tire à ${FR[side]}`,
    target: (side) => `la cible tire à ${FR[side]}`,
    food: (side) => `la nourriture tire à ${FR[side]}`,
    flee: (side) => `il fuit vers la ${FR[side]}`,
    noise: (side) => `le hasard le tourne à ${FR[side]}`,
    walls: 'un mur le renvoie',
    sentence: (turn, reason, against) =>
      `${turn}${reason === null ? '' : `\u00a0: ${reason}`}${against === null ? '' : `\u00a0; ${against}, mais cela compte moins`}.`,
    balance: (turn, one, other) => `${turn}\u00a0: ${one}\u00a0; ${other}. Les deux s’annulent.`,
  },
  es: {
    title: 'Por qué gira un boid',
    about: 'Haz clic en un boid o tócalo. Las flechas son lo que cada regla añade a su velocidad en el próximo paso.',
    boid: 'Boid',
    neighbours: (seen, crowding) => `${seen} ${seen === 1 ? 'vecino' : 'vecinos'}, demasiado cerca: ${crowding}`,
    nearest: 'Vecinos más cercanos',
    pick: (place, boid, distance) => `${place}: boid ${boid}, a ${distance}`,
    zones: 'Línea continua: hasta dónde ve. Línea discontinua: demasiado cerca.',
    gone: 'Este boid ya no está. Elige otro.',
    full: 'Demasiadas personas miran un boid. Inténtalo más tarde.',
    ended: 'Otras personas quieren mirar un boid. Elige otro.',
    follow: 'Seguir con la cámara',
    show: 'Mostrar a todos',
    shownBy: (name) => `${name} muestra este boid.`,
    change: 'Suma',
    unit: 'Cifras en unidades por paso',
    pushes: {
      separation: 'Separación',
      alignment: 'Alineación',
      cohesion: 'Cohesión',
      seek: 'Objetivo',
      food: 'Comida',
      flee: 'Huida',
      inertia: 'Inercia',
      limits: 'Límites',
      noise: 'Ruido',
      walls: 'Paredes',
    },
    turns: {
      left: 'Gira a la izquierda',
      right: 'Gira a la derecha',
      straight: 'Vuela recto',
      faster: 'Vuela recto y acelera',
      slower: 'Vuela recto y frena',
    },
    separation: (crowd, at) =>
      `${crowd} ${crowd === 1 ? 'vecino está' : 'vecinos están'} demasiado cerca${at === null ? '' : `, a ${ES[at]}`}`,
    alignment: (side) => `sus vecinos van más a ${ES[side]}`,
    cohesion: (side) => `la mayoría de sus vecinos está a ${ES[side]}`,
    middle: (side) => `el centro de la bandada está a ${ES[side]}`,
    cursor: (side) => `el cursor tira a ${ES[side]}`,
    target: (side) => `el objetivo tira a ${ES[side]}`,
    food: (side) => `la comida tira a ${ES[side]}`,
    flee: (side) => `huye hacia ${ES[side]}`,
    noise: (side) => `el azar lo gira a ${ES[side]}`,
    walls: 'una pared lo refleja',
    sentence: (turn, reason, against) =>
      `${turn}${reason === null ? '' : `: ${reason}`}${against === null ? '' : `; ${against}, pero eso cuenta menos`}.`,
    balance: (turn, one, other) => `${turn}: ${one}; ${other}. Ambas cosas se anulan.`,
  },
  ja: {
    title: 'ボイドが曲がる理由',
    about: 'ボイドをクリックかタップしてください。矢印は、次のステップで各ルールが速度に加えるものです。',
    boid: 'ボイド',
    neighbours: (seen, crowding) => `隣 ${seen}、近すぎる隣 ${crowding}`,
    nearest: '近い順の隣',
    pick: (place, boid, distance) => `${place}：ボイド ${boid}、距離 ${distance}`,
    zones: '実線：見える範囲。破線：近すぎる範囲。',
    gone: 'このボイドはもういません。別のボイドを選んでください。',
    full: 'ボイドを見ている人が多すぎます。あとでもう一度試してください。',
    ended: 'ほかの人がボイドを見ます。別のボイドを選んでください。',
    follow: 'カメラで追う',
    show: '全員に見せる',
    shownBy: (name) => `${name} さんがこのボイドを見せています。`,
    change: '合計',
    unit: '数値は 1 ステップあたりの単位',
    pushes: {
      separation: '分離',
      alignment: '整列',
      cohesion: '結合',
      seek: '目標',
      food: '餌',
      flee: '逃走',
      inertia: '慣性',
      limits: '制限',
      noise: 'ノイズ',
      walls: '壁',
    },
    turns: {
      left: '左に曲がります',
      right: '右に曲がります',
      straight: 'まっすぐ飛びます',
      faster: 'まっすぐ飛び、速くなります',
      slower: 'まっすぐ飛び、遅くなります',
    },
    separation: (crowd, at) => `${at === null ? '' : `${JA[at]}に`}近すぎる隣が ${crowd} います`,
    alignment: (side) => `隣がもっと${JA[side]}を向いています`,
    cohesion: (side) => `隣の多くが${JA[side]}にいます`,
    middle: (side) => `群れの中心が${JA[side]}にあります`,
    cursor: (side) => `カーソルが${JA[side]}に引きます`,
    target: (side) => `目標が${JA[side]}に引きます`,
    food: (side) => `餌が${JA[side]}に引きます`,
    flee: (side) => `${JA[side]}へ逃げます`,
    noise: (side) => `偶然が${JA[side]}に向けます`,
    walls: '壁がはね返します',
    sentence: (turn, reason, against) =>
      `${turn}。${reason === null ? '' : `${reason}。`}${against === null ? '' : `弱いながら、${against}。`}`,
    balance: (turn, one, other) => `${turn}。${one}。${other}。両方がつり合っています。`,
  },
  ko: {
    title: '보이드가 방향을 바꾸는 이유',
    about: '보이드를 클릭하거나 누르세요. 화살표는 다음 틱에 각 규칙이 속도에 더하는 것입니다.',
    boid: '보이드',
    neighbours: (seen, crowding) => `이웃 ${seen}, 너무 가까운 이웃 ${crowding}`,
    nearest: '가까운 순서의 이웃',
    pick: (place, boid, distance) => `${place}: 보이드 ${boid}, 거리 ${distance}`,
    zones: '실선: 볼 수 있는 범위. 점선: 너무 가까운 범위.',
    gone: '이 보이드는 이제 없습니다. 다른 보이드를 고르세요.',
    full: '보이드를 보는 사람이 너무 많습니다. 나중에 다시 시도하세요.',
    ended: '다른 사람이 보이드를 봅니다. 다른 보이드를 고르세요.',
    follow: '카메라로 따라가기',
    show: '모두에게 보여 주기',
    shownBy: (name) => `${name} 님이 이 보이드를 보여 줍니다.`,
    change: '합',
    unit: '수치는 틱당 단위',
    pushes: {
      separation: '분리',
      alignment: '정렬',
      cohesion: '응집',
      seek: '목표',
      food: '먹이',
      flee: '도망',
      inertia: '관성',
      limits: '한계',
      noise: '잡음',
      walls: '벽',
    },
    turns: {
      left: '왼쪽으로 돕니다',
      right: '오른쪽으로 돕니다',
      straight: '똑바로 납니다',
      faster: '똑바로 날며 빨라집니다',
      slower: '똑바로 날며 느려집니다',
    },
    separation: (crowd, at) => `${at === null ? '' : `${KO[at]}에 `}너무 가까운 이웃이 ${crowd}마리 있습니다`,
    alignment: (side) => `이웃이 더 ${KO[side]}을 향합니다`,
    cohesion: (side) => `이웃 대부분이 ${KO[side]}에 있습니다`,
    middle: (side) => `무리의 중심이 ${KO[side]}에 있습니다`,
    cursor: (side) => `커서가 ${KO[side]}으로 끕니다`,
    target: (side) => `목표가 ${KO[side]}으로 끕니다`,
    food: (side) => `먹이가 ${KO[side]}으로 끕니다`,
    flee: (side) => `${KO[side]}으로 도망칩니다`,
    noise: (side) => `우연이 ${KO[side]}으로 돌립니다`,
    walls: '벽이 되돌려 보냅니다',
    sentence: (turn, reason, against) =>
      `${turn}.${reason === null ? '' : ` ${reason}.`}${against === null ? '' : ` ${against}. 하지만 힘이 더 약합니다.`}`,
    balance: (turn, one, other) => `${turn}. ${one}. ${other}. 둘이 서로 상쇄됩니다.`,
  },
};
