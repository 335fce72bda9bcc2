import { FILE_PROVIDERS } from '../files/file-providers.js';
import { EvidenceCalendars } from '../preview/evidence-calendars.js';
import { RulePreviewer } from '../preview/rule-previewer.js';
import { FailedRunNotice } from './failed-run-notice.js';
import { ReportInputs } from './report-inputs.js';
import { ReportMaker } from './report-maker.js';
import { ReportRecord } from './report-record.js';
import { ReportRunProcessor } from './report-run.processor.js';
import { RunQuotes } from './run-quotes.js';
import { RunStatements } from './run-statements.js';
import { SelectedCategories } from './selected-categories.js';

/** What makes the reports. */
export const RUN_PROVIDERS = [
  ...FILE_PROVIDERS,
  SelectedCategories,
  RunStatements,
  RunQuotes,
  ReportInputs,
  ReportMaker,
  ReportRecord,
  FailedRunNotice,
  ReportRunProcessor,
  RulePreviewer,
  EvidenceCalendars,
];
