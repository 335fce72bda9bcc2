import { PageQuery } from '../../api/dto/page.js';
import { RecordDto } from '../../api/dto/record.dto.js';
import { Both, Changes, Complete, OneOf, Text } from '../../api/validation/fields.js';
import { WIDGET_STATUSES, type Widget, type WidgetStatus } from './widget.entity.js';

export class CreateSampleWidgetDto {
  @Text({ about: 'What the sample widget is called.', min: 1, max: 200, example: 'Example' })
  name: string;

  @OneOf(WIDGET_STATUSES, { about: 'Where the sample widget stands. Any status may follow any other.', optional: true, default: 'active', example: 'active' })
  status?: WidgetStatus;
}

export class UpdateSampleWidgetDto extends Changes(CreateSampleWidgetDto) {}

export class ListSampleWidgetsQuery extends PageQuery {
  @Text({ about: 'Part of the name, whatever its case.', max: 200, optional: true, example: 'exam' })
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
