import { readFileSync } from 'node:fs';

/** The code blocks of a guide, in their order. */
export function readGuide(name: string): { readonly language: string; readonly text: string }[] {
  const blocks = readFileSync(`docs/${name}.md`, 'utf8').matchAll(/^```(\w*)\n([^]*?)^```$/gm);
  return [...blocks].map(([, language = '', text = '']) => ({ language, text }));
}
