// Texts of the tools for drawing in all languages, loaded with them.

import { type Language, texts } from '../../texts/texts';
import type { Kind } from './sketch';

interface DrawTexts {
  title: string;
  about: string;
  kinds: Record<Kind, string>;
  hints: Record<Kind, string>;
  /** After the first end of a wall. */
  otherEnd: string;
  here: string;
  /** The help for the key of `here`. */
  key: string;
  undo: string;
  clear: string;
  full: string;
  wait(seconds: number): string;
  nothing: string;
}

const all: Record<Language, DrawTexts> = {
  en: {
    title: 'Draw',
    about: 'Everyone sees what you draw. Without a mouse: arrow keys move your cursor, and X draws there.',
    kinds: { wall: 'Wall', food: 'Food', hunter: 'Hunter', erase: 'Erase' },
    hints: {
      wall: 'Drag from one end to the other, or choose both ends. Ends snap to walls and to the edges of the world.',
      food: 'Choose a place. Boids come and eat.',
      hunter: 'Choose a place. The hunter chases the nearest boid, and boids flee from it.',
      erase: 'Choose food, a hunter or a wall.',
    },
    otherEnd: 'Now the other end of the wall.',
    here: 'At my cursor (X)',
    key: 'draws at your cursor, while Draw is open',
    undo: 'Undo',
    clear: 'Erase everything',
    full: 'There are already as many as you may draw.',
    wait: (seconds) => `Please wait ${seconds} s before you draw more.`,
    nothing: 'There is nothing to erase there.',
  },
  de: {
    title: 'Zeichnen',
    about: 'Alle sehen, was du zeichnest. Ohne Maus: Pfeiltasten bewegen deinen Zeiger, und X zeichnet dort.',
    kinds: { wall: 'Wand', food: 'Futter', hunter: 'Jäger', erase: 'Löschen' },
    hints: {
      wall: 'Ziehe von einem Ende zum anderen oder wähle beide Enden. Sie rasten an Wänden und am Rand der Welt ein.',
      food: 'Wähle einen Ort. Boids kommen und fressen.',
      hunter: 'Wähle einen Ort. Der Jäger verfolgt den nächsten Boid, und Boids fliehen vor ihm.',
      erase: 'Wähle Futter, einen Jäger oder eine Wand.',
    },
    otherEnd: 'Jetzt das andere Ende der Wand.',
    here: 'An meinem Zeiger (X)',
    key: 'zeichnet an deinem Zeiger, solange Zeichnen offen ist',
    undo: 'Rückgängig',
    clear: 'Alles löschen',
    full: 'Es gibt schon so viele, wie du zeichnen darfst.',
    wait: (seconds) => `Bitte warte ${seconds} s, bevor du weiter zeichnest.`,
    nothing: 'Dort ist nichts zu löschen.',
  },
  es: {
    title: 'Dibujar',
    about: 'Todos ven lo que dibujas. Sin ratón: las flechas mueven tu cursor y X dibuja ahí.',
    kinds: { wall: 'Muro', food: 'Comida', hunter: 'Cazador', erase: 'Borrar' },
    hints: {
      wall: 'Arrastra de un extremo al otro o elige los dos. Los extremos se ajustan a los muros y a los bordes del mundo.',
      food: 'Elige un lugar. Los boids vienen a comer.',
      hunter: 'Elige un lugar. El cazador persigue al boid más cercano y los boids huyen de él.',
      erase: 'Elige comida, un cazador o un muro.',
    },
    otherEnd: 'Ahora el otro extremo del muro.',
    here: 'En mi cursor (X)',
    key: 'dibuja en tu cursor mientras Dibujar está abierto',
    undo: 'Deshacer',
    clear: 'Borrar todo',
    full: 'Ya hay tantos como puedes dibujar.',
    wait: (seconds) => `Espera ${seconds} s antes de dibujar más.`,
    nothing: 'Ahí no hay nada que borrar.',
  },
  fr: {
    title: 'Dessiner',
    about: 'Tout le monde voit ce que tu dessines. Sans souris\u00a0: les flèches déplacent ton curseur et X dessine là.',
    kinds: { wall: 'Mur', food: 'Nourriture', hunter: 'Chasseur', erase: 'Effacer' },
    hints: {
      wall: 'Fais glisser d’un bout à l’autre ou choisis les deux bouts. Ils s’accrochent aux murs et aux bords du monde.',
      food: 'Choisis un endroit. Les boids viennent manger.',
      hunter: 'Choisis un endroit. Le chasseur poursuit le boid le plus proche et les boids le fuient.',
      erase: 'Choisis de la nourriture, un chasseur ou un mur.',
    },
    otherEnd: 'Maintenant l’autre bout du mur.',
    here: 'À mon curseur (X)',
    key: 'dessine à ton curseur, tant que Dessiner est ouvert',
    undo: 'Annuler',
    clear: 'Tout effacer',
    full: 'Il y en a déjà autant que tu peux en dessiner.',
    wait: (seconds) => `Attends ${seconds} s avant de dessiner encore.`,
    nothing: 'Il n’y a rien à effacer ici.',
  },
  ja: {
    title: '描く',
    about: '描いたものは全員に見えます。マウスがなければ、矢印キーでカーソルを動かし、X でそこに描きます。',
    kinds: { wall: '壁', food: 'えさ', hunter: 'ハンター', erase: '消す' },
    hints: {
      wall: '端から端までドラッグするか、両端を順に選びます。端は壁や世界の縁に吸いつきます。',
      food: '場所を選びます。ボイドが食べに来ます。',
      hunter: '場所を選びます。ハンターはいちばん近いボイドを追い、ボイドは逃げます。',
      erase: 'えさ、ハンター、壁のどれかを選びます。',
    },
    otherEnd: '次に壁のもう一方の端です。',
    here: 'カーソルの位置に（X）',
    key: '「描く」が開いている間、カーソルの位置に描きます',
    undo: '元に戻す',
    clear: 'すべて消す',
    full: '描ける数にもう達しています。',
    wait: (seconds) => `次に描くまで ${seconds} 秒お待ちください。`,
    nothing: 'そこには消すものがありません。',
  },
  ko: {
    title: '그리기',
    about: '그린 것은 모두에게 보입니다. 마우스가 없으면 화살표 키로 커서를 옮기고 X로 그립니다.',
    kinds: { wall: '벽', food: '먹이', hunter: '사냥꾼', erase: '지우기' },
    hints: {
      wall: '한쪽 끝에서 다른 쪽 끝까지 끌거나 두 끝을 차례로 고르세요. 끝은 벽과 세계의 가장자리에 달라붙습니다.',
      food: '놓을 곳을 고르세요. 보이드가 와서 먹습니다.',
      hunter: '놓을 곳을 고르세요. 사냥꾼은 가장 가까운 보이드를 쫓고, 보이드는 달아납니다.',
      erase: '먹이, 사냥꾼, 벽 가운데 하나를 고르세요.',
    },
    otherEnd: '이제 벽의 다른 쪽 끝입니다.',
    here: '내 커서에 (X)',
    key: '그리기가 열려 있는 동안 내 커서에 그립니다',
    undo: '되돌리기',
    clear: '모두 지우기',
    full: '그릴 수 있는 만큼 이미 있습니다.',
    wait: (seconds) => `${seconds}초 뒤에 더 그릴 수 있습니다.`,
    nothing: '거기에는 지울 것이 없습니다.',
  },
};

export const drawTexts = (): DrawTexts => all[texts.language as Language];
