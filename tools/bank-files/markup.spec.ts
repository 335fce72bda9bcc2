import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { once } from './fixtures/pieces.js';
import { plainMarkup, unescaped } from './markup.js';

async function simplify(...texts: string[]): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of plainMarkup(once(...texts))) pieces.push(piece);
  return pieces;
}

const MARKUP = '<?xml version="1.0"?><a x="1">1 &lt; 2<!-- <b> --><c><![CDATA[<d> & ]] e]]></c></a>';

describe('plain markup', () => {
  it('has no comments, processing instructions or CDATA sections, and the same content', async () => {
    expect((await simplify(MARKUP)).join('')).toBe('<a x="1">1 &lt; 2<c>&lt;d&gt; &amp; ]] e</c></a>');
  });

  it('is the same wherever the text was split, and no piece of it ends within a tag', async () => {
    const whole = (await simplify(MARKUP)).join('');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat({ max: MARKUP.length }), { maxLength: 8 }), async (cuts) => {
        const edges = [0, ...cuts.sort((one, other) => one - other), MARKUP.length];
        const pieces = await simplify(...edges.slice(1).map((edge, index) => MARKUP.slice(edges[index], edge)));
        expect(pieces.join('')).toBe(whole);
        for (const piece of pieces) expect(piece).toMatch(/^([^<]|<[^>]*>)*$/);
      }),
    );
  });

  it('is refused if it declares a document type or entities', async () => {
    for (const text of ['<!DOCTYPE a [<!ENTITY b "c">]><a/>', '<a><!ENTITY b SYSTEM "file:///etc/passwd"></a>', '<!doctype a>'])
      await expect(simplify(text)).rejects.toMatchObject({ code: 'dtd_not_allowed' });
  });

  it('is refused if something in it is never closed', async () => {
    await expect(simplify('<!-- ', ...Array.from({ length: 20 }, () => 'x'.repeat(100_000)))).rejects.toMatchObject({
      code: 'invalid_markup',
    });
  });
});

it('decodes XML and numeric entities once, and leaves others as text', () => {
  expect(unescaped('&lt;&amp;lt;&#65;&#x1F600;&quot;&apos;')).toBe('<&lt;A😀"\'');
  for (const text of ['&b;', '&#x110000;', '&#99999999;', '& ', 'a&b']) expect(unescaped(text)).toBe(text);
});
