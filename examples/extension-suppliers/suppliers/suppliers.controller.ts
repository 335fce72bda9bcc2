import { Body, Controller, Param, Query } from '@nestjs/common';
import { Capability, Ctx, Operation, type Page, pageOf, type ReadContext, toPage, type WriteContext } from '../../../extension-api.js';
import { CreateSupplierDto, ListSuppliersQuery, SupplierDto, UpdateSupplierDto } from './suppliers.dto.js';
import { SupplierCreated, SupplierDeleted, SupplierUpdated } from './suppliers.events.js';
import { SuppliersService } from './suppliers.service.js';

@Capability({ about: 'A supplier is a company that the organization buys from.' })
@Controller('v1/suppliers')
export class SuppliersController {
  constructor(private readonly suppliers: SuppliersService) {}

  @Operation({
    id: 'suppliers.list',
    route: 'GET /',
    scope: 'suppliers:read',
    tool: { name: 'list_suppliers', risk: 'read_only', says: 'Use this to find a supplier and its `id`. Newest first.' },
    summary: 'List suppliers',
    description: 'Newest first. `search` is a case-insensitive substring of the name.',
    returns: pageOf(SupplierDto),
  })
  async list(@Ctx() ctx: ReadContext, @Query() query: ListSuppliersQuery): Promise<Page<SupplierDto>> {
    return toPage(query, await this.suppliers.list(ctx, query), SupplierDto.from);
  }

  @Operation({
    id: 'suppliers.create',
    route: 'POST /',
    scope: 'suppliers:write',
    concerns: 'organization',
    tool: {
      name: 'create_supplier',
      risk: 'write',
      says: 'First check with list_suppliers that it does not exist yet: names need not be unique.',
    },
    summary: 'Create a supplier',
    description: 'Names need not be unique.',
    returns: SupplierDto,
    emits: [SupplierCreated],
    problems: ['limit_exceeded'],
  })
  async create(@Ctx() ctx: WriteContext, @Body() input: CreateSupplierDto): Promise<SupplierDto> {
    return SupplierDto.from(await this.suppliers.create(ctx, input));
  }

  @Operation({
    id: 'suppliers.get',
    route: 'GET /:supplier_id',
    scope: 'suppliers:read',
    tool: { name: 'get_supplier', risk: 'read_only', says: 'Needs an `id` from list_suppliers. Archived ones can be read, too.' },
    summary: 'Get a supplier',
    description: 'Archived ones can be read, too.',
    returns: SupplierDto,
  })
  async get(@Ctx() ctx: ReadContext, @Param('supplier_id') id: string): Promise<SupplierDto> {
    return SupplierDto.from(await this.suppliers.get(ctx, id));
  }

  @Operation({
    id: 'suppliers.update',
    route: 'PATCH /:supplier_id',
    scope: 'suppliers:write',
    concerns: 'organization',
    tool: { name: 'update_supplier', risk: 'write', says: 'Use this to correct or update its fields. Omitted fields stay unchanged.' },
    summary: 'Update a supplier',
    description: 'Omitted fields stay unchanged. A PATCH that changes nothing returns 200, keeps `updatedAt` and emits no event.',
    returns: SupplierDto,
    emits: [SupplierUpdated],
  })
  async update(@Ctx() ctx: WriteContext, @Param('supplier_id') id: string, @Body() input: UpdateSupplierDto): Promise<SupplierDto> {
    return SupplierDto.from(await this.suppliers.update(ctx, id, input));
  }

  @Operation({
    id: 'suppliers.delete',
    route: 'DELETE /:supplier_id',
    scope: 'suppliers:delete',
    role: 'admin',
    concerns: 'organization',
    tool: {
      name: 'delete_supplier',
      risk: 'destructive',
      says: 'Cannot be undone; update_supplier can archive it instead. One with purchase orders cannot be deleted.',
    },
    summary: 'Delete a supplier',
    description: 'One with purchase orders cannot be deleted.',
    emits: [SupplierDeleted],
  })
  async delete(@Ctx() ctx: WriteContext, @Param('supplier_id') id: string): Promise<void> {
    await this.suppliers.delete(ctx, id);
  }
}
