import { ReportInputs } from './report-inputs.js';
import { ReportMaker } from './report-maker.js';
import { ReportRecord } from './report-record.js';
import { ReportRunProcessor } from './report-run.processor.js';
import { SelectedCategories } from './selected-categories.js';

/** What makes the reports. */
export const RUN_PROVIDERS = [SelectedCategories, ReportInputs, ReportMaker, ReportRecord, ReportRunProcessor];
