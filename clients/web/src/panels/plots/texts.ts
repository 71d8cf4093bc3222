// Texts of the plots in all languages, loaded with them.

import { type Language, number, texts } from '../../texts/texts';
import type { ViewName } from './kept';

interface SweepTexts {
  param: string;
  from: string;
  to: string;
  steps: string;
  warmUp: string;
  seconds: string;
  takes(time: string): string;
  start: string;
  stop: string;
  again: string;
  /** `keep` keeps the curve below later curves, and `forget` removes all kept curves. */
  keep: string;
  forget: string;
  table: string;
  same: string;
  value: string;
  samples: string;
  none: string;
  /** Reasons for which a sweep does not start. */
  busy: string;
  alike: string;
  gone: string;
  running(step: number, steps: number, who: string): string;
  done(who: string): string;
  /** Reasons for which a sweep ended early, by the state's name. */
  ended: Readonly<Record<'stopped' | 'param' | 'preset' | 'past' | 'refused', string>>;
}

interface PlotsTexts {
  title: string;
  views: Record<ViewName, string>;
  measures: string;
  /** Measures that only the plots have. */
  names: { boids: string; distance: string };
  chart: string;
  zoomIn: string;
  zoomOut: string;
  earlier: string;
  later: string;
  follow: string;
  /** The button that keeps the shown span, and its effect. */
  keepShort: string;
  keep: string;
  forgetShort: string;
  forget(span: string): string;
  /** In the title of a picture. */
  over(span: string): string;
  csv: string;
  png: string;
  larger: string;
  across: string;
  up: string;
  headings: string;
  distances: string;
  boids: string;
  /** A sample, or all boids. */
  of(looked: number, flock: number): string;
  notAll: string;
  sweep: SweepTexts;
}

