import { visibleText } from './visible-text.js';

type Members = Readonly<Record<string, unknown>>;

/** A piece is no more than what tokenizers in use make one token of; most make one of several. */
const PIECE = / ?[a-zA-Z]{1,4}|\d{1,3}|[^\x00-\x7f]|[^\w\s]{1,2}|[\s_]/g;
/** So long a text costs more than any answer may. */
const COUNTED_MAX = 60_000;

/** At least as many tokens as a model pays for a text. */
export function costOf(json: string): number {
  const text = visibleText(json.slice(0, COUNTED_MAX));
  return json.length > COUNTED_MAX ? Infinity : (text.match(PIECE) ?? []).length;
}

/** What was cut, by its place. */
export type Cuts = Record<string, string>;
export const CUTS_MAX = 20;
/** Less of a value tells nothing. */
export const LEAST = 12;

export function firstThatFit(rows: readonly unknown[], tokens: number): readonly unknown[] {
  let left = tokens;
  const end = rows.findIndex((row) => (left -= costOf(JSON.stringify(row)) + 1) < 0);
  return end < 0 ? rows : rows.slice(0, end);
}

/** A value in at most so many tokens: an object has its small members first, and loses of the large ones; a list and a text their end. */
export function cut(value: unknown, tokens: number, place: readonly string[], cuts: Cuts): unknown {
  if (costOf(JSON.stringify(value)) <= tokens) return value;
  if (Array.isArray(value)) return noteList(firstThatFit(value, tokens), value, place, cuts);
  if (typeof value === 'object' && value !== null) return cutMembers(value as Members, tokens, place, cuts);
  let text = String(value);
  while (costOf(text) > tokens) text = text.slice(0, Math.floor(text.length * 0.8));
  note(`${text.length} of ${String(value).length} characters`, place, cuts);
  return text.toWellFormed();
}

function cutMembers(members: Members, tokens: number, place: readonly string[], cuts: Cuts): Members {
  const costs = Object.entries(members).map(([name, inner]) => ({ name, inner, cost: costOf(JSON.stringify([name, inner])) }));
  const kept: Record<string, unknown> = {};
  let left = tokens;
  for (const [index, { name, inner, cost }] of costs.sort((a, b) => a.cost - b.cost).entries()) {
    const share = left / (costs.length - index);
    const free = Math.floor(share) - costOf(name) - 4;
    if (cost > share && free < LEAST) continue;
    kept[name] = cost <= share ? inner : cut(inner, free, [...place, name], cuts);
    left -= Math.min(cost, share);
  }
  const count = Object.keys(kept).length;
  if (count < costs.length) note(`${count} of ${costs.length} members`, place, cuts);
  return kept;
}

export function noteList(kept: readonly unknown[], all: readonly unknown[], place: readonly string[], cuts: Cuts): readonly unknown[] {
  note(`${kept.length} of ${all.length}`, place, cuts);
  return kept;
}

/** Of what is far inside, only where it is. A place may have names that users gave: it stands in the data. */
function note(said: string, place: readonly string[], cuts: Cuts): void {
  const name = place
    .slice(0, place[0] === 'data' ? 3 : 2)
    .join('.')
    .slice(0, 60);
  if (Object.keys(cuts).length < CUTS_MAX || name in cuts) cuts[name] = name === place.join('.') && !(name in cuts) ? said : 'in part';
}
