export { OrganizationDataModule } from './organization-data.module.js';
export { ErasureService, type ErasureProof } from './erasure/erasure.service.js';
export type { QuestionAbout } from './support/questions.js';
export { type Answer, SupportService } from './support/support.service.js';
export { MoveInService } from './move/move-in.service.js';
export { MoveOutService } from './move/move-out.service.js';
export { ResetService } from './reset/reset.service.js';
export { ExportService } from './export/export.service.js';
