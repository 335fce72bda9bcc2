import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { PurchaseOrdersConsole } from './console/purchase-orders.console.js';
import { OrderRules } from './order-rules.js';
import { PurchaseOrder } from './purchase-order.entity.js';
import { PurchaseOrdersController } from './purchase-orders.controller.js';
import { PurchaseOrdersRepository } from './purchase-orders.repository.js';
import { PurchaseOrdersService } from './purchase-orders.service.js';
import { TrialOrders } from './trial-orders.policy.js';

@Module({
  imports: [TypeOrmModule.forFeature([PurchaseOrder])],
  controllers: [PurchaseOrdersController, PurchaseOrdersConsole],
  providers: [PurchaseOrdersService, PurchaseOrdersRepository, OrderRules, TrialOrders],
})
export class PurchaseOrdersModule {}
