// The page's texts in English, grouped by use. The compiler checks that the other languages have the same keys.
// A text with placeholders is a function. `K` in a text of the help is a key of the keyboard.

const number = new Intl.NumberFormat('en').format;
const rules = new Intl.PluralRules('en');
export const counted = (count: number, one: string, other: string): string =>
  `${number(count)} ${rules.select(count) === 'one' ? one : other}`;
const boids = (count: number): string => counted(count, 'boid', 'boids');
const people = (count: number): string => counted(count, 'person', 'people');

/** By name. For a missing text the page shows the server's. */
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
    theme: 'Light or dark',
    title: 'flock: join or create a room',
    about: 'One flock on every screen. Everyone in the room sees it and steers it, together.',
    heroPicture: 'A flock of starlings that follows three cursors: Ada, Ben and Yuki',
    code: 'Room code',
    rooms: 'Open to everyone',
    create: 'Create a room',
    roomTitle: 'Title',
    optional: 'optional',
    presets: 'The flock to begin with',
    originalsTitle: 'The originals, as published',
    /** The part between two ` is a link to that program. */
    originalsAbout:
      'The rules of the C++ boids are those of `Flocking` by Daniel Shiffman. The authors of the other programs are not known here.',
    originals: {
      original: 'ActionScript swarm',
      'js-birds': 'JavaScript birds',
      'vex-column': 'Houdini VEX columns',
      'vex-crowd': 'Houdini VEX crowd',
      'ue4-fish': 'Unreal Engine fish',
      'cpp-boids': 'C++ boids',
    },
    more: 'Join key, list of rooms',
    recording: 'A recording',
    picture: 'picture of the flock',
    recordingAbout: 'play what happened in a room, on this server or another, and continue from there',
    recordingFile: 'The recording: a .flock file',
    recordingNeeded: 'Choose the recording to play: a .flock file.',
    listed: 'List this room on the start page',
    key: 'The server’s key',
    keyAbout: 'When flockd starts, it prints a presenter link. The key is the text after #key=',
    joinKey: 'Join key',
    joinKeyAbout: 'People who join with the room’s code must also type this key. The invitation link contains it.',
    sending: 'Sending the recording…',
    noJoinKey: 'A join key has 4 to 64 letters, digits and hyphens.',
    createIt: 'Create the room',
    flock: (name: string, count: number) => `${name}, ${boids(count)}`,
    nobody: 'empty',
    locked: 'needs a join key',
    whichRoom: 'Enter the room’s code: six characters.',
    noCode: 'That is not a room code. A code has six characters, each of 2 3 4 6 7 8 9 F K L M R W X Y.',
    noRoom: (code: string) => `There is no room ${code}. It may have ended, or the code is wrong.`,
    keyNeeded: 'Creating a room here needs the server’s key.',
  },

  people: {
    title: 'People',
    about: 'People in this room (N)',
    most: (count: number) => `People in this room (N): ${people(count)} at most`,
    more: (count: number) => `and ${number(count)} more`,
    name: 'Your name',
    you: 'you',
    youPresent: 'you, presenter',
    presents: 'presenter',
    away: 'presenter, away',
    youOwn: 'you, owner',
    owns: 'owner',
    ownerAway: 'owner, away',
    teams: ['red', 'blue', 'yellow', 'green'],
    actions: (name: string) => `Actions for ${name}`,
    removeSure: (name: string) => `Remove ${name} for ten minutes?`,
    keep: 'Cancel',
  },

  connection: {
    label: 'Status',
    title: 'Connection',
    rate: 'Snapshots per second',
    latency: 'Round trip to the server',
    model: 'The flock’s model',
    hertz: (count: number) => `${number(count)} Hz`,
    milliseconds: (count: string) => `${count} ms`,
    connecting: 'Connecting',
    connectingNow: 'Connecting…',
    reconnecting: 'Reconnecting…',
    connected: 'Connected',
    waiting: 'Not connected',
    closed: 'Closed',
    again: (why: string) => `${why}. Trying again`,
    now: 'Try now',
    inSeconds: (count: number) => `in ${number(count)} s`,
    silent: 'No data from the server',
    silentFor: (count: number) => `for ${number(count)} s`,
    lost: 'No connection',
    noAnswer: 'No answer',
    fellSilent: 'The server stopped sending',
    shuttingDown: 'The server is shutting down',
    full: 'The room or the server is full',
    stalled: 'Your connection was too slow',
    showing: (shown: number, flock: number) => `showing ${number(shown)} of ${boids(flock)}`,
    pace: (text: string, rate: number) => `${text}, ${number(rate)} a second`,
    slow: (text: string) => `${text}: reduced, your connection is slow`,
  },

  /** Why the connection ended for good. */
  ending: {
    joinAgain: 'Join again',
    reload: 'Reload the page',
    joinNew: 'Join as a new person',
    comeBack: 'Continue here',
    joinKey: 'Join key',
    joinKeyForm: 'letters, digits and hyphens',
    version: 'This page is out of date. Reload it.',
    versionMore: 'The server runs another version now.',
    noRoom: (room: string) => (room === '' ? 'There is no such room.' : `There is no room ${room}.`),
    noRoomMore: 'The room may have ended, or the code is wrong.',
    flood: 'The server closed the connection: too many messages.',
    elsewhere: 'You joined this room in another tab or window.',
    elsewhereMore: 'You are active there.',
    ended: 'This room has ended.',
    endedMore: 'Its flock and its code no longer exist.',
    removed: 'A presenter removed you from this room.',
    removedMore: (minutes: number) => `You can join this room again in ${counted(minutes, 'minute', 'minutes')}, and others now.`,
    noNewcomers: (room: string) => `Room ${room} takes no newcomers now.`,
    noNewcomersMore: 'A presenter has closed the door.',
    wrongKeys: 'Too many wrong keys.',
    wrongKeysMore: 'You can join as a viewer.',
    locked: (room: string) => (room === '' ? 'This room needs a join key.' : `Room ${room} needs a join key.`),
    lockedMore: 'The person who invited you has it.',
    lockedWrong: 'That is not the room’s join key.',
    closed: 'The server closed the connection.',
    code: (code: number) => `Code ${code}`,
  },

  /** Why the server refused a request. */
  errors: {
    role: 'Only presenters can do this. Open the presenter’s link to become one.',
    key: 'That is not the room’s key.',
    keys: (seconds: number) => `Too many wrong keys from your network. Try again in ${number(seconds)} s.`,
    turn: (seconds: number) => `Too many wrong keys from your network. It is your turn in about ${number(seconds)} s.`,
    flood: 'Too many requests. Try again in a moment.',
    name: 'Choose another name. A presenter has that name, or it has no visible characters.',
    nameSoon: (seconds: number) => `A name can change every 3 seconds. Try again in ${number(seconds)} s.`,
    title: 'Choose another title. This one has no visible characters.',
    presetName: 'Choose another name. flockd has a preset with that name, or it has no visible characters.',
    presets: 'This room cannot save more presets. Remove one first.',
    presetGone: 'That preset no longer exists.',
    past: 'The room shows its past. Choose “Continue from here” or “Back to now” first.',
    present: 'The room shows the present. Rewind it first.',
    noPast: 'The room has no past to show yet.',
    pastSoon: 'That moment is still loading. Try again in a moment.',
    running: 'Pause the flock first; then you can step.',
    nothing: 'There is nothing to undo.',
    steps: 'The earlier steps are not done yet. Try again in a moment.',
    personGone: 'That person has left.',
    boids: 'The room or the server cannot take more boids.',
    sequential: 'Sequential order works with at most 5,000 boids.',
    cost: 'That is too much work for the server. Use fewer boids or a shorter view distance.',
    range: 'That value is out of range.',
    paramRange: (name: string, min: string, max: string) => `${name}: expected a number from ${min} to ${max}`,
    presenterKey: 'Your presenter key is not valid in this room. You are a viewer.',
    badKey: 'The presenter key in the address is not valid. A key has lower-case letters, digits and hyphens.',
  },

  view: {
    label: 'View',
    back: 'Back to the flock',
    backAbout: 'Show the whole flock (0)',
    controls: 'Controls',
    controlsAbout: 'Controls (P)',
    notLoaded: 'The controls cannot be loaded. Trying again; if that does not help, reload the page.',
    partMissing: 'A part of the page cannot be loaded. Trying again; if that does not help, reload the page.',
    untranslated: 'This page’s language cannot be loaded. Reload the page to try again.',
    look: 'Look',
    lookAbout: 'Look: colours and shape of boids, light or dark (L)',
    plots: 'Plots',
    plotsAbout: 'Plots of the measures (G)',
    projector: 'Projector view',
    projectorAbout: 'Projector view: the flock, and how to join (V)',
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
    about: 'Measures of the flock (M)',
    mark: 'mark the centroid',
    markAbout: 'A small cross at the middle of the flock, and a ring with the flock’s radius (C)',
    inWords: 'describe in words',
    inWordsAbout: 'At most every ten seconds. Screen readers read it aloud.',
    figures: {
      polarization: {
        name: 'Polarization',
        text: 'How much all boids head the same way: 1 when all do, 0 when the headings cancel out.',
      },
      milling: {
        name: 'Milling',
        text: 'How much the flock turns about its centroid: 1 when all boids circle it the same way round, 0 when none does.',
      },
      radius: {
        name: 'Radius',
        text: 'How far the flock spreads: the root mean square distance from the centroid (radius of gyration), in world units.',
      },
      speed: { name: 'Speed', text: 'The boids’ mean speed, in world units per tick.' },
      nearest: {
        name: 'Nearest',
        text: 'The mean distance from a boid to its nearest neighbour, in world units. Above 20,000 boids, of a sample.',
      },
      clusters: {
        name: 'Clusters',
        text: 'Groups of at least three boids that are connected by neighbours. Above 20,000 boids, the groups of a sample.',
      },
    },
    sampled: 'sampled',
  },

  beside: {
    title: (one: string, other: string) => `${one} | ${other} · flock`,
    close: 'Close this room and show the other one alone',
    failed: 'The other room cannot be shown beside this one, because a part of the page cannot be loaded. Reload the page to try again.',
  },

  past: {
    shown: (seconds: string) => `The past: ${seconds} s before now`,
    of: (at: string, all: string) => `${at} of ${all}`,
  },

  invite: {
    about: 'Invite people to this room (I)',
    title: (room: string) => `Join ${room}`,
    scan: 'Scan the code, or open',
    enter: 'and enter',
    closed: 'Only this computer can open that address. Start flockd with --bind 0.0.0.0 to let others in.',
    which: 'This server’s addresses',
    address: 'The room’s address',
    copy: 'Copy the link',
    copied: 'Copied',
    copyYourself: 'Press Ctrl+C',
    others: 'Other rooms',
    picture: (address: string) => `QR code of ${address}`,
  },

  projector: {
    label: 'How to join',
    size: 'Change the code’s size (Q)',
    /** The person's name, as news.person() writes it, is shown between the two. */
    greeting: ['Welcome, ', ''],
  },

  welcome: {
    title: 'Your name?',
    about: 'Everyone in this room sees your name and your cursor, nothing else.',
    other: 'another name',
    /** Of birds, to propose to people; the English ones are in en-names.ts. */
    names: [] as readonly string[],
    /** The name of a person who gave none; empty: the server chooses one, in English. */
    bird: () => '',
  },

  /** Whether the person’s own cursor steers. */
  standing: {
    shown: 'The presenter steers. Your cursor is shown but does not steer.',
    watches: 'The presenter steers. You watch.',
  },

  /** Shown until the person’s own cursor has moved once. */
  hint: {
    follow: { mouse: 'Move: the flock follows', finger: 'Drag a finger: the flock follows' },
    latest: {
      mouse: 'Move: the flock follows the last cursor that moved',
      finger: 'Drag a finger: the flock follows the last cursor that moved',
    },
    nearest: { mouse: 'Move: the boids near you follow', finger: 'Drag a finger: the boids near it follow' },
    team: { mouse: 'Move: you steer with your team', finger: 'Drag a finger: you steer with your team' },
    lead: { mouse: 'Move: you lead the flock', finger: 'Drag a finger: you lead the flock' },
    wait: { mouse: 'Move to take part: one person leads at a time', finger: 'Drag a finger to take part: one person leads at a time' },
    pull: { mouse: 'Move: your cursor pulls the balls', finger: 'Drag a finger: it pulls the balls' },
    flee: { mouse: 'Move: the flock flees from your cursor', finger: 'Drag a finger: the flock flees from it' },
  },

  /** Effect of cursors, for the help and for screen readers. */
  guidance: {
    follow: 'The flock goes to the mean of all cursors. The small ring shows that point.',
    latest: 'The flock goes to the cursor that moved last. The small ring shows that point.',
    nearest: 'Each boid goes to the cursor nearest to it.',
    team: 'Each boid goes to the team nearest to it.',
    lead: 'You lead: the flock goes to your cursor.',
    wait: 'One person leads at a time. Move your cursor to get a turn.',
    pull: 'All cursors together pull the balls. The small ring shows where.',
    flee: 'The flock flees from all cursors.',
    nothing: 'Cursors do not steer the flock now.',
    paused: 'The flock is paused.',
    shown: 'The flock goes to the presenter’s cursor. Yours is shown but does not steer.',
    watches: 'The presenter steers. You watch.',
    stage: (text: string) => `The flock. ${text}`,
    stageSteers: (text: string) => `The flock. ${text} Move the pointer, drag a finger, or hold an arrow key.`,
  },

  news: {
    /** One passage of a title and a text that belongs to it, which may begin in lower case. */
    joined: (title: string, text: string) => `${title}: ${text}.`,
    ownPreset: 'saved in this room',
    /** The message of a presenter who asks for attention without one. */
    lookUp: 'Please look up',
    paused: 'Paused',
    running: 'Running',
    /** The person who made a change. */
    person: (name: string) => name,
    you: 'You',
    somebody: 'Someone',
    program: 'A program',
    title: (who: string, title: string) => `${who} renamed the room to ${title}`,
    reset: (who: string) => `${who} started the flock again`,
    preset: (who: string, preset: string) => `${who} chose the preset ${preset}`,
    pausedBy: (who: string) => `${who} paused the flock`,
    runBy: (who: string) => `${who} resumed the flock`,
    by: (who: string, change: string) => `${who}: ${change}`,
    set: (name: string, to: string) => `${name} ${to}`,
    change: (name: string, from: string, to: string) => `${name} ${from} → ${to}`,
    params: (who: string, count: number) => `${who} changed ${counted(count, 'parameter', 'parameters')}`,
    added: (who: string, count: number) => `${who} added ${boids(count)}`,
    removed: (who: string, count: number) => `${who} removed ${boids(count)}`,
    renamed: (who: string, from: string, to: string) => `${who} renamed ${from} to ${to}`,
    attention: (who: string) => `${who} asks for attention`,
    spotlight: (who: string, name: string) => `${who} put ${name} into the spotlight`,
    spotlightOff: (who: string) => `${who} switched the spotlight off`,
    undo: (who: string, change: string) => `${who} undid: ${change}`,
    undoReset: (who: string) => `${who} undid “Start again”`,
    undoParams: (who: string, count: number) => `${who} undid the change of ${counted(count, 'parameter', 'parameters')}`,
    undoBoids: (who: string, count: number) => `${who} undid a change: ${boids(count)} now`,
    /** What a person did with food, hunters and walls. */
    things: {
      food: (who: string) => `${who} dropped food`,
      hunter: (who: string) => `${who} set a hunter loose`,
      wall: (who: string) => `${who} drew a wall`,
      erase: (who: string) => `${who} erased something`,
      clear: (who: string) => `${who} erased everything`,
    },
    undoThing: (who: string) => `${who} undid a drawing`,
    none: 'none',
    boidsStay: 'the boids stay, because there were too many to restore',
    abandoned: 'The flock is paused, because a tick took too long',
    abandonedMore: (ms: string) => `more than ${ms} ms; use fewer boids or a shorter view distance`,
    pastFailed: 'That moment of the past cannot be shown',
    presentAgain: 'the room shows the present again',
    beginningAgain: 'the recording starts again from its beginning',
    slow: (percent: number) => `The server drops ${number(percent)} % of the ticks`,
    slowOwn: 'use fewer boids',
    slowServer: 'the server is busy',
    presetSaved: (who: string, name: string) => `${who} saved the preset ${name}`,
    presetRemoved: (who: string, name: string) => `${who} removed the preset ${name}`,
    unsaved: 'The server cannot save this room',
    unsavedMore: 'a restart of the server would lose the changes made now',
    savedAgain: 'The server saves this room again',
    presenter: 'You are a presenter',
    presenterKey: 'P opens the controls',
    presenterButton: 'the first button opens the controls',
    viewer: 'You are no longer a presenter',
  },

  // Names of controls, choices and parameters. The server sends names and sentences in English, so this file has only better
  // words for a class; the other languages have every name, with a sentence.
  controls: {
    boundary: { name: 'edges' },
    update: { name: 'order' },
    policy: { name: 'class mode' },
    idle: { name: 'when idle' },
    run: { name: 'time' },
  } as NamedTexts,

  choices: {
    boundary: { wrap: { name: 'wrap around' } },
    policy: {
      mean: { name: 'together' },
      latest: { name: 'last to move' },
      presenter: { name: 'presenter' },
    },
    cursors: { scare: { text: 'the flock flees from them, with the strength of the parameter “fear”' } },
    idle: { hold: { name: 'continue' } },
  } as Readonly<Record<string, NamedTexts>>,

  params: {
    separation_min: { name: 'separation, min' },
    separation_max: { name: 'separation, max' },
    alignment_min: { name: 'alignment, min' },
    alignment_max: { name: 'alignment, max' },
    cohesion_min: { name: 'cohesion, min' },
    cohesion_max: { name: 'cohesion, max' },
    separation_weight: { name: 'separation' },
    alignment_weight: { name: 'alignment' },
    cohesion_weight: { name: 'cohesion' },
    seek_weight: { name: 'pull of the cursor' },
    flee_weight: { name: 'fear' },
    flee_distance: { name: 'fear distance' },
    min_speed: { name: 'minimum speed' },
    max_speed: { name: 'maximum speed' },
    max_force: { name: 'maximum force' },
    max_turn: { name: 'maximum turn' },
  } as NamedTexts,

  units: {} as Readonly<Record<string, string>>,
};

export type Texts = typeof en;
