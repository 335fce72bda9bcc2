import { Injectable } from '@nestjs/common';
import {
  Before,
  ChangeHook,
  declareProblem,
  Implements,
  Problem,
  UpdateClaimProjectDto,
  type ChangeParams,
  type WriteContext,
} from '../../../extension-api.js';
import { SuppliersService } from '../suppliers/index.js';
import { PurchaseOrdersService } from './purchase-orders.service.js';

const SUPPLIER_IN_USE = declareProblem('supplier_in_use', {
  status: 409,
  title: 'The supplier has purchase orders',
  retry: 'never',
  about: 'A supplier with purchase orders cannot be deleted. Archive it instead.',
});

const ORDERS_OPEN = declareProblem('orders_open', {
  status: 409,
  title: 'The project has open purchase orders',
  retry: 'never',
  about: 'A claim project with open purchase orders cannot be archived. Receive or cancel them first.',
});

/** What purchase orders mean for the changes of other records. */
@Injectable()
@Implements(ChangeHook)
export class OrderRules extends ChangeHook {
  constructor(
    private readonly orders: PurchaseOrdersService,
    private readonly suppliers: SuppliersService,
  ) {
    super();
  }

  @Before('suppliers.delete', { problems: [SUPPLIER_IN_USE] })
  async keepSupplier(ctx: WriteContext, _input: undefined, { supplier_id: id }: ChangeParams): Promise<void> {
    // An order that is placed at the same moment holds the supplier as well, so it is either found here or refused there.
    await this.suppliers.held(ctx, id!);
    if (await this.orders.areAnyOf(ctx, id!)) throw new Problem(SUPPLIER_IN_USE);
  }

  @Before('claim_projects.update', { problems: [ORDERS_OPEN] })
  async keepProject(ctx: WriteContext, input: UpdateClaimProjectDto, { project_id: id }: ChangeParams): Promise<void> {
    if (input.status === 'archived' && (await this.orders.areOpenFor(ctx, id!))) throw new Problem(ORDERS_OPEN);
  }
}
