import type { ComponentChildren } from 'preact';
import { API_NAME } from '../../../kernel/product.js';
import type { Assets } from '../assets.js';

interface HeadParts {
  assets: Assets;
  title: string;
  hasScript?: boolean;
  children?: ComponentChildren;
}

export const Head = ({ assets, title, hasScript = true, children }: HeadParts) => (
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <link rel="icon" href="/favicon.ico" type="image/svg+xml" />
    <link rel="stylesheet" href={assets.pathOf('console.css')} />
    {hasScript ? <script src={assets.pathOf('console.js')} type="module" /> : null}
    {children}
    <title>{`${title} · ${API_NAME}`}</title>
  </head>
);
