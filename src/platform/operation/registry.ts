import { Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { METHOD_METADATA, PARAMTYPES_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { declaredEvents, type EventDeclaration } from '../events/declare-event.js';
import { jobOf, type JobDeclaration } from './job.decorator.js';
import { needsKey, splitRoute, successStatus, type Operation, type OperationDeclaration } from './operation.js';
import { bind, declarationOf, protocolOf } from './operation.decorator.js';
import { declarationProblems } from './registry-rules.js';

export interface Job extends JobDeclaration {
  /** The key names one thing of many; without one it looks after all of them. */
  readonly run: (key?: string) => Promise<void>;
}

/** All operations and jobs there are, read off their handlers at start. A bad declaration keeps the process from starting. */
@Injectable()
export class Registry implements OnModuleInit {
  readonly operations: Operation[] = [];
  readonly jobs: Job[] = [];

  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    const problems: string[] = [];
    for (const { metatype } of this.discovery.getControllers()) problems.push(...this.readController(metatype as Type<unknown>));
    for (const { instance } of this.discovery.getProviders()) this.readProvider(instance);
    problems.push(...declarationProblems(this.operations, this.jobs));
    if (problems.length > 0) throw new Error(`Bad declarations:\n  ${problems.join('\n  ')}`);
  }

  /** The scopes that exist, in alphabetical order. */
  get scopes(): string[] {
    return [...new Set(this.operations.flatMap(({ scope }) => scope ?? []))].sort();
  }

  /** The events that exist, in alphabetical order. */
  get events(): EventDeclaration[] {
    return declaredEvents();
  }

  get capabilities(): string[] {
    return [...new Set(this.operations.map(({ capability }) => capability))].sort();
  }

  private readController(controller: Type<unknown>): string[] {
    const problems: string[] = [];
    for (const [name, handler] of methodsOf(controller.prototype as object)) {
      if (Reflect.getMetadata(METHOD_METADATA, handler) === undefined) continue;
      const declaration = declarationOf(handler);
      if (declaration) {
        const operation = bindDeclaration(declaration, controller, name);
        bind(handler, operation);
        this.operations.push(operation);
      } else if (!protocolOf(handler)) {
        problems.push(`${controller.name}.${name} is a route with neither @Operation nor @Protocol.`);
      }
    }
    return problems;
  }

  private readProvider(instance: unknown): void {
    if (typeof instance !== 'object' || instance === null) return;
    for (const [, handler] of methodsOf(Object.getPrototypeOf(instance) as object | null)) {
      const declaration = jobOf(handler);
      if (declaration) this.jobs.push({ ...declaration, run: (key) => handler.call(instance, key) as Promise<void> });
    }
  }
}

type Method = (...args: unknown[]) => unknown;

/** Inherited ones, too: a route that a controller inherits is served like its own. */
function* methodsOf(prototype: object | null): Generator<[string, Method]> {
  const seen = new Set(['constructor']);
  for (let current = prototype; current && current !== Object.prototype; current = Object.getPrototypeOf(current) as object | null) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(current))) {
      if (typeof value === 'function' && !seen.has(name)) yield [name, value as Method];
      seen.add(name);
    }
  }
}

function bindDeclaration(declaration: OperationDeclaration, controller: Type<unknown>, handlerName: string): Operation {
  const { method, path: below } = splitRoute(declaration.route);
  const base = Reflect.getMetadata(PATH_METADATA, controller) as string;
  const path = `/${base}${below === '/' ? '' : below}`;
  return {
    ...declaration,
    method,
    path: path.replace(/:(\w+)/g, '{$1}'),
    pathParams: [...path.matchAll(/:(\w+)/g)].map((match) => match[1]!),
    body: parameterClass(controller, handlerName, RouteParamtypes.BODY),
    query: parameterClass(controller, handlerName, RouteParamtypes.QUERY),
    capability: declaration.id.split('.')[0]!,
    status: successStatus(declaration),
    isWrite: method !== 'GET',
    needsKey: needsKey(method),
    emits: declaration.emits ?? [],
    problems: declaration.problems ?? [],
  };
}

/** The class of the handler's parameter that takes the whole body or query. */
function parameterClass(controller: Type<unknown>, handlerName: string, kind: RouteParamtypes): Type<object> | undefined {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handlerName) ?? {}) as Record<string, { index: number }>;
  const key = Object.keys(args).find((candidate) => candidate.startsWith(`${kind}:`));
  if (!key) return undefined;
  const types = Reflect.getMetadata(PARAMTYPES_METADATA, controller.prototype as object, handlerName) as Type<object>[];
  return types[args[key]!.index];
}
