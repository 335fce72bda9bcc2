import type { Token, Tokens } from 'marked';
import { GUIDES_PATH, shownOf, type GuideText } from '../guides.js';
import { plainText, slugs } from '../../../../tools/markdown-pages/index.js';

export const QUERY_MAX_LENGTH = 100;
export const TERMS_MAX = 8;
export const RESULTS_MAX = 20;
const EXCERPT_LENGTH = 160;

/** A section of a guide as the script of the pages gets it: enough to search without asking us again. */
export interface IndexEntry {
  readonly href: string;
  readonly title: string;
  readonly heading: string;
  /** Each word of the section once, in lower case, with a space before each. */
  readonly words: string;
}
export interface Section extends IndexEntry {
  readonly text: string;
}
export interface Result extends Pick<Section, 'href' | 'title' | 'heading'> {
  readonly excerpt: string;
}

export async function readSections(all: readonly GuideText[]): Promise<Section[]> {
  const { lexer } = await import('marked');
  return all.flatMap((guide) => {
    const { page, title } = guide;
    const anchorOf = slugs();
    const sections: { heading: string; anchor: string; texts: string[] }[] = [];
    for (const token of lexer(shownOf(guide))) {
      if (token.type === 'heading') {
        const heading = plainText(token.tokens!);
        sections.push({ heading, anchor: anchorOf(heading), texts: [] });
      } else sections.at(-1)?.texts.push(...textsOf(token));
    }
    return sections.map(({ heading, anchor, texts }) => {
      const whole = texts.join(' ').replace(/\s+/g, ' ').trim();
      return { href: `${page}#${anchor}`, title, heading, text: whole, words: wordsOf(`${title} ${heading} ${whole}`) };
    });
  });
}

function textsOf(token: Token): string[] {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].map((cells) => cells.map(({ tokens }) => plainText(tokens)).join(' '));
  }
  if (token.type === 'list') return (token as Tokens.List).items.flatMap(({ tokens }) => tokens.flatMap(textsOf));
  if (token.type === 'html' || token.type === 'space') return [];
  return [plainText([token])];
}

const allWords = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/** `client_id` is found as a whole and by its parts. */
const wordsOf = (text: string): string =>
  [...new Set(allWords(text))]
    .flatMap((word) => [word, ...(word.includes('_') ? word.split('_').filter(Boolean) : [])])
    .filter((word, index, words) => words.indexOf(word) === index)
    .map((word) => ` ${word}`)
    .join('');

/** The words that are looked for: each must be, or begin, a word of the section. `public/guides.js` does the same. */
export const termsOf = (query: string): readonly string[] => allWords(query.slice(0, QUERY_MAX_LENGTH)).slice(0, TERMS_MAX);

/** The sections with all terms: first those that have them in their heading, then those whose guide is about them. */
export function search(sections: readonly Section[], query: string): Result[] {
  const terms = termsOf(query);
  if (terms.length === 0) return [];
  const scoreOf = ({ heading, title }: Section): number =>
    terms.reduce((sum, term) => sum + 2 * Number(heading.toLowerCase().includes(term)) + Number(title.toLowerCase().includes(term)), 0);
  return sections
    .filter(({ words }) => terms.every((term) => words.includes(` ${term}`)))
    .map((section) => ({ section, score: scoreOf(section) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, RESULTS_MAX)
    .map(({ section: { href, title, heading, text } }) => ({ href, title, heading, excerpt: excerptOf(text, terms) }));
}

function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0);
  const start = Math.max(0, Math.min(...places, text.length) - EXCERPT_LENGTH / 4);
  const from = places.length === 0 || start === 0 ? 0 : text.indexOf(' ', start) + 1;
  const part = text.slice(from, from + EXCERPT_LENGTH);
  return `${from > 0 ? '… ' : ''}${part}${from + EXCERPT_LENGTH < text.length ? ' …' : ''}`;
}

export const SEARCH_PATH = `${GUIDES_PATH}/search`;
export const INDEX_PATH = `${GUIDES_PATH}/search-index.json`;
