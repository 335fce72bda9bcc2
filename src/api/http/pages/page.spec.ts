import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { html } from './html.js';
import { page, PAGE_HEADERS } from './page.js';

const shown = page({ title: 'Tom & <Jerry>', body: html`<p>Hello</p>` });

describe('a page', () => {
  it('has its title escaped and its body as it is', () => {
    expect(shown).toContain('<title>Tom &amp; &lt;Jerry&gt;</title>');
    expect(shown).toContain('<main><h1>Tom &amp; &lt;Jerry&gt;</h1><p>Hello</p></main>');
  });

  it('declares its language and a viewport for phones', () => {
    expect(shown).toMatch(/^<!doctype html><html lang="en">/);
    expect(shown).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
  });

  it('may use its own style and icon and nothing else: no scripts, other content or frames', () => {
    const style = /<style>([^]*)<\/style>/.exec(shown)![1]!;
    const hash = createHash('sha256').update(style).digest('base64');
    expect(PAGE_HEADERS['Content-Security-Policy']).toBe(
      `default-src 'none'; style-src 'sha256-${hash}'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
    expect(shown).not.toMatch(/<script|style=|https?:/);
  });
});
