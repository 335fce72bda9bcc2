import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { html } from './html.js';

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };

/** What a browser makes of text with references to characters. */
const read = (text: string): string => text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]!);

/** Texts of the characters that mean something in HTML, among others. */
const texts = fc
  .array(
    fc.oneof(
      fc.constantFrom('<', '>', '&', '"', "'", '`', '=', '/', '<script>', '&lt;', '</p>', '${'),
      fc.string({ unit: 'binary', maxLength: 5 }),
    ),
  )
  .map((parts) => parts.join(''));

describe('html', () => {
  it('leaves no text the means to become markup, and loses none of it', () => {
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

  it('takes parts of pages as they are, also several of them', () => {
    const item = (name: string) => html`<li>${name}</li>`;
    expect(html`<ul>${['a', '<b>'].map(item)}</ul>`.text).toBe('<ul><li>a</li><li>&lt;b&gt;</li></ul>');
    expect(html`<main>${html`<h1>${'&'}</h1>`}</main>`.text).toBe('<main><h1>&amp;</h1></main>');
    expect(html``.text).toBe('');
  });

  it('does not take an object for a part of a page because it looks like one', () => {
    const forged = { text: '<script>' } as unknown as ReturnType<typeof html>;
    expect(() => html`<p>${forged}</p>`).toThrow(TypeError);
  });
});
