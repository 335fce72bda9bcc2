import type { Fetch } from './options.js';

/** Where requests go, and what sends them. */
export interface Service {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  readonly fetch: Fetch;
}

export function serviceAt(baseUrl: string, fetch?: Fetch): Service {
  return {
    baseUrl: new URL(baseUrl).href.replace(/\/+$/, ''),
    // Browsers refuse a fetch that is called as a method of something else.
    fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
  };
}
