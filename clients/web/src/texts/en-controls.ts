// The page's texts in English for the presenter's controls, loaded with them.

import { en } from './en';

const number = new Intl.NumberFormat('en').format;
const { boids } = en.common;

export const controls = {
  panel: {
    title: 'Controls',
    close: 'Close the controls',
    closeAbout: 'Close (P)',
    pause: 'Pause',
    run: 'Run',
    runAbout: 'Pause (space): the flock stands still until Run.',
    step: 'Step',
    stepAbout: 'Step (.): one tick while paused.',
    reset: 'Start again',
    resetAbout: 'Start again: the initial number of boids, the same rules.',
    undo: 'Undo',
    undoAbout: 'Undo (Z): takes back the last change.',
    rewind: 'Rewind',
    rewindAbout: 'Rewind (R): everyone sees what happened before.',
    class: 'Class',
    boids: 'Boids',
    boidsAbout: 'Add boids where you click or tap the flock (B), or at your cursor (+). Remove takes the newest first (-).',
    world: 'World',
    more: 'More',
    recording: 'Recording and branches',
    amounts: 'Number of boids to add or remove',
    add: 'Add boids',
    remove: 'Remove boids',
    full: (count: number) => `The room is full: ${boids(count)} at most.`,
    rulesOf: (model: string) => `Rules: ${model}`,
    initial: 'Initial values',
    initialAbout: 'Sets all parameters to the preset’s values, or to the model’s if there is no preset.',
    slow: (percent: number) =>
      `The server drops ${number(percent)} % of this room’s ticks, so the flock is slow. Use fewer boids or another model.`,
    slowServer: (percent: number) => `The server is busy and drops ${number(percent)} % of this room’s ticks, so the flock is slow.`,
    range: (min: string, max: string, initial: string) => `${min} to ${max}, initially ${initial}`,
    exact: (name: string) => `${name}, exact`,
    back: (value: string) => `Back to ${value}`,
    backOf: (name: string, value: string) => `${name} back to ${value}`,
    atMost: (name: string, other: string, value: number) => `${name}: expected at most ${other}, which is ${value}`,
    atLeast: (name: string, other: string, value: number) => `${name}: expected at least ${other}, which is ${value}`,
    notNumber: (name: string, min: string, max: string, got: string) => `${name}: expected a number from ${min} to ${max}, not “${got}”`,
  },

  /** Presets that presenters saved in the room. */
  presets: {
    title: 'Presets',
    own: 'saved',
    none: 'none: custom settings',
    ownAbout: 'Presets that presenters saved in this room',
    saveAs: 'Save as…',
    saveAbout: 'Saves the model, world, parameters and number of boids as a preset of this room.',
    save: 'Save',
    name: 'Name of the preset',
    remove: (name: string) => `Remove ${name}`,
    removeSure: (name: string) => `Remove the preset ${name} for everyone?`,
    removeNow: 'Remove',
  },

  attention: {
    ask: 'Attention',
    on: 'Screens are dimmed.',
    over: 'Continue',
    about: 'Dims the flock for viewers, and shows them the message.',
    text: 'Message (optional)',
  },

  room: {
    heading: 'Room:',
    title: 'Title',
    link: 'The presenter’s link',
    copy: 'Copy the presenter’s link',
    newKey: 'New key…',
    sure: 'The old link will no longer work. Continue?',
    keep: 'Cancel',
    newKeyNow: 'New key',
    key: 'Everyone who opens the presenter’s link can change this room.',
    noKey: 'Only people who opened the presenter’s link have this room’s key.',
    renewed: 'This is the new link. The old link no longer works. Presenters keep their role.',
  },
};

export type ControlsTexts = typeof controls;
