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
});
