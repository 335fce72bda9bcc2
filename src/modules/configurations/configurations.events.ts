import { declareChange, type EventDeclaration } from '../../kernel/declare-event.js';
import { ReportConfigurationDto } from './configurations.dto.js';

const OF = {
  kind: 'report_configuration',
  one: 'A report configuration',
  data: ReportConfigurationDto,
  collection: '/v1/report-configurations',
};
export const ReportConfigurationCreated: EventDeclaration = declareChange(OF, 'created');
export const ReportConfigurationUpdated: EventDeclaration = declareChange(OF, 'updated');
