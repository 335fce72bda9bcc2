import { PageQuery } from '../../api/dto/page.js';
import { Changes, OneOf, Text } from '../../api/validation/fields.js';
import { AnswerOf } from '../../api/validation/record-fields.js';

export const WIDGET_STATUSES = ['active', 'archived'] as const;
export type WidgetStatus = (typeof WIDGET_STATUSES)[number];

export class CreateSampleWidgetDto {
  @Text({ about: 'Name of the sample widget.', min: 1, max: 200, example: 'Example', people: { inList: true } })
  name: string;

  @OneOf(WIDGET_STATUSES, {
    about: 'Status of the sample widget. It may change from any value to any other.',
    optional: true,
    default: 'active',
    example: 'active',
    people: { words: { active: ['Active', 'good'], archived: ['Archived', 'busy'] }, inList: true },
  })
  status?: WidgetStatus;
}

export class UpdateSampleWidgetDto extends Changes(CreateSampleWidgetDto) {}

export class ListSampleWidgetsQuery extends PageQuery {
  @Text({ about: 'Case-insensitive substring of the name.', max: 200, optional: true, example: 'exam' })
  search?: string;

  @OneOf(WIDGET_STATUSES, { about: 'Only sample widgets with this status.', optional: true, example: 'active' })
  status?: WidgetStatus;
}

export class SampleWidgetDto extends AnswerOf(CreateSampleWidgetDto) {}
