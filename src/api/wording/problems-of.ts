import { catalogueOf, isWordingKey, REFERENCE } from './catalogues.js';
import { insideOf } from './messages.js';

/** What is wrong with texts of a language, in words. Those of a whole language must be all that English has. */
export function problemsOf(language: string, texts: ReadonlyMap<string, string>, isWhole: boolean): string[] {
  const english = catalogueOf(REFERENCE)!;
  const missing = isWhole ? [...english.keys()].filter((key) => !texts.has(key)) : [];
  const unknown = [...texts.keys()].filter((key) => !isWordingKey(key) && !key.startsWith('declared.'));
  return [
    ...(missing.length > 0 ? [`these texts are missing: ${missing.join(', ')}`] : []),
    ...(unknown.length > 0 ? [`these texts are not known: ${unknown.join(', ')}`] : []),
    ...[...texts].flatMap(([key, text]) =>
      isWordingKey(key) ? problemsOfText(text, english.get(key)!, language).map((problem) => `${key} ${problem}`) : [],
    ),
  ];
}

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
