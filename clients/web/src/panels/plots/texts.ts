// Texts of the plots in all languages, loaded with them.

import { type Language, number, texts } from '../../texts/texts';
import type { ViewName } from './kept';

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
  forget(from: string, to: string): string;
  /** In the title of a picture. */
  over(from: string, to: string): string;
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
}

const all: Record<Language, PlotsTexts> = {
  en: {
    title: 'Plots',
    views: { time: 'Time', against: 'Two measures', spread: 'Headings, distances' },
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
    forget: (from, to) => `Remove the dashed span ${from} – ${to}`,
    over: (from, to) => `dashed: ${from} – ${to}`,
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
  },
  ja: {
    title: 'グラフ',
    views: { time: '時間', against: '2 つの測定値', spread: '向きと距離' },
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
    forget: (from, to) => `破線の期間 ${from} – ${to} を外す`,
    over: (from, to) => `破線：${from} – ${to}`,
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
  },
  ko: {
    title: '그래프',
    views: { time: '시간', against: '두 측정값', spread: '방향, 거리' },
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
    forget: (from, to) => `점선 구간 ${from} – ${to} 지우기`,
    over: (from, to) => `점선: ${from} – ${to}`,
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
  },
  de: {
    title: 'Diagramme',
    views: { time: 'Verlauf', against: 'Zwei Messwerte', spread: 'Richtungen, Abstände' },
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
    forget: (from, to) => `Den gestrichelten Abschnitt ${from} – ${to} entfernen`,
    over: (from, to) => `gestrichelt: ${from} – ${to}`,
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
  },
  es: {
    title: 'Gráficas',
    views: { time: 'Tiempo', against: 'Dos medidas', spread: 'Direcciones, distancias' },
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
    forget: (from, to) => `Quitar el tramo discontinuo ${from} – ${to}`,
    over: (from, to) => `discontinuo: ${from} – ${to}`,
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
  },
  fr: {
    title: 'Courbes',
    views: { time: 'Temps', against: 'Deux mesures', spread: 'Directions, distances' },
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
    forget: (from, to) => `Retirer la période en tirets ${from} – ${to}`,
    over: (from, to) => `en tirets\u00a0: ${from} – ${to}`,
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
  },
};

export const plotsTexts = (): PlotsTexts => all[texts.language as Language];
