import { RequestMethod, type Type } from '@nestjs/common';
// Not part of Nest's published interface; docs/dependencies.md lists what we borrow, and nest-metadata.spec.ts watches it.
import { EXCEPTION_FILTERS_METADATA, GUARDS_METADATA, INTERCEPTORS_METADATA, PIPES_METADATA } from '@nestjs/common/constants.js';
import { METHOD_METADATA, PARAMTYPES_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';

export const isRoute = (handler: object): boolean => Reflect.getMetadata(METHOD_METADATA, handler) !== undefined;
export const controllerPath = (controller: Type<unknown>): string => Reflect.getMetadata(PATH_METADATA, controller) as string;

/** The method and the paths that a handler serves, below those of its controller. */
export function routesOf(handler: object): { readonly method: string; readonly paths: readonly string[] } {
  const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
  return { method, paths: [Reflect.getMetadata(PATH_METADATA, handler) as string | string[]].flat() };
}

/** The classes of the parameters of a decorated method; `Object` for what is no class. */
export const parameterTypes = (prototype: object, name: string): readonly unknown[] =>
  (Reflect.getMetadata(PARAMTYPES_METADATA, prototype, name) as unknown[] | undefined) ?? [];

export interface HandlerParameter {
  readonly index: number;
  /** `BODY`, `QUERY`, `PARAM`, or another one of Nest's; undefined of a decorator that was made by `createParamDecorator`. */
  readonly kind: keyof typeof RouteParamtypes | undefined;
  readonly data: unknown;
  readonly factory: unknown;
  readonly hasPipes: boolean;
}

interface Argument {
  readonly index: number;
  readonly data?: unknown;
  readonly factory?: unknown;
  readonly pipes?: readonly unknown[];
}

export function handlerParameters(controller: Type<unknown>, handlerName: string): HandlerParameter[] {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handlerName) ?? {}) as Record<string, Argument>;
  return Object.entries(args)
    .map(([key, { index, data, factory, pipes = [] }]) => {
      const kind = factory ? undefined : (RouteParamtypes[Number(key.split(':')[0])] as HandlerParameter['kind']);
      return { index, kind, data, factory, hasPipes: pipes.length > 0 };
    })
    .sort((one, other) => one.index - other.index);
}

export function parameterClass(controller: Type<unknown>, handlerName: string, kind: 'BODY' | 'QUERY'): Type<object> | undefined {
  const parameter = handlerParameters(controller, handlerName).find((candidate) => candidate.kind === kind);
  return parameter && (parameterTypes(controller.prototype as object, handlerName)[parameter.index] as Type<object>);
}

const DECORATIONS = {
  guards: GUARDS_METADATA,
  interceptors: INTERCEPTORS_METADATA,
  pipes: PIPES_METADATA,
  'exception filters': EXCEPTION_FILTERS_METADATA,
};

/** What Nest would ask around a handler, by its decorators or those of its controller. */
export function nestDecorations(controller: Type<unknown>, handlerName: string): string[] {
  const handler = (controller.prototype as Record<string, object>)[handlerName]!;
  return Object.entries(DECORATIONS).flatMap(([what, key]) =>
    Reflect.hasMetadata(key, controller) || Reflect.hasMetadata(key, handler) ? [what] : [],
  );
}
