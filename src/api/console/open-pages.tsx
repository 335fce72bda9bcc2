import { Injectable } from '@nestjs/common';
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { API_NAME } from '../../kernel/product.js';
import { Assets } from './assets.js';
import { CONSOLE_HEADERS } from './console-headers.js';
import { LanguageLinks } from '../wording/page-wording.js';
import { Head } from './parts/head.js';

/** The address of an open page may be a secret: no other page learns it. */
export const OPEN_PAGE_HEADERS = { ...CONSOLE_HEADERS, 'Referrer-Policy': 'no-referrer' };

export interface OpenPage {
  /** The heading, and the title of the browser's tab. */
  readonly title: string;
  readonly body: ComponentChildren;
  /** The language that it is in, if it has several. */
  readonly language?: string;
  /** Whether the same page can be had in the others at its address. */
  readonly offersLanguages?: boolean;
}

/** Pages with the look of the console for people who are not signed in: without navigation, and with nothing but what they say. */
@Injectable()
export class OpenPages {
  constructor(private readonly assets: Assets) {}

  render({ title, body, language = 'en', offersLanguages = false }: OpenPage): string {
    const content = (
      <html lang={language}>
        <Head assets={this.assets} title={title} />
        <body class="alone">
          <header class="top">
            <span class="brand">{API_NAME}</span>
          </header>
          <main id="content">
            <h1>{title}</h1>
            {body}
            {offersLanguages ? <LanguageLinks current={language} /> : null}
          </main>
        </body>
      </html>
    );
    return `<!doctype html>${renderToString(content)}`;
  }
}
