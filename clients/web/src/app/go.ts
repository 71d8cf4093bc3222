// Leaves this page. In a page with two rooms, which are frames, the outer page leaves.

/** Whether this page is a frame in a page with two rooms. */
export const framed = (): boolean => window.parent !== window;

/** address: absolute, or relative to this page. */
export const goTo = (address: string): void => (window.top ?? window).location.assign(new URL(address, location.href).href);
