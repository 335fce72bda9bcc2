import { PageQuery } from '../../api/dto/page.js';
import { RecordDto } from '../../api/dto/record.dto.js';
import { Both, Changes, Complete, OneOf, Text } from '../../api/validation/fields.js';
import { WIDGET_STATUSES, type Widget, type WidgetStatus } from './widget.entity.js';

export class CreateSampleWidgetDto {
  @Text({ about: 'Name of the sample widget.', min: 1, max: 200, example: 'Example' })
  name: string;

  @OneOf(WIDGET_STATUSES, {
    about: 'Status of the sample widget. It may change from any value to any other.',
    optional: true,
    default: 'active',
    example: 'active',
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

export class SampleWidgetDto extends Both(RecordDto, Complete(CreateSampleWidgetDto)) {
  static from(row: Widget): SampleWidgetDto {
    const { id, environment, name, status, createdAt, updatedAt } = row;
    return { id, environment, name, status, createdAt, updatedAt };
  }
}
