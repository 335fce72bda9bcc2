import { declareInThreads } from '../../store/threads/declared-files.js';
import { addTexts, type WordingCatalogue, catalogueOf, textsOf, withoutRegion } from './catalogues.js';
import { problemsOf } from './problems-of.js';

/**
 * Declares the texts of a language that the product does not have (`pl`), or texts that take the place of ours: of a language
 * (`de`) or of one of its regions (`de-AT`). `file` is the `import.meta.url` of a `….computation.ts`, which threads load as well. Texts are
 * in ICU MessageFormat, in the groups and with the arguments of `wording/en-GB.json`. What is wrong with them is refused at the start; what
 * is missing is told, and said in English.
 */
export function declareWording(file: string, language: string, catalogue: WordingCatalogue): void {
  addWording(language, catalogue);
  declareInThreads(file);
}

export function addWording(language: string, catalogue: WordingCatalogue): void {
  if (!/^[a-z]{2,3}(-[A-Z]{2})?$/.test(language)) throw new Error(`${language} is no language such as pl, or de-AT for a region of one.`);
  const main = withoutRegion(new Intl.Locale(language));
  const isWhole = catalogueOf(main) === undefined;
  if (isWhole && language !== main) throw new Error(`Declare the texts of ${main} before those of ${language}.`);
  const texts = new Map(textsOf(catalogue));
  const problems = problemsOf(language, texts, false);
  if (problems.length > 0) throw new Error(`The texts for ${language} cannot be said: ${problems.join('; ')}.`);
  // A later version of ours may have more texts. They are no reason not to start.
  if (isWhole)
    for (const problem of problemsOf(language, texts, true)) process.emitWarning(`${language}: ${problem}. They are said in English.`);
  addTexts(language === 'en' ? main : language, texts);
}