const all: Record<Language, PlotsTexts> = {
  en: {
    title: 'Plots',
    views: { time: 'Time', against: 'Two measures', spread: 'Headings, distances', sweep: 'Sweep' },
    measures: 'Measures to show',
    names: { boids: 'Boids', distance: 'To the target' },
    chart: 'Measures by time. Left and right read values, up and down go to changes, plus and minus zoom.',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    earlier: 'Earlier',
    later: 'Later',
    follow: 'Follow the flock',
    keepShort: 'Keep',
    keep: 'Keep this span and lay it over others',
    forgetShort: 'Remove',
    forget: (span) => `Remove the dashed span ${span}`,
    over: (span) => `dashed: ${span}`,
    csv: 'Save all measures of this span as a table',
    png: 'Save a picture of this plot',
    larger: 'Larger plots',
    across: 'Across',
    up: 'Up',
    headings: 'Headings',
    distances: 'Distance to the nearest boid',
    boids: 'Boids',
    of: (looked, flock) => (looked >= flock ? `All ${texts.common.boids(flock)}` : `Sample: ${number(looked)} of ${texts.common.boids(flock)}`),
    notAll: 'Distances need all boids on this page. Their number is too large, or the page gets only a part of them.',
    sweep: {
      param: 'Parameter',
      from: 'From',
      to: 'To',
      steps: 'Steps',
      warmUp: 'Settle (s)',
      seconds: 'Measure (s)',
      takes: (time) => `Takes ${time}`,
      start: 'Start',
      stop: 'Stop',
      again: 'Repeat',
      keep: 'Keep curve',
      forget: 'Remove kept curves',
      table: 'Table',
      same: 'The same with flock-sim, from a new start',
      value: 'Value',
      samples: 'Samples',
      none: 'No sweep yet. A presenter can start one.',
      busy: 'A sweep is running. Stop it first.',
      alike: '“From” and “To” need different values.',
      gone: 'This model does not have that parameter.',
      running: (step, steps, who) => `Step ${step} of ${steps}, started by ${who}`,
      done: (who) => `Complete, started by ${who}`,
      ended: {
        stopped: 'Stopped',
        param: 'Ended: the parameter was changed',
        preset: 'Ended: another model or preset was chosen',
        past: 'Ended: the room was rewound',
        refused: 'Ended: the next value is not possible',
      },
    },
  },
  ja: {
    title: 'グラフ',
    views: { time: '時間', against: '2 つの測定値', spread: '向きと距離', sweep: '掃引' },
    measures: '表示する測定値',
    names: { boids: 'ボイド', distance: '目標まで' },
    chart: '測定値の時間経過。左右キーで値を読み、上下キーで変更へ移り、プラスとマイナスで拡大・縮小します。',
    zoomIn: '拡大',
    zoomOut: '縮小',
    earlier: '前へ',
    later: '後へ',
    follow: '群れを追う',
    keepShort: '残す',
    keep: 'この期間を残して、ほかの期間に重ねる',
    forgetShort: '外す',
    forget: (span) => `破線の期間 ${span} を外す`,
    over: (span) => `破線：${span}`,
    csv: 'この期間のすべての測定値を表として保存',
    png: 'このグラフを画像として保存',
    larger: '大きく表示',
    across: '横',
    up: '縦',
    headings: '向き',
    distances: '最も近いボイドまでの距離',
    boids: 'ボイド',
    of: (looked, flock) => (looked >= flock ? `${texts.common.boids(flock)}すべて` : `標本：${texts.common.boids(flock)}のうち ${number(looked)}`),
    notAll: '距離を測るには、すべてのボイドがこのページに必要です。数が多すぎるか、一部しか届いていません。',
    sweep: {
      param: 'パラメーター',
      from: '開始',
      to: '終了',
      steps: '段階',
      warmUp: '待ち（秒）',
      seconds: '測定（秒）',
      takes: (time) => `所要時間：${time}`,
      start: '始める',
      stop: '止める',
      again: 'もう一度',
      keep: '曲線を残す',
      forget: '残した曲線を消す',
      table: '表',
      same: 'flock-sim で最初から同じことをする',
      value: '値',
      samples: '標本',
      none: 'まだ掃引はありません。進行役が始められます。',
      busy: '掃引中です。先に止めてください。',
      alike: '「開始」と「終了」には異なる値が必要です。',
      gone: 'このモデルにはそのパラメーターがありません。',
      running: (step, steps, who) => `${steps} 段階中 ${step}（開始：${who}）`,
      done: (who) => `完了（開始：${who}）`,
      ended: {
        stopped: '止められました',
        param: '終了：パラメーターが変更されました',
        preset: '終了：別のモデルまたはプリセットが選ばれました',
        past: '終了：ルームが過去に戻されました',
        refused: '終了：次の値にはできません',
      },
    },
  },
  ko: {
    title: '그래프',
    views: { time: '시간', against: '두 측정값', spread: '방향, 거리', sweep: '스윕' },
    measures: '보일 측정값',
    names: { boids: '보이드', distance: '목표까지' },
    chart: '시간에 따른 측정값. 왼쪽과 오른쪽 키로 값을 읽고, 위와 아래 키로 변경으로 가고, 더하기와 빼기로 확대하거나 축소합니다.',
    zoomIn: '확대',
    zoomOut: '축소',
    earlier: '앞으로',
    later: '뒤로',
    follow: '무리 따라가기',
    keepShort: '남기기',
    keep: '이 구간을 남겨 다른 구간에 겹치기',
    forgetShort: '지우기',
    forget: (span) => `점선 구간 ${span} 지우기`,
    over: (span) => `점선: ${span}`,
    csv: '이 구간의 모든 측정값을 표로 저장',
    png: '이 그래프를 그림으로 저장',
    larger: '크게 보기',
    across: '가로',
    up: '세로',
    headings: '방향',
    distances: '가장 가까운 보이드까지의 거리',
    boids: '보이드',
    of: (looked, flock) => (looked >= flock ? `${texts.common.boids(flock)} 모두` : `표본: ${texts.common.boids(flock)} 중 ${number(looked)}`),
    notAll: '거리를 재려면 모든 보이드가 이 페이지에 있어야 합니다. 수가 너무 많거나 일부만 오고 있습니다.',
    sweep: {
      param: '매개변수',
      from: '처음',
      to: '끝',
      steps: '단계',
      warmUp: '대기(초)',
      seconds: '측정(초)',
      takes: (time) => `걸리는 시간: ${time}`,
      start: '시작',
      stop: '멈추기',
      again: '다시',
      keep: '곡선 남기기',
      forget: '남긴 곡선 지우기',
      table: '표',
      same: 'flock-sim으로 처음부터 똑같이',
      value: '값',
      samples: '표본',
      none: '아직 스윕이 없습니다. 진행자가 시작할 수 있습니다.',
      busy: '스윕이 진행 중입니다. 먼저 멈추세요.',
      alike: '‘처음’과 ‘끝’은 서로 다른 값이어야 합니다.',
      gone: '이 모델에는 그 매개변수가 없습니다.',
      running: (step, steps, who) => `${steps}단계 중 ${step}단계, 시작한 사람: ${who}`,
      done: (who) => `완료, 시작한 사람: ${who}`,
      ended: {
        stopped: '멈춤',
        param: '끝남: 매개변수가 바뀌었습니다',
        preset: '끝남: 다른 모델이나 프리셋을 골랐습니다',
        past: '끝남: 방을 되감았습니다',
        refused: '끝남: 다음 값은 쓸 수 없습니다',
      },
    },
  },
  de: {
    title: 'Diagramme',
    views: { time: 'Verlauf', against: 'Zwei Messwerte', spread: 'Richtungen, Abstände', sweep: 'Messreihe' },
    measures: 'Gezeigte Messwerte',
    names: { boids: 'Boids', distance: 'Zum Ziel' },
    chart: 'Messwerte im Verlauf. Links und rechts lesen Werte, auf und ab gehen zu Änderungen, Plus und Minus vergrößern und verkleinern.',
    zoomIn: 'Vergrößern',
    zoomOut: 'Verkleinern',
    earlier: 'Früher',
    later: 'Später',
    follow: 'Dem Schwarm folgen',
    keepShort: 'Merken',
    keep: 'Diesen Abschnitt merken und über andere legen',
    forgetShort: 'Entfernen',
    forget: (span) => `Den gestrichelten Abschnitt ${span} entfernen`,
    over: (span) => `gestrichelt: ${span}`,
    csv: 'Alle Messwerte dieses Abschnitts als Tabelle speichern',
    png: 'Dieses Diagramm als Bild speichern',
    larger: 'Größere Diagramme',
    across: 'Waagrecht',
    up: 'Senkrecht',
    headings: 'Richtungen',
    distances: 'Abstand zum nächsten Boid',
    boids: 'Boids',
    of: (looked, flock) =>
      looked >= flock ? `Alle ${texts.common.boids(flock)}` : `Stichprobe: ${number(looked)} von ${texts.common.boids(flock)}`,
    notAll: 'Für Abstände braucht diese Seite alle Boids. Es sind zu viele, oder die Seite bekommt nur einen Teil.',
    sweep: {
      param: 'Parameter',
      from: 'Von',
      to: 'Bis',
      steps: 'Schritte',
      warmUp: 'Warten (s)',
      seconds: 'Messen (s)',
      takes: (time) => `Dauert ${time}`,
      start: 'Starten',
      stop: 'Anhalten',
      again: 'Wiederholen',
      keep: 'Kurve merken',
      forget: 'Gemerkte Kurven entfernen',
      table: 'Tabelle',
      same: 'Dasselbe mit flock-sim, neu begonnen',
      value: 'Wert',
      samples: 'Proben',
      none: 'Noch keine Messreihe. Wer leitet, kann eine starten.',
      busy: 'Es läuft schon eine Messreihe. Halte sie zuerst an.',
      alike: '„Von“ und „Bis“ brauchen verschiedene Werte.',
      gone: 'Dieses Modell hat diesen Parameter nicht.',
      running: (step, steps, who) => `Schritt ${step} von ${steps}, gestartet von ${who}`,
      done: (who) => `Fertig, gestartet von ${who}`,
      ended: {
        stopped: 'Angehalten',
        param: 'Beendet: Der Parameter wurde geändert',
        preset: 'Beendet: Ein anderes Modell oder eine Vorlage wurde gewählt',
        past: 'Beendet: Der Raum wurde zurückgespult',
        refused: 'Beendet: Der nächste Wert ist nicht möglich',
      },
    },
  },
  es: {
    title: 'Gráficas',
    views: { time: 'Tiempo', against: 'Dos medidas', spread: 'Direcciones, distancias', sweep: 'Barrido' },
    measures: 'Medidas que se muestran',
    names: { boids: 'Boids', distance: 'Hasta el objetivo' },
    chart: 'Medidas en el tiempo. Izquierda y derecha leen valores, arriba y abajo van a los cambios, más y menos amplían y reducen.',
    zoomIn: 'Ampliar',
    zoomOut: 'Reducir',
    earlier: 'Antes',
    later: 'Después',
    follow: 'Seguir a la bandada',
    keepShort: 'Guardar',
    keep: 'Guardar este tramo y ponerlo sobre otros',
    forgetShort: 'Quitar',
    forget: (span) => `Quitar el tramo discontinuo ${span}`,
    over: (span) => `discontinuo: ${span}`,
    csv: 'Guardar todas las medidas de este tramo como tabla',
    png: 'Guardar una imagen de esta gráfica',
    larger: 'Gráficas más grandes',
    across: 'Horizontal',
    up: 'Vertical',
    headings: 'Direcciones',
    distances: 'Distancia al boid más cercano',
    boids: 'Boids',
    of: (looked, flock) => (looked >= flock ? `Todos: ${texts.common.boids(flock)}` : `Muestra: ${number(looked)} de ${texts.common.boids(flock)}`),
    notAll: 'Para las distancias, esta página necesita todos los boids. Son demasiados, o la página solo recibe una parte.',
    sweep: {
      param: 'Parámetro',
      from: 'Desde',
      to: 'Hasta',
      steps: 'Pasos',
      warmUp: 'Esperar (s)',
      seconds: 'Medir (s)',
      takes: (time) => `Tarda ${time}`,
      start: 'Iniciar',
      stop: 'Detener',
      again: 'Repetir',
      keep: 'Guardar curva',
      forget: 'Quitar las curvas guardadas',
      table: 'Tabla',
      same: 'Lo mismo con flock-sim, desde el principio',
      value: 'Valor',
      samples: 'Muestras',
      none: 'Aún no hay ningún barrido. Quien presenta puede iniciar uno.',
      busy: 'Ya hay un barrido en marcha. Detenlo primero.',
      alike: '«Desde» y «Hasta» necesitan valores distintos.',
      gone: 'Este modelo no tiene ese parámetro.',
      running: (step, steps, who) => `Paso ${step} de ${steps}, iniciado por ${who}`,
      done: (who) => `Completo, iniciado por ${who}`,
      ended: {
        stopped: 'Detenido',
        param: 'Terminado: se cambió el parámetro',
        preset: 'Terminado: se eligió otro modelo o preajuste',
        past: 'Terminado: la sala se rebobinó',
        refused: 'Terminado: el valor siguiente no es posible',
      },
    },
  },
  fr: {
    title: 'Courbes',
    views: { time: 'Temps', against: 'Deux mesures', spread: 'Directions, distances', sweep: 'Balayage' },
    measures: 'Mesures affichées',
    names: { boids: 'Boids', distance: 'Vers la cible' },
    chart: 'Mesures au fil du temps. Gauche et droite lisent les valeurs, haut et bas vont aux changements, plus et moins changent l’échelle.',
    zoomIn: 'Agrandir',
    zoomOut: 'Réduire',
    earlier: 'Plus tôt',
    later: 'Plus tard',
    follow: 'Suivre la nuée',
    keepShort: 'Garder',
    keep: 'Garder cette période et la poser sur d’autres',
    forgetShort: 'Retirer',
    forget: (span) => `Retirer la période en tirets ${span}`,
    over: (span) => `en tirets\u00a0: ${span}`,
    csv: 'Enregistrer toutes les mesures de cette période dans un tableau',
    png: 'Enregistrer une image de ces courbes',
    larger: 'Courbes plus grandes',
    across: 'Horizontal',
    up: 'Vertical',
    headings: 'Directions',
    distances: 'Distance au boid le plus proche',
    boids: 'Boids',
    of: (looked, flock) =>
      looked >= flock ? `Tous\u00a0: ${texts.common.boids(flock)}` : `Échantillon\u00a0: ${number(looked)} sur ${texts.common.boids(flock)}`,
    notAll: 'Pour les distances, cette page a besoin de tous les boids. Ils sont trop nombreux, ou la page n’en reçoit qu’une partie.',
    sweep: {
      param: 'Paramètre',
      from: 'De',
      to: 'À',
      steps: 'Étapes',
      warmUp: 'Attendre (s)',
      seconds: 'Mesurer (s)',
      takes: (time) => `Dure ${time}`,
      start: 'Démarrer',
      stop: 'Arrêter',
      again: 'Recommencer',
      keep: 'Garder la courbe',
      forget: 'Retirer les courbes gardées',
      table: 'Tableau',
      same: 'La même chose avec flock-sim, depuis le début',
      value: 'Valeur',
      samples: 'Échantillons',
      none: 'Pas encore de balayage. Qui présente peut en démarrer un.',
      busy: 'Un balayage est en cours. Arrêtez-le d’abord.',
      alike: '«\u00a0De\u00a0» et «\u00a0À\u00a0» doivent avoir des valeurs différentes.',
      gone: 'Ce modèle n’a pas ce paramètre.',
      running: (step, steps, who) => `Étape ${step} sur ${steps}, démarré par ${who}`,
      done: (who) => `Terminé, démarré par ${who}`,
      ended: {
        stopped: 'Arrêté',
        param: 'Terminé\u00a0: le paramètre a été modifié',
        preset: 'Terminé\u00a0: un autre modèle ou préréglage a été choisi',
        past: 'Terminé\u00a0: la salle a été rembobinée',
        refused: 'Terminé\u00a0: la valeur suivante n’est pas possible',
      },
    },
  },
};

export const plotsTexts = (): PlotsTexts => all[texts.language as Language];
