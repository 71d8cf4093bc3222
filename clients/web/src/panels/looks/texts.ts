// Texts of the panel of looks in all languages, loaded with it.

import type { LayerName } from '../../app/shown-layers';
import type { ThemeName } from '../../app/theme';
import type { ChosenColoring, Shape } from '../../draw/look';
import { type Language, texts } from '../../texts/texts';

interface LooksTexts {
  title: string;
  about: string;
  coloring: string;
  shape: string;
  /** The title of the layers. */
  over: string;
  layers: Record<LayerName, string>;
  /** The presenter's buttons: all people see these layers and colours; each chooses again. */
  forAll: string;
  free: string;
  /** A presenter has chosen for all. */
  imposed: string;
  /** The title of pictures and films. */
  save: string;
  picture: string;
  film: string;
  filming(seconds: number): string;
  theme: string;
  bySystem: string;
  themes: Record<ThemeName, string>;
  byPreset: string;
  byPresetAndMode: string;
  colorings: Record<ChosenColoring | 'leader', string>;
  /** The meaning of the colours, from the first to the last. */
  key: Record<ChosenColoring | 'leader', string>;
  /** The person's choice hides the leaders' colours. */
  hidden: string;
  shapes: Record<Shape, string>;
}

const all: Record<Language, LooksTexts> = {
  en: {
    title: 'Look',
    about: 'Only your screen changes.',
    coloring: 'Colour says',
    shape: 'Shape',
    over: 'Over the flock',
    layers: { trails: 'Trails', target: 'Target', density: 'Density', links: 'Links between neighbours', centroid: 'Centroid', rules: 'Rules while a slider moves' },
    forAll: 'Show this to everyone',
    free: 'Everyone chooses',
    imposed: 'A presenter has chosen layers or colours for everyone. You can change them on your screen.',
    save: 'Save',
    picture: 'Picture',
    film: 'Film of 10 s',
    filming: (seconds) => `Stop: ${seconds} s left`,
    theme: 'Light or dark',
    bySystem: 'As the system',
    themes: { dark: 'Dark', light: 'Light' },
    byPreset: 'As the preset',
    byPresetAndMode: 'As the preset and the class mode',
    colorings: { heading: 'Heading', speed: 'Speed', neighbours: 'Neighbours', clusters: 'Clusters', own: 'Which boid it is', leader: 'Leader' },
    key: {
      heading: 'right · down · left · up · right',
      speed: 'slow to fast',
      neighbours: 'alone to crowded',
      clusters: 'a colour for each group of connected boids; grey: none', own: 'each boid keeps its colour',
      leader: 'the colour of the person or team that the boid follows',
    },
    hidden: 'Your choice hides the leaders’ colours.',
    shapes: {
      arrow: 'Arrow',
      triangle: 'Triangle',
      bird: 'Bird',
      fish: 'Fish',
      sheep: 'Sheep',
      bee: 'Bee',
      ball: 'Ball',
      person: 'Person from above',
      ant: 'Ant',
      blur: 'Blurred light',
    },
  },
  ja: {
    title: '見た目',
    about: '変わるのはこの画面だけです。',
    coloring: '色が表すもの',
    shape: '形',
    over: '群れの上に表示',
    layers: { trails: '軌跡', target: '目標', density: '密度', links: '近くのボイドを結ぶ線', centroid: '中心', rules: 'スライダーを動かす間のルール' },
    forAll: '全員にこう見せる',
    free: '各自が選ぶ',
    imposed: '発表者が全員の表示や色を選びました。この画面だけ変えることもできます。',
    save: '保存',
    picture: '画像',
    film: '10 秒の動画',
    filming: (seconds) => `停止：残り ${seconds} 秒`,
    theme: '画面の明るさ',
    bySystem: 'システムに合わせる',
    themes: { dark: '暗い', light: '明るい' },
    byPreset: 'プリセットに合わせる',
    byPresetAndMode: 'プリセットとクラスモードに合わせる',
    colorings: { heading: '向き', speed: '速さ', neighbours: '近くのボイドの数', clusters: '群れのまとまり', own: 'どのボイドか', leader: '先導する人' },
    key: { heading: '右 · 下 · 左 · 上 · 右', speed: '遅い → 速い', neighbours: '少ない → 多い', clusters: 'つながったボイドのまとまりごとの色。灰色：どれにも属さない', own: 'ボイドごとに決まった色', leader: 'ボイドが従う人やチームの色' },
    hidden: '選んだ色のため、先導する人の色は表示されません。',
    shapes: {
      arrow: '矢印',
      triangle: '三角形',
      bird: '鳥',
      fish: '魚',
      sheep: '羊',
      bee: 'ハチ',
      ball: '球',
      person: '上から見た人',
      ant: 'アリ',
      blur: 'ぼかした光',
    },
  },
  ko: {
    title: '모양',
    about: '이 화면에서만 바뀝니다.',
    coloring: '색이 나타내는 것',
    shape: '형태',
    over: '무리 위에 보이기',
    layers: { trails: '자취', target: '목표', density: '밀도', links: '이웃을 잇는 선', centroid: '중심', rules: '슬라이더를 움직일 때의 규칙' },
    forAll: '모두에게 이렇게 보이기',
    free: '각자 고르기',
    imposed: '발표자가 모두의 표시나 색을 골랐습니다. 내 화면에서 바꿀 수 있습니다.',
    save: '저장',
    picture: '그림',
    film: '10초 동영상',
    filming: (seconds) => `멈춤: ${seconds}초 남음`,
    theme: '화면의 밝기',
    bySystem: '시스템대로',
    themes: { dark: '어둡게', light: '밝게' },
    byPreset: '프리셋대로',
    byPresetAndMode: '프리셋과 수업 방식대로',
    colorings: { heading: '방향', speed: '속도', neighbours: '가까운 보이드 수', clusters: '무리 덩어리', own: '어느 보이드인지', leader: '이끄는 사람' },
    key: { heading: '오른쪽 · 아래 · 왼쪽 · 위 · 오른쪽', speed: '느림 → 빠름', neighbours: '적음 → 많음', clusters: '이어진 보이드 덩어리마다 다른 색. 회색: 덩어리 없음', own: '보이드마다 정해진 색', leader: '보이드가 따르는 사람이나 팀의 색' },
    hidden: '고른 색 때문에 이끄는 사람의 색이 보이지 않습니다.',
    shapes: {
      arrow: '화살표',
      triangle: '삼각형',
      bird: '새',
      fish: '물고기',
      sheep: '양',
      bee: '벌',
      ball: '공',
      person: '위에서 본 사람',
      ant: '개미',
      blur: '흐린 빛',
    },
  },
  de: {
    title: 'Aussehen',
    about: 'Nur dein Bildschirm ändert sich.',
    coloring: 'Die Farbe zeigt',
    shape: 'Form',
    over: 'Über dem Schwarm',
    layers: { trails: 'Spuren', target: 'Ziel', density: 'Dichte', links: 'Linien zwischen Nachbarn', centroid: 'Mitte', rules: 'Regeln, während ein Regler bewegt wird' },
    forAll: 'Allen so zeigen',
    free: 'Alle wählen selbst',
    imposed: 'Die Leitung hat Ebenen oder Farben für alle gewählt. Auf deinem Bildschirm kannst du sie ändern.',
    save: 'Speichern',
    picture: 'Bild',
    film: 'Film von 10 s',
    filming: (seconds) => `Stopp: noch ${seconds} s`,
    theme: 'Hell oder dunkel',
    bySystem: 'Wie das System',
    themes: { dark: 'Dunkel', light: 'Hell' },
    byPreset: 'Wie die Vorlage',
    byPresetAndMode: 'Wie die Vorlage und der Klassenmodus',
    colorings: { heading: 'Richtung', speed: 'Tempo', neighbours: 'Nachbarn', clusters: 'Gruppen', own: 'Einzelner Boid', leader: 'Wer führt' },
    key: {
      heading: 'rechts · unten · links · oben · rechts',
      speed: 'langsam bis schnell',
      neighbours: 'allein bis gedrängt',
      clusters: 'jede zusammenhängende Gruppe hat ihre Farbe; grau: keine Gruppe', own: 'jeder Boid behält seine Farbe',
      leader: 'die Farbe der Person oder des Teams, die den Boid führen',
    },
    hidden: 'Deine Wahl verdeckt die Farben derer, die führen.',
    shapes: {
      arrow: 'Pfeil',
      triangle: 'Dreieck',
      bird: 'Vogel',
      fish: 'Fisch',
      sheep: 'Schaf',
      bee: 'Biene',
      ball: 'Kugel',
      person: 'Person von oben',
      ant: 'Ameise',
      blur: 'Weiches Licht',
    },
  },
  es: {
    title: 'Aspecto',
    about: 'Solo cambia tu pantalla.',
    coloring: 'El color indica',
    shape: 'Forma',
    over: 'Sobre la bandada',
    layers: { trails: 'Estelas', target: 'Objetivo', density: 'Densidad', links: 'Líneas entre vecinos', centroid: 'Centro', rules: 'Reglas mientras se mueve un control' },
    forAll: 'Mostrar así a todos',
    free: 'Cada cual elige',
    imposed: 'Alguien que presenta ha elegido capas o colores para todos. Puedes cambiarlos en tu pantalla.',
    save: 'Guardar',
    picture: 'Imagen',
    film: 'Vídeo de 10 s',
    filming: (seconds) => `Parar: quedan ${seconds} s`,
    theme: 'Claro u oscuro',
    bySystem: 'Como el sistema',
    themes: { dark: 'Oscuro', light: 'Claro' },
    byPreset: 'Como el preajuste',
    byPresetAndMode: 'Como el preajuste y el modo de clase',
    colorings: { heading: 'Dirección', speed: 'Velocidad', neighbours: 'Vecinos', clusters: 'Grupos', own: 'Qué boid es', leader: 'Quién guía' },
    key: {
      heading: 'derecha · abajo · izquierda · arriba · derecha',
      speed: 'de lento a rápido',
      neighbours: 'de solo a rodeado',
      clusters: 'un color para cada grupo de boids conectados; gris: ninguno', own: 'cada boid conserva su color',
      leader: 'el color de la persona o del equipo al que sigue el boid',
    },
    hidden: 'Tu elección oculta los colores de quienes guían.',
    shapes: {
      arrow: 'Flecha',
      triangle: 'Triángulo',
      bird: 'Pájaro',
      fish: 'Pez',
      sheep: 'Oveja',
      bee: 'Abeja',
      ball: 'Bola',
      person: 'Persona',
      ant: 'Hormiga',
      blur: 'Luz difusa',
    },
  },
  fr: {
    title: 'Aspect',
    about: 'Seul votre écran change.',
    coloring: 'La couleur indique',
    shape: 'Forme',
    over: 'Sur la nuée',
    layers: { trails: 'Traînées', target: 'Cible', density: 'Densité', links: 'Traits entre voisins', centroid: 'Centre', rules: 'Règles pendant le réglage' },
    forAll: 'Montrer ainsi à tous',
    free: 'Chacun choisit',
    imposed: 'L’animateur a choisi des calques ou des couleurs pour tous. Vous pouvez les changer sur votre écran.',
    save: 'Enregistrer',
    picture: 'Image',
    film: 'Film de 10 s',
    filming: (seconds) => `Arrêter\u00a0: encore ${seconds} s`,
    theme: 'Clair ou sombre',
    bySystem: 'Comme le système',
    themes: { dark: 'Sombre', light: 'Clair' },
    byPreset: 'Comme le préréglage',
    byPresetAndMode: 'Comme le préréglage et le mode de classe',
    colorings: { heading: 'Direction', speed: 'Vitesse', neighbours: 'Voisins', clusters: 'Groupes', own: 'Chaque boid', leader: 'Qui mène' },
    key: {
      heading: 'droite · bas · gauche · haut · droite',
      speed: 'de lent à rapide',
      neighbours: 'de seul à entouré',
      clusters: 'une couleur par groupe de boids reliés\u00a0; gris\u00a0: aucun', own: 'chaque boid garde sa couleur',
      leader: 'la couleur de la personne ou de l’équipe que suit le boid',
    },
    hidden: 'Votre choix cache les couleurs des meneurs.',
    shapes: {
      arrow: 'Flèche',
      triangle: 'Triangle',
      bird: 'Oiseau',
      fish: 'Poisson',
      sheep: 'Mouton',
      bee: 'Abeille',
      ball: 'Boule',
      person: 'Personne',
      ant: 'Fourmi',
      blur: 'Lumière floue',
    },
  },
};

export const looksTexts = (): LooksTexts => all[texts.language as Language];
