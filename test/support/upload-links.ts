import { textOf, type ConsoleBrowser } from './console.js';
import { fromNewAddress } from './law-call.js';

export const LINKS = '/console/test/statements/links';

export type ClientFile = readonly [name: string, content: string | Buffer];

/** A new project of a visitor. Returns its id. */
export async function projectOf(browser: ConsoleBrowser, name = 'Secret project name'): Promise<string> {
  const shown = await browser.fill('/console/test/projects/new', { name, periodStart: '2026-01-01', periodEnd: '2026-12-31' });
  return shown.url.pathname.split('/').at(-1)!;
}

/** Makes a link in the console. Returns its path, as its client opens it. */
export async function linkOf(browser: ConsoleBrowser, fields: Readonly<Record<string, string>> = {}): Promise<string> {
  return pathIn((await browser.fill(`${LINKS}/new`, fields)).text);
}

/** The path of the link that a page shows. */
export const pathIn = (text: string): string => new URL(/<pre[^>]*>([^<]+)<\/pre>/.exec(text)![1]!).pathname;

/** The client of an accountant: a browser without scripts or cookies, each time at a new address, as limits are by address. */
export class LinkClient {
  constructor(private readonly origin: string) {}

  open(path: string): Promise<Shown> {
    return this.call(path);
  }

  send(path: string, files: readonly ClientFile[], headers: Readonly<Record<string, string>> = {}): Promise<Shown> {
    const body = new FormData();
    for (const [name, content] of files) body.append('file', new Blob([content as never]), name);
    // What a browser sends of a field without a chosen file.
    if (files.length === 0) body.append('file', new Blob([]), '');
    return this.call(path, { method: 'POST', body, headers });
  }

  finish(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Shown> {
    return this.call(`${path}/finish`, { method: 'POST', headers });
  }

  private async call(path: string, { headers, ...init }: RequestInit = {}): Promise<Shown> {
    const all = { ...fromNewAddress(), ...(headers as Record<string, string> | undefined) };
    const answer = await fetch(this.origin + path, { ...init, redirect: 'manual', headers: all });
    const html = await answer.text();
    return { status: answer.status, headers: answer.headers, html, text: textOf(html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')) };
  }
}

interface Shown {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** Without tags. */
  readonly text: string;
}
