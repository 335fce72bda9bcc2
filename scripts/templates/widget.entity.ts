import { Entity, Index } from 'typeorm';
import { RecordFields, RowOf } from '../../api/validation/record-fields.js';
import { TextColumn } from '../../store/database/columns.js';
import { CreateSampleWidgetDto, ListSampleWidgetsQuery, SampleWidgetDto, UpdateSampleWidgetDto } from './widgets.dto.js';

@Entity('sample_widgets')
@Index('sample_widgets_newest', ['organizationId', 'environment', 'id'])
@Index('sample_widgets_by_status', ['organizationId', 'environment', 'status', 'id'])
@Index('sample_widgets_search', { synchronize: false })
export class Widget extends RowOf(CreateSampleWidgetDto) {
  /** The folded name, for the search. */
  @TextColumn({ select: false }) searchKey?: string;
}

export const WIDGET_FIELDS = new RecordFields({
  entity: Widget,
  create: CreateSampleWidgetDto,
  update: UpdateSampleWidgetDto,
  answer: SampleWidgetDto,
  list: ListSampleWidgetsQuery,
});
