export { WidgetsModule } from './widgets.module.js';
export { WidgetsService } from './widgets.service.js';
export { SampleWidgetCreated, SampleWidgetUpdated } from './widgets.events.js';
