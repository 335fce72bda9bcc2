import { isMainThread } from 'node:worker_threads';
import { declareInThreads } from '../../store/threads/declared-files.js';
import { addTexts, type WordingCatalogue, catalogueOf, textsOf, withoutRegion, isWordingKey, REFERENCE, tagsOf } from './catalogues.js';
import { insideOf } from './messages.js';

/**
 * Declares the texts of a language that the product does not have (`pl`), or texts that take the place of ours: of a language
 * (`de`), of one of its regions (`de-AT`), or of all English (`en`). Two extensions may have other words for different texts. `file` is
 * the `import.meta.url` of a `….computation.ts`, which threads load as well. Texts are in ICU MessageFormat, in the groups and with
 * the arguments of `wording/en-GB.json`. What is wrong is refused at the start; what is missing is told, and said in English.
 */
export function declareWording(file: string, language: string, catalogue: WordingCatalogue): void {
  const words = textsOf(catalogue).flatMap(([key, text]) => tagsOf(language).map((tag) => [`${tag}: ${key}`, { file, text }] as const));
  for (const [name, { text }] of words) {
    const other = declared.get(name);
    if (other && other.text !== text) throw new Error(`${name} is said in two ways, by ${other.file} and by ${file}.`);
  }
  addWording(language, catalogue);
  for (const [name, word] of words) declared.set(name, word);
  declareInThreads(file);
}

/** By language and key. Of two words for one text, it would be unknown which holds. */
const declared = new Map<string, { readonly file: string; readonly text: string }>();

export function addWording(language: string, catalogue: WordingCatalogue): void {
  if (!/^[a-z]{2,3}(-[A-Z]{2})?$/.test(language)) throw new Error(`${language} is no language such as pl, or de-AT for a region of one.`);
  const main = withoutRegion(new Intl.Locale(language));
  const isWhole = catalogueOf(main) === undefined;
  if (isWhole && language !== main) throw new Error(`Declare the texts of ${main} before those of ${language}.`);
  const texts = new Map(textsOf(catalogue));
  const problems = problemsOf(language, texts, false);
  if (problems.length > 0) throw new Error(`The texts for ${language} cannot be said: ${problems.join('; ')}.`);
  // A later version of ours may have more texts. They are no reason not to start. Threads load the same.
  if (isWhole && isMainThread)
    for (const problem of problemsOf(language, texts, true)) process.emitWarning(`${language}: ${problem}. They are said in English.`);
  for (const tag of tagsOf(language)) addTexts(tag, texts);
}

/** What is wrong with texts of a language, in words. Those of a whole language must be all that English has. */
export function problemsOf(language: string, texts: ReadonlyMap<string, string>, isWhole: boolean): string[] {
  const english = catalogueOf(REFERENCE)!;
  const missing = isWhole ? [...english.keys()].filter((key) => !texts.has(key)) : [];
  const unknown = [...texts.keys()].filter((key) => !isWordingKey(key) && !key.startsWith('declared.'));
  return [
    ...(missing.length > 0 ? [`${missing.length} texts are missing: ${namedOf(missing)}`] : []),
    ...(unknown.length > 0 ? [`these texts are not known: ${unknown.join(', ')}`] : []),
    ...[...texts].flatMap(([key, text]) =>
      isWordingKey(key) ? problemsOfText(text, english.get(key)!, language).map((problem) => `${key} ${problem}`) : [],
    ),
  ];
}

const NAMED = 10;
const namedOf = (keys: readonly string[]): string => keys.slice(0, NAMED).join(', ') + (keys.length > NAMED ? ', …' : '');

function problemsOfText(text: string, english: string, language: string): string[] {
  const [said, meant] = [insideOf(text, language), insideOf(english, REFERENCE)];
  const [lacks, more] = [difference(meant.uses, said.uses), difference(said.uses, meant.uses)];
  // What is given as a text cannot be counted.
  const counts = difference(said.counts, meant.counts).filter((name) => meant.uses.has(name));
  return [
    ...(/\S/.test(text) ? [] : ['is empty']),
    ...said.mistakes,
    ...(lacks.length > 0 ? [`says nothing of: ${lacks.join(', ')}`] : []),
    ...(more.length > 0 ? [`asks for what is not there: ${more.join(', ')}`] : []),
    ...(counts.length > 0 ? [`counts what is no number: ${counts.join(', ')}`] : []),
  ];
}

const difference = (all: ReadonlySet<string>, without: ReadonlySet<string>): string[] => [...all].filter((one) => !without.has(one));
