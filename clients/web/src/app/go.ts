// Away from this page: also where it is one of two that are shown next to each other.

/** Whether this page is in a frame, one of two. */
export const framed = (): boolean => window.parent !== window;

/** address: absolute, or relative to this page. */
export const goTo = (address: string): void => (window.top ?? window).location.assign(new URL(address, location.href).href);
