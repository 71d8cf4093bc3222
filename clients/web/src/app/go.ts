// Leaves this page. In a page with two rooms, which are frames, the outer page leaves.

export const ALONE = 'flock.alone'; // kept for the tab: the codes of the pair that the person has closed

/** Whether this page is a frame in a page with two rooms. */
export const framed = (): boolean => window.parent !== window;

/** address: absolute, or relative to this page. */
export const goTo = (address: string): void => (window.top ?? window).location.assign(new URL(address, location.href).href);
