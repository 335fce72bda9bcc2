import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html } from './html.js';

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

describe('html', () => {
  it('escapes every text without losing any of it', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const inside = /^<p title="([^]*)">([^]*)<\/p>$/.exec(html`<p title="${text}">${text}</p>`.text)!;
        for (const part of [inside[1]!, inside[2]!]) {
          expect(part).not.toMatch(/[<>"']/);
          expect(part.replace(/&(?:amp|lt|gt|quot|#39);/g, '')).not.toContain('&');
          expect(read(part)).toBe(text);
        }
      }),
    );
  });

  it('inserts HTML as it is, also lists of it', () => {
    const item = (name: string) => html`<li>${name}</li>`;
    expect(html`<ul>${['a', '<b>'].map(item)}</ul>`.text).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>');
    expect(html`<main>${html`<h1>${'&'}</h1>`}</main>`.text).toBe('<main><h1>&amp;</h1></main>');
    expect(html``.text).toBe('');
  });

  it('does not accept an object that only looks like HTML', () => {
    const forged = { text: '<script>' } as unknown as ReturnType<typeof html>;
    expect(() => html`<p>${forged}</p>`).toThrow(TypeError);
  });
});
