// The texts of flock-term, by use. `page` names a text in clients/web/src/texts. A language beside `page` replaces the page's text:
// the status line needs shorter words than a page. A text without `page` has all languages here.
//
// {0} stands for the first argument. An array has the forms for other counts and for one. `columns` is the room that a text has on the
// screen; a test measures it. `of` lists the arguments of a page's text:
//
//   text     any text
//   name     the name of a person
//   who      a person at the beginning of a sentence
//   count    a number with forms for one and for others
//   number   a number without such forms
//
// The generator passes any other value to the page's function as this argument.

export const LANGUAGES = ['en', 'de', 'es', 'fr', 'ja', 'ko'];

/** Endings of names that need no further form of address, as on the page. */
export const HONORED = {
  ja: ['さん', '先生', 'せんせい', 'くん', '君', 'ちゃん', '様', 'さま', '氏'],
  ko: ['님', '씨', '쌤', '선생'],
};

/** @type {Record<string, [string, string]>} */
const FREE = { de: ['frei', 'jede Person wählt'], es: ['libre', 'cada persona elige'], fr: ['libre', 'chacun choisit'], ja: ['自由', '各自が選びます'], ko: ['자유', '각자 고릅니다'] };

// Choices of controls that the page names elsewhere, with their meanings.
/** @type {Record<string, Record<string, Record<string, [string, string]>>>} */
export const CHOICES = {
  coloring: {
    free: FREE,
    heading: { de: ['Richtung', 'wohin ein Boid fliegt'], es: ['rumbo', 'hacia dónde vuela un boid'], fr: ['cap', 'où vole un boid'], ja: ['向き', 'ボイドが飛ぶ向き'], ko: ['방향', '보이드가 나는 방향'] },
    speed: { de: ['Tempo', 'wie schnell ein Boid ist'], es: ['velocidad', 'la velocidad de un boid'], fr: ['vitesse', 'la vitesse d’un boid'], ja: ['速さ', 'ボイドの速さ'], ko: ['속력', '보이드의 속력'] },
    neighbours: { de: ['Nachbarn', 'wie viele Boids nah sind'], es: ['vecinos', 'cuántos boids están cerca'], fr: ['voisins', 'combien de boids sont proches'], ja: ['近くの数', '近くにいるボイドの数'], ko: ['이웃', '가까이 있는 보이드의 수'] },
    clusters: { de: ['Gruppen', 'zu welcher Gruppe ein Boid gehört'], es: ['grupos', 'a qué grupo pertenece un boid'], fr: ['groupes', 'à quel groupe un boid appartient'], ja: ['グループ', 'ボイドが属するグループ'], ko: ['그룹', '보이드가 속한 그룹'] },
    own: { de: ['eigene', 'jeder Boid hat eine eigene Farbe'], es: ['propio', 'cada boid tiene un color propio'], fr: ['propre', 'chaque boid a sa couleur'], ja: ['個別', 'ボイドごとに自分の色'], ko: ['고유', '보이드마다 자기 색'] },
  },
  layers: {
    free: FREE,
    none: { de: ['keine', 'nichts über dem Schwarm'], es: ['ninguna', 'nada sobre la bandada'], fr: ['aucun', 'rien sur la nuée'], ja: ['なし', '群れの上に何も見せません'], ko: ['없음', '무리 위에 아무것도 없습니다'] },
  },
};

const KEYS = 12; // columns of keys in the help
const STATE = 24; // columns of the state of the connection

