import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiRequest } from './api-request.entity.js';
import { RequestSearch, RequestsConsole } from './console/requests.console.js';
import { RequestRecorder, RequestHistoryService, RequestRetention } from './request-history.service.js';
import { RequestsController } from './requests.controller.js';
import { RequestHistoryRepository } from './request-history.repository.js';

@Module({
  imports: [TypeOrmModule.forFeature([ApiRequest])],
  controllers: [RequestsConsole, RequestsController],
  providers: [RequestRecorder, RequestHistoryRepository, RequestHistoryService, RequestRetention, RequestSearch],
})
export class RequestHistoryModule {}
