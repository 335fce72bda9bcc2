import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { expect, it } from 'vitest';
import { controllerPath, isRoute, parameterClass, routesOf } from './nest-metadata.js';

class Input {}
class Filter {}

@Controller('v1/things')
class ThingsController {
  @Get()
  list(@Query() _query: Filter): void {}

  @Post()
  create(_first: unknown, @Body() _input: Input): void {}

  helper(): void {}
}

it('reads routes and their parameters from Nest’s own metadata, which an upgrade of Nest may move', () => {
  const handlers = Object.getOwnPropertyDescriptors(ThingsController.prototype);
  expect([isRoute(handlers.list.value as object), isRoute(handlers.helper.value as object)]).toEqual([true, false]);
  expect(routesOf(handlers.list.value as object)).toEqual({ method: 'GET', paths: ['/'] });
  expect(controllerPath(ThingsController)).toBe('v1/things');
  expect(parameterClass(ThingsController, 'list', 'QUERY')).toBe(Filter);
  expect(parameterClass(ThingsController, 'create', 'BODY')).toBe(Input);
  expect(parameterClass(ThingsController, 'create', 'QUERY')).toBeUndefined();
});
