import { renderToString } from 'preact-render-to-string';
import { API_NAME } from '../../kernel/product.js';
import type { Mail } from '../../store/mail/mailer.js';

export type LetterPart =
  | string
  | { readonly label: string; readonly href: string }
  | { readonly facts: readonly (readonly [name: string, value: string])[] };

export function letter(subject: string, parts: readonly LetterPart[], language = 'en'): Required<Pick<Mail, 'subject' | 'text' | 'html'>> {
  // A subject is one line, and may contain a name that people chose.
  return { subject: subject.replace(/\s+/g, ' '), text: `${parts.map(textOf).join('\n\n')}\n`, html: htmlOf(subject, parts, language) };
}

function textOf(part: LetterPart): string {
  if (typeof part === 'string') return part;
  if ('href' in part) return part.href;
  const width = Math.max(...part.facts.map(([name]) => name.length)) + 2;
  return part.facts.map(([name, value]) => `${`${name}:`.padEnd(width)}${value}`).join('\n');
}

const FONT = 'font:16px/1.5 system-ui,sans-serif';

/** Mail programs know neither style sheets nor our pages' colours. */
function htmlOf(title: string, parts: readonly LetterPart[], language: string): string {
  const content = (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
      </head>
      <body style={`${FONT};max-width:34em;margin:0 auto;padding:24px`}>
        <p style="font-weight:600;opacity:.7">{API_NAME}</p>
        {parts.map((part) => (
          <Part part={part} />
        ))}
      </body>
    </html>
  );
  return `<!doctype html>${renderToString(content)}`;
}

function Part({ part }: { part: LetterPart }) {
  if (typeof part === 'string') return <p>{part}</p>;
  if ('facts' in part)
    return (
      <table style={FONT}>
        {part.facts.map(([name, value]) => (
          <tr>
            <td style="padding-right:16px;opacity:.7">{name}</td>
            <td>{value}</td>
          </tr>
        ))}
      </table>
    );
  return (
    <p>
      <a
        href={part.href}
        style="display:inline-block;padding:10px 20px;border-radius:6px;background:#1f57c3;color:#fff;text-decoration:none"
      >
        {part.label}
      </a>
      <br />
      <span style="font-size:13px;opacity:.7;word-break:break-all">{part.href}</span>
    </p>
  );
}
