import { ClientUploadController } from '../upload-links/client-upload.controller.js';
import { ClientUpload } from '../upload-links/client-upload.service.js';
import { UploadAddresses } from '../upload-links/upload-addresses.js';
import { UploadLink } from '../upload-links/upload-link.entity.js';
import { UploadLinksConsole } from '../upload-links/upload-links.console.js';
import { UploadLinksRepository } from '../upload-links/upload-links.repository.js';
import { UploadLinksService } from '../upload-links/upload-links.service.js';
import { StatementUpload } from './statement-upload.js';
import { StatementsConsole } from './statements.console.js';
import { UploadConsole } from './upload.console.js';
import { UploadStep } from './upload-step.js';

/** The pages about statements, with those of upload links, and what they need. */
export const CONSOLE_CONTROLLERS = [StatementsConsole, UploadConsole, UploadLinksConsole, ClientUploadController];
export const CONSOLE_ENTITIES = [UploadLink];
export const CONSOLE_PROVIDERS = [StatementUpload, UploadStep, UploadAddresses, UploadLinksRepository, UploadLinksService, ClientUpload];
