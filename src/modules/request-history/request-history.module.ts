import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiRequest } from './api-request.entity.js';
import { RequestSearch, RequestsConsole } from './console/requests.console.js';
import { RequestRecorder, RequestHistoryService, RequestRetention } from './request-history.service.js';
import { RequestHistoryRepository } from './request-history.repository.js';

/** The calls of the last week, for the people who look for what went wrong. */
@Module({
  imports: [TypeOrmModule.forFeature([ApiRequest])],
  controllers: [RequestsConsole],
  providers: [RequestRecorder, RequestHistoryRepository, RequestHistoryService, RequestRetention, RequestSearch],
})
export class RequestHistoryModule {}
