// The page's texts in English for the help, loaded with it.

export const help = {
  help: {
    title: 'One flock, everyone’s cursor',
    about: 'The server moves one flock for everyone in this room.',
    pointer: 'Mouse, pen or finger',
    pointerText: 'steer. Your cursor stops steering when it leaves the window or you lift the finger.',
    or: 'or',
    keysText: 'steer by keyboard; hold to go faster.',
    wheel: 'The wheel',
    fingers: 'Two fingers or two taps',
    zoomText: 'zoom; the button brings the whole flock back.',
    presenters: 'For presenters. All keys except `P` work while the controls are open, and in projector view.',
    shortcuts: 'use keyboard shortcuts',
    drawn: (server: string, model: string, by: string) => `${server}, model ${model}; drawn with ${by}.`,
  },

  /** As keyboards of this language print them. */
  keyNames: { Space: 'Space', Esc: 'Esc' },

  keys: {
    look: 'chooses what boids’ colours say, their shape, and light or dark',
    draw: 'draws walls, drops food, sets hunters loose',
    why: 'explains why a boid turns; a click picks another one',
    theme: 'switches between light and dark',
    measures: 'shows or hides the measures of the flock',
    plots: 'shows or hides the plots of the measures',
    centroid: 'marks the centroid of the flock',
    people: 'shows or hides the list of people',
    invite: 'shows the room’s code and link',
    projector: 'opens or closes the projector view: the flock, and how to join',
    codeSize: 'changes the size of the code in projector view',
    names: 'hides or shows people’s names in projector view',
    fullscreen: 'enters or leaves full screen',
    wholeFlock: 'shows the whole flock after a zoom',
    help: 'shows this help',
    controls: 'opens or closes the controls',
    run: 'pauses or runs the flock',
    step: 'makes one tick, while the flock is paused',
    rewind: 'opens the timeline of the past; there `Space` plays and stops',
    add: 'adds boids where you click',
    addHere: 'adds boids at your cursor',
    remove: 'removes boids',
    undo: 'undoes the last change',
    leave: 'closes what is on top: a notice, this help, a list, the controls, the timeline',
  },
};

export type HelpTexts = typeof help;
