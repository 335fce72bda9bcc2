import { declareEvent, type EventDeclaration } from '../../kernel/declare-event.js';
import { ReportConfigurationDto } from './configurations.dto.js';

const OF_ALL = { status: 'emitted', data: ReportConfigurationDto, collection: '/v1/report-configurations' } as const;

export const ReportConfigurationCreated: EventDeclaration = declareEvent({
  kind: 'report_configuration.created',
  summary: 'A report configuration was created.',
  ...OF_ALL,
});
export const ReportConfigurationUpdated: EventDeclaration = declareEvent({
  kind: 'report_configuration.updated',
  summary: 'A report configuration was changed.',
  ...OF_ALL,
});
