import { RecordPageQuery } from '../../api/dto/page.js';
import { CalendarDate, Changes, Currency, Money, NULL_BY_DEFAULT, OneOf, Percent, Text, Uuid } from '../../api/validation/fields.js';
import { AnswerOf } from '../../api/validation/record-fields.js';

export const ITEM_STATUSES = ['active', 'withdrawn'] as const;
export type ItemStatus = (typeof ITEM_STATUSES)[number];

export class CreateClaimItemDto {
  @Text({ about: 'What the cost was for.', min: 1, max: 200, example: 'Drive to the client in Hamburg', people: { inList: true } })
  name: string;

  @Uuid({ about: 'The claim project that it belongs to.', people: { label: 'Project', inList: true } }) projectId: string;
  @Uuid({ about: 'The expense category that it is claimed for.', people: { label: 'Category', inList: true } }) categoryId: string;
  @CalendarDate({ about: 'The day of the cost.', example: '2026-01-15', people: { label: 'Day', inList: true } }) incurredOn: string;
  @Money({ about: 'What it costs: one of `quantity`.', example: '0.30', people: { label: 'Rate' } }) rate: string;
  @Money({ about: 'How many, such as kilometres, days or hours.', optional: true, default: '1', example: '120' }) quantity?: string;
  @Text({ about: 'What is counted.', min: 1, max: 100, ...NULL_BY_DEFAULT, example: 'km' }) unit?: string | null;
  @Text({
    about: 'Where the rate is from. Reports show it.',
    min: 1,
    max: 200,
    ...NULL_BY_DEFAULT,
    example: 'Flat rate of our travel policy',
    people: { label: 'Source of the rate' },
  })
  rateSource?: string | null;

  @Currency({ about: 'The currency of the rate.' }) currency: string;
  @Percent({ about: 'The tax that it contains.', ...NULL_BY_DEFAULT, example: '19', people: { label: 'Tax' } })
  taxPercent?: string | null;

  @OneOf(ITEM_STATUSES, {
    about: 'Runs claim those that are `active`.',
    optional: true,
    default: 'active',
    example: 'active',
    people: { words: { active: ['Active', 'good'], withdrawn: ['Withdrawn', 'busy'] }, inList: true },
  })
  status?: ItemStatus;
}

export class UpdateClaimItemDto extends Changes(CreateClaimItemDto) {}

export class ListClaimItemsQuery extends RecordPageQuery {
  @Text({ about: 'Case-insensitive substring of the name.', max: 200, optional: true, example: 'drive' }) search?: string;
  @Uuid({ about: 'Only items of this claim project.', optional: true }) project_id?: string;
  @Uuid({ about: 'Only items of this expense category.', optional: true }) category_id?: string;
  @OneOf(ITEM_STATUSES, { about: 'Only items with this status.', optional: true, example: 'active' }) status?: ItemStatus;
}

export class ClaimItemDto extends AnswerOf(CreateClaimItemDto) {
  @Money({ about: 'What is claimed: quantity times rate, rounded to the unit of the currency.', example: '36.00' }) amount: string;
}
