// Saves what the page makes as files, through the browser's downloads.

import { make } from './dom';

const KEPT = 60_000; // ms until the browser has certainly read the file

export function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  make('a', { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), KEPT);
}
