import { Body, Controller, Get, Module, Param, Query, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { DiscoveryModule } from '../../store/store.module.js';
import { describe, expect, it } from 'vitest';
import { Settings } from '../../kernel/settings/settings.js';
import { Database } from '../../store/database/database.js';
import { UnitOfWork } from '../../store/database/unit-of-work.js';
import { RelatedTables } from '../../store/tenant/relations.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { PageQuery } from '../dto/page.js';
import { Text } from '../validation/fields.js';
import { Capability, Operation, Protocol } from './operation.decorator.js';
import { Registry } from './registry.js';

class ThingDto {
  @Text({ about: 'A name.' }) name: string;
}

// What a write needs when it is called. No write is called here.
const UNCALLED = [Database, Idempotency, UnitOfWork, Settings].map((provide) => ({ provide, useValue: undefined }));

/** The contents of the registry of a program with these controllers. */
async function registryOf(controllers: Type<unknown>[]) {
  @Module({ imports: [DiscoveryModule], controllers, providers: [Registry, RelatedTables, ...UNCALLED] })
  class Program {}
  const app = await NestFactory.createApplicationContext(Program, { logger: false, abortOnError: false });
  return app.get(Registry);
}

describe('a declaration at a handler', () => {
  @Capability({ about: 'Things, large and small.', guide: 'docs/glossary.md' })
  @Controller('v1/things')
  class ThingsController {
    @Operation({ id: 'things.list', route: 'GET /', scope: 'things:read', summary: 'List', description: 'All.', returns: ThingDto })
    list(@Query() _query: PageQuery): void {}

    @Operation({
      id: 'things.update',
      route: 'PATCH /:thing_id',
      scope: 'things:write',
      summary: 'Change',
      description: 'One.',
      returns: ThingDto,
    })
    update(@Param('thing_id') _id: string, @Body() _input: ThingDto): void {}

    @Operation({
      id: 'things.delete',
      route: 'DELETE /:thing_id/parts/:part_id',
      scope: 'things:delete',
      summary: 'Delete',
      description: 'One.',
    })
    remove(): void {}

    @Protocol('Told to people.')
    @Get('about')
    about(): string {
      return this.helper();
    }

    helper(): string {
      return '';
    }
  }

  it('is read with the path and the signature of the handler', async () => {
    const { operations, scopes, capabilities, descriptions } = await registryOf([ThingsController]);
    expect(operations).toMatchObject([
      {
        id: 'things.list',
        method: 'GET',
        path: '/v1/things',
        pathIds: [],
        query: PageQuery,
        body: undefined,
        status: 200,
        isWrite: false,
        needsKey: false,
      },
      {
        id: 'things.update',
        method: 'PATCH',
        path: '/v1/things/{thing_id}',
        pathIds: ['thing_id'],
        query: undefined,
        body: ThingDto,
        status: 200,
        isWrite: true,
        needsKey: true,
      },
      {
        id: 'things.delete',
        method: 'DELETE',
        path: '/v1/things/{thing_id}/parts/{part_id}',
        pathIds: ['thing_id', 'part_id'],
        body: undefined,
        status: 204,
        isWrite: true,
        needsKey: false,
      },
    ]);
    expect(scopes).toEqual(['things:delete', 'things:read', 'things:write']);
    expect(capabilities).toEqual(['things']);
    expect(descriptions).toEqual([['things', { about: 'Things, large and small.', guide: 'docs/glossary.md' }]]);
  });

  it('can be looked up by the handler; a protocol route is not an operation', async () => {
    const registry = await registryOf([ThingsController]);
    const { list, about } = Object.getOwnPropertyDescriptors(ThingsController.prototype);
    expect(registry.operationOf(list.value as object)).toBe(registry.operations[0]);
    expect(registry.operationOf(about.value as object)).toBeUndefined();
  });
});

describe('the process does not start', () => {
  it('with a route that is neither an operation nor a protocol', async () => {
    @Controller('open')
    class OpenController {
      @Get('door')
      door(): void {}
    }
    await expect(registryOf([OpenController])).rejects.toThrow('OpenController.door is a route with neither @Operation nor @Protocol.');
  });

  it('with such a route that a controller inherits', async () => {
    class Ancestor {
      @Get('door')
      door(): void {}
    }
    @Controller('heir')
    class HeirController extends Ancestor {}
    await expect(registryOf([HeirController])).rejects.toThrow('HeirController.door is a route with neither @Operation nor @Protocol.');
  });

  it('with a capability that nobody describes', async () => {
    @Controller('v1/things')
    class ThingsController {
      @Operation({ id: 'things.list', route: 'GET /', summary: 'List', description: 'All.', returns: ThingDto })
      list(): void {}
    }
    await expect(registryOf([ThingsController])).rejects.toThrow('The capability things has no @Capability at its controller.');
  });

  it('with a capability that two controllers describe, or that is described by no sentence', async () => {
    @Capability({ about: 'Things.' })
    @Controller('v1/things')
    class ThingsController {
      @Operation({ id: 'things.list', route: 'GET /', summary: 'List', description: 'All.', returns: ThingDto })
      list(): void {}
    }
    @Capability({ about: 'things' })
    @Controller('v1/other-things')
    class OtherThingsController {
      @Operation({ id: 'things.list_others', route: 'GET /', summary: 'List', description: 'All.', returns: ThingDto })
      list(): void {}
    }
    const start = registryOf([ThingsController, OtherThingsController]);
    await expect(start).rejects.toThrow('The capability things is declared twice.');
    await expect(start).rejects.toThrow('The capability things is described by no sentence');
  });

  it('with bad declarations, and names all of them', async () => {
    @Controller('v1/things')
    class BadController {
      @Operation({ id: 'things.create', route: 'POST /', scope: 'stuff:write', summary: 'Create', description: 'One.', returns: ThingDto })
      create(): void {}

      @Operation({ id: 'things.list', route: 'GET /', summary: 'List', description: 'All.', returns: ThingDto })
      list(@Query() _query: { page: string }): void {}
    }
    const start = registryOf([BadController]);
    await expect(start).rejects.toThrow('things.create has the scope stuff:write');
    await expect(start).rejects.toThrow('things.create takes no body class');
    await expect(start).rejects.toThrow('things.list has a parameter without a class');
  });
});
