import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '../users/index.js';
import { Confirmation } from './confirmation.entity.js';
import { ConfirmationsRepository } from './confirmations.repository.js';
import { Confirmations, ConfirmationUpkeep, ToolAgreements } from './confirmations.service.js';
import { ConfirmationsConsole } from './console/confirmations.console.js';

@Module({
  imports: [TypeOrmModule.forFeature([Confirmation]), UsersModule],
  controllers: [ConfirmationsConsole],
  providers: [ConfirmationsRepository, Confirmations, ToolAgreements, ConfirmationUpkeep],
})
export class ConfirmationsModule {}
