import { declareEvent } from '../../kernel/declare-event.js';
import { SampleWidgetDto } from './widgets.dto.js';

export const SampleWidgetCreated = declareEvent({
  kind: 'sample_widget.created',
  status: 'emitted',
  summary: 'A sample widget was created.',
  data: SampleWidgetDto,
  collection: '/v1/sample-widgets',
});
export const SampleWidgetUpdated = declareEvent({
  kind: 'sample_widget.updated',
  status: 'emitted',
  summary: 'A sample widget was updated.',
  data: SampleWidgetDto,
  collection: '/v1/sample-widgets',
});
