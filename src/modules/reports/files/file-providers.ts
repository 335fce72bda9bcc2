import { ReportFilesRepository } from './report-files.repository.js';
import { ReportFilesService } from './report-files.service.js';

/** What keeps and opens the output files of runs. */
export const FILE_PROVIDERS = [ReportFilesRepository, ReportFilesService];
