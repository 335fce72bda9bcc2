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
import { PurchaseOrdersService } from './purchase-orders.service.js';

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
  constructor(private readonly orders: PurchaseOrdersService) {
    super();
  }

  @Before('claim_projects.update', { problems: [ORDERS_OPEN] })
  async keepProject(ctx: WriteContext, input: UpdateClaimProjectDto, { project_id: id }: ChangeParams): Promise<void> {
    if (input.status === 'archived' && (await this.orders.areOpenFor(ctx, id!))) throw new Problem(ORDERS_OPEN);
  }
}
