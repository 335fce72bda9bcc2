import { Injectable } from '@nestjs/common';
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { API_NAME } from '../../kernel/product.js';
import { Assets } from './assets.js';
import { CONSOLE_HEADERS } from './console-headers.js';
import { Head } from './parts/head.js';

/** The address of an open page may be a secret: no other page learns it. */
export const OPEN_PAGE_HEADERS = { ...CONSOLE_HEADERS, 'Referrer-Policy': 'no-referrer' };

export interface OpenPage {
  /** The heading, and the title of the browser's tab. */
  readonly title: string;
  readonly body: ComponentChildren;
}

/** Pages with the look of the console for people who are not signed in: without navigation, and with nothing but what they say. */
@Injectable()
export class OpenPages {
  constructor(private readonly assets: Assets) {}

  render({ title, body }: OpenPage): string {
    const content = (
      <html lang="en">
        <Head assets={this.assets} title={title} />
        <body class="alone">
          <header class="top">
            <span class="brand">{API_NAME}</span>
          </header>
          <main id="content">
            <h1>{title}</h1>
            {body}
          </main>
        </body>
      </html>
    );
    return `<!doctype html>${renderToString(content)}`;
  }
}