/** @type {Record<string, { page?: string, of?: any[], columns?: number, [language: string]: any }>} */
export const TEXTS = {
  NOTHING: { en: '', de: '', es: '', fr: '', ja: '', ko: '' },

  // ---- general ----
  BOIDS: { page: 'common.boids', of: ['count'] },
  PEOPLE: { page: 'common.people', of: ['count'] },
  PAIR: { en: '{0}: {1}', de: '{0}: {1}', es: '{0}: {1}', fr: '{0} : {1}', ja: '{0}：{1}', ko: '{0}: {1}' },
  BOTH: { en: '{0}; {1}', de: '{0}; {1}', es: '{0}; {1}', fr: '{0} ; {1}', ja: '{0}。{1}', ko: '{0}. {1}' },
  LIST: { en: '{0}, {1}', de: '{0}, {1}', es: '{0}, {1}', fr: '{0}, {1}', ja: '{0}、{1}', ko: '{0}, {1}' },
  SURE: { en: '{0} y: yes', de: '{0} y: ja', es: '{0} y: sí', fr: '{0} y : oui', ja: '{0} y：はい', ko: '{0} y: 예' },
  OUT_OF_MEMORY: {
    en: 'out of memory', de: 'der Speicher reicht nicht', es: 'falta memoria', fr: 'mémoire insuffisante', ja: 'メモリーが足りません', ko: '메모리가 부족합니다',
  },
  TOO_SMALL: { columns: 19, en: 'too small', de: 'zu klein', es: 'muy pequeña', fr: 'trop petit', ja: '画面が小さすぎます', ko: '창이 너무 작습니다' },
  ASCII_ONLY: {
    en: 'ASCII only: the locale is not UTF-8; LANG=C.UTF-8 shows more',
    de: 'Nur ASCII: das Locale ist nicht UTF-8; LANG=C.UTF-8 zeigt mehr',
    es: 'Solo ASCII: el locale no es UTF-8; LANG=C.UTF-8 muestra más',
    fr: 'ASCII seulement : la locale n’est pas UTF-8 ; LANG=C.UTF-8 en montre plus',
    ja: 'ASCII だけで表示しています。ロケールが UTF-8 ではありません。LANG=C.UTF-8 で変わります',
    ko: 'ASCII로만 표시합니다. 로캘이 UTF-8이 아닙니다. LANG=C.UTF-8로 바꿀 수 있습니다',
  },

  // ---- keys, as keyboards print them ----
  KEYS_MOUSE: { columns: KEYS, en: 'mouse', de: 'Maus', es: 'ratón', fr: 'souris', ja: 'マウス', ko: '마우스' },
  KEYS_MOVE: { columns: KEYS, en: 'arrows, hjkl', de: 'Pfeile, hjkl', es: 'flechas hjkl', fr: 'flèches hjkl', ja: '矢印, hjkl', ko: '화살표, hjkl' },
  KEYS_LEAP: { columns: KEYS, en: 'with Shift', de: 'mit Umschalt', es: 'con Mayús', fr: 'avec Maj', ja: 'Shift+矢印', ko: 'Shift+화살표' },
  KEYS_ENLARGE: { columns: KEYS, en: '+, wheel', de: '+, Rad', es: '+, rueda', fr: '+, molette', ja: '+, ホイール', ko: '+, 휠' },
  KEYS_REDUCE: { columns: KEYS, en: '-, wheel', de: '-, Rad', es: '-, rueda', fr: '-, molette', ja: '-, ホイール', ko: '-, 휠' },
  KEYS_RIGHT_BUTTON: { columns: KEYS, en: 'right button', de: 'rechte Taste', es: 'botón dcho.', fr: 'bouton droit', ja: '右ボタン', ko: '오른쪽 버튼' },
  KEYS_SPACE: { columns: KEYS, page: 'keyNames.Space', en: 'space' },
  KEYS_ESC: { columns: KEYS, page: 'keyNames.Esc' },
  KEYS_UP_DOWN: { columns: KEYS, en: 'up, down', de: 'hoch, runter', es: '↑, ↓', fr: '↑, ↓', ja: '上, 下', ko: '위, 아래' },
  KEYS_LEFT_RIGHT: { columns: KEYS, en: 'left, right', de: 'links,rechts', es: '←, →', fr: '←, →', ja: '左, 右', ko: '왼쪽, 오른쪽' },
  KEYS_ENTER: { columns: KEYS, en: 'Enter', de: 'Enter', es: 'Intro', fr: 'Entrée', ja: 'Enter', ko: 'Enter' },
  KEYS_ERASE: { columns: KEYS, en: 'Backspace', de: 'Rücktaste', es: 'Retroceso', fr: 'Ret. arrière', ja: 'Backspace', ko: 'Backspace' },
  KEYS_NUMBER: { columns: KEYS, en: '0-9 . - e', de: '0-9 , - e', es: '0-9 , - e', fr: '0-9 , - e', ja: '0-9 . - e', ko: '0-9 . - e' },
  KEYS_EXPEL: { columns: KEYS, en: 'x, Delete', de: 'x, Entf', es: 'x, Supr', fr: 'x, Suppr', ja: 'x, Delete', ko: 'x, Delete' },

  // ---- keys, in the help and the palette ----
  DO_MOVE: { en: 'move your cursor', de: 'deinen Zeiger bewegen', es: 'mover tu cursor', fr: 'déplacer votre curseur', ja: 'カーソルを動かす', ko: '커서 움직이기' },
  DO_LEAP: { en: 'move it farther', de: 'ihn weiter bewegen', es: 'moverlo más', fr: 'plus loin', ja: '大きく動かす', ko: '더 멀리 움직이기' },
  DO_LEAVE: { en: 'hide your cursor', de: 'deinen Zeiger verbergen', es: 'ocultar tu cursor', fr: 'cacher votre curseur', ja: 'カーソルを隠す', ko: '커서 숨기기' },
  DO_PANEL: { en: 'controls of the flock', de: 'Steuerung des Schwarms', es: 'controles de la bandada', fr: 'commandes de la nuée', ja: '群れの操作パネル', ko: '무리 제어판' },
  DO_MEMBERS: { en: 'the room and its people', de: 'Raum und Personen', es: 'la sala y su gente', fr: 'la salle et ses membres', ja: 'ルームと参加者', ko: '방과 사람들' },
  DO_MEASURES: { en: 'measures and centroid', de: 'Messwerte, Schwerpunkt', es: 'medidas y centroide', fr: 'mesures et centre', ja: '測定値と重心', ko: '측정값과 무게중심' },
  DO_NEWS: { en: 'the last news of the room', de: 'letzte Neuigkeiten im Raum', es: 'lo último en la sala', fr: 'dernières nouvelles', ja: 'ルームの最近のできごと', ko: '방의 최근 소식' },
  DO_SWEEP: { en: 'the sweep of a parameter', de: 'Messreihe eines Parameters', es: 'barrido de un parámetro', fr: 'balayage d’un paramètre', ja: 'パラメーターの掃引', ko: '매개변수 스윕' },
  DO_UNSWEEP: { en: 'stop the sweep', de: 'Messreihe anhalten', es: 'detener el barrido', fr: 'arrêter le balayage', ja: '掃引を止める', ko: '스윕 멈추기' },
  DO_WHY: {
    en: 'why a boid turns; the next boid', de: 'warum ein Boid abbiegt; nächster', es: 'por qué gira un boid; el siguiente', fr: 'pourquoi un boid tourne ; suivant',
    ja: 'ボイドが曲がる理由、次のボイド', ko: '보이드가 방향을 바꾸는 이유, 다음',
  },
  END_WHY: { en: 'end the explanation', de: 'Erklärung beenden', es: 'terminar la explicación', fr: 'finir l’explication', ja: '理由の表示を終える', ko: '이유 보기 끝내기' },
  DO_FOLLOW: { en: 'follow the flock', de: 'dem Schwarm folgen', es: 'seguir a la bandada', fr: 'suivre la nuée', ja: '群れを追う', ko: '무리 따라가기' },
  DO_FIT: { en: 'show the whole world', de: 'die ganze Welt zeigen', es: 'ver todo el mundo', fr: 'voir tout le monde', ja: '世界全体を見る', ko: '세계 전체 보기' },
  DO_ENLARGE: { en: 'enlarge the flock', de: 'vergrößern', es: 'ampliar', fr: 'agrandir', ja: '拡大する', ko: '확대' },
  DO_REDUCE: { en: 'reduce the flock', de: 'verkleinern', es: 'reducir', fr: 'réduire', ja: '縮小する', ko: '축소' },
  DO_BRAILLE: { en: 'draw braille dots', de: 'Braillepunkte zeichnen', es: 'dibujar puntos braille', fr: 'points braille', ja: '点字で描く', ko: '점자로 그리기' },
  DO_BLOCKS: { en: 'draw half blocks', de: 'halbe Blöcke zeichnen', es: 'dibujar medios bloques', fr: 'demi-blocs', ja: '半ブロックで描く', ko: '반블록으로 그리기' },
  DO_SEXTANTS: { en: 'draw sextants, if the font has them', de: 'Sextanten, falls in der Schrift', es: 'sextantes, si la fuente los tiene', fr: 'sextants, si la police en a', ja: 'セクスタントで描く (対応フォント)', ko: '섹스턴트로 그리기 (지원 글꼴)' },
  DO_PAN: { en: 'move the world', de: 'die Welt verschieben', es: 'mover el mundo', fr: 'déplacer le monde', ja: '世界を動かす', ko: '세계 옮기기' },
  DO_INVITE: { en: "the room's code and link", de: 'Code und Link des Raums', es: 'código y enlace', fr: 'code et lien de la salle', ja: 'ルームのコードとリンク', ko: '방 코드와 링크' },
  DO_PALETTE: { en: 'find anything by typing', de: 'alles finden: tippen', es: 'buscar escribiendo', fr: 'chercher en tapant', ja: '文字で探す', ko: '입력해서 찾기' },
  DO_ROOMS: { en: 'rooms: join, create', de: 'Räume: beitreten, anlegen', es: 'salas: entrar, crear', fr: 'salles : entrer, créer', ja: 'ルーム：参加、作成', ko: '방: 참여, 만들기' },
  DO_KEY: { en: 'type the presenter key', de: 'Leitungsschlüssel eingeben', es: 'clave de responsable', fr: 'saisir la clé d’hôte', ja: '発表者キーを入力', ko: '진행자 키 입력' },
  DO_RUN: { en: 'pause or run the flock', de: 'anhalten, weiterlaufen', es: 'pausar o seguir', fr: 'pause ou reprise', ja: '一時停止と再開', ko: '일시정지와 재생' },
  DO_STEP: { en: 'step the paused flock', de: 'ein Schritt in der Pause', es: 'un paso en la pausa', fr: 'un pas en pause', ja: '停止中にコマ送り', ko: '멈춘 무리 한 틱' },
  DO_PRESET_BEFORE: { en: 'previous preset', de: 'vorige Vorlage', es: 'preajuste anterior', fr: 'préréglage précédent', ja: '前のプリセット', ko: '이전 프리셋' },
  DO_PRESET_NEXT: { en: 'next preset', de: 'nächste Vorlage', es: 'preajuste siguiente', fr: 'préréglage suivant', ja: '次のプリセット', ko: '다음 프리셋' },
  DO_ADD: { en: 'add boids at your cursor', de: 'Boids am Zeiger', es: 'añadir boids al cursor', fr: 'boids au curseur', ja: 'カーソルにボイドを追加', ko: '커서에 보이드 추가' },
  DO_REMOVE: { en: 'remove boids', de: 'Boids entfernen', es: 'quitar boids', fr: 'retirer des boids', ja: 'ボイドを減らす', ko: '보이드 줄이기' },
  DO_MANY: { en: 'how many boids: 1 to 1000', de: 'wie viele: 1 bis 1000', es: 'cuántos: de 1 a 1000', fr: 'combien : de 1 à 1000', ja: '一度の数：1 ～ 1000', ko: '한 번에 1~1000마리' },
  DO_UNDO: { en: 'undo the last change', de: 'letzte Änderung zurück', es: 'deshacer el cambio', fr: 'annuler le changement', ja: '元に戻す', ko: '되돌리기' },
  DO_RESET: { en: 'start the flock again', de: 'Schwarm neu starten', es: 'reiniciar la bandada', fr: 'relancer la nuée', ja: '群れをはじめから', ko: '무리를 처음부터' },
  DO_REWIND: { en: 'rewind the room by 5 s', de: '5 s zurückspulen', es: 'rebobinar 5 s', fr: 'rembobiner de 5 s', ja: '5 秒巻き戻す', ko: '5초 되감기' },
  DO_FORWARD: { en: '5 s forwards', de: '5 s vor', es: '5 s adelante', fr: 'avancer de 5 s', ja: '5 秒進める', ko: '5초 앞으로' },
  DO_FRAME_BACK: { en: 'one tick back', de: 'ein Schritt zurück', es: 'un paso atrás', fr: 'un pas en arrière', ja: '1 ステップ戻す', ko: '한 틱 뒤로' },
  DO_FRAME_ON: { en: 'one tick forwards', de: 'ein Schritt vor', es: 'un paso adelante', fr: 'un pas en avant', ja: '1 ステップ進める', ko: '한 틱 앞으로' },
  DO_PLAY: { en: 'play the past', de: 'Vergangenheit abspielen', es: 'reproducir el pasado', fr: 'lire le passé', ja: '過去を再生', ko: '과거 재생' },
  DO_PLAY_BACK: { en: 'play the past backwards', de: 'rückwärts abspielen', es: 'reproducir hacia atrás', fr: 'lire à l’envers', ja: '過去を逆に再生', ko: '과거 거꾸로 재생' },
  DO_NOW: { en: 'back to now', de: 'zurück zur Gegenwart', es: 'volver al presente', fr: 'revenir au présent', ja: '今に戻る', ko: '지금으로 돌아가기' },
  DO_RESUME: { en: 'go on from that moment', de: 'ab hier weitermachen', es: 'seguir desde aquí', fr: 'continuer d’ici', ja: 'ここから続ける', ko: '여기서 이어 가기' },
  DO_SKIP: {
    en: 'relay: the next person leads', de: 'Staffel: die nächste Person führt', es: 'relevos: le toca al siguiente', fr: 'relais : à la personne suivante',
    ja: 'リレー：次の人が先導', ko: '릴레이: 다음 사람이 이끌기',
  },
  DO_DOOR: {
    en: 'close or open the door to newcomers', de: 'Tür für Neue schließen oder öffnen', es: 'cerrar o abrir la puerta a nuevos',
    fr: 'fermer ou ouvrir la porte aux nouveaux', ja: '新しい人の入室を止める・許す', ko: '새 사람 입장 막기·허용하기',
  },
  DO_NAMING: {
    en: 'ask people for names, or not', de: 'nach Namen fragen, oder nicht', es: 'pedir nombres, o no', fr: 'demander les noms, ou non', ja: '名前を尋ねる・尋ねない', ko: '이름 묻기·묻지 않기',
  },
  DO_RETRY: { en: 'connect now', de: 'jetzt verbinden', es: 'conectar ahora', fr: 'se connecter', ja: '今すぐ接続', ko: '지금 연결' },
  DO_REDRAW: { en: 'redraw the screen', de: 'neu zeichnen', es: 'redibujar la pantalla', fr: 'redessiner l’écran', ja: '画面を描き直す', ko: '화면 다시 그리기' },
  DO_HELP: { en: 'this help', de: 'diese Hilfe', es: 'esta ayuda', fr: 'cette aide', ja: 'このヘルプ', ko: '이 도움말' },
  DO_CANCEL: { en: 'close what is on top', de: 'schließt das Oberste', es: 'cerrar lo de encima', fr: 'fermer le dessus', ja: '一番上を閉じる', ko: '맨 위의 것 닫기' },
  DO_QUIT: { en: 'quit', de: 'beenden', es: 'salir', fr: 'quitter', ja: '終了', ko: '끝내기' },
  DO_SELECT: { en: 'select a row', de: 'Zeile wählen', es: 'elegir una fila', fr: 'choisir une ligne', ja: '行を選ぶ', ko: '줄 고르기' },
  DO_CHANGE: { en: 'change it, fine', de: 'ändern, fein', es: 'cambiar, fino', fr: 'changer, fin', ja: '細かく変える', ko: '조금 바꾸기' },
  DO_CHANGE_COARSE: { en: 'change it, coarse', de: 'ändern, grob', es: 'cambiar, grueso', fr: 'changer, gros', ja: '大きく変える', ko: '많이 바꾸기' },
  DO_TYPE: { en: 'type its value', de: 'Wert eintippen', es: 'escribir el valor', fr: 'taper la valeur', ja: '値を入力', ko: '값 입력' },
  DO_ENTER: { en: 'set it; save a preset', de: 'setzen; Vorlage speichern', es: 'fijar; guardar preajuste', fr: 'fixer ; garder', ja: '決定、プリセット保存', ko: '정하기, 프리셋 저장' },
  DO_ERASE: { en: 'its default', de: 'Anfangswert', es: 'valor inicial', fr: 'valeur initiale', ja: '初期値に戻す', ko: '초깃값으로' },
  DO_CLEAR: { en: 'erase what is typed', de: 'Eingabe löschen', es: 'borrar lo escrito', fr: 'effacer la saisie', ja: '入力を消す', ko: '입력 지우기' },
  DO_APPOINT: { en: 'make presenter', de: 'zur Leitung machen', es: 'hacer responsable', fr: 'nommer hôte', ja: '発表者にする', ko: '진행자로' },
  DO_DEMOTE: { en: 'make viewer', de: 'Leitung entziehen', es: 'hacer participante', fr: 'rendre participant', ja: '参加者に戻す', ko: '참여자로' },
  DO_EXPEL: { en: 'remove the person', de: 'Person entfernen', es: 'expulsar a la persona', fr: 'exclure la personne', ja: '退出させる', ko: '내보내기' },
  DO_SPOTLIGHT: { en: 'spotlight on the cursor', de: 'Scheinwerfer auf Zeiger', es: 'foco en el cursor', fr: 'mettre en avant', ja: 'スポットライト', ko: '스포트라이트' },

  // ---- help ----
  HELP_FOLLOW: {
    en: 'steer: the flock follows all cursors', de: 'steuern: der Schwarm folgt allen Zeigern', es: 'guiar: la bandada sigue a todos los cursores',
    fr: 'guider : la nuée suit tous les curseurs', ja: '操縦：群れは全員のカーソルを追います', ko: '이끌기: 무리가 모든 커서를 따라갑니다',
  },
  HELP_FLEE: {
    en: 'steer: the flock flees from all cursors', de: 'steuern: der Schwarm flieht vor allen Zeigern', es: 'guiar: la bandada huye de todos los cursores',
    fr: 'guider : la nuée fuit tous les curseurs', ja: '操縦：群れは全員のカーソルから逃げます', ko: '이끌기: 무리가 모든 커서를 피합니다',
  },
  HELP_CLICK: { en: 'click rows and names', de: 'Zeilen und Namen anklicken', es: 'clic en filas y nombres', fr: 'cliquer lignes et noms', ja: '行や名前をクリック', ko: '줄과 이름 클릭' },
  HELP_DRAG: { en: 'drag bars, wheel scrolls', de: 'Balken ziehen, Rad blättert', es: 'arrastrar barras, rodar', fr: 'glisser, défiler', ja: 'バーをドラッグ、ホイールで移動', ko: '막대 끌기, 휠로 넘기기' },
  HELP_PANEL: { en: 'In a panel:', de: 'In einer Tafel:', es: 'En un panel:', fr: 'Dans un panneau :', ja: 'パネルの中：', ko: '패널에서:' },
  HELP_ROOM: { en: "In the room's panel:", de: 'In der Tafel des Raums:', es: 'En el panel de la sala:', fr: 'Dans celui de la salle :', ja: 'ルームのパネルの中：', ko: '방 패널에서:' },
  HELP_SCROLL: {
    columns: 36,
    en: 'j, k scroll ({0}-{1} of {2})  Esc close', de: 'j, k blättern ({0}-{1}/{2})  Esc zu', es: 'j, k: mover ({0}-{1}/{2})  Esc: cerrar',
    fr: 'j, k : défiler ({0}-{1}/{2})  Échap', ja: 'j, k 移動（{0}-{1}/{2}）Esc 閉じる', ko: 'j, k 이동({0}-{1}/{2})  Esc 닫기',
  },
  FACT_SERVER: { columns: KEYS, en: 'server', de: 'Server', es: 'servidor', fr: 'serveur', ja: 'サーバー', ko: '서버' },
  FACT_LETTERS: { columns: KEYS, en: 'letters', de: 'Zeichen', es: 'letras', fr: 'lettres', ja: '文字', ko: '글자' },
  FACT_ROOM: { columns: KEYS, en: 'room', de: 'Raum', es: 'sala', fr: 'salle', ja: 'ルーム', ko: '방' },
  FACT_MODEL: { columns: KEYS, en: 'model', de: 'Modell', es: 'modelo', fr: 'modèle', ja: 'モデル', ko: '모델' },
  FACT_WORLD: { columns: KEYS, en: 'world', de: 'Welt', es: 'mundo', fr: 'monde', ja: '世界', ko: '세계' },
  FACT_CURSORS: { columns: KEYS, en: 'cursors', de: 'Zeiger', es: 'cursores', fr: 'curseurs', ja: 'カーソル', ko: '커서' },
  FACT_SNAPSHOTS: { columns: KEYS, en: 'snapshots', de: 'Bilder', es: 'imágenes', fr: 'images', ja: '受信', ko: '스냅샷' },
  FACT_PICTURE: { columns: KEYS, en: 'picture', de: 'Anzeige', es: 'pantalla', fr: 'écran', ja: '画面', ko: '화면' },
  FACT_ASCII: {
    en: 'ASCII only: the locale is not UTF-8, or --ascii was given', de: 'nur ASCII: das Locale ist nicht UTF-8, oder --ascii ist gesetzt',
    es: 'solo ASCII: el locale no es UTF-8, o se usó --ascii', fr: 'ASCII seulement : locale sans UTF-8, ou --ascii',
    ja: 'ASCII だけ：ロケールが UTF-8 でないか、--ascii が指定されました', ko: 'ASCII만: 로캘이 UTF-8이 아니거나 --ascii를 썼습니다',
  },
  FACT_AS: { en: '{0}, as {1}', de: '{0}, als {1}', es: '{0}, como {1}', fr: '{0}, en tant que {1}', ja: '{0}（名前：{1}）', ko: '{0}, 이름 {1}' },
  FACT_TICKS: { en: '{0}, {1} ticks a second', de: '{0}, {1} Schritte pro Sekunde', es: '{0}, {1} pasos por segundo', fr: '{0}, {1} pas par seconde', ja: '{0}、毎秒 {1} ステップ', ko: '{0}, 초당 {1}틱' },
  FACT_IDLE: { en: '{0}; without a cursor: {1}', de: '{0}; ohne Zeiger: {1}', es: '{0}; sin cursor: {1}', fr: '{0} ; sans curseur : {1}', ja: '{0}。操作がないとき：{1}', ko: '{0}. 조작이 없을 때: {1}' },
  FACT_STREAM: { en: '{0}, {1}/s, {2} of boids', de: '{0}, {1}/s, {2} Boids', es: '{0}, {1}/s, {2} de boids', fr: '{0}, {1}/s, {2} de boids', ja: '{0}、毎秒 {1}、ボイド {2}', ko: '{0}, 초당 {1}, 보이드 {2}' },
  FACT_BYTES: { en: '{0} bytes', de: '{0} Bytes', es: '{0} bytes', fr: '{0} octets', ja: '{0} バイト', ko: '{0}바이트' },
  FACT_STRIDE: { en: '{0}, 1 of {1}', de: '{0}, 1 von {1}', es: '{0}, 1 de {1}', fr: '{0}, 1 sur {1}', ja: '{0}、{1} 分の 1', ko: '{0}, {1}분의 1' },
  SLOW_TERMINAL: { en: 'slow terminal', de: 'langsames Terminal', es: 'terminal lento', fr: 'terminal lent', ja: '端末が遅い', ko: '느린 터미널' },
  SLOW_LINE: { en: 'slow line', de: 'langsame Leitung', es: 'conexión lenta', fr: 'connexion lente', ja: '回線が遅い', ko: '느린 회선' },
  SLOW_BOTH: {
    en: 'slow line and terminal', de: 'Leitung und Terminal langsam', es: 'conexión y terminal lentos', fr: 'connexion et terminal lents', ja: '回線と端末が遅い', ko: '느린 회선과 터미널',
  },
  FACT_BEHIND: { en: "{0} ms behind the server's", de: '{0} ms hinter dem Server', es: '{0} ms tras el servidor', fr: '{0} ms après le serveur', ja: 'サーバーより {0} ミリ秒遅れ', ko: '서버보다 {0} ms 뒤' },

  // ---- status line ----
  CONNECTING: { columns: STATE, page: 'connection.connecting', en: 'connecting' },
  RECONNECTING: { columns: STATE, page: 'connection.reconnecting', en: 'reconnecting' },
  STALLED: { columns: STATE, en: 'stalled: no data', de: 'stockt: keine Daten', es: 'parado: sin datos', fr: 'figé : plus de données', ja: '停止：データなし', ko: '멈춤: 데이터 없음' },
  JOINING: { columns: STATE, en: 'joining', de: 'Beitritt', es: 'entrando', fr: 'entrée', ja: '参加中', ko: '참여 중' },
  LIVE: { columns: STATE, en: 'live', de: 'live', es: 'en directo', fr: 'en direct', ja: 'ライブ', ko: '라이브' },
  DISCONNECTED: { columns: STATE, en: 'disconnected', de: 'getrennt', es: 'desconectado', fr: 'déconnecté', ja: '切断', ko: '연결 끊김' },
  NEXT_TRY: {
    columns: 36,
    en: 'no connection, next try in {0} s', de: 'keine Verbindung, neu in {0} s', es: 'sin conexión, reintento en {0} s', fr: 'pas de connexion, essai dans {0} s',
    ja: '接続なし。{0} 秒後に再接続', ko: '연결 없음. {0}초 뒤에 다시 연결',
  },
  SHOWN_BOIDS: { en: '{0} of {1} boids', de: '{0} von {1} Boids', es: '{0} de {1} boids', fr: '{0} boids sur {1}', ja: 'ボイド {1} 体中 {0} 体', ko: '보이드 {1}마리 중 {0}마리' },
  RATE_OF: { en: '{0} of {1}/s', de: '{0} von {1}/s', es: '{0} de {1}/s', fr: '{0} sur {1}/s', ja: '毎秒 {0}/{1}', ko: '초당 {0}/{1}' },
  WATCHES: { page: 'standing.watches', en: 'the presenter steers: you watch' },
  HINT_PANEL: { columns: 14, en: '{0} panel', de: '{0} Steuerung', es: '{0} controles', fr: '{0} commandes', ja: '{0} パネル', ko: '{0} 제어판' },
  HINT_HELP: { columns: 10, en: '{0} help', de: '{0} Hilfe', es: '{0} ayuda', fr: '{0} aide', ja: '{0} ヘルプ', ko: '{0} 도움말' },
  HINT_QUIT: { columns: 10, en: '{0} quit', de: '{0} Ende', es: '{0} salir', fr: '{0} quitter', ja: '{0} 終了', ko: '{0} 끝' },

  // ---- who leads ----
  LEAD_FOLLOW_ME: { page: 'hint.nearest.mouse', en: 'move: the boids near you follow' },
  LEAD_NEAREST: { page: 'lead.nearest', of: ['count'] },
  LEAD_TEAM_1: { page: 'lead.bar', of: [1, 'number'], en: 'red {1}' },
  LEAD_TEAM_2: { page: 'lead.bar', of: [2, 'number'], en: 'blue {1}' },
  LEAD_TEAM_3: { page: 'lead.bar', of: [3, 'number'], en: 'yellow {1}' },
  LEAD_TEAM_4: { page: 'lead.bar', of: [4, 'number'], en: 'green {1}' },
  LEAD_OWN_TEAM: { en: '{0} (your team)', de: '{0} (dein Team)', es: '{0} (tu equipo)', fr: '{0} (votre équipe)', ja: '{0}（あなたのチーム）', ko: '{0}(우리 팀)' },
  LEAD_MOVE: { page: 'hint.lead.mouse', en: 'move: you lead the flock' },
  LEAD_OWN: { page: 'lead.own', of: ['number'], en: 'you lead, {0} s' },
  LEAD_OTHER: { page: 'lead.other', of: ['name', 'number'] },
  LEAD_NEXT: { page: 'lead.next', of: ['name'] },
  LEAD_OWN_NEXT: { page: 'lead.ownNext' },
  LEAD_SOMEONE: { en: 'someone', page: 'news.somebody' },

  // ---- news ----
  NEWS_PERSON: { page: 'news.person', of: ['text'] },
  NEWS_YOU: { page: 'news.you' },
  NEWS_SOMEBODY: { page: 'news.somebody' },
  NEWS_PROGRAM: { page: 'news.program' },
  NEWS_TITLE: { page: 'news.title', of: ['who', 'text'] },
  NEWS_RESET: { page: 'news.reset', of: ['who'] },
  NEWS_PRESET: { page: 'news.preset', of: ['who', 'text'] },
  NEWS_PAUSED: { page: 'news.pausedBy', of: ['who'] },
  NEWS_RUN: { page: 'news.runBy', of: ['who'] },
  NEWS_BY: { page: 'news.by', of: ['who', 'text'] },
  NEWS_SET: { page: 'news.set', of: ['text', 'text'] },
  NEWS_CHANGE: { page: 'news.change', of: ['text', 'text', 'text'] },
  NEWS_PARAMS: { page: 'news.params', of: ['who', 'count'] },
  NEWS_ADDED: { page: 'news.added', of: ['who', 'count'] },
  NEWS_REMOVED: { page: 'news.removed', of: ['who', 'count'] },
  NEWS_RENAMED: { page: 'news.renamed', of: ['who', 'name', 'name'] },
  NEWS_ATTENTION: { page: 'news.attention', of: ['who'] },
  NEWS_SPOTLIGHT: { page: 'news.spotlight', of: ['who', 'name'] },
  NEWS_SPOTLIGHT_OFF: { page: 'news.spotlightOff', of: ['who'] },
  NEWS_UNDO: { page: 'news.undo', of: ['who', 'text'] },
  NEWS_UNDO_RESET: { page: 'news.undoReset', of: ['who'] },
  NEWS_UNDO_PARAMS: { page: 'news.undoParams', of: ['who', 'count'] },
  NEWS_UNDO_BOIDS: { page: 'news.undoBoids', of: ['who', 'count'] },
  NEWS_UNDO_THING: { page: 'news.undoThing', of: ['who'] },
  NEWS_FOOD: { page: 'news.things.food', of: ['who'] },
  NEWS_HUNTER: { page: 'news.things.hunter', of: ['who'] },
  NEWS_WALL: { page: 'news.things.wall', of: ['who'] },
  NEWS_ERASE: { page: 'news.things.erase', of: ['who'] },
  NEWS_CLEAR: { page: 'news.things.clear', of: ['who'] },
  NEWS_NONE: { page: 'news.none' },
  NEWS_BOIDS_STAY: { page: 'news.boidsStay' },
  NEWS_ABANDONED: { page: 'news.abandoned' },
  NEWS_ABANDONED_MORE: { page: 'news.abandonedMore', of: ['text'] },
  NEWS_PAST_FAILED: { page: 'news.pastFailed' },
  NEWS_PRESENT_AGAIN: { page: 'news.presentAgain' },
  NEWS_BEGINNING_AGAIN: { page: 'news.beginningAgain' },
  NEWS_SLOW: { page: 'news.slow', of: ['number'] },
  NEWS_SLOW_OWN: { page: 'news.slowOwn' },
  NEWS_SLOW_SERVER: { page: 'news.slowServer' },
  NEWS_PRESET_SAVED: { page: 'news.presetSaved', of: ['who', 'text'] },
  NEWS_PRESET_REMOVED: { page: 'news.presetRemoved', of: ['who', 'text'] },
  NEWS_MOVED: { page: 'news.moved' },
  NEWS_MOVED_MORE: { page: 'news.movedMore' },
  NEWS_UNSAVED: { page: 'news.unsaved' },
  NEWS_UNSAVED_MORE: { page: 'news.unsavedMore' },
  NEWS_SAVED_AGAIN: { page: 'news.savedAgain' },
  NEWS_PRESENTER: {
    en: 'you are a presenter: {0} opens the controls', de: 'Du bist Leitung: {0} öffnet die Steuerung', es: 'Eres responsable: {0} abre los controles',
    fr: 'Vous êtes hôte : {0} ouvre les commandes', ja: '発表者になりました。{0} キーで操作パネルを開きます', ko: '진행자가 되었습니다. {0} 키로 제어판을 엽니다',
  },
  NEWS_VIEWER: { en: 'you are a viewer', de: 'du bist nicht Leitung', es: 'eres participante', fr: 'vous participez sans être hôte', ja: '参加者として入っています', ko: '참여자로 들어왔습니다' },
  NEWS_NEW_KEY: {
    en: 'the room has a new presenter key; the old one no longer works', de: 'Der Raum hat einen neuen Leitungsschlüssel; der alte gilt nicht mehr',
    es: 'La sala tiene una clave de responsable nueva; la anterior ya no vale', fr: 'La salle a une nouvelle clé d’hôte ; l’ancienne ne marche plus',
    ja: 'ルームの発表者キーが新しくなりました。今までのキーは使えません', ko: '방의 진행자 키가 바뀌었습니다. 지금까지의 키는 쓸 수 없습니다',
  },
  LOOK_UP: { page: 'news.lookUp', en: 'please look up' },

  // ---- mistakes and refusals ----
  ONLY_PRESENTERS: {
    en: "only a presenter may do this: {0} takes the room's presenter key", de: 'Das kann nur die Leitung: {0} nimmt den Leitungsschlüssel',
    es: 'Solo los responsables pueden hacerlo: {0} pide la clave de responsable', fr: 'Seuls les hôtes peuvent le faire : {0} demande la clé d’hôte',
    ja: '発表者だけができます。{0} キーで発表者キーを入力できます', ko: '진행자만 할 수 있습니다. {0} 키로 진행자 키를 입력합니다',
  },
  TOO_MANY_CHANGES: {
    en: 'too many changes wait to be sent', de: 'zu viele Änderungen warten auf das Senden', es: 'hay demasiados cambios por enviar', fr: 'trop de changements à envoyer',
    ja: '送信を待つ変更が多すぎます', ko: '보낼 변경이 너무 많이 밀려 있습니다',
  },
  MALFORMED: {
    en: 'malformed message from the server: {0}', de: 'fehlerhafte Nachricht vom Server: {0}', es: 'mensaje incorrecto del servidor: {0}', fr: 'message incorrect du serveur : {0}',
    ja: 'サーバーの正しくないメッセージ：{0}', ko: '서버의 잘못된 메시지: {0}',
  },
  SNAPSHOT_DROPPED: {
    en: 'a snapshot was dropped: out of memory', de: 'ein Bild fehlt: der Speicher reicht nicht', es: 'falta una imagen: no hay memoria', fr: 'une image manque : mémoire insuffisante',
    ja: 'メモリーが足りず、画面を 1 つ飛ばしました', ko: '메모리가 부족해 화면 하나를 건너뛰었습니다',
  },
  REFUSED: {
    en: 'the server refused a request', de: 'der Server hat abgelehnt', es: 'el servidor rechazó una petición', fr: 'le serveur a refusé une demande', ja: 'サーバーが操作を拒否しました', ko: '서버가 요청을 거절했습니다',
  },
  KEY_REFUSED: { en: 'the key was refused', de: 'der Schlüssel wurde abgelehnt', es: 'la clave no vale', fr: 'la clé a été refusée', ja: 'キーが正しくありません', ko: '키가 맞지 않습니다' },
  WRONG_KEYS: { page: 'errors.keys', of: ['number'], en: 'too many wrong keys: the server did not compare yours; try again in {0} s' },
  NO_CONTROL: {
    en: 'this server has no control \'{0}\'', de: 'dieser Server hat keine Einstellung „{0}“', es: 'este servidor no tiene el control «{0}»', fr: 'ce serveur n’a pas la commande « {0} »',
    ja: 'このサーバーには「{0}」がありません', ko: '이 서버에는 ‘{0}’ 항목이 없습니다',
  },
  MANY: {
    of: ['text', 'text', 'count'],
    en: ['{0} adds and {1} removes {2} boids', '{0} adds and {1} removes {2} boid'], de: ['{0} fügt {2} Boids hinzu, {1} entfernt {2}', '{0} fügt {2} Boid hinzu, {1} entfernt {2}'],
    es: ['{0} añade y {1} quita {2} boids', '{0} añade y {1} quita {2} boid'], fr: ['{0} ajoute et {1} retire {2} boids', '{0} ajoute et {1} retire {2} boid'],
    ja: '{0} で {2} 体追加、{1} で {2} 体減らします', ko: '{0} 키로 {2}마리 추가, {1} 키로 {2}마리 줄이기',
  },
  NUMBER_EXPECTED: {
    en: '{0}: expected a number such as -1.5, got {1}', de: '{0}: eine Zahl wie -1.5, nicht {1}', es: '{0}: un número como -1.5, no {1}', fr: '{0} : un nombre comme -1.5, et non {1}',
    ja: '{0}：-1.5 のような数を入力してください（入力：{1}）', ko: '{0}: -1.5 같은 수를 입력해 주세요(입력: {1})',
  },
  EXPECTED_TEXT: {
    en: 'expected 1 to 64 bytes without control characters', de: 'erwartet: 1 bis 64 Bytes ohne Steuerzeichen', es: 'se espera de 1 a 64 bytes sin caracteres de control',
    fr: 'de 1 à 64 octets sans caractères de contrôle', ja: '1 ～ 64 バイトの文字を入力してください', ko: '1~64바이트의 글자를 입력해 주세요',
  },
  NOT_YOURSELF: {
    en: 'you cannot remove yourself: {0} quits', de: 'Du kannst dich nicht selbst entfernen: {0} beendet', es: 'no puedes expulsarte: {0} sale', fr: 'vous ne pouvez pas vous exclure : {0} quitte',
    ja: '自分は退出させられません。{0} キーで終了します', ko: '자기 자신은 내보낼 수 없습니다. {0} 키로 끝냅니다',
  },
  IN_PRESENT: {
    en: 'the room shows the present; {0} rewinds it', de: 'Der Raum zeigt die Gegenwart; {0} spult zurück', es: 'La sala muestra el presente; {0} la rebobina', fr: 'La salle montre le présent ; {0} rembobine',
    ja: 'ルームは今を表示しています。{0} キーで巻き戻します', ko: '방이 지금을 보여 주고 있습니다. {0} 키로 되감습니다',
  },
  ARE_PRESENTER: { page: 'news.presenter', en: 'you are a presenter' },
  KEY_FORM: {
    en: 'a key is 1 to {0} {1}', de: 'ein Schlüssel hat 1 bis {0} Zeichen: {1}', es: 'una clave tiene de 1 a {0}: {1}', fr: 'une clé a de 1 à {0} caractères : {1}', ja: 'キーは 1 ～ {0} 文字（{1}）です', ko: '키는 1~{0}자({1})입니다',
  },
  KEY_LETTERS: { page: 'ending.joinKeyForm', en: 'of a-z, 0-9 and -' },
  NO_ROOM: { en: 'no room: expected {0}', de: 'kein Raum; erwartet: {0}', es: 'no hay sala; se espera: {0}', fr: 'pas de salle ; attendu : {0}', ja: 'ルームがありません：{0}', ko: '방이 없습니다: {0}' },
  NO_NEW_ROOM: { en: 'no new room: {0}', de: 'kein neuer Raum: {0}', es: 'no hay sala nueva: {0}', fr: 'pas de nouvelle salle : {0}', ja: 'ルームを作れません：{0}', ko: '방을 만들 수 없습니다: {0}' },
  SERVER_FLOOD: {
    en: 'too many rooms were made from your network; try again in {0} min', de: 'aus deinem Netz kamen zu viele Räume; in {0} min wieder', es: 'se crearon demasiadas salas desde tu red; inténtalo en {0} min',
    fr: 'trop de salles créées depuis votre réseau ; réessayez dans {0} min', ja: 'お使いのネットワークから作られたルームが多すぎます。{0} 分後にもう一度', ko: '같은 네트워크에서 방을 너무 많이 만들었습니다. {0}분 뒤에 다시',
  },
  SILENT: { page: 'refused.silent', en: 'the server did not answer' },
  SERVER_KEY: { page: 'refused.key' },
  SERVER_FULL: { page: 'refused.full' },
  SERVER_BUSY: { page: 'refused.busy' },
  NO_LINE: { page: 'connection.lost', en: 'there is no connection' },

  // The server's refusals, as the page chooses them.
  ERROR_ROLE: { page: 'errors.role' },
  ERROR_KEY: { page: 'errors.key' },
  ERROR_FLOOD: { page: 'errors.flood' },
  ERROR_KEYS: { page: 'errors.keys', of: ['number'] },
  ERROR_TURN: { page: 'errors.turn', of: ['number'] },
  ERROR_NAME: { page: 'errors.name' },
  ERROR_TITLE: { page: 'errors.title' },
  ERROR_RANGE: { page: 'errors.range' },
  ERROR_PRESET_GONE: { page: 'errors.presetGone' },
  ERROR_PRESET_NAME: { page: 'errors.presetName' },
  ERROR_PRESETS: { page: 'errors.presets' },
  ERROR_PAST: { page: 'errors.past' },
  ERROR_PRESENT: { page: 'errors.present' },
  ERROR_NO_PAST: { page: 'errors.noPast' },
  ERROR_PAST_SOON: { page: 'errors.pastSoon' },
  ERROR_PERSON_GONE: { page: 'errors.personGone' },
  ERROR_RUNNING: { page: 'errors.running' },
  ERROR_STEPS: { page: 'errors.steps' },
  ERROR_NOTHING: { page: 'errors.nothing' },
  ERROR_BOIDS: { page: 'errors.boids' },
  ERROR_SEQUENTIAL: { page: 'errors.sequential' },
  ERROR_SWEEP: {
    en: 'a sweep is running already', de: 'es läuft schon eine Messreihe', es: 'ya hay un barrido en marcha', fr: 'un balayage est déjà en cours', ja: '掃引はもう始まっています', ko: '이미 스윕이 진행 중입니다',
  },
  ERROR_COST: { page: 'errors.cost' },

  // ---- the connection ----
  NO_ANSWER: { page: 'connection.noAnswer', en: 'no answer' },
  NO_CONNECTION: { page: 'connection.lost', en: 'no connection can be made' },
  UNREACHABLE: { en: 'no server answers there', de: 'dort antwortet kein Server', es: 'ahí no responde ningún servidor', fr: 'aucun serveur n’y répond', ja: 'サーバーが応答しません', ko: '응답하는 서버가 없습니다' },
  NO_HOST: { en: 'no host has this name', de: 'kein Rechner heißt so', es: 'ningún equipo tiene ese nombre', fr: 'aucune machine ne porte ce nom', ja: 'その名前のホストはありません', ko: '그런 이름의 호스트가 없습니다' },
  NOT_FLOCKD: {
    en: 'the server there is not flockd', de: 'der Server dort ist nicht flockd', es: 'el servidor de ahí no es flockd', fr: 'ce serveur n’est pas flockd', ja: 'flockd のサーバーではありません', ko: 'flockd 서버가 아닙니다',
  },
  NOT_SECRET: {
    en: 'no encrypted connection: is its certificate valid and trusted?', de: 'keine verschlüsselte Verbindung: gilt sein Zertifikat, und vertraust du ihm?',
    es: 'sin conexión cifrada: ¿es válido y de confianza su certificado?', fr: 'pas de connexion chiffrée : son certificat est-il valable et reconnu ?',
    ja: '暗号化された接続ができません。証明書は有効ですか', ko: '암호화된 연결을 할 수 없습니다. 인증서가 유효한가요?',
  },
  NOT_HTTPS: {
    en: 'the server there does not answer https: does it speak http?', de: 'der Server dort antwortet nicht auf https: vielleicht auf http?', es: 'el servidor de ahí no responde a https: ¿habla http?',
    fr: 'ce serveur ne répond pas en https : parle-t-il http ?', ja: 'サーバーが https に応答しません。http ではありませんか', ko: '서버가 https에 응답하지 않습니다. http인가요?',
  },
  NOT_TRUSTED: {
    en: 'its certificate is not trusted: {0}', de: 'seinem Zertifikat wird nicht vertraut: {0}', es: 'su certificado no es de confianza: {0}', fr: 'son certificat n’est pas reconnu : {0}',
    ja: '証明書を信頼できません：{0}', ko: '인증서를 신뢰할 수 없습니다: {0}',
  },
  // The reason, {0} of NOT_TRUSTED. In English it is OpenSSL's own text.
  CERTIFICATE_EXPIRED: { en: 'it has expired', de: 'es ist abgelaufen', es: 'ha caducado', fr: 'il a expiré', ja: '期限が切れています', ko: '유효 기간이 지났습니다' },
  CERTIFICATE_EARLY: { en: 'it is not valid yet', de: 'es gilt noch nicht', es: 'aún no es válido', fr: 'il n’est pas encore valable', ja: 'まだ有効ではありません', ko: '아직 유효하지 않습니다' },
  CERTIFICATE_REVOKED: { en: 'it was revoked', de: 'es wurde widerrufen', es: 'fue revocado', fr: 'il a été révoqué', ja: '失効しています', ko: '폐기되었습니다' },
  CERTIFICATE_OWN: { en: 'it is signed by itself', de: 'es ist selbst unterschrieben', es: 'está firmado por sí mismo', fr: 'il est auto-signé', ja: '自己署名です', ko: '자체 서명되었습니다' },
  CERTIFICATE_ISSUER: { en: 'its authority is not known here', de: 'seine Zertifizierungsstelle ist hier unbekannt', es: 'aquí no se conoce su autoridad', fr: 'son autorité est inconnue ici', ja: '認証局を確認できません', ko: '인증 기관을 알 수 없습니다' },
  CERTIFICATE_HOST: { en: 'it is for another host', de: 'es gilt für einen anderen Rechner', es: 'es de otro equipo', fr: 'il est pour une autre machine', ja: '別のホストのものです', ko: '다른 호스트의 것입니다' },
  // The reason for which the server has closed the connection. In English it is the server's own text.
  CLOSE_SHUTDOWN: { page: 'connection.shuttingDown' },
  CLOSE_FULL: { page: 'connection.full' },
  CLOSE_STALLED: { page: 'connection.stalled' },
  CLOSE_FLOOD: { page: 'ending.flood' },
  CLOSE_KEYS: { page: 'ending.wrongKeys' },
  CLOSE_PROTOCOL: { en: 'the server did not understand this program', de: 'der Server hat dieses Programm nicht verstanden', es: 'el servidor no entendió este programa', fr: 'le serveur n’a pas compris ce programme', ja: 'サーバーがこのプログラムを理解できませんでした', ko: '서버가 이 프로그램을 이해하지 못했습니다' },
  CLOSE_VERSION: { en: 'the server speaks another version', de: 'der Server spricht eine andere Version', es: 'el servidor habla otra versión', fr: 'le serveur parle une autre version', ja: 'サーバーのバージョンが違います', ko: '서버의 버전이 다릅니다' },
  CLOSE_REPLACED: { en: 'you have joined from elsewhere', de: 'du bist von anderswo beigetreten', es: 'has entrado desde otro lugar', fr: 'vous êtes entré d’ailleurs', ja: '別の場所から参加しました', ko: '다른 곳에서 참여했습니다' },
  TOO_LONG: {
    en: 'the server sent a message that is too long', de: 'der Server hat eine zu lange Nachricht gesendet', es: 'el servidor envió un mensaje demasiado largo', fr: 'le serveur a envoyé un message trop long',
    ja: 'サーバーのメッセージが長すぎます', ko: '서버의 메시지가 너무 깁니다',
  },
  WAITING_FOR: { en: 'Waiting for {0}', de: 'Warten auf {0}', es: 'Esperando a {0}', fr: 'En attente de {0}', ja: '接続しています：{0}', ko: '기다리는 중: {0}' },
  SERVER_CLOSED: {
    en: 'The server has ended the connection:', de: 'Der Server hat die Verbindung beendet:', es: 'El servidor ha cerrado la conexión:', fr: 'Le serveur a fermé la connexion :', ja: 'サーバーが接続を切りました：', ko: '서버가 연결을 끊었습니다:',
  },
  OFFER_ROOMS: { en: '{0}  other rooms', de: '{0}  andere Räume', es: '{0}  otras salas', fr: '{0}  autres salles', ja: '{0}  ほかのルーム', ko: '{0}  다른 방' },
  OFFER_AGAIN: { en: '{0}  try again', de: '{0}  noch einmal', es: '{0}  reintentar', fr: '{0}  réessayer', ja: '{0}  もう一度', ko: '{0}  다시 시도' },
  OFFER_NEW: { en: '{0}  join again as a new person', de: '{0}  als neue Person beitreten', es: '{0}  entrar como otra persona', fr: '{0}  revenir en nouvelle personne', ja: '{0}  新しい人として参加', ko: '{0}  새 사람으로 참여' },
  OFFER_QUIT: { en: '{0}  quit', de: '{0}  beenden', es: '{0}  salir', fr: '{0}  quitter', ja: '{0}  終了', ko: '{0}  끝내기' },
  END_NO_ROOM: { page: 'ending.noRoom', of: ['text'], en: 'there is no room {0}' },
  END_ENDED: { en: 'the room {0} has ended', de: 'der Raum {0} ist zu Ende', es: 'la sala {0} ha terminado', fr: 'la salle {0} est fermée', ja: 'ルーム {0} は終了しました', ko: '{0} 방은 끝났습니다' },
  END_LOCKED: { page: 'ending.locked', of: ['text'], en: 'the room {0} needs a join key' },
  END_DOOR: { page: 'ending.noNewcomers', of: ['text'], en: 'no newcomers now: a presenter has closed the door of the room {0}' },
  END_REMOVED: {
    en: 'a presenter has removed you from the room {0}', de: 'die Leitung hat dich aus dem Raum {0} entfernt', es: 'un responsable te ha expulsado de la sala {0}', fr: 'un hôte vous a exclu de la salle {0}',
    ja: '発表者がルーム {0} から退出させました', ko: '진행자가 {0} 방에서 내보냈습니다',
  },
  END_WRONG_KEY: {
    en: 'this is not the join key of the room {0}', de: 'das ist nicht der Beitrittsschlüssel des Raums {0}', es: 'esa no es la clave de acceso de la sala {0}', fr: 'ce n’est pas la clé d’entrée de la salle {0}',
    ja: 'ルーム {0} の参加キーではありません', ko: '{0} 방의 참여 키가 아닙니다',
  },

  // ---- keys that people type ----
  PROMPT_WHY: {
    en: 'with its key you become a presenter of the room', de: 'mit seinem Schlüssel wirst du Leitung des Raums', es: 'con su clave serás responsable de la sala', fr: 'avec sa clé vous devenez hôte de la salle',
    ja: 'ルームのキーを入力すると発表者になります', ko: '방의 키를 입력하면 진행자가 됩니다',
  },
  PROMPT_JOIN: { columns: 20, en: 'join key:', de: 'Beitrittsschlüssel:', es: 'clave de acceso:', fr: 'clé d’entrée :', ja: '参加キー：', ko: '참여 키:' },
  PROMPT_PRESENT: { columns: 22, en: 'presenter key:', de: 'Leitungsschlüssel:', es: 'clave de responsable:', fr: 'clé d’hôte :', ja: '発表者キー：', ko: '진행자 키:' },
  PROMPT_HINT: { en: 'Enter: send  Esc: close', de: 'Enter: senden  Esc: schließen', es: 'Intro: enviar  Esc: cerrar', fr: 'Entrée : envoyer  Échap : fermer', ja: 'Enter：送信  Esc：閉じる', ko: 'Enter: 보내기  Esc: 닫기' },

  // ---- a demo ----
  DEMO_BEGINS: {
    en: 'a demo: {0} shows the next preset, {1} opens the controls', de: 'Vorführung: {0} zeigt die nächste Vorlage, {1} öffnet die Steuerung', es: 'una demo: {0} muestra el preajuste siguiente, {1} abre los controles',
    fr: 'démo : {0} montre le préréglage suivant, {1} ouvre les commandes', ja: 'デモです。{0} キーで次のプリセット、{1} キーで操作パネル', ko: '데모입니다. {0} 키로 다음 프리셋, {1} 키로 제어판',
  },
  DEMO_YOURS: {
    en: 'the flock is yours: {0} shows the next preset, {1} opens the controls', de: 'Der Schwarm gehört dir: {0} zeigt die nächste Vorlage, {1} öffnet die Steuerung', es: 'La bandada es tuya: {0} muestra el preajuste siguiente, {1} abre los controles',
    fr: 'La nuée est à vous : {0} montre le préréglage suivant, {1} ouvre les commandes', ja: '群れを動かせます。{0} キーで次のプリセット、{1} キーで操作パネル', ko: '이제 무리를 이끌 수 있습니다. {0} 키로 다음 프리셋, {1} 키로 제어판',
  },
  DEMO_WAITS: { en: 'any key or the mouse: the flock is yours', de: 'Taste oder Maus: der Schwarm gehört dir', es: 'cualquier tecla o el ratón: la bandada es tuya', fr: 'une touche ou la souris : la nuée est à vous', ja: 'キーかマウスで群れを動かせます', ko: '키나 마우스를 쓰면 무리를 이끌 수 있습니다' },
  DEMO_LACKS: {
    en: 'that needs a server: flock-term URL joins a room', de: 'Dazu braucht es einen Server: flock-term URL tritt einem Raum bei', es: 'eso necesita un servidor: flock-term URL entra en una sala', fr: 'il faut un serveur : flock-term URL entre dans une salle',
    ja: 'サーバーが必要です。flock-term URL でルームに参加します', ko: '서버가 필요합니다. flock-term URL로 방에 참여합니다',
  },
  DEMO_SERVER: { en: 'this program', de: 'dieses Programm', es: 'este programa', fr: 'ce programme', ja: 'このプログラム', ko: '이 프로그램' },

  // ---- controls ----
  CONTROLS: { page: 'panel.title' },
  FORGET_SURE: { page: 'presets.removeSure', of: ['text'], en: 'remove the preset {0} for everyone?' },
  PRESET_NAME: {
    en: "a name for the flock's settings; Enter: save, Esc: cancel", de: 'ein Name für diese Einstellungen; Enter: speichern, Esc: abbrechen', es: 'un nombre para estos ajustes; Intro: guardar, Esc: cancelar',
    fr: 'un nom pour ces réglages ; Entrée : garder, Échap : annuler', ja: 'この設定の名前。Enter：保存、Esc：やめる', ko: '이 설정의 이름. Enter: 저장, Esc: 취소',
  },
  PRESET_KEYS: { en: '{0}; Enter: save, Bksp: remove', de: '{0}; Enter: speichern, Rücktaste: löschen', es: '{0}; Intro: guardar, Retroceso: borrar', fr: '{0} ; Entrée : garder, Ret. arr. : supprimer', ja: '{0}。Enter：保存、Backspace：削除', ko: '{0}. Enter: 저장, Backspace: 삭제' },
  TYPING_KEYS: { en: 'Enter: set, Esc: cancel', de: 'Enter: setzen, Esc: abbrechen', es: 'Intro: fijar, Esc: cancelar', fr: 'Entrée : fixer, Échap : annuler', ja: 'Enter：決定、Esc：やめる', ko: 'Enter: 정하기, Esc: 취소' },
  RANGE: { page: 'panel.range', of: ['text', 'text', 'text'], en: '{0} to {1}, at first {2}' },
  PRESET_NONE: {
    en: 'none: custom settings; Enter: save them as a preset', de: 'keine: eigene Einstellungen; Enter: als Vorlage speichern', es: 'ninguno: ajustes propios; Intro: guardarlos como preajuste',
    fr: 'aucun : réglages personnels ; Entrée : en faire un préréglage', ja: 'なし（独自の設定）。Enter：プリセットとして保存', ko: '없음(따로 정한 설정). Enter: 프리셋으로 저장',
  },
  NONE_OF: { en: 'none of its {0} choices', de: 'keine der {0} Möglichkeiten', es: 'ninguna de sus {0} opciones', fr: 'aucun de ses {0} choix', ja: '{0} 個の選択肢のどれでもない', ko: '선택지 {0}개 중에 없음' },
  CONTROLS_HINT: {
    columns: 36, // with "hjkl" 39
    en: '{0} change  0-9 type  Bksp default', de: '{0} ändern  0-9 tippen  Rückt. Anfang', es: '{0} cambiar  0-9 valor  Retr. inicial', fr: '{0} changer  0-9 taper  Ret. initiale',
    ja: '{0} 変更  0-9 入力  Backspace 初期値', ko: '{0} 변경  0-9 입력  Backspace 초깃값',
  },
  CONTROLS_VIEWER: { en: 'only presenters change these: {0}', de: 'nur die Leitung ändert sie: {0}', es: 'solo los responsables: {0}', fr: 'seuls les hôtes changent : {0}', ja: '変更は発表者だけ：{0}', ko: '진행자만 바꿀 수 있음: {0}' },

  // ---- the room ----
  ROOM: { columns: 12, en: 'Room', de: 'Raum', es: 'Sala', fr: 'Salle', ja: 'ルーム', ko: '방' },
  ROW_TITLE: { columns: 12, en: 'title', de: 'Titel', es: 'título', fr: 'titre', ja: 'タイトル', ko: '제목' },
  ROW_CODE: { columns: 12, en: 'code', de: 'Code', es: 'código', fr: 'code', ja: 'コード', ko: '코드' },
  ROW_KEY: { columns: 12, en: 'key', de: 'Schlüssel', es: 'clave', fr: 'clé', ja: 'キー', ko: '키' },
  ROW_DIM: { columns: 12, en: 'dim', de: 'dunkel', es: 'atenuar', fr: 'atténuer', ja: '暗く', ko: '어둡게' },
  HIDDEN: { en: 'hidden', de: 'verborgen', es: 'oculta', fr: 'cachée', ja: '非表示', ko: '숨김' },
  ON: { en: 'on', de: 'an', es: 'sí', fr: 'oui', ja: 'オン', ko: '켬' },
  OFF: { en: 'off', de: 'aus', es: 'no', fr: 'non', ja: 'オフ', ko: '끔' },
  ROLE_AWAY: { columns: 12, en: 'away', de: 'abwesend', es: 'ausente', fr: 'absent', ja: '離席中', ko: '자리 비움' },
  ROLE_OWNER: { columns: 12, en: 'owner', de: 'Hauptleitung', es: 'principal', fr: 'principal', ja: 'オーナー', ko: '소유자' },
  ROLE_PRESENTER: { columns: 12, page: 'people.presents' },
  ROLE_VIEWER: { columns: 12, en: 'viewer', de: 'dabei', es: 'participante', fr: 'participant', ja: '参加者', ko: '참여자' },
  YOU: { en: '{0} (you)', de: '{0} (du)', es: '{0} (tú)', fr: '{0} (vous)', ja: '{0}（あなた）', ko: '{0}(나)' },
  ABOUT_TITLE: { en: "the room's title", de: 'der Titel des Raums', es: 'el título de la sala', fr: 'le titre de la salle', ja: 'ルームのタイトル', ko: '방 제목' },
  RENAME: { en: '{0}; Enter: rename', de: '{0}; Enter: umbenennen', es: '{0}; Intro: cambiar', fr: '{0} ; Entrée : renommer', ja: '{0}。Enter：変更', ko: '{0}. Enter: 바꾸기' },
  RENAMING: { en: '{0}; Enter: rename, Esc: cancel', de: '{0}; Enter: umbenennen, Esc: abbrechen', es: '{0}; Intro: cambiar, Esc: cancelar', fr: '{0} ; Entrée : renommer, Échap : annuler', ja: '{0}。Enter：変更、Esc：やめる', ko: '{0}. Enter: 바꾸기, Esc: 취소' },
  ABOUT_CODE: { en: 'others join with flock-term --room {0}', de: 'andere kommen mit flock-term --room {0}', es: 'otros entran con flock-term --room {0}', fr: 'les autres entrent par flock-term --room {0}', ja: '参加するには flock-term --room {0}', ko: '참여: flock-term --room {0}' },
  KEY_SURE: {
    en: 'make a new key, so that the old one no longer works?', de: 'Neuen Schlüssel machen, sodass der alte nicht mehr gilt?', es: '¿Crear una clave nueva, para que la anterior no valga?',
    fr: 'Créer une nouvelle clé ? L’ancienne ne marchera plus.', ja: '新しいキーにしますか？今までのキーは使えなくなります。', ko: '새 키를 만들까요? 지금까지의 키는 쓸 수 없게 됩니다.',
  },
  ABOUT_KEY: {
    en: 'people with the key become presenters; Enter: make a new key', de: 'wer den Schlüssel hat, wird Leitung; Enter: neuen machen', es: 'con la clave se es responsable; Intro: crear otra',
    fr: 'avec la clé on devient hôte ; Entrée : en créer une autre', ja: 'キーを持つ人は発表者になれます。Enter：新しいキー', ko: '키가 있으면 진행자가 됩니다. Enter: 새 키',
  },
  DIM_TYPING: {
    en: "a sentence, or none; Enter: dim everyone's flock, Esc: cancel", de: 'ein Satz oder keiner; Enter: bei allen abdunkeln, Esc: abbrechen', es: 'una frase, o ninguna; Intro: atenuar a todos, Esc: cancelar',
    fr: 'une phrase, ou rien ; Entrée : assombrir pour tous, Échap : annuler', ja: 'メッセージ（なくても可）。Enter：全員の画面を暗くする、Esc：やめる', ko: '메시지(없어도 됨). Enter: 모두의 화면을 어둡게, Esc: 취소',
  },
  DIM_ON: {
    en: 'everyone is asked to look up; Enter: end that', de: 'alle sollen herschauen; Enter: beenden', es: 'se pide atención a todos; Intro: terminar', fr: 'tous doivent regarder ; Entrée : arrêter', ja: '全員に注目を求めています。Enter：終える', ko: '모두에게 주목을 요청했습니다. Enter: 끝내기',
  },
  DIM_OFF: {
    en: 'ask everyone to look up; Enter: type a sentence', de: 'alle bitten herzuschauen; Enter: Satz eingeben', es: 'pedir atención a todos; Intro: escribir una frase', fr: 'demander l’attention ; Entrée : taper une phrase',
    ja: '全員に注目を求めます。Enter：メッセージを入力', ko: '모두에게 주목을 요청합니다. Enter: 메시지 입력',
  },
  IS_PRESENTER_AWAY: {
    en: '{0}, a presenter who has left and may come back', de: '{0}, Leitung, ist gegangen und kann zurückkommen', es: '{0}, responsable: se ha ido y puede volver', fr: '{0}, hôte : en est sorti et peut revenir',
    ja: '{0}：離席中の発表者。戻れます', ko: '{0}: 자리를 비운 진행자. 돌아올 수 있습니다',
  },
  IS_OWNER_AWAY: {
    en: '{0}, an owner who has left and may come back', de: '{0}, Hauptleitung, ist gegangen und kann zurückkommen', es: '{0}, responsable principal: se ha ido y puede volver', fr: '{0}, hôte principal : en est sorti et peut revenir',
    ja: '{0}：離席中のオーナー。戻れます', ko: '{0}: 자리를 비운 소유자. 돌아올 수 있습니다',
  },
  DEMOTE_KEY: { en: '{0}; {1}: make viewer', de: '{0}; {1}: Leitung entziehen', es: '{0}; {1}: hacer participante', fr: '{0} ; {1} : rendre participant', ja: '{0}。{1}：参加者に戻す', ko: '{0}. {1}: 참여자로' },
  ABOUT_NAME: { en: 'a new name for {0}', de: 'ein neuer Name für {0}', es: 'un nombre nuevo para {0}', fr: 'un nouveau nom pour {0}', ja: '{0} の新しい名前', ko: '{0}의 새 이름' },
  EXPEL_SURE: { page: 'people.removeSure', of: ['name'], en: 'remove {0} from the room?' },
  IS_OWNER: { en: "{0}, an owner: has the room's key", de: '{0}, Hauptleitung: hat den Schlüssel', es: '{0}, responsable principal: tiene la clave', fr: '{0}, hôte principal : a la clé', ja: '{0}：オーナー（キーを持つ）', ko: '{0}: 소유자(키가 있음)' },
  IS_PRESENTER: { en: '{0}, a presenter', de: '{0}, Leitung', es: '{0}, responsable', fr: '{0}, hôte', ja: '{0}：発表者', ko: '{0}: 진행자' },
  IS_VIEWER: { en: '{0}, a viewer', de: '{0}, nimmt teil', es: '{0}, participante', fr: '{0}, participe', ja: '{0}：参加者', ko: '{0}: 참여자' },
  IS_ACTIVE: { en: '{0} whose cursor steers', de: '{0}, steuert', es: '{0}, guía', fr: '{0}, guide', ja: '{0}、操縦中', ko: '{0}, 이끄는 중' },
  IS_MARKED: { en: '{0}, in the spotlight', de: '{0}, im Scheinwerfer', es: '{0}, con el foco', fr: '{0}, en avant', ja: '{0}、スポットライト', ko: '{0}, 스포트라이트' },
  BUTTON_PRESENTER: { columns: 14, en: '{0} presenter', de: '{0} Leitung', es: '{0} responsable', fr: '{0} hôte', ja: '{0} 発表者', ko: '{0} 진행자' },
  BUTTON_VIEWER: { columns: 14, en: '{0} viewer', de: '{0} dabei', es: '{0} particip.', fr: '{0} particip.', ja: '{0} 参加者', ko: '{0} 참여자' },
  BUTTON_REMOVE: { columns: 14, en: '{0} remove', de: '{0} entf.', es: '{0} expulsar', fr: '{0} exclure', ja: '{0} 退出', ko: '{0} 내보내기' },
  BUTTON_MARK: { columns: 14, en: '{0} mark', de: '{0} Licht', es: '{0} foco', fr: '{0} en avant', ja: '{0} 注目', ko: '{0} 조명' },

  // ---- measures ----
  FLOCK: { en: 'The flock', de: 'Der Schwarm', es: 'La bandada', fr: 'La nuée', ja: '群れ', ko: '무리' },
  POLARIZATION: { columns: 14, page: 'measures.figures.polarization.name', en: 'polarization' },
  MILLING: { columns: 14, page: 'measures.figures.milling.name', en: 'milling' },
  RADIUS: { columns: 14, page: 'measures.figures.radius.name', en: 'radius' },
  SPEED: { columns: 14, page: 'measures.figures.speed.name', en: 'speed' },
  NEAREST: { columns: 14, page: 'measures.figures.nearest.name', en: 'nearest' },
  CLUSTERS: { columns: 14, page: 'measures.figures.clusters.name', en: 'clusters' },
  SAMPLED: { page: 'measures.sampled', en: 'of a sample' },

  // ---- news ----
  NEWS: { en: 'News', de: 'Neues', es: 'Noticias', fr: 'Nouvelles', ja: 'できごと', ko: '소식' },
  NEWS_NOTHING: { en: 'nothing yet', de: 'noch nichts', es: 'nada todavía', fr: 'rien pour l’instant', ja: 'まだありません', ko: '아직 없습니다' },

  // ---- a sweep ----
  SWEEP: { page: 'plots.views.sweep' },
  SWEEP_NONE: { page: 'plots.sweep.none' },
  SWEEP_STEP: { page: 'plots.sweep.running', of: ['text', 'text', 'text'] },
  SWEEP_DONE: { page: 'plots.sweep.done', of: ['text'] },
  SWEEP_STOPPED: { page: 'plots.sweep.ended.stopped' },
  SWEEP_PARAM: { page: 'plots.sweep.ended.param' },
  SWEEP_PRESET: { page: 'plots.sweep.ended.preset' },
  SWEEP_PAST: { page: 'plots.sweep.ended.past' },
  SWEEP_REFUSED: { page: 'plots.sweep.ended.refused' },
  SWEEP_STOP: { columns: 39, en: '{0} stop', de: '{0} anhalten', es: '{0} detener', fr: '{0} arrêter', ja: '{0} 止める', ko: '{0} 멈추기' },
  SWEEP_START: { columns: 39, en: '{0} finds a parameter to sweep', de: '{0} findet einen Parameter dafür', es: '{0} busca un parámetro que barrer', fr: '{0} cherche un paramètre à balayer', ja: '{0} で掃引するパラメーターを探す', ko: '{0} 키로 스윕할 매개변수 찾기' },
  FIND_SWEEP: { en: '11 values in two minutes', de: '11 Werte in zwei Minuten', es: '11 valores en dos minutos', fr: '11 valeurs en deux minutes', ja: '2 分で 11 個の値', ko: '2분 동안 값 11개' },

  // ---- why a boid turns ----
  WHY_TITLE: { en: 'Why boid {0} turns', de: 'Warum Boid {0} abbiegt', es: 'Por qué gira el boid {0}', fr: 'Pourquoi le boid {0} tourne', ja: 'ボイド {0} が曲がる理由', ko: '보이드 {0}의 방향이 바뀌는 이유' },
  WHY_GONE: { en: 'This boid is no longer here. {0} marks another one.', de: 'Diesen Boid gibt es nicht mehr. {0} wählt einen anderen.', es: 'Este boid ya no está. {0} elige otro.', fr: 'Ce boid n’est plus là. {0} en choisit un autre.', ja: 'このボイドはもういません。{0} キーで別のボイドを選びます。', ko: '이 보이드는 이제 없습니다. {0} 키로 다른 보이드를 고릅니다.' },
  WHY_ENDED: { en: 'Others want to look at a boid. {0} marks another one.', de: 'Andere wollen sich einen Boid ansehen. {0} wählt einen anderen.', es: 'Otras personas quieren mirar un boid. {0} elige otro.', fr: 'D’autres veulent regarder un boid. {0} en choisit un autre.', ja: 'ほかの人がボイドを見ます。{0} キーで別のボイドを選びます。', ko: '다른 사람이 보이드를 봅니다. {0} 키로 다른 보이드를 고릅니다.' },
  WHY_SUM: { columns: 12, page: 'why.change', en: 'sum' },
  WHY_AROUND: { page: 'why.neighbours', of: ['count', 'number'], en: '{0} neighbours, {1} too close' },
  WHY_NEAR: { page: 'why.pick', of: ['text', 'text', 'text'], en: '{0}  boid {1}, {2} away' },
  WHY_TOO_CLOSE: { en: '{0}, too close', de: '{0}, zu nah', es: '{0}, muy cerca', fr: '{0}, trop près', ja: '{0}、近すぎる', ko: '{0}, 너무 가까움' },
  WHY_HINT: { columns: 39, en: '{0} next boid  {1}, Esc close', de: '{0} nächster Boid  {1}, Esc schließen', es: '{0} siguiente  {1}, Esc cerrar', fr: '{0} suivant  {1}, Échap fermer', ja: '{0} 次のボイド  {1}, Esc 閉じる', ko: '{0} 다음 보이드  {1}, Esc 닫기' },
  PUSH_SEPARATION: { columns: 12, page: 'why.pushes.separation', en: 'separation' },
  PUSH_ALIGNMENT: { columns: 12, page: 'why.pushes.alignment', en: 'alignment' },
  PUSH_COHESION: { columns: 12, page: 'why.pushes.cohesion', en: 'cohesion' },
  PUSH_SEEK: { columns: 12, page: 'why.pushes.seek', en: 'seek' },
  PUSH_FOOD: { columns: 12, page: 'why.pushes.food', en: 'food' },
  HUNTER: { columns: 12, en: 'hunter', de: 'Jäger', es: 'cazador', fr: 'chasseur', ja: 'ハンター', ko: '사냥꾼' },
  PUSH_FLEE: { columns: 12, page: 'why.pushes.flee', en: 'flee' },
  PUSH_INERTIA: { columns: 12, page: 'why.pushes.inertia', en: 'inertia' },
  PUSH_LIMITS: { columns: 12, page: 'why.pushes.limits', en: 'limits' },
  PUSH_NOISE: { columns: 12, page: 'why.pushes.noise', en: 'noise' },
  PUSH_WALLS: { columns: 12, page: 'why.pushes.walls', en: 'walls' },
  TURN_LEFT: { page: 'why.turns.left' },
  TURN_RIGHT: { page: 'why.turns.right' },
  TURN_STRAIGHT: { page: 'why.turns.straight' },
  TURN_FASTER: { page: 'why.turns.faster' },
  TURN_SLOWER: { page: 'why.turns.slower' },
  WHY_CROWD: { page: 'why.separation', of: ['count', null] },
  WHY_CROWD_LEFT: { page: 'why.separation', of: ['count', 'left'] },
  WHY_CROWD_RIGHT: { page: 'why.separation', of: ['count', 'right'] },
  WHY_ALIGNMENT_LEFT: { page: 'why.alignment', of: ['left'] },
  WHY_ALIGNMENT_RIGHT: { page: 'why.alignment', of: ['right'] },
  WHY_COHESION_LEFT: { page: 'why.cohesion', of: ['left'] },
  WHY_COHESION_RIGHT: { page: 'why.cohesion', of: ['right'] },
  WHY_MIDDLE_LEFT: { page: 'why.middle', of: ['left'] },
  WHY_MIDDLE_RIGHT: { page: 'why.middle', of: ['right'] },
  WHY_CURSOR_LEFT: { page: 'why.cursor', of: ['left'] },
  WHY_CURSOR_RIGHT: { page: 'why.cursor', of: ['right'] },
  WHY_TARGET_LEFT: { page: 'why.target', of: ['left'] },
  WHY_TARGET_RIGHT: { page: 'why.target', of: ['right'] },
  WHY_FOOD_LEFT: { page: 'why.food', of: ['left'] },
  WHY_FOOD_RIGHT: { page: 'why.food', of: ['right'] },
  WHY_FLEE_LEFT: { page: 'why.flee', of: ['left'] },
  WHY_FLEE_RIGHT: { page: 'why.flee', of: ['right'] },
  WHY_NOISE_LEFT: { page: 'why.noise', of: ['left'] },
  WHY_NOISE_RIGHT: { page: 'why.noise', of: ['right'] },
  WHY_WALLS: { page: 'why.walls' },
  WHY_PLAIN: { page: 'why.sentence', of: ['text', null, null] },
  WHY_REASON: { page: 'why.sentence', of: ['text', 'text', null] },
  WHY_AGAINST: { page: 'why.sentence', of: ['text', 'text', 'text'] },
  WHY_ONLY_AGAINST: { page: 'why.sentence', of: ['text', null, 'text'] },
  WHY_BALANCE: { page: 'why.balance', of: ['text', 'text', 'text'] },

  // ---- the past ----
  PAST: { columns: 40, page: 'past.shown', of: ['text'], en: 'the past: {0} s before now' },
  EARLIER: { en: '{0} s earlier: {1}', de: '{0} s davor: {1}', es: '{0} s antes: {1}', fr: '{0} s plus tôt : {1}', ja: '{0} 秒前：{1}', ko: '{0}초 전: {1}' },

  // ---- the palette ----
  FIND_BEFORE: { en: 'before', de: 'zuletzt', es: 'antes', fr: 'avant', ja: '以前', ko: '이전' },
  FIND_CREATE: { en: 'create', de: 'anlegen', es: 'crear', fr: 'créer', ja: '作成', ko: '만들기' },
  FIND_JOIN: { en: 'join', de: 'beitreten', es: 'entrar', fr: 'entrer', ja: '参加', ko: '참여' },
  FIND_NEW: { en: 'a new room', de: 'ein neuer Raum', es: 'una sala nueva', fr: 'une nouvelle salle', ja: '新しいルーム', ko: '새 방' },
  FIND_AS_LOBBY: { en: 'as the lobby was at first', de: 'wie die Lobby am Anfang', es: 'como la entrada al comienzo', fr: 'comme le hall au début', ja: '最初のロビーと同じ', ko: '처음의 로비처럼' },
  FIND_ROOM: { columns: 12, en: 'room:', de: 'Raum:', es: 'sala:', fr: 'salle :', ja: 'ルーム：', ko: '방:' },
  FIND_NO_ROOM: { en: 'no room: type a code or an address', de: 'kein Raum: Code oder Adresse eingeben', es: 'ninguna sala: escribe un código o una dirección', fr: 'aucune salle : tapez un code ou une adresse', ja: 'ルームがありません。コードかアドレスを入力', ko: '방이 없습니다. 코드나 주소를 입력하세요' },
  FIND_NOTHING: { en: 'nothing has these words', de: 'nichts hat diese Wörter', es: 'nada tiene esas palabras', fr: 'rien n’a ces mots', ja: '見つかりません', ko: '찾은 것이 없습니다' },
  LOCKED: { page: 'start.locked', en: 'locked' },
  INVITE_ROOM: { page: 'common.roomOfCode', of: ['text'], en: 'room {0}' },
};
