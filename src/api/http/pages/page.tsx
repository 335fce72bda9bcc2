import { createHash } from 'node:crypto';
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { API_NAME } from '../../../kernel/product.js';
import { LanguageLinks } from '../../wording/page-wording.js';

const STYLE = `
:root{color-scheme:light dark;--ink:#16191d;--ground:#f6f7f9;--paper:#fff;--soft:#57606a;--line:#858f9b;--faint:#e3e7ec;
--accent:#1f57c3;--on-accent:#fff;--bad:#b3261e}
@media (prefers-color-scheme:dark){:root{--ink:#e9edf2;--ground:#0f1216;--paper:#171b21;--soft:#9aa4b0;--line:#6b7684;
--faint:#2a313a;--accent:#8fb2ff;--on-accent:#0e1a33;--bad:#ffb4ab}}
*{box-sizing:border-box}
body{margin:0;font:1.0625rem/1.6 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
header,main{max-width:30rem;margin:0 auto;padding:1.25rem}
header{color:var(--soft);font-size:.9375rem;font-weight:600}
main{padding-top:0}
main>:last-child{margin-bottom:0}
h1{margin:0 0 1rem;font-size:1.5rem;line-height:1.3}
h2{margin:1.5rem 0 .25rem;font-size:1.0625rem}
h1,p,dd,li{overflow-wrap:anywhere}
code{font-size:.92em}
table{border-collapse:collapse}
td{padding:.3rem .8rem .3rem 0;vertical-align:top;overflow-wrap:break-word}
p{margin:0 0 1rem}
label{display:block;margin-top:1.25rem;font-weight:600}
.hint{margin:0;color:var(--soft);font-size:.9375rem}
.error{margin:1rem 0;padding:.5rem 1rem;border-left:.25rem solid var(--bad);color:var(--bad)}
input{display:block;width:100%;min-height:2.75rem;margin-top:.25rem;padding:.5rem .75rem;font:inherit;color:inherit;
background:transparent;border:1px solid var(--line);border-radius:.5rem}
input[type=checkbox]{flex:none;width:1.25rem;height:1.25rem;min-height:0;margin:.2rem 0 0;accent-color:var(--accent)}
fieldset{margin:1.25rem 0 0;padding:.25rem 1rem .75rem;border:1px solid var(--faint);border-radius:.4rem}
legend{padding:0 .25rem;font-weight:600}
.choice{display:flex;gap:.6rem;min-height:2.75rem;margin-top:.6rem;font-weight:400;overflow-wrap:anywhere}
.mode{padding:.5rem 1rem;border:1px dashed var(--line)}
.live{border:.25rem double var(--bad)}
input[aria-invalid]{border-color:var(--bad)}
ul{margin:0;padding-left:1.25rem}
li{margin:.25rem 0}
dl{margin:1.5rem 0 0;border-top:1px solid var(--faint)}
dl div{padding:.5rem 0;border-bottom:1px solid var(--faint)}
dt{color:var(--soft);font-size:.9375rem}
dd{margin:0}
.languages{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin-top:2rem;font-size:.9375rem}
.languages [aria-current]{color:inherit;text-decoration:none}
button{width:100%;min-height:2.75rem;margin-top:1.5rem;padding:.5rem 1rem;font:inherit;font-weight:600;color:var(--on-accent);
background:var(--accent);border:1px solid var(--accent);border-radius:.4rem;cursor:pointer}
button+button{margin-top:.75rem}
button.plain{color:inherit;background:transparent;border-color:var(--line)}
a{color:var(--accent)}
:focus-visible{outline:.2rem solid var(--accent);outline-offset:.15rem}
@media (max-width:32rem){
tr{display:block;padding:.4rem 0}
td{display:inline;padding:0 .5rem 0 0}
}
@media (min-width:32rem){
body{background:var(--ground);padding:4vh 0}
header{padding:1rem 2rem}
main{padding:2rem;background:var(--paper);border:1px solid var(--faint);border-radius:.5rem;box-shadow:0 1px 2px rgb(16 24 40/6%)}
dl div{display:grid;grid-template-columns:9rem 1fr;align-items:baseline}
}
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/**
 * The headers of every page: no scripts, no content but the icon, no frames, and no referrer to other sites, because the address may
 * be secret. Browsers also apply `form-action` to the redirects after a form, including those of the application, and do not
 * accept IPv6 addresses there. So a target is allowed by its scheme.
 */
export function pageHeaders(...formTargets: readonly string[]) {
  const targets = formTargets.map((target) => new URL(target).protocol);
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': [
      "default-src 'none'",
      `style-src 'sha256-${STYLE_HASH}'`,
      "img-src 'self'",
      `form-action ${["'self'", ...targets].join(' ')}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'same-origin',
  };
}

export const PAGE_HEADERS = pageHeaders();

export interface Page {
  /** The heading, also shown as the title of the browser tab. */
  readonly title: string;
  readonly body: ComponentChildren;
  /** The language that it is in, if it has several. */
  readonly language?: string;
  /** Whether the same page can be had in the others at its address, or what else that address has. */
  readonly offersLanguages?: boolean | Readonly<Record<string, string>>;
}

/** A complete page. Send it with `PAGE_HEADERS`. */
export function page({ title, body, language = 'en', offersLanguages = false }: Page): string {
  const content = (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <link rel="icon" href="/favicon.ico" type="image/svg+xml" />
        <title>{title}</title>
        {/* Added as it is, because its hash must match the header. */}
        <style dangerouslySetInnerHTML={{ __html: STYLE }} />
      </head>
      <body>
        <header>{API_NAME}</header>
        <main>
          <h1>{title}</h1>
          {body}
          {offersLanguages === false ? null : <LanguageLinks current={language} query={offersLanguages === true ? {} : offersLanguages} />}
        </main>
      </body>
    </html>
  );
  return `<!doctype html>${renderToString(content)}`;
}
