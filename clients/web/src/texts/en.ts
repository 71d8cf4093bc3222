// The page's texts in English, by what they are for. The other languages have the same keys, which the compiler checks.
// A text in which something is put is a function. `K` in a text of the help is a key of the keyboard.

const number = new Intl.NumberFormat('en').format;
const rules = new Intl.PluralRules('en');
const counted = (count: number, one: string, other: string): string =>
  `${number(count)} ${rules.select(count) === 'one' ? one : other}`;
const boids = (count: number): string => counted(count, 'boid', 'boids');
const people = (count: number): string => counted(count, 'person', 'people');

/** By name; what is missing is said as the server says it. */
export type NamedTexts = Readonly<Record<string, { name?: string; text?: string }>>;

export const en = {
  language: 'en',

  common: {
    boids,
    people,
    lobby: 'Lobby',
    roomOfCode: (code: string) => `Room ${code}`,
    close: 'Close',
    join: 'Join',
    language: 'Language',
    startPage: 'Start page',
  },

  start: {
    title: 'flock: join or create a room',
    about: 'A room is one flock, seen and steered by everyone in it.',
    code: 'Room code',
    rooms: 'Open to everyone',
    create: 'Create a room',
    roomTitle: 'Title',
    optional: 'may be empty',
    presets: 'The flock to begin with',
    listed: 'List it here, for everyone who comes by',
    key: 'The server’s key',
    keyAbout: 'flockd prints it in its presenter link when it starts: what follows #key=',
    joinKey: 'Join key',
    noJoinKey: 'A join key has 4 to 64 letters, digits and hyphens.',
    createIt: 'Create the room',
    flock: (name: string, count: number) => `${name}, ${boids(count)}`,
    nobody: 'nobody is here',
    whichRoom: 'Which room? Its code is six characters.',
    noCode: 'That is no room code. One has six of the characters 2 3 4 6 7 8 9 F K L M R W X Y.',
    noRoom: (code: string) => `There is no room ${code}. It may have ended, or its code is another one.`,
    keyNeeded: 'Only who has the server’s key may create rooms here.',
  },

  /** Why the server does not list or create rooms. */
  refused: {
    silent: 'The server does not answer. Try again in a moment.',
    key: 'That is not the server’s key.',
    full: 'The server has as many rooms, or boids in them, as it can take. Try again when a room has ended.',
    tooMany: (minutes: number) =>
      `Too many rooms were created from here. Try again in ${minutes > 1 ? counted(minutes, 'minute', 'minutes') : 'a minute'}.`,
    other: (status: number) => `The server refused (${status}).`,
  },

  people: {
    title: 'People',
    about: 'Who is here (N)',
    most: (count: number) => `Who is here (N): ${people(count)} at most`,
    more: (count: number) => `and ${number(count)} more`,
    name: 'Your name',
    you: 'you',
    youPresent: 'you present',
    presents: 'presents',
    actions: (name: string) => `What to do with ${name}`,
    appoint: 'Make presenter',
    dismiss: 'Take the controls back',
    spotlight: 'Spotlight',
    spotlightOff: 'Spotlight off',
    rename: 'Rename…',
    renameNow: 'Rename',
    newName: 'Another name',
    remove: 'Remove…',
    removeSure: (name: string) => `Remove ${name} for ten minutes?`,
    keep: 'Keep',
    removeNow: 'Remove',
  },

  connection: {
    label: 'Status',
    title: 'Connection',
    rate: 'Snapshots per second',
    latency: 'Round trip to the server',
    model: 'The model that the flock follows',
    hertz: (count: number) => `${number(count)} Hz`,
    milliseconds: (count: string) => `${count} ms`,
    connecting: 'Connecting',
    connectingNow: 'Connecting…',
    reconnecting: 'Reconnecting…',
    connected: 'Connected',
    waiting: 'Not connected',
    closed: 'Closed',
    again: (why: string) => `${why}. Trying again`,
    now: 'Now',
    inSeconds: (count: number) => `in ${number(count)} s`,
    silent: 'Nothing comes from the server',
    silentFor: (count: number) => `for ${number(count)} s`,
    lost: 'No connection',
    noAnswer: 'No answer',
    fellSilent: 'The server fell silent',
    shuttingDown: 'The server is shutting down',
    full: 'The room or the server is full',
    stalled: 'The line was too slow',
    showing: (shown: number, flock: number) => `showing ${number(shown)} of ${boids(flock)}`,
    pace: (text: string, rate: number) => `${text}, ${number(rate)} a second`,
    slow: (text: string) => `${text}: less, the line is slow`,
  },

  /** What a close for good means. */
  ending: {
    joinAgain: 'Join again',
    reload: 'Reload the page',
    joinNew: 'Join as a new person',
    comeBack: 'Come back here',
    joinKey: 'Join key',
    joinKeyForm: 'letters, digits and -',
    version: 'This page does not fit the server any more.',
    versionMore: 'The server is another version now.',
    noRoom: (room: string) => (room === '' ? 'There is no such room.' : `There is no room ${room}.`),
    noRoomMore: 'It may have ended, or its code is another one.',
    flood: 'The server closed the connection: too many messages.',
    elsewhere: 'You have joined from elsewhere.',
    elsewhereMore: 'Another tab or window goes on as you.',
    ended: 'This room has ended.',
    endedMore: 'Its flock is gone, and its code with it.',
    removed: 'A presenter removed you from this room.',
    removedMore: 'You can join it again in ten minutes, and another room at once.',
    wrongKeys: 'Too many wrong keys.',
    wrongKeysMore: 'You can join as a viewer.',
    locked: (room: string) =>
      room === '' ? 'This room asks for its join key.' : `The room ${room} asks for its join key.`,
    lockedMore: 'Whoever invited you has it.',
    lockedWrong: 'That is not the room’s join key',
    closed: 'The server closed the connection.',
    code: (code: number) => `Code ${code}`,
  },

  /** Why the server did not do what it was asked. */
  errors: {
    role: 'Only a presenter may do this; the link with the key makes one.',
    key: 'That is not the room’s key.',
    keys: 'Too many wrong keys were tried from here. Try again in a minute.',
    flood: 'Too much at once. Try again in a moment.',
    name: 'Choose another name: a presenter is called so, or nothing of it can be seen.',
    nameSoon: 'A name can change every 3 seconds. Try again in a moment.',
    title: 'Choose another title: nothing of it can be seen.',
    running: 'The flock is running. It steps while it is paused.',
    nothing: 'There is nothing to take back.',
    steps: 'The steps before are still to be made.',
    personGone: 'That person is not here any more.',
    boids: 'No more boids: the room or the server has as many as it can take.',
    sequential: 'Too many boids to move one after another: 5,000 at most.',
    cost: 'That would be too much for the server. Fewer boids help, or boids that look less far.',
    range: 'That value is out of its range.',
    paramRange: (name: string, min: string, max: string) => `${name}: expected a number from ${min} to ${max}`,
    presenterKey: 'The presenter’s key that you have is not this room’s: you are a viewer.',
    badKey: 'The address has a presenter’s key that cannot be one: small letters, digits and -.',
  },

  view: {
    label: 'View',
    back: 'Back to the flock',
    backAbout: 'The whole flock again (0)',
    controls: 'Controls',
    controlsAbout: 'Controls (P)',
    look: 'Change the look',
    lookAbout: 'Look: as the preset has it, arrows or blurred circles (L)',
    projector: 'Projector view',
    projectorAbout: 'Projector view: the flock, and how to join (V)',
    theme: 'Light or dark',
    themeAbout: 'Light or dark (T)',
    full: 'Full screen',
    fullAbout: 'Full screen (F)',
    help: 'Help',
    helpAbout: 'Help (?)',
    arrows: {
      flock: (distance: number) => `flock ${number(distance)} units`,
      target: (distance: number) => `target ${number(distance)} units`,
    },
  },

  measures: {
    title: 'Measures',
    about: 'What the flock does (M)',
    mark: 'mark the centroid',
    markAbout: 'A small cross where the middle of the flock is, and a ring of its radius (C)',
    inWords: 'say it in words',
    inWordsAbout: 'At most every ten seconds; a screen reader reads it aloud',
    figures: {
      polarization: {
        name: 'Polarization',
        text: 'How much all head the same way: 1 when everyone does, 0 when the headings cancel out.',
      },
      milling: {
        name: 'Milling',
        text: 'How much the flock turns about its centroid: 1 when everyone circles it the same way round, 0 when nobody does.',
      },
      radius: {
        name: 'Radius',
        text: 'How far the flock spreads: the radius of gyration, which is the root mean square distance from the centroid, in world units.',
      },
      speed: { name: 'Speed', text: 'How fast the boids are on average, in world units a tick of the flock.' },
      nearest: {
        name: 'Nearest',
        text: 'How far it is from a boid to the one nearest to it, on average of some of them, in world units.',
      },
    },
  },

  panel: {
    title: 'Controls',
    close: 'Close the controls',
    closeAbout: 'Close (P)',
    pause: 'Pause',
    run: 'Run',
    runAbout: 'Pause and run (space)',
    step: 'Step',
    stepAbout: 'One tick, while paused (.)',
    reset: 'Reset',
    resetAbout: 'The flock anew, with as many boids as in the beginning',
    undo: 'Undo',
    undoAbout: 'Take back the last change (Z)',
    amounts: 'How many boids at once',
    add: 'Add by click',
    addAbout: 'Add boids where you click or tap the flock (B), or at your cursor (+)',
    remove: 'Remove',
    removeAbout: 'Remove boids, those added last first (-)',
    full: (count: number) => `The room is full: ${boids(count)} at most.`,
    parametersOf: (model: string) => `Parameters of ${model}`,
    initial: 'Initial values',
    initialAbout: 'All parameters back to where they began: the preset’s values, or the model’s',
    slow: (percent: number) =>
      `The server drops ${number(percent)} % of this room’s ticks: it runs slower than it should. Fewer boids help, or another model.`,
    range: (min: string, max: string, initial: string) => `${min} to ${max}, initially ${initial}`,
    aboutParam: (text: string, range: string) => `${text}: ${range}`,
    exact: (name: string) => `${name}, exact`,
    back: (value: string) => `Back to ${value}`,
    backOf: (name: string, value: string) => `${name} back to ${value}`,
    atMost: (name: string, other: string, value: number) => `${name}: expected at most ${other}, which is ${value}`,
    atLeast: (name: string, other: string, value: number) => `${name}: expected at least ${other}, which is ${value}`,
    notNumber: (name: string, min: string, max: string, got: string) =>
      `${name}: expected a number from ${min} to ${max}, not “${got}”`,
  },

  attention: {
    ask: 'Attention',
    over: 'Go on',
    about: 'Dims the flock for viewers',
    text: 'A sentence, if you like',
    /** Where the presenter has written none. */
    plain: 'Please look up',
  },

  room: {
    heading: 'Room:',
    title: 'Title',
    link: 'The presenter’s link',
    copy: 'Copy the presenter’s link',
    newKey: 'New key…',
    sure: 'The old link will no longer work. Go on?',
    keep: 'Keep it',
    newKeyNow: 'New key',
    key: 'Whoever opens the presenter’s link may change this room.',
    noKey: 'You have no key of this room. A new one makes a link to pass on.',
    renewed: 'The new link. The old one no longer works; who is a presenter now stays one.',
  },

  past: {
    open: 'Rewind',
    openAbout: 'Show everyone what happened before',
    shown: (seconds: string) => `The past: ${seconds} s before now`,
  },

  invite: {
    about: 'Invite people to this room (I)',
    title: (room: string) => `Join ${room}`,
    scan: 'Scan the code, or open',
    enter: 'and enter',
    closed: 'Only this computer can open that address. Start flockd with --bind 0.0.0.0 to let others in.',
    which: 'Which of this server’s addresses',
    address: 'The room’s address',
    copy: 'Copy the link',
    copied: 'Copied',
    copyYourself: 'Press Ctrl+C',
    others: 'Other rooms',
    picture: (address: string) => `A code that leads to ${address}`,
  },

  projector: {
    label: 'How to join',
    size: 'The code’s size (Q)',
    /** The name is shown between the two. */
    greeting: ['Welcome, ', ''],
  },

  welcome: {
    title: 'Your name?',
    about: 'Everyone in this room sees it, and where your cursor is. Nothing else.',
    other: 'another one',
    names: [
      ...['Robin', 'Wren', 'Finch', 'Lark', 'Heron', 'Swift', 'Kite', 'Puffin', 'Dove', 'Crane', 'Owl', 'Raven'],
      ...['Martin', 'Jay', 'Falcon', 'Ibis', 'Stork', 'Plover', 'Linnet', 'Magpie', 'Osprey', 'Pelican', 'Starling'],
    ],
  },

  help: {
    title: 'One flock, everyone’s cursor',
    about: 'A server moves one flock for everybody in this room.',
    pointer: 'Mouse, pen or finger',
    pointerText: 'steer. Leave the window or lift the finger, and your cursor no longer counts.',
    or: 'or',
    keysText: 'steer by keyboard; hold to go faster.',
    wheel: 'The wheel',
    fingers: 'Two fingers or two taps',
    zoomText: 'zoom; `0` or the button brings the whole flock back.',
    lookText: 'changes the look: as the preset has it, arrows, or blurred circles.',
    measuresText: 'shows or hides what the flock does, in figures; `C` the mark of its centroid.',
    peopleText: 'shows or hides who is here, and your name.',
    inviteText: 'shows the room’s code, large, and its link.',
    projectorText: 'projector view: the flock alone, and how to join; `Q` the code’s size, `T` light or dark.',
    fullText: 'full screen.',
    helpText: 'this help. `Esc` closes it.',
    controlsText:
      'for presenters: the controls. While they are open, and in projector view, `Space` pauses, `.` makes one step, with `B` a click adds boids, `+` adds them at your cursor, `-` removes some, `Z` takes the last change back.',
    shortcuts: 'letters and signs are keys of this page',
    drawn: (server: string, model: string, by: string) => `${server}, model ${model}; drawn with ${by}.`,
  },

  /** Whether one’s own cursor counts. */
  standing: {
    shown: 'The presenter steers: your cursor is only shown',
    watches: 'The presenter steers: you watch',
  },

  /** What one’s own cursor does now: said until it was moved once. */
  hint: {
    follow: { mouse: 'Move: the flock follows', finger: 'Drag a finger: the flock follows' },
    latest: { mouse: 'Move: the flock follows who moved last', finger: 'Drag a finger: the flock follows who moved last' },
    nearest: { mouse: 'Move: the boids near you follow', finger: 'Drag a finger: the boids near it follow' },
    pull: { mouse: 'Move: the balls are drawn to you', finger: 'Drag a finger: the balls are drawn to it' },
    flee: { mouse: 'Move: the flock flees from you', finger: 'Drag a finger: the flock flees from it' },
  },

  /** The same in the help, and for who does not see the flock. */
  guidance: {
    follow: 'It goes to the middle of everyone’s cursors; the small ring shows where that is.',
    latest: 'It goes to the cursor that moved last; the small ring shows where that is.',
    nearest: 'Each boid goes to the cursor nearest to it.',
    pull: 'Its balls are drawn to everyone’s cursors; the small ring shows where to.',
    flee: 'It flees from everyone’s cursors.',
    nothing: 'Cursors do not move it now.',
    paused: 'It is paused.',
    shown: 'It goes to the presenter’s cursor; yours is only shown.',
    watches: 'The presenter steers it; you watch.',
    stage: (text: string) => `The flock. ${text}`,
    stageSteers: (text: string) => `The flock. ${text} Move the pointer, drag a finger, or hold an arrow key.`,
  },

  news: {
    paused: 'Paused',
    running: 'Running',
    /** Who did something. */
    person: (name: string) => name,
    you: 'You',
    somebody: 'Somebody',
    program: 'A program',
    title: (who: string, title: string) => `${who} renamed the room: ${title}`,
    reset: (who: string) => `${who} started the flock anew`,
    preset: (who: string, preset: string) => `${who} chose the preset ${preset}`,
    pausedBy: (who: string) => `${who} paused the flock`,
    runBy: (who: string) => `${who} let the flock go on`,
    by: (who: string, change: string) => `${who}: ${change}`,
    set: (name: string, to: string) => `${name} ${to}`,
    change: (name: string, from: string, to: string) => `${name} ${from} → ${to}`,
    params: (who: string, count: number) => `${who} changed ${counted(count, 'parameter', 'parameters')}`,
    added: (who: string, count: number) => `${who} added ${boids(count)}`,
    removed: (who: string, count: number) => `${who} removed ${boids(count)}`,
    renamed: (who: string, from: string, to: string) => `${who} renamed ${from}: ${to}`,
    attention: (who: string) => `${who} asks for attention`,
    spotlight: (who: string, name: string) => `${who} put ${name} into the spotlight`,
    spotlightOff: (who: string) => `${who} switched the spotlight off`,
    undo: (who: string, change: string) => `${who} took back: ${change}`,
    undoReset: (who: string) => `${who} took back the reset`,
    undoParams: (who: string, count: number) => `${who} took back ${counted(count, 'parameter', 'parameters')}`,
    undoBoids: (who: string, count: number) => `${who} took back: ${boids(count)} now`,
    none: 'none',
    boidsStay: 'the boids stay: too many to keep',
    abandoned: 'The flock is paused: a tick of it took too long',
    abandonedMore: (ms: string) => `more than ${ms} ms; fewer boids, or ones that look less far, help`,
    slow: (percent: number) => `The server drops ${number(percent)} % of the ticks`,
    slowMore: 'fewer boids help',
    presenter: 'You are a presenter',
    presenterKey: 'P opens the controls',
    presenterButton: 'the first button opens the controls',
    viewer: 'You are no presenter any more',
  },

  // What the server calls by a name. It says all of this in English itself, so here is only what has a better word for a
  // class; the other languages have every name, with a sentence.
  controls: {
    boundary: { name: 'edge' },
    update: { name: 'order' },
    policy: { name: 'who leads' },
    idle: { name: 'nobody steers' },
    run: { name: 'time' },
  } as NamedTexts,

  choices: {
    boundary: { wrap: { name: 'around' } },
    policy: {
      mean: { name: 'all together' },
      latest: { name: 'last to move' },
      presenter: { name: 'presenter' },
    },
    cursors: { scare: { text: 'the flock flees from them, as strongly as its fear says' } },
    idle: { hold: { name: 'go on' } },
  } as Readonly<Record<string, NamedTexts>>,

  params: {
    separation_min: { name: 'separation, least' },
    separation_max: { name: 'separation, greatest' },
    alignment_min: { name: 'alignment, least' },
    alignment_max: { name: 'alignment, greatest' },
    cohesion_min: { name: 'cohesion, least' },
    cohesion_max: { name: 'cohesion, greatest' },
    separation_weight: { name: 'separation' },
    alignment_weight: { name: 'alignment' },
    cohesion_weight: { name: 'cohesion' },
    seek_weight: { name: 'pull of the cursor' },
    flee_weight: { name: 'fear' },
    flee_distance: { name: 'fear distance' },
    min_speed: { name: 'least speed' },
    max_speed: { name: 'greatest speed' },
    max_force: { name: 'greatest force' },
    max_turn: { name: 'greatest turn' },
  } as NamedTexts,

  units: {} as Readonly<Record<string, string>>,
};
