export { ConfigurationsModule } from './configurations.module.js';
export { TEST_OUTCOMES, type TestOutcome } from './configuration.entity.js';
export { ConfigurationsService } from './configurations.service.js';
export { CreateReportConfigurationDto, ReportConfigurationDto, UpdateReportConfigurationDto } from './configurations.dto.js';
export { ReportConfigurationCreated, ReportConfigurationUpdated } from './configurations.events.js';
