export { ConfigurationsModule } from './configurations.module.js';
export { ConfigurationsService } from './configurations.service.js';
export { ReportConfigurationCreated, ReportConfigurationUpdated } from './configurations.events.js';
