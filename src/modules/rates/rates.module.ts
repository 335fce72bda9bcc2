import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExchangeRate } from './exchange-rate.entity.js';
import { RatesRepository } from './rates.repository.js';
import { RatesService } from './rates.service.js';

@Module({ imports: [TypeOrmModule.forFeature([ExchangeRate])], providers: [RatesService, RatesRepository], exports: [RatesService] })
export class RatesModule {}
