import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { expect, it } from 'vitest';
import { DiscoveryModule } from '../store.module.js';
import { Implements, Ports } from './ports.js';

abstract class Greeter {
  abstract greet(): string;
}

@Implements(Greeter)
@Injectable()
class Polite implements Greeter {
  greet = () => 'Good morning.';
}

@Implements(Greeter)
@Injectable()
class Brief implements Greeter {
  greet = () => 'Hi.';
}

@Injectable()
class Unmarked implements Greeter {
  greet = () => '';
}

async function portsWith(...providers: (new () => Greeter)[]): Promise<Ports> {
  @Module({ imports: [DiscoveryModule], providers })
  class Program {}
  return (await NestFactory.createApplicationContext(Program, { logger: false })).get(Ports);
}

it('finds every provider that is marked as an implementation of the port, and no other', async () => {
  const ports = await portsWith(Polite, Unmarked, Brief);
  expect(ports.all(Greeter).map((greeter) => greeter.greet())).toEqual(['Good morning.', 'Hi.']);
});

it('finds no implementation where no provider is marked', async () => {
  const ports = await portsWith(Unmarked);
  expect(ports.all(Greeter)).toEqual([]);
  expect(ports.only(Greeter)).toBeUndefined();
});

it('refuses several implementations where one is expected', async () => {
  expect((await portsWith(Brief)).only(Greeter)?.greet()).toBe('Hi.');
  const ports = await portsWith(Polite, Brief);
  expect(() => ports.only(Greeter)).toThrow('Greeter has 2 implementations; one is expected.');
});
