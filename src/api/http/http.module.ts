import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { ProblemFilter, RestDoor } from './rest-door.js';

@Module({ providers: [{ provide: APP_FILTER, useClass: ProblemFilter }, RestDoor], exports: [RestDoor] })
export class HttpModule {}
