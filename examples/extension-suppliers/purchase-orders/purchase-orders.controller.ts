import { Body, Controller, Param, Query } from '@nestjs/common';
import { Capability, Ctx, Operation, type Page, pageOf, type ReadContext, toPage, type WriteContext } from '../../../extension-api.js';
import { CreatePurchaseOrderDto, ListPurchaseOrdersQuery, PurchaseOrderDto, UpdatePurchaseOrderDto } from './purchase-orders.dto.js';
import { PurchaseOrderCreated, PurchaseOrderReceived, PurchaseOrderUpdated } from './purchase-orders.events.js';
import { PurchaseOrdersService } from './purchase-orders.service.js';

@Capability({ about: 'A purchase order says what was ordered from a supplier, and for which claim project.' })
@Controller('v1/purchase-orders')
export class PurchaseOrdersController {
  constructor(private readonly orders: PurchaseOrdersService) {}

  @Operation({
    id: 'purchase_orders.list',
    route: 'GET /',
    scope: 'purchase_orders:read',
    tool: { name: 'list_purchase_orders', risk: 'read_only', says: 'Use this to find a purchase order and its `id`. Newest first.' },
    summary: 'List purchase orders',
    description: 'Newest first. `search` is a case-insensitive substring of the name.',
    returns: pageOf(PurchaseOrderDto),
  })
  async list(@Ctx() ctx: ReadContext, @Query() query: ListPurchaseOrdersQuery): Promise<Page<PurchaseOrderDto>> {
    return toPage(query, await this.orders.list(ctx, query), PurchaseOrderDto.from);
  }

  @Operation({
    id: 'purchase_orders.create',
    route: 'POST /',
    scope: 'purchase_orders:write',
    tool: {
      name: 'create_purchase_order',
      risk: 'write',
      says: 'Needs the id of a supplier, which cannot be deleted any more: see list_suppliers.',
    },
    summary: 'Create a purchase order',
    description: 'Its supplier cannot be deleted any more.',
    returns: PurchaseOrderDto,
    emits: [PurchaseOrderCreated],
    problems: ['related_record_missing', 'already_exists', 'limit_exceeded'],
  })
  async create(@Ctx() ctx: WriteContext, @Body() input: CreatePurchaseOrderDto): Promise<PurchaseOrderDto> {
    return PurchaseOrderDto.from(await this.orders.create(ctx, input));
  }

  @Operation({
    id: 'purchase_orders.get',
    route: 'GET /:purchase_order_id',
    scope: 'purchase_orders:read',
    tool: {
      name: 'get_purchase_order',
      risk: 'read_only',
      says: 'Needs an `id` from list_purchase_orders. Cancelled ones can be read, too.',
    },
    summary: 'Get a purchase order',
    description: 'Cancelled ones can be read, too.',
    returns: PurchaseOrderDto,
  })
  async get(@Ctx() ctx: ReadContext, @Param('purchase_order_id') id: string): Promise<PurchaseOrderDto> {
    return PurchaseOrderDto.from(await this.orders.get(ctx, id));
  }

  @Operation({
    id: 'purchase_orders.update',
    route: 'PATCH /:purchase_order_id',
    scope: 'purchase_orders:write',
    tool: {
      name: 'update_purchase_order',
      risk: 'write',
      says: 'Use this to correct or update its fields. Omitted fields stay unchanged.',
    },
    summary: 'Update a purchase order',
    description: 'Omitted fields stay unchanged. A PATCH that changes nothing returns 200, keeps `updatedAt` and emits no event.',
    returns: PurchaseOrderDto,
    emits: [PurchaseOrderUpdated],
    problems: ['related_record_missing', 'already_exists'],
  })
  async update(
    @Ctx() ctx: WriteContext,
    @Param('purchase_order_id') id: string,
    @Body() input: UpdatePurchaseOrderDto,
  ): Promise<PurchaseOrderDto> {
    return PurchaseOrderDto.from(await this.orders.update(ctx, id, input));
  }

  @Operation({
    id: 'purchase_orders.receive',
    route: 'POST /:purchase_order_id/receive',
    scope: 'purchase_orders:write',
    role: 'admin',
    status: 200,
    tool: { name: 'receive_purchase_order', risk: 'write', says: 'When all that was ordered has arrived. It cannot be taken back.' },
    summary: 'Receive a purchase order',
    description: 'When all that was ordered has arrived. An order that is received already stays as it is.',
    returns: PurchaseOrderDto,
    emits: [PurchaseOrderReceived],
    problems: ['wrong_state'],
  })
  async receive(@Ctx() ctx: WriteContext, @Param('purchase_order_id') id: string): Promise<PurchaseOrderDto> {
    return PurchaseOrderDto.from(await this.orders.receive(ctx, id));
  }
}
