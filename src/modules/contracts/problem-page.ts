import { FIELD_CODES } from '../../kernel/field-codes.js';
import { PROBLEMS, type ProblemCode } from '../../kernel/problems.js';
import type { Settings } from '../../kernel/settings/settings.js';
import { withSettings } from '../../kernel/settings/setting-text.js';

const ADVICE = {
  never: 'Do not repeat the call as it is.',
  same_key: 'Repeat the call with the same Idempotency-Key.',
  later: 'Repeat the call later.',
};

const FIELD_CODE_TABLE = [
  '<h2>Codes of <code>errors</code></h2><p>What can be wrong with a value. New codes may be added.</p><table>',
  ...Object.entries(FIELD_CODES).map(([code, sentence]) => `<tr><td><code>${code}</code></td><td>${sentence}</td></tr>`),
  '</table>',
].join('');

/** The page that the `type` of a problem points to. */
export function problemPage(code: ProblemCode, settings: Settings): string {
  const { status, title, retry, about } = PROBLEMS[code];
  return page(title, [
    `<p><code>${code}</code> · HTTP ${status}</p>`,
    `<p>${toHtml(withSettings(about, settings))}</p>`,
    `<p><strong>${ADVICE[retry]}</strong></p>`,
    ...(code === 'validation_failed' ? [FIELD_CODE_TABLE] : []),
    '<p><a href="/problems">All problems</a></p>',
  ]);
}

/** The page that lists all problems. */
export function problemsPage(): string {
  const rows = Object.entries(PROBLEMS).map(
    ([code, { status, title }]) =>
      `<tr><td>${status}</td><td><a href="/problems/${code}"><code>${code}</code></a></td><td>${title}</td></tr>`,
  );
  return page('Problems', [
    '<p>Every answer that is not 2xx is a problem document. Its <code>code</code> is one of these.</p>',
    `<table>${rows.join('')}</table>`,
    FIELD_CODE_TABLE,
  ]);
}

const toHtml = (text: string): string =>
  text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/`([^`]+)`/g, '<code>$1</code>');

const STYLE = `
body{font:17px/1.6 system-ui,sans-serif;max-width:42rem;margin:3rem auto;padding:0 1rem;color:#1c2024;background:#fff}
code{font-size:.92em;background:#f1f3f5;padding:.1em .3em;border-radius:.25em}
td{padding:.3rem .8rem .3rem 0;vertical-align:top}
a{color:#0b5cad}
`;

function page(title: string, body: readonly string[]): string {
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>${title}</title><style>${STYLE}</style></head>`,
    `<body><main><h1>${title}</h1>${body.join('')}</main></body></html>`,
  ].join('');
}
