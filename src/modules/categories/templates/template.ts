import type { FreeForm } from '../../../kernel/json.js';

/** A category that a template makes. */
export interface TemplateCategory {
  readonly code: string;
  readonly name: string;
  readonly sourceMapping: FreeForm;
}

/** A ready set of categories. */
export interface CategoryTemplate {
  /** In the address of its page. */
  readonly id: string;
  readonly name: string;
  readonly about: string;
  readonly categories: readonly TemplateCategory[];
}

const FIELDS = ['description', 'counterparty'];

/** A category of lines that mention one of the words, whatever their case. */
export const mentioning = (code: string, name: string, words: readonly string[], claimablePercent = 100): TemplateCategory => ({
  code,
  name,
  sourceMapping: {
    rules: [{ claimablePercent, any: words.flatMap((value) => FIELDS.map((field) => ({ field, op: 'contains', value }))) }],
  },
});
