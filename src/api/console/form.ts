import { randomUUID } from 'node:crypto';
import { isUuid } from '../../kernel/ids.js';
import { Problem, type FieldError } from '../../kernel/problems.js';
import type { SentFile } from '../validation/read-files.js';

export type { SentFile };

/** The name of the hidden field that makes a form count once, however often it is sent. */
export const ONCE_FIELD = 'once';
export const onceToken = (): string => randomUUID();

export class Form {
  constructor(
    private readonly fields: URLSearchParams,
    private readonly sent: readonly SentFile[] = [],
  ) {}

  static readonly empty = new Form(new URLSearchParams());

  text(name: string): string {
    return this.fields.get(name) ?? '';
  }

  /** The id of what was chosen. */
  id(name: string): string {
    const text = this.text(name);
    if (!isUuid(text)) throw Problem.invalidField(name, 'required', 'must be one of the choices');
    return text;
  }

  /** undefined for an empty field. */
  given(name: string): string | undefined {
    return this.text(name) || undefined;
  }

  list(name: string): string[] {
    return this.fields.getAll(name);
  }

  files(name: string): SentFile[] {
    return this.sent.filter(({ field }) => field === name);
  }

  isChecked(name: string): boolean {
    return this.fields.has(name);
  }

  /** What the form is shown with again after it was refused. */
  refusedWith(problem: Problem): FormState {
    return { values: (name) => this.fields.getAll(name), problem };
  }
}

export interface FormState {
  readonly values: (name: string) => readonly string[];
  readonly problem?: Problem;
}

export const formOf = (values: Readonly<Record<string, string | readonly string[] | null | undefined>> = {}): FormState => ({
  values: (name) => [values[name] ?? []].flat(),
});

export const valueIn = ({ values }: FormState, name: string): string => values(name)[0] ?? '';

/** What is wrong with a field, or with something inside it: `sourceMapping.rules[0].field` belongs to `sourceMapping`. */
export function errorsIn({ problem }: FormState, name: string): readonly FieldError[] {
  return (problem?.errors ?? []).filter(({ field }) => field === name || field.startsWith(`${name}.`) || field.startsWith(`${name}[`));
}
