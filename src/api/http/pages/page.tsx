import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { Problem } from '../../../kernel/problems.js';
import { API_NAME } from '../../../kernel/product.js';
import { Assets } from '../../console/assets.js';
import { Head } from '../../console/parts/head.js';
import { collect } from '../../validation/read-request.js';
import { LanguageLinks } from '../../wording/page-wording.js';
import { headersOfPage } from '../answer-headers.js';

/**
 * The headers of every page: no scripts, no content but the style and the icon, no frames, and no referrer to other sites, because the
 * address may be secret. Browsers also apply `form-action` to the redirects after a form, including those of the application, and do not
 * accept IPv6 addresses there. So a target is allowed by its scheme.
 */
export function pageHeaders(...formTargets: readonly string[]) {
  const targets = ["'self'", ...formTargets.map((target) => new URL(target).protocol)];
  return {
    'Content-Type': 'text/html; charset=utf-8',
    ...headersOfPage({ 'style-src': "'self'", 'img-src': "'self'", 'form-action': targets.join(' ') }),
  };
}

export const PAGE_HEADERS = pageHeaders();

export function sendPage(reply: FastifyReply, html: string, status = 200, headers: Record<string, string> = PAGE_HEADERS): void {
  void reply.status(status).headers(headers).send(html);
}

/** The same where Nest sends what a handler returns. */
export function answerPage(reply: FastifyReply, status: number, shown: Page): string {
  void reply.status(status).headers(PAGE_HEADERS);
  return page(shown);
}

export function redirect(reply: FastifyReply, location: string): void {
  void reply.status(303).header('Location', location).send();
}

export interface Page {
  /** The heading, also shown as the title of the browser tab. */
  readonly title: string;
  readonly body: ComponentChildren;
  /** The language that it is in, if it has several. */
  readonly language?: string;
  /** Whether the same page can be had in the others at its address, or what else that address has. */
  readonly offersLanguages?: boolean | Readonly<Record<string, string>>;
  /** As wide as a page of the console, and with its script. */
  readonly isWide?: boolean;
  /** The script of the console; send it with `CONSOLE_HEADERS`. */
  readonly hasScript?: boolean;
}

const assets = new Assets();

/**
 * A complete page for people who are not signed in, with the look of the console, but without navigation, and with nothing but what it
 * says. Send it with `PAGE_HEADERS`.
 */
export function page({ title, body, language = 'en', offersLanguages = false, isWide = false, hasScript = isWide }: Page): string {
  const content = (
    <html lang={language}>
      <Head assets={assets} title={title} hasScript={hasScript} />
      <body class={isWide ? 'alone' : 'alone narrow'}>
        <header class="top">
          <span class="brand">{API_NAME}</span>
        </header>
        <main id="content">
          <h1>{title}</h1>
          {body}
          {offersLanguages === false ? null : <LanguageLinks current={language} query={offersLanguages === true ? {} : offersLanguages} />}
        </main>
      </body>
    </html>
  );
  return `<!doctype html>${renderToString(content)}`;
}

const FORM_MAX_BYTES = 16 * 1024;

export async function readForm({ headers, raw }: FastifyRequest, maxBytes = FORM_MAX_BYTES): Promise<URLSearchParams> {
  if (!isForm(headers['content-type']) || headers['content-encoding'] !== undefined)
    throw new Problem('unsupported_media_type', { detail: 'The body must be a form: application/x-www-form-urlencoded.' });
  return new URLSearchParams((await collect(raw, maxBytes)).toString());
}

const isForm = (type = ''): boolean => /^application\/x-www-form-urlencoded\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type);
