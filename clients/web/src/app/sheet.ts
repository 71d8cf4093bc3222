// Loads the style sheet of a panel.

/** Inserts the style sheet before the page's own sheet, whose rules come later and win. href: relative to base, the address of the
 * panel's file. Throws if the sheet cannot be loaded. */
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
