import { declareEvent } from '../../../extension-api.js';
import { SupplierDto } from './suppliers.dto.js';

const OF_SUPPLIERS = { status: 'emitted', data: SupplierDto, collection: '/v1/suppliers' } as const;

export const SupplierCreated = declareEvent({ ...OF_SUPPLIERS, kind: 'supplier.created', summary: 'A supplier was created.' });
export const SupplierUpdated = declareEvent({ ...OF_SUPPLIERS, kind: 'supplier.updated', summary: 'A supplier was changed.' });
export const SupplierDeleted = declareEvent({
  kind: 'supplier.deleted',
  status: 'emitted',
  summary: 'A supplier was deleted. The data is the supplier as it was.',
  data: SupplierDto,
});
