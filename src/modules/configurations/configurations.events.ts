import { declareEvent, type EventDeclaration } from '../../kernel/declare-event.js';
import { ReportConfigurationDto } from './configurations.dto.js';

export const ReportConfigurationCreated: EventDeclaration = declareEvent({
  kind: 'report_configuration.created',
  status: 'emitted',
  summary: 'A report configuration was created.',
  data: ReportConfigurationDto,
  collection: '/v1/report-configurations',
});
export const ReportConfigurationUpdated: EventDeclaration = declareEvent({
  kind: 'report_configuration.updated',
  status: 'emitted',
  summary: 'A report configuration was changed.',
  data: ReportConfigurationDto,
  collection: '/v1/report-configurations',
});
