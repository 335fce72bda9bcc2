import { LastRuns, ReportStep } from './last-runs.js';
import { LineRuleConsole } from './line-rule/line-rule.console.js';
import { LineRuleWriter } from './line-rule/line-rule-writer.js';
import { LineRules } from './line-rule/line-rules.js';
import { ReportsConsole } from './reports.console.js';
import { RunChoice } from './run-choice.js';
import { RunHistory } from './run-history.js';
import { RunNames } from './run-names.js';
import { WizardConsole } from './wizard.console.js';

/** The pages about runs, and what they need. */
export const CONSOLE_CONTROLLERS = [ReportsConsole, WizardConsole, LineRuleConsole];
export const CONSOLE_PROVIDERS = [LastRuns, LineRules, LineRuleWriter, ReportStep, RunChoice, RunHistory, RunNames];
