// Under which address other people open this server's pages. Who opened the page on the server's own machine may have it
// from an address that leads nowhere for all others.

import { roomPath } from '../flock/names';

export interface Reach {
  /** Addresses of the server's root, the best first, each with a slash at its end. */
  roots: string[];
  /** Whether other machines get there. */
  open: boolean;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/** root: of the server, as this page has it; told: what the server says of itself, as it came. */
export function reachOf(root: string, told: unknown): Reach {
  const { public_url: url, addresses } = (typeof told === 'object' && told !== null ? told : {}) as Record<string, unknown>;
  const known = Array.isArray(addresses) ? addresses.filter((each) => isUrl(each)) : [];
  const withSlash = (each: string): string => (each.endsWith('/') ? each : `${each}/`);
  if (isUrl(url)) return { roots: [withSlash(url)], open: true };
  const own = new URL(root);
  // What a proxy serves is not at the addresses of the server behind it.
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

/** Asks the server; without an answer, what the page knows. */
export async function findReach(root: string): Promise<Reach> {
  try {
    const answer = await fetch(new URL('api', root));
    return reachOf(root, answer.ok ? await answer.json() : null);
  } catch {
    return reachOf(root, null);
  }
}

/** The address of a room below that root. */
export const roomBelow = (root: string, code: string): string => new URL(roomPath(code), root).href;

/** As people read and type it. */
export const readable = (address: string): string => address.replace(/^https?:\/\//, '').replace(/\/$/, '');
