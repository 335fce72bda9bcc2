import { readFileSync } from 'node:fs';
import { LISTED } from '../../src/modules/contracts/guides.js';

export interface Block {
  readonly language: string;
  readonly text: string;
}

/** The code blocks of a guide, in their order. A block within a list is indented. */
export function readGuide(name: string): Block[] {
  const { file } = LISTED.find((guide) => guide.name === name)!;
  const blocks = readFileSync(file, 'utf8').matchAll(/^( *)```(\w*)(?: .*)?\n([^]*?)^\1```$/gm);
  return [...blocks].map(([, indent = '', language = '', text = '']) => ({
    language,
    text: text.replaceAll(`\n${indent}`, '\n').trimStart(),
  }));
}

/** Such a block says what the reader fills in. The test has it already. */
export const isFilledIn = ({ text }: Block): boolean => /^export .*…/.test(text);

/** The code blocks of a guide, or of several about one subject, for a test of its own, which says in the end that none is left. */
export class GuideBlocks {
  private readonly waiting: Block[];
  private readonly names: readonly string[];

  constructor(...names: readonly string[]) {
    this.names = names;
    this.waiting = names.flatMap(readGuide).filter((block) => !isFilledIn(block));
  }

  /** The next block in the language that has this text. */
  take(language: string, text = ''): string {
    const at = this.waiting.findIndex((block) => block.language === language && block.text.includes(text));
    if (at < 0) throw new Error(`${this.names.join(', ')} has no further block of ${language} with ${text || 'any text'}.`);
    return this.waiting.splice(at, 1)[0]!.text;
  }

  takeAll(language: string): string[] {
    return this.waiting.filter((block) => block.language === language).map((block) => this.take(language, block.text));
  }

  /** Those that no test has taken. */
  get left(): string[] {
    return this.waiting.map(({ language, text }) => `${language}: ${text.split('\n')[0]}`);
  }
}
