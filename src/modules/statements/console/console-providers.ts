import { StatementUpload } from './statement-upload.js';
import { StatementsConsole } from './statements.console.js';
import { UploadStep } from './upload-step.js';

/** The pages about statements, and what they need. */
export const CONSOLE_CONTROLLERS = [StatementsConsole];
export const CONSOLE_PROVIDERS = [StatementUpload, UploadStep];
