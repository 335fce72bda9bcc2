import { RequestMethod, type Type } from '@nestjs/common';
// Not part of Nest's published interface; docs/dependencies.md lists what we borrow, and nest-metadata.spec.ts watches it.
import { METHOD_METADATA, PARAMTYPES_METADATA, PATH_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';

/** Whether Nest serves the method as a route. */
export const isRoute = (handler: object): boolean => Reflect.getMetadata(METHOD_METADATA, handler) !== undefined;

/** The path that `@Controller` was given. */
export const controllerPath = (controller: Type<unknown>): string => Reflect.getMetadata(PATH_METADATA, controller) as string;

/** The method and the paths that a handler serves, below those of its controller. */
export function routesOf(handler: object): { readonly method: string; readonly paths: readonly string[] } {
  const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod];
  return { method, paths: [Reflect.getMetadata(PATH_METADATA, handler) as string | string[]].flat() };
}

/** The classes of the parameters of a decorated method; `Object` for what is no class. */
export const parameterTypes = (prototype: object, name: string): readonly unknown[] =>
  (Reflect.getMetadata(PARAMTYPES_METADATA, prototype, name) as unknown[] | undefined) ?? [];

/** The class of the parameter with `@Body()` or `@Query()`, where the handler has one. */
export function parameterClass(controller: Type<unknown>, handlerName: string, kind: 'BODY' | 'QUERY'): Type<object> | undefined {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, handlerName) ?? {}) as Record<string, { index: number }>;
  const key = Object.keys(args).find((candidate) => candidate.startsWith(`${RouteParamtypes[kind]}:`));
  if (!key) return undefined;
  const types = Reflect.getMetadata(PARAMTYPES_METADATA, controller.prototype as object, handlerName) as Type<object>[];
  return types[args[key]!.index];
}
