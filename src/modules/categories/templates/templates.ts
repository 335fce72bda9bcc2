import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../../../api/http/package-folder.js';
import type { Category } from '../category.entity.js';

export type TemplateCategory = Readonly<Pick<Category, 'code' | 'name' | 'sourceMapping'>>;

interface Template<Category> {
  /** In the address of its page. */
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly categories: readonly Category[];
}
export type CategoryTemplate = Template<TemplateCategory>;

/** A category of lines that mention one of the words, which commas separate, whatever their case. */
interface WrittenCategory extends Pick<Category, 'code' | 'name'> {
  readonly words: string;
  readonly claimablePercent?: number;
}

const FIELDS = ['description', 'counterparty'];

const mentioning = ({ code, name, words, claimablePercent = 100 }: WrittenCategory): TemplateCategory => ({
  code,
  name,
  sourceMapping: {
    rules: [{ claimablePercent, any: words.split(', ').flatMap((value) => FIELDS.map((field) => ({ field, op: 'contains', value }))) }],
  },
});

const WRITTEN = JSON.parse(readFileSync(join(packageFolder(), 'templates/categories.json'), 'utf8')) as Template<WrittenCategory>[];

/** Words that many statements have. They are a start: people look at what a report leaves over, and add their own. */
export const TEMPLATES: readonly CategoryTemplate[] = WRITTEN.map(({ categories, ...template }) => ({
  ...template,
  categories: categories.map(mentioning),
}));
