import { LastRuns, ReportStep } from './last-runs.js';
import { ReportsConsole } from './reports.console.js';
import { RunHistory } from './run-history.js';
import { RunNames } from './run-names.js';

/** The pages about runs, and what they need. */
export const CONSOLE_CONTROLLERS = [ReportsConsole];
export const CONSOLE_PROVIDERS = [LastRuns, ReportStep, RunHistory, RunNames];
