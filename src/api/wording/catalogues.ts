import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type english from '../../../wording/en-GB.json';
import { packageFolder, packageJson } from '../../kernel/package-folder.js';

/** Texts in ICU MessageFormat, in groups. */
export interface WordingCatalogue {
  readonly [key: string]: string | WordingCatalogue;
}

type Paths<T> = { [Key in keyof T & string]: T[Key] extends string ? Key : `${Key}.${Paths<T[Key]>}` }[keyof T & string];
/** The path of a text, such as `report.columns.month`. The group `declared` has texts of declarations, by themselves in English. */
export type WordingKey = Paths<Omit<typeof english, 'declared'>>;

/** The language that has every text: what the others lack, and how many arguments a text has, is measured by it. */
export const REFERENCE = 'en-GB';

export function textsOf(catalogue: WordingCatalogue, path = ''): [path: string, text: string][] {
  return Object.entries(catalogue).flatMap(([key, value]) =>
    typeof value === 'string' ? [[`${path}${key}`, value] as [string, string]] : textsOf(value, `${path}${key}.`),
  );
}

/** `wording/` has a file for each language. That of a region, such as `en-US`, has only what differs. */
const shipped = new Set(readdirSync(join(packageFolder(), 'wording')).map((file) => basename(file, '.json')));
/** Those that were read, or that an extension has declared: a process or a thread speaks few of them. */
const catalogues = new Map<string, ReadonlyMap<string, string>>();

/** English is written as in Great Britain where no region says otherwise. */
export const withoutRegion = ({ language }: Intl.Locale): string => (language === 'en' ? REFERENCE : language);

export function catalogueOf(language: string): ReadonlyMap<string, string> | undefined {
  const known = catalogues.get(language);
  if (known || !shipped.has(language)) return known;
  const read = new Map(textsOf(packageJson<WordingCatalogue>(`wording/${language}.json`)));
  catalogues.set(language, read);
  return read;
}

/** English first. */
export const languages = (): readonly string[] =>
  [...new Set([...shipped, ...catalogues.keys()])].sort((one, other) => Number(other === REFERENCE) - Number(one === REFERENCE));

/** Those of ours that are written as this one, or as a part of the world writes it: all English for `en`. */
export const tagsOf = (language: string): string[] =>
  language === 'en' ? [...shipped].filter((tag) => tag.startsWith('en-')) : [language];

let additions = 0;
/** What was said before texts were added may have others by now. */
export const countAdditions = (): number => additions;

export function addTexts(language: string, texts: ReadonlyMap<string, string>): void {
  additions += 1;
  catalogues.set(language, new Map([...(catalogueOf(language) ?? []), ...texts]));
}

/** What finds a text: that of the region, of the language, or in English. */
export function textsFor(locale: Intl.Locale): { readonly isOurs: boolean; readonly textOf: (key: string) => string | undefined } {
  const found = [`${locale.language}-${locale.region}`, withoutRegion(locale)].flatMap((tag) => catalogueOf(tag) ?? []);
  return { isOurs: found.length > 0, textOf: (key) => (found.find((texts) => texts.has(key)) ?? catalogueOf(REFERENCE)!).get(key) };
}

export const isWordingKey = (key: string): key is WordingKey => catalogueOf(REFERENCE)!.has(key);
