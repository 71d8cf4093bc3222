// Notices never cover the control that has the focus.

const WHOLE = 'body, #stage, #panel'; // these have the focus while no control has it

/** Moves the notice to the other end of the window while it would cover the focused control. */
export function keepClear(notice: HTMLElement): void {
  function check(): void {
    notice.classList.remove('aside');
    const focused = document.activeElement;
    if (notice.hidden || focused === null || focused.matches(WHOLE) || notice.contains(focused)) return;
    const [a, b] = [notice.getBoundingClientRect(), focused.getBoundingClientRect()];
    notice.classList.toggle('aside', a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom);
  }

  addEventListener('focusin', check);
  new MutationObserver(check).observe(notice, { attributeFilter: ['hidden'], childList: true, characterData: true, subtree: true });
}
