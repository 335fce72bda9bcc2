import { applyDecorators, Delete, Get, Patch, Post } from '@nestjs/common';
// Not from the package's main file, which loads Fastify: commands and workers read the declarations, too.
import { RouteConfig } from '@nestjs/platform-fastify/decorators/route-config.decorator.js';
import { declareCapability, declareOperation, declareProtocol, splitRoute } from './operation.js';
import type { CapabilityDeclaration, OperationDeclaration, RouteLimit } from './operation.js';

const ROUTES = { GET: Get, POST: Post, PATCH: Patch, DELETE: Delete };

/** Declares an operation of the API at its handler: route, access, result, events, documentation. */
export function Operation(declaration: OperationDeclaration): MethodDecorator {
  const { method, path } = splitRoute(declaration.route);
  return applyDecorators(ROUTES[method](path), AnyOrigin(), (_target: object, _key: string | symbol, descriptor: PropertyDescriptor) => {
    declareOperation(descriptor.value as object, declaration);
  });
}

/** Describes the capability whose operations the controller has. Required once for each. */
export function Capability(declaration: CapabilityDeclaration): ClassDecorator {
  return (controller) => {
    declareCapability(controller, declaration);
  };
}

const FOR_PEOPLE: readonly RouteLimit[] = ['pages', 'authorize', 'console'];

/** A route that is not an operation of the API (documents, health, pages): why it is not, and what limits it. */
export function Protocol(why: string, limit: RouteLimit = 'documents'): MethodDecorator {
  return applyDecorators(
    ...(FOR_PEOPLE.includes(limit) ? [BrowserPage()] : []),
    (_target: object, _key: string | symbol, descriptor: PropertyDescriptor) => {
      declareProtocol(descriptor.value as object, { why, limit });
    },
  );
}

/** People open the route in a browser, so its problems are pages. */
const BrowserPage = (): MethodDecorator => RouteConfig({ isPage: true });

/** Pages of any origin may call the route (see answer-headers.ts). Operations have this already. */
export const AnyOrigin = (): MethodDecorator => RouteConfig({ anyOrigin: true });
