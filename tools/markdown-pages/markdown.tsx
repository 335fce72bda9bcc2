import type { Token, Tokens } from 'marked';
import type { ComponentChildren } from 'preact';
import { coloured } from './colours.js';

/** Makes the anchors of headings as GitHub does, so that a link to a section works in the repository and on the page alike. */
export function slugs(): (heading: string) => string {
  const seen = new Map<string, number>();
  return (heading) => {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  };
}

type AnchorOf = ReturnType<typeof slugs>;

/** A guide as elements of a page. HTML in the Markdown is shown as text, so nothing that a guide says can become markup. */
export async function markdown(text: string): Promise<ComponentChildren> {
  // Loaded here, so that a process that shows no guide does not wait for the library.
  const { lexer } = await import('marked');
  return blocks(lexer(text), slugs());
}

export async function sectionsIn(text: string): Promise<readonly { readonly id: string; readonly title: string }[]> {
  const { lexer } = await import('marked');
  const anchorOf = slugs();
  const headings = lexer(text).filter((token): token is Tokens.Heading => token.type === 'heading');
  // Each heading has its anchor, also those that are not listed.
  return headings
    .map(({ depth, tokens }) => ({ depth, title: plainText(tokens), id: anchorOf(plainText(tokens)) }))
    .filter(({ depth }) => depth === 2);
}

const blocks = (tokens: readonly Token[], anchorOf: AnchorOf): ComponentChildren[] =>
  withTabs(tokens).map((part) => (part instanceof Map ? <Tabs tabs={part} anchorOf={anchorOf} /> : block(part, anchorOf)));

function block(token: Token, anchorOf: AnchorOf): ComponentChildren {
  switch (token.type) {
    case 'heading':
      return <Heading heading={token as Tokens.Heading} id={anchorOf(plainText(token.tokens!))} />;
    case 'paragraph':
      return <p>{inline(token.tokens!)}</p>;
    case 'code':
      return <Code code={token as Tokens.Code} />;
    case 'list':
      return <List list={token as Tokens.List} anchorOf={anchorOf} />;
    case 'table':
      return <Table table={token as Tokens.Table} />;
    case 'blockquote':
      return <blockquote>{blocks(token.tokens!, anchorOf)}</blockquote>;
    case 'hr':
      return <hr />;
    case 'html':
      // Comments mark places for our tests.
      return token.raw.startsWith('<!--') ? null : <p>{token.raw}</p>;
    default:
      return inline([token]);
  }
}

/** The title of the page is its only heading of the first level. */
function Heading({ heading: { depth, tokens }, id }: { heading: Tokens.Heading; id: string }) {
  const content = inline(tokens);
  if (depth === 1) return <h1 id={id}>{content}</h1>;
  const link = (
    <a class="anchor" href={`#${id}`}>
      {content}
    </a>
  );
  return depth === 2 ? <h2 id={id}>{link}</h2> : <h3 id={id}>{link}</h3>;
}

/** Tabs that need no script: each is shown while the field before it is the chosen one. */
function Tabs({ tabs, anchorOf }: { tabs: Map<string, Token[]>; anchorOf: AnchorOf }) {
  const names = [...tabs.keys()];
  const group = anchorOf(`tabs ${names.join(' ')}`);
  return (
    <div class="alternatives" role="group" aria-label={names.join(', ')}>
      {[...tabs].map(([name, tokens], at) => (
        <>
          <input type="radio" id={`${group}-${at}`} name={group} value={name} checked={at === 0} />
          <label for={`${group}-${at}`}>{name}</label>
          <div>{tokens.map((token) => block(token, anchorOf))}</div>
        </>
      ))}
    </div>
  );
}

function List({ list: { ordered, start, items }, anchorOf }: { list: Tokens.List; anchorOf: AnchorOf }) {
  const shown = items.map(({ tokens }) => <li>{blocks(tokens, anchorOf)}</li>);
  return ordered ? <ol start={Number(start)}>{shown}</ol> : <ul>{shown}</ul>;
}

/** A table that is too wide can be scrolled with the keyboard, too. On a narrow screen, the cells after the first have their headings. */
function Table({ table: { header, rows } }: { table: Tokens.Table }) {
  return (
    <div class="table" tabIndex={0} role="group" aria-label={`Table: ${header.map(({ tokens }) => plainText(tokens)).join(', ')}`}>
      <table>
        <thead>
          <tr>
            {header.map(({ tokens }) => (
              <th scope="col">{inline(tokens)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {row.map(({ tokens }, index) => (
                <td data-heading={index === 0 ? undefined : plainText(header[index]!.tokens)}>
                  <span>{inline(tokens, true)}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** In a cell, codes may be as long as its column is wide: they break after a sign, never inside a word. */
const inline = (tokens: readonly Token[], isInCell = false): ComponentChildren[] => tokens.map((token) => part(token, isInCell));

function part(token: Token, isInCell: boolean): ComponentChildren {
  switch (token.type) {
    case 'strong':
      return <strong>{inline(token.tokens!, isInCell)}</strong>;
    case 'em':
      return <em>{inline(token.tokens!, isInCell)}</em>;
    case 'codespan': {
      const { text } = token as Tokens.Codespan;
      return <code>{isInCell ? breakable(text) : text}</code>;
    }
    case 'link':
      return <a href={addressOnSite((token as Tokens.Link).href)}>{inline(token.tokens!, isInCell)}</a>;
    case 'checkbox':
      return '☐ ';
    case 'br':
      return <br />;
    case 'html':
      return token.raw;
    default:
      return 'tokens' in token && token.tokens ? inline(token.tokens, isInCell) : decoded((token as Tokens.Text).text);
  }
}

const breakable = (text: string): ComponentChildren[] =>
  text
    .split(/(?<=[._:/])/)
    .flatMap((piece) => [<wbr />, piece])
    .slice(1);

/** Guides link to each other's files. Readers of a page go on to pages. */
const addressOnSite = (href: string): string => (/^[\w-]+\.md(?:#|$)/.test(href) ? href.replace('.md', '') : href);

export const plainText = (tokens: readonly Token[]): string =>
  tokens.map((token) => ('tokens' in token && token.tokens ? plainText(token.tokens) : textOf(token))).join('');

const textOf = (token: Token): string =>
  token.type === 'codespan' ? (token as Tokens.Codespan).text : decoded((token as Tokens.Text).text ?? '');

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
/** The library leaves references to characters as they are written. */
const decoded = (text: string): string => text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity]!);

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
function withTabs(tokens: readonly Token[]): (Token | Map<string, Token[]>)[] {
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
