import { Both, Changes, Complete, OneOf, PageQuery, RecordDto, Text } from '../../../extension-api.js';
import { SUPPLIER_STATUSES, type Supplier, type SupplierStatus } from './supplier.entity.js';

export class CreateSupplierDto {
  @Text({ about: 'Name of the supplier. It need not be unique.', min: 1, max: 200, example: 'Paper and Pens Ltd' })
  name: string;

  @Text({ about: 'Tax number, as on invoices.', min: 1, max: 40, optional: true, nullable: true, default: null, example: 'DE123456789' })
  taxId?: string | null;

  @OneOf(SUPPLIER_STATUSES, {
    about: 'Status of the supplier. It may change to any other.',
    optional: true,
    default: 'active',
    example: 'active',
  })
  status?: SupplierStatus;
}

export class UpdateSupplierDto extends Changes(CreateSupplierDto) {}

export class ListSuppliersQuery extends PageQuery {
  @Text({ about: 'Case-insensitive substring of the name.', max: 200, optional: true, example: 'paper' })
  search?: string;

  @OneOf(SUPPLIER_STATUSES, { about: 'Only suppliers with this status.', optional: true, example: 'active' })
  status?: SupplierStatus;
}

export class SupplierDto extends Both(RecordDto, Complete(CreateSupplierDto)) {
  static from({ id, environment, name, taxId, status, createdAt, updatedAt }: Supplier): SupplierDto {
    return { id, environment, name, taxId, status, createdAt, updatedAt };
  }
}
