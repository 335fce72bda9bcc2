import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { expect, it } from 'vitest';
import { describeNotInjected } from './not-injected.js';

@Injectable()
class Known {}

/** Of `object`, as of a class that was imported as a type, nothing is left at run time. */
@Injectable()
class Needy {
  constructor(
    readonly known: Known,
    readonly other: object,
  ) {}
}

@Injectable()
class Lacking {
  constructor(readonly known: Known) {}
}

@Module({ providers: [Known, Needy] })
class WithType {}
@Module({ providers: [Lacking] })
class WithoutProvider {}

const errorOf = (type: new () => object): Promise<unknown> =>
  NestFactory.createApplicationContext(type, { logger: false, abortOnError: false }).catch((error: unknown) => error);

it('names the class, its constructor and what to do, if the class of a parameter was imported as a type only', async () => {
  expect(describeNotInjected(await errorOf(WithType))).toBe(
    'Nothing can be injected as parameter 2 of the constructor Needy(Known, ?): its class was imported as a type only. ' +
      'Import it as a value, or name what is meant with @Inject().',
  );
});

it('leaves every other error as it is, such as a provider that is missing', async () => {
  expect(describeNotInjected(await errorOf(WithoutProvider))).toBeUndefined();
  expect(describeNotInjected(new Error('UnknownDependenciesException'))).toBeUndefined();
});
