import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IdempotencyExpiry } from './idempotency-expiry.js';
import { IdempotencyKey } from './idempotency-key.entity.js';
import { Idempotency } from './idempotency.js';

@Global()
@Module({
  imports: [TypeOrmModule.forFeature([IdempotencyKey])],
  providers: [Idempotency, IdempotencyExpiry],
  exports: [Idempotency],
})
export class IdempotencyModule {}
