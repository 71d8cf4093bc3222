// The style sheet of a part that is loaded later.

/** Before the page's own one, which has the last word. href: relative to the part's file, whose address is base. Throws when
 * it cannot be loaded. */
export function loadSheet(href: string, base: string): Promise<void> {
  const link = document.createElement('link');
  return new Promise((resolve, reject) => {
    link.rel = 'stylesheet';
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      reject(new Error(href));
    };
    link.href = new URL(href, base).href;
    document.head.prepend(link);
  });
}
