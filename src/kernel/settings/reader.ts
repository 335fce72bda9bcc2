import { parsedJson } from '../json.js';
import { commaList } from '../text.js';

/** A setting: how its text becomes a value, and the sentence about it that operators read. */
export interface Setting<T> {
  readonly name: string;
  readonly about: string;
  readonly fallback: T;
  readonly shownDefault: string;
  /** Returns the value, or throws an Error whose message completes “NAME …”. */
  readonly parse: (text: string) => T;
}

export interface Description<T> {
  about: string;
  fallback: T;
  /** What the documents show as the default, if the value itself does not say enough. */
  shown?: string;
}

function setting<T>(name: string, description: Description<T>, parse: (text: string) => T): Setting<T> {
  const { about, fallback } = description;
  return { name, about, fallback, shownDefault: description.shown ?? String(fallback ?? 'none'), parse };
}

export function text<T extends string | undefined>(name: string, description: Description<T>): Setting<string | T> {
  return setting<string | T>(name, description, (value) => value);
}

export function integer<T extends number | undefined>(
  name: string,
  bounds: { min: number; max: number },
  description: Description<T>,
): Setting<number | T> {
  return setting<number | T>(name, description, (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < bounds.min || number > bounds.max) {
      throw new Error(`must be a whole number from ${bounds.min} to ${bounds.max}`);
    }
    return number;
  });
}

export function share(name: string, description: Description<number>): Setting<number> {
  return setting(name, description, (value) => {
    const number = Number(value);
    if (!/^[\d.]+$/.test(value) || !(number >= 0 && number <= 1)) throw new Error('must be a number from 0 to 1');
    return number;
  });
}

export function flag(name: string, description: Description<boolean>): Setting<boolean> {
  return setting(name, description, (value) => {
    if (value !== 'true' && value !== 'false') throw new Error('must be true or false');
    return value === 'true';
  });
}

export function oneOf<const T extends string>(name: string, values: readonly T[], description: Description<T>): Setting<T> {
  return setting(name, description, (value) => {
    const found = values.find((candidate) => candidate === value);
    if (!found) throw new Error(`must be one of ${values.join(', ')}`);
    return found;
  });
}

export function list(name: string, check: (item: string) => string | undefined, description: Description<string[]>): Setting<string[]> {
  return setting(name, { shown: 'none', ...description }, (value) => {
    const items = commaList(value);
    for (const item of items) {
      const problem = check(item);
      if (problem) throw new Error(`holds "${item}", ${problem}`);
    }
    return items;
  });
}

export function url<T extends string | undefined>(name: string, protocols: string[], description: Description<T>): Setting<string | T> {
  return setting<string | T>(name, description, (value) => {
    const protocol = URL.canParse(value) ? new URL(value).protocol : '';
    if (!protocols.includes(protocol)) throw new Error(`must be a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}`);
    return value.replace(/\/+$/, '');
  });
}

/** A text that is kept as it is, once it was read without an error. */
export function checked<T extends string | undefined>(
  name: string,
  read: (text: string) => unknown,
  description: Description<T>,
): Setting<string | T> {
  return setting<string | T>(name, description, (value) => {
    read(value);
    return value;
  });
}

export function contact(name: string, description: Description<undefined>): Setting<string | undefined> {
  return setting<string | undefined>(name, description, (value) => {
    if (!/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(value)) throw new Error('must begin with mailto: or https:');
    return value;
  });
}

const UNITS_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** About a century. A later date no longer fits the types of JavaScript and Postgres. */
const MAX_DAYS = 36_500;

/** Parses a duration of a setting or a command option: `500ms`, `5s`, `5m`, `2h` or `30d`. */
export function parseDurationMs(value: string): number {
  const match = /^(\d{1,9})(ms|s|m|h|d)$/.exec(value);
  if (!match) throw new Error('must be a duration such as 500ms, 5s, 5m, 2h or 30d');
  const ms = Number(match[1]) * UNITS_MS[match[2]!]!;
  if (ms > MAX_DAYS * UNITS_MS.d!) throw new Error(`must be a duration of at most ${MAX_DAYS}d`);
  return ms;
}

export function durationMs(name: string, description: Description<string>): Setting<number> {
  const fallback = parseDurationMs(description.fallback);
  return setting(name, { about: description.about, fallback, shown: description.shown ?? description.fallback }, parseDurationMs);
}

export function optionalDurationMs(name: string, { about }: Pick<Description<unknown>, 'about'>): Setting<number | undefined> {
  return setting<number | undefined>(name, { about, fallback: undefined }, parseDurationMs);
}

export function durationsMs(name: string, description: Omit<Description<string>, 'shown'>): Setting<number[]> {
  const parse = (value: string): number[] => value.split(',').map((item) => parseDurationMs(item.trim()));
  return setting(name, { about: description.about, fallback: parse(description.fallback), shown: description.fallback }, parse);
}

export function json<T>(name: string, check: (value: unknown) => T, description: Description<T>): Setting<T> {
  return setting(name, description, (value) => check(parsedJson(value, () => invalid('must be JSON'))));
}

function invalid(message: string): never {
  throw new Error(message);
}

/** A setting whose value must never appear in an error or a document. */
export function secret<T>(name: string, parse: (text: string) => T, description: Description<T | undefined>): Setting<T | undefined> {
  return setting<T | undefined>(name, description, parse);
}

/** `name=value` pairs with percent escapes, separated by commas. The value is in no message: it is most likely a token. */
export function parseHeaders(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => /^\s*([\w-]+)\s*=\s*([^\r\n]*?)\s*$/.exec(pair) ?? invalid('must be name=value,name=value'));
  return Object.fromEntries(pairs.map(([, name, value]) => [name!.toLowerCase(), decodeURIComponent(value!)]));
}
