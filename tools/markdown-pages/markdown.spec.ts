import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from 'vitest';
import { markdown } from './markdown.js';

const shown = async (text: string): Promise<string> => renderToString(h('main', null, await markdown(text)));

describe('Markdown as a page', () => {
  it.each([
    '<script>alert(1)</script>',
    'Text <img src=x onerror=alert(1)> text',
    '`<script>`',
    '```html\n<script>\n```',
    '| <b> |\n| --- |\n| <i> |',
  ])('shows HTML as text: %j', async (text) => {
    const page = await shown(text);
    expect(page).not.toMatch(/<(script|img|b|i)[\s>]/);
    expect(page).toContain('&lt;');
  });

  it('leaves out comments, which mark places for tests', async () => {
    expect(await shown('<!-- a place -->\n\nText')).toBe('<main><p>Text</p></main>');
  });

  it('leads from guide to guide on the site, and leaves other addresses as they are', async () => {
    const page = await shown('[a](limits.md) [b](errors.md#not_found) [c](/docs) [d](https://example.com/x.md)');
    expect([...page.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual([
      'limits',
      'errors#not_found',
      '/docs',
      'https://example.com/x.md',
    ]);
  });

  it('gives equal headings different anchors, as GitHub does', async () => {
    expect(await shown('## Limits & `codes`\n\n## Rate\n\n## Rate')).toMatch(/id="limits--codes".*id="rate".*id="rate-1"/);
  });

  it.each([
    ['```sh\nls\n```', 'sh'],
    ['```\nls\n```', 'text'],
    ['    indented', 'text'],
    ['```js\n// a-b.mjs: node a-b.mjs\n```', 'a-b.mjs'],
    ['```ts\n// src/a/b.ts\nlet a;\n```', 'src/a/b.ts'],
    ['```ts\n// Such as b.ts is.\n```', 'ts'],
    ['```json title=".vscode/mcp.json"\n{}\n```', '.vscode/mcp.json'],
    ['```ts tab="TypeScript" title="a&b.ts"\n// c.ts\n```', 'a&amp;b.ts'],
  ])('says above code what it is: %j', async (text, title) => {
    const page = await shown(text);
    expect(page).toContain(`<span>${title}</span><button`);
    expect(page).toContain(`aria-label="Code: ${title}"`);
  });

  describe('tabs', () => {
    const sh = (tab: string, text: string) => `\`\`\`sh tab="${tab}"\n${text}\n\`\`\``;
    const tabsOf = (page: string) =>
      [...page.matchAll(/<input[^>]* name="([^"]+)" value="([^"]+)"( checked)?[^>]*>.*?<div>(.*?)<\/pre><\/div><\/div>/g)].map(
        ([, group, name, checked, content]) => [
          group,
          name,
          Boolean(checked),
          content!
            .replace(/<button.*?button>|<[^>]+>/g, ' ')
            .replace(/ +/g, ' ')
            .trim(),
        ],
      );

    it('are of blocks one after another, each with the paragraph before it that begins with its name', async () => {
      const page = await shown(`Before\n\n${sh('a', 'one')}\n\nb is two:\n\n${sh('b', 'two')}\n\n${sh('b', 'three')}\n\nb after`);
      expect(tabsOf(page)).toEqual([
        ['tabs-a-b', 'a', true, 'sh one'],
        ['tabs-a-b', 'b', false, 'b is two: sh two sh three'],
      ]);
      expect(page).toMatch(/^<main><p>Before<\/p><div class="alternatives" role="group" aria-label="a, b">.*<p>b after<\/p><\/main>$/);
    });

    it('end at any other block, and each group chooses for itself', async () => {
      const page = await shown(`${sh('a', '1')}\n${sh('b', '2')}\n\nOther\n\n${sh('a', '3')}\n${sh('b', '4')}`);
      expect(tabsOf(page).map(([group, name, checked]) => [group, name, checked])).toEqual([
        ['tabs-a-b', 'a', true],
        ['tabs-a-b', 'b', false],
        ['tabs-a-b-1', 'a', true],
        ['tabs-a-b-1', 'b', false],
      ]);
      const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(new Set(ids).size).toBe(4);
      expect([...page.matchAll(/ for="([^"]+)"/g)].map(([, id]) => id)).toEqual(ids);
    });
  });
});
