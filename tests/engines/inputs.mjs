// Mouse, finger and keys as WebDriver's actions, which its classic form and BiDi have in common.

const KEYS = { Enter: '\uE007', Escape: '\uE00C', Tab: '\uE004', Shift: '\uE008', ArrowRight: '\uE014' };

// perform(sources) has the browser carry out a list of action sources.
export function createInputs(perform) {
  const pointer = (id, pointerType, ...actions) => perform([{ type: 'pointer', id, parameters: { pointerType }, actions }]);
  const to = ([x, y], duration = 0) => ({ type: 'pointerMove', x: Math.round(x), y: Math.round(y), duration });
  const down = { type: 'pointerDown', button: 0 };
  const up = { type: 'pointerUp', button: 0 };
  const keys = (values) => perform([{ type: 'key', id: 'keys', actions: values.flatMap((value) => [{ type: 'keyDown', value }, { type: 'keyUp', value }]) }]);
  return {
    move: (at) => pointer('mouse', 'mouse', to(at)),
    click: (at) => pointer('mouse', 'mouse', to(at), down, up),
    drag: (from, at) => pointer('mouse', 'mouse', to(from), down, to(at, 200), up),
    press: (key) => keys([KEYS[key] ?? key]),
    type: (text) => keys([...text]),
    fingerDown: (at) => pointer('finger', 'touch', to(at), down),
    fingerMove: (at) => pointer('finger', 'touch', to(at, 100)),
    fingerUp: () => pointer('finger', 'touch', up),
  };
}
