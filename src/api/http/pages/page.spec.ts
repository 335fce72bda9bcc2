import fc from 'fast-check';
import { h, type ComponentChildren } from 'preact';
import { describe, expect, it } from 'vitest';
import { page, PAGE_HEADERS } from './page.js';

const shown = page({ title: 'Tom & <Jerry>', body: h('p', null, 'Hello') });

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** Decodes character references, as a browser does. */
const read = (text: string): string => text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]!);

/** Texts with many characters that are special in HTML. */
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom('<', '>', '&', '"', "'", '`', '=', '/', '<script>', '&lt;', '</p>', '${'),
      fc.string({ unit: 'binary', maxLength: 5 }),
    ),
  )
  .map((parts) => parts.join(''));

describe('a page', () => {
  it('has its title escaped and its body as it is', () => {
    expect(shown).toContain('<title>Tom &amp; &lt;Jerry> · Claims API</title>');
    expect(shown).toContain('<main id="content"><h1>Tom &amp; &lt;Jerry></h1><p>Hello</p></main>');
  });

  it('escapes every text without losing any of it', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const body = h('p', { title: text }, text);
        const inside = /<p title(?:="([^"]*)")?>([^<]*)<\/p><\/main>/.exec(page({ title: text, body }))!;
        for (const part of [inside[1] ?? '', inside[2]!]) {
          expect(part.replace(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toContain('&');
          expect(read(part)).toBe(text);
        }
      }),
    );
  });

  it('does not show an object that only looks like an element', () => {
    const forged = JSON.parse(
      '{"type":"script","key":null,"ref":null,"props":{"dangerouslySetInnerHTML":{"__html":"alert(1)"}},"__v":1}',
    ) as ComponentChildren;
    expect(page({ title: 'Forged', body: h('p', null, forged) })).not.toMatch(/<script|alert/);
  });

  it('declares its language and a viewport for phones', () => {
    expect(shown).toMatch(/^<!doctype html><html lang="en">/);
    expect(shown).toContain('<meta name="viewport" content="width=device-width, initial-scale=1"/>');
  });

  it('may use the style and icon of the service and nothing else: no scripts, other content or frames', () => {
    expect(PAGE_HEADERS['Content-Security-Policy']).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(shown).not.toMatch(/<script|style=|https?:/);
  });
});
