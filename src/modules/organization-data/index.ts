export { OrganizationDataModule } from './organization-data.module.js';
export { ErasureService, type ErasureProof } from './erasure/erasure.service.js';
export type { QuestionAbout } from './support/questions.js';
export { type Answer, SupportService } from './support/support.service.js';
export { ExportService } from './export/export.service.js';
