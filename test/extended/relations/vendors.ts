import { Body, Controller, Injectable, Param, Query } from '@nestjs/common';
import { Entity, Index } from 'typeorm';
import {
  AnswerOf,
  Capability,
  Changes,
  Clock,
  ConsoleDoor,
  ConsoleSection,
  Ctx,
  Database,
  declareEvent,
  Events,
  OneOf,
  Operation,
  PageQuery,
  pageOf,
  Problem,
  type ReadContext,
  RecordFields,
  RecordPages,
  RowOf,
  TenantRepository,
  Text,
  toPage,
  type WriteContext,
} from '../../../src/extension-api.js';

class CreateVendorDto {
  @Text({ about: 'Name of the vendor.', min: 1, max: 200, example: 'Rail AG', people: { inList: true } }) name: string;
  @OneOf(['active', 'archived'], { about: 'Whether it is used.', optional: true, default: 'active' }) status?: string;
}
class UpdateVendorDto extends Changes(CreateVendorDto) {}
class ListVendorsQuery extends PageQuery {
  @Text({ about: 'Part of the name.', max: 200, optional: true, example: 'rail' }) search?: string;
}
export class VendorDto extends AnswerOf(CreateVendorDto) {}

@Entity('vendors')
@Index('vendors_newest', ['organizationId', 'environment', 'id'])
export class Vendor extends RowOf(CreateVendorDto) {}
const VENDOR_FIELDS = new RecordFields({
  entity: Vendor,
  create: CreateVendorDto,
  update: UpdateVendorDto,
  answer: VendorDto,
  list: ListVendorsQuery,
});

const OF_VENDORS = { status: 'emitted', data: VendorDto, collection: '/v1/vendors' } as const;
const VendorCreated = declareEvent({ ...OF_VENDORS, kind: 'vendor.created', summary: 'A vendor was created.' });
const VendorDeleted = declareEvent({ ...OF_VENDORS, kind: 'vendor.deleted', summary: 'A vendor was deleted.' });

@Injectable()
export class VendorsRepository extends TenantRepository<Vendor> {
  constructor(database: Database) {
    super(database, Vendor, { isForAll: true });
  }
}

@Injectable()
export class VendorsService {
  constructor(
    private readonly vendors: VendorsRepository,
    private readonly events: Events,
    private readonly clock: Clock,
  ) {}

  list(ctx: ReadContext, query: ListVendorsQuery) {
    return this.vendors.page(ctx, query);
  }

  async get(ctx: ReadContext, id: string): Promise<Vendor> {
    return (await this.vendors.get(ctx, id)) ?? missing();
  }

  async create(ctx: WriteContext, input: CreateVendorDto): Promise<Vendor> {
    const row = VENDOR_FIELDS.make(ctx, input, this.clock.timestamp());
    await this.vendors.insert(ctx, row);
    this.events.append(ctx, VendorCreated, { before: null, after: VendorDto.from(row) });
    return row;
  }

  async delete(ctx: WriteContext, id: string): Promise<void> {
    const row = (await this.vendors.remove(ctx, id)) ?? missing();
    this.events.append(ctx, VendorDeleted, { before: VendorDto.from(row), after: null });
  }
}

const missing = (): never => {
  throw new Problem('not_found', { detail: 'There is no vendor with this id.' });
};

@Capability({ about: 'A vendor sells trips.' })
@Controller('v1/vendors')
export class VendorsController {
  constructor(private readonly vendors: VendorsService) {}

  @Operation({
    id: 'vendors.list',
    route: 'GET /',
    scope: 'vendors:read',
    summary: 'List',
    description: 'All.',
    returns: pageOf(VendorDto),
  })
  async list(@Ctx() ctx: ReadContext, @Query() query: ListVendorsQuery) {
    return toPage(query, await this.vendors.list(ctx, query), VendorDto.from);
  }

  @Operation({
    id: 'vendors.create',
    route: 'POST /',
    scope: 'vendors:write',
    summary: 'Create',
    description: 'One.',
    returns: VendorDto,
    emits: [VendorCreated],
  })
  async create(@Ctx() ctx: WriteContext, @Body() input: CreateVendorDto): Promise<object> {
    return VendorDto.from(await this.vendors.create(ctx, input));
  }

  @Operation({
    id: 'vendors.get',
    route: 'GET /:vendor_id',
    scope: 'vendors:read',
    summary: 'Get',
    description: 'One.',
    returns: VendorDto,
  })
  async get(@Ctx() ctx: ReadContext, @Param('vendor_id') id: string): Promise<object> {
    return VendorDto.from(await this.vendors.get(ctx, id));
  }

  @Operation({
    id: 'vendors.delete',
    route: 'DELETE /:vendor_id',
    scope: 'vendors:delete',
    tool: { name: 'delete_vendor', risk: 'destructive', says: 'It cannot be undone.' },
    summary: 'Delete',
    description: 'One.',
    emits: [VendorDeleted],
  })
  delete(@Ctx() ctx: WriteContext, @Param('vendor_id') id: string): Promise<void> {
    return this.vendors.delete(ctx, id);
  }
}

@ConsoleSection({ path: 'sellers', label: 'Vendors', group: 'Claims', order: 60, operation: 'vendors.list' })
export class VendorsConsole extends RecordPages({
  path: 'sellers',
  operations: 'vendors',
  id: 'vendor_id',
  fields: VENDOR_FIELDS,
  one: 'vendor',
  all: 'Vendors',
  about: 'They sell trips.',
}) {
  constructor(vendors: VendorsService, door: ConsoleDoor) {
    super(vendors, door);
  }
}
