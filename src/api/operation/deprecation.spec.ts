import { Controller, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { expect, it } from 'vitest';
import { anOperation } from '../../../test/support/operations.js';
import { ProblemDto } from '../dto/problem.dto.js';
import { deprecationHeaders } from './deprecation.js';
import { documentController } from './documentation.js';
import { Operation } from './operation.decorator.js';
import { declarationProblems } from './registry-rules.js';

const deprecated = { since: '2027-01-31', sunset: '2028-01-31', instead: 'Use `things.search`.' };

it('is announced in the headers as the RFCs have them', () => {
  expect(deprecationHeaders(deprecated)).toEqual({
    Deprecation: '@1801353600',
    Sunset: 'Mon, 31 Jan 2028 00:00:00 GMT',
    Link: '</guides/versioning#deprecation>; rel="deprecation"; type="text/html"',
  });
});

it.each([
  ['less than a year', { ...deprecated, sunset: '2028-01-30' }, 'things.list ends less than 12 months after its deprecation.'],
  ['no date', { ...deprecated, sunset: 'soon' }, 'things.list is deprecated at no date: 2027-01-31 is expected.'],
])('cannot be declared with %s', (_what, wrong, problem) => {
  expect(declarationProblems([anOperation({ deprecated: wrong })])).toEqual([problem]);
  expect(declarationProblems([anOperation({ deprecated })])).toEqual([]);
});

it('marks the operation in the OpenAPI document, with its successor and the headers', async () => {
  @Controller('v1/things')
  class ThingsController {
    @Operation({ id: 'things.list', route: 'GET /', summary: 'List', description: 'All.', deprecated })
    list(): void {}

    @Operation({ id: 'things.search', route: 'GET /search', summary: 'Search', description: 'Some.' })
    search(): void {}
  }
  @Module({ controllers: [ThingsController] })
  class Program {}
  documentController(ThingsController);
  const app = await NestFactory.create(Program, new FastifyAdapter(), { logger: false });
  const { paths } = SwaggerModule.createDocument(app, new DocumentBuilder().build(), { extraModels: [ProblemDto] });
  const [list, search] = ['/v1/things', '/v1/things/search'].map((path) => paths[path]!.get!);
  expect(list!.deprecated).toBe(true);
  expect(list!.description).toMatch(/^Deprecated since 2027-01-31\. It is answered until 2028-01-31\. Use `things\.search`\./);
  expect(Object.keys((list!.responses['204'] as { headers: object }).headers)).toEqual(expect.arrayContaining(['Deprecation', 'Sunset']));
  expect(search!.deprecated).toBeUndefined();
});
