import { RecordPageQuery } from '../../../api/dto/page.js';
import { Changes, field, Text, type FieldProblem } from '../../../api/validation/fields.js';
import { AnswerOf } from '../../../api/validation/record-fields.js';
import { freeFormProblem } from '../../../kernel/json.js';
import { Problem } from '../../../kernel/problems.js';
import type { WrittenLayout } from '../../../../tools/bank-tables/index.js';
import { parseLayout } from '../formats/csv/layouts/written-layout.js';

export class ListStatementLayoutsQuery extends RecordPageQuery {}

export class CreateStatementLayoutDto {
  @Text({
    about: 'What it is chosen by: letters, digits, blanks, points, hyphens and underscores.',
    min: 1,
    max: 60,
    example: 'Corner card',
    people: { inList: true },
  })
  name: string;

  @field({
    about: {
      about: 'How a table is read, as in `statement-layout.schema.json` but without its name. Replaced as a whole.',
      example: { columns: { Tag: 'date', Laden: 'description', Preis: 'amount' }, amounts: 'charges-positive', currency: 'EUR' },
      people: { label: 'Layout' },
    },
    schema: { type: 'object', additionalProperties: true },
    // None: it is no object of any form, whose keys a merge patch could change.
    components: {},
    check: (value) => freeFormProblem(value) ?? problemsOfLayout(value as object),
  })
  layout: Omit<WrittenLayout, 'name'>;
}

/** With their places in the layout. */
function problemsOfLayout(layout: object): FieldProblem[] {
  if ('name' in layout) return [{ path: '.name', code: 'unknown_property', message: 'must be left out: it is beside the layout' }];
  try {
    parseLayout(JSON.stringify({ ...layout, name: 'layout' }));
    return [];
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.errors.map(({ field: place, code, message }) => ({ path: place === 'layout' ? '' : `.${place}`, code, message }));
  }
}

export class UpdateStatementLayoutDto extends Changes(CreateStatementLayoutDto) {}
export class StatementLayoutDto extends AnswerOf(CreateStatementLayoutDto) {}
