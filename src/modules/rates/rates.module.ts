import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ExchangeRate } from './exchange-rate.entity.js';
import { RatesService } from './rates.service.js';

@Module({ imports: [TypeOrmModule.forFeature([ExchangeRate])], providers: [RatesService], exports: [RatesService] })
export class RatesModule {}
