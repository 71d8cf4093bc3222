// Names of birds in English, loaded with the question for a name.

export const names: readonly string[] = [
  ...['Robin', 'Wren', 'Finch', 'Lark', 'Heron', 'Swift', 'Kite', 'Puffin', 'Dove', 'Crane', 'Owl', 'Raven'],
  ...['Martin', 'Jay', 'Falcon', 'Ibis', 'Stork', 'Plover', 'Linnet', 'Magpie', 'Osprey', 'Pelican', 'Starling'],
];
