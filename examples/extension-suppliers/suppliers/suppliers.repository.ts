import { Injectable } from '@nestjs/common';
import { Database, TenantRepository } from '../../../extension-api.js';
import { Supplier } from './supplier.entity.js';

@Injectable()
export class SuppliersRepository extends TenantRepository<Supplier> {
  constructor(database: Database) {
    super(database, Supplier);
  }
}
