import type { Token, Tokens } from 'marked';
import { coloured } from './colours.js';

/** Programs name their file in their first line. A block that is too wide can be scrolled with the keyboard, too. */
export function Code({ code: { lang, text, raw } }: { code: Tokens.Code }) {
  const language = lang?.split(' ')[0] || 'text';
  const [, title = language] = /^```.* title="([^"]+)"/.exec(raw) ?? /^(?:\/\/|#|<!--) ([\w./-]+\.\w+)(?=:| -->|\n)/.exec(text) ?? [];
  return (
    <div class="copyable">
      <span>{title}</span>
      <button type="button" class="plain copy" hidden data-copied="Copied">
        Copy
      </button>
      <pre tabIndex={0} role="group" aria-label={`Code: ${title}`}>
        <code>{coloured(text, language).map(([kind, part]) => (kind ? <span class={kind}>{part}</span> : part))}</code>
      </pre>
    </div>
  );
}

/** Of a fence with `tab="curl"` after its language, which is not seen where somebody reads its page as Markdown. */
const tabOf = (token: Token | undefined): string | undefined => /^```.* tab="([^"]+)"/.exec(token?.raw ?? '')?.[1];

/** What says the same in several ways, one after another. A paragraph that begins with the name of the next tab is in it. */
export function withTabs(tokens: readonly Token[]): (Token | Map<string, Token[]>)[] {
  const parts: (Token | Map<string, Token[]>)[] = [];
  const shown = tokens.filter(({ type }) => type !== 'space');
  for (const [at, token] of shown.entries()) {
    const tab = tabOf(token) ?? [tabOf(shown[at + 1])].find((next) => next && token.raw.startsWith(next));
    const last = parts.at(-1);
    if (!tab) parts.push(token);
    else if (last instanceof Map) last.set(tab, [...(last.get(tab) ?? []), token]);
    else parts.push(new Map([[tab, [token]]]));
  }
  return parts;
}
