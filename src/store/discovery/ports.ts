import { Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { getOrCreate } from '../../kernel/get-or-create.js';

/** A port is an abstract class on a lower floor; the modules above implement it. */
type Port<T> = abstract new (...args: never[]) => T;

const ports = new WeakMap<object, readonly Port<unknown>[]>();

/** Marks a provider as an implementation of a port, or of several. It is found at start: nothing registers itself. */
export function Implements(port: Port<unknown>): ClassDecorator {
  return (target) => {
    Injectable()(target);
    ports.set(target, [...(ports.get(target) ?? []), port]);
  };
}

/**
 * A port: what a part of the service would otherwise load with the first request that needs it, while the requests of others wait.
 * A process that serves does this before it is ready; a command does without.
 */
export abstract class WarmUp {
  abstract warmUp(): Promise<void>;
}

/** Finds the implementations of a port among the providers of the process. */
@Injectable()
export class Ports {
  private readonly found = new Map<Port<unknown>, readonly unknown[]>();

  constructor(private readonly discovery: DiscoveryService) {}

  /** All of them, in the order of their modules. Not to be called in a constructor, when some do not exist yet. */
  all<T>(port: Port<T>): readonly T[] {
    return getOrCreate(this.found, port, () => {
      const providers = this.discovery.getProviders();
      const found = providers.filter(({ metatype, instance }) => metatype && instance && ports.get(metatype)?.includes(port));
      return [...new Set(found.map(({ instance }) => instance as unknown))];
    }) as readonly T[];
  }

  /** The only one, or undefined where there is none. */
  only<T>(port: Port<T>): T | undefined {
    const [first, ...others] = this.all(port);
    if (others.length > 0) throw new Error(`${port.name} has ${others.length + 1} implementations; one is expected.`);
    return first;
  }
}
