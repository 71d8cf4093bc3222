// The address under which other people open this server's pages. A person on the server's own machine may have opened the page
// with a loopback address, which works only there.

import { roomPath } from './codes';

export interface Reach {
  /** Addresses of the server's root, the best first. Each ends with a slash. */
  roots: string[];
  /** Whether other machines can open them. */
  open: boolean;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** root: the server's root in this page's address; answer: the server's answer, unchecked. */
export function reachOf(root: string, answer: unknown): Reach {
  const { public_url: url, addresses } = (typeof answer === 'object' && answer !== null ? answer : {}) as Record<string, unknown>;
  const known = Array.isArray(addresses) ? addresses.filter((each) => isUrl(each)) : [];
  const withSlash = (each: string): string => (each.endsWith('/') ? each : `${each}/`);
  if (isUrl(url)) return { roots: [withSlash(url)], open: true };
  const own = new URL(root);
  // Behind a proxy the server's own addresses are of no use to others.
  if (!LOOPBACK.test(own.hostname)) {
    const direct = own.protocol === 'http:' && own.pathname === '/' && known.some((each) => new URL(each).host === own.host);
    const others = direct ? known.map(withSlash).filter((each) => new URL(each).host !== own.host) : [];
    return { roots: [own.href, ...others], open: true };
  }
  if (known.length === 0 || own.pathname !== '/') return { roots: [own.href], open: false };
  return { roots: known.map(withSlash), open: true };
}

function isUrl(text: unknown): text is string {
  if (typeof text !== 'string' || !/^https?:\/\/[^/]/.test(text)) return false;
  try {
    return Boolean(new URL(text));
  } catch {
    return false;
  }
}

/** Asks the server for its addresses. Throws if it does not answer. */
export async function findReach(root: string): Promise<Reach> {
  const answer = await fetch(new URL('api', root));
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return reachOf(root, await answer.json());
}

/** Returns the address of a room below that root. */
export const roomBelow = (root: string, code: string): string => new URL(roomPath(code), root).href;

/** Returns an address in the form that people read and type. */
export const readable = (address: string): string => address.replace(/^https?:\/\//, '').replace(/\/$/, '');
