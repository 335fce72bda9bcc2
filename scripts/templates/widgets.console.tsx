import { ConsoleDoor } from '../../../api/console/console-door.js';
import { ConsoleSection } from '../../../api/console/declarations.js';
import { RecordPages } from '../../../api/console/record-pages.js';
import { WIDGET_FIELDS } from '../widget.entity.js';
import { WidgetsService } from '../widgets.service.js';

@ConsoleSection({ path: 'sample-widgets', label: 'Sample widgets', group: 'Claims', order: 50, operation: 'sample_widgets.list' })
export class WidgetsConsole extends RecordPages({
  path: 'sample-widgets',
  operations: 'sample_widgets',
  id: 'widget_id',
  fields: WIDGET_FIELDS,
  one: 'sample widget',
  all: 'Sample widgets',
  about: 'Say here what a sample widget is.',
  search: 'Name',
}) {
  constructor(widgets: WidgetsService, door: ConsoleDoor) {
    super(widgets, door);
  }
}
