export { OrganizationDataModule } from './organization-data.module.js';
export { ErasureService, type ErasureProof } from './erasure/erasure.service.js';
export { ExportService } from './export/export.service.js';
