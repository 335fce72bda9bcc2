import { applyDecorators, Delete, Get, HttpCode, Patch, Post, UseInterceptors } from '@nestjs/common';
import { WriteInterceptor } from '../idempotency/write.interceptor.js';
import { splitRoute, successStatus, type RegisteredOperation as BoundOperation, type OperationDeclaration } from './operation.js';

const ROUTES = { GET: Get, POST: Post, PATCH: Patch, DELETE: Delete };
const declarations = new WeakMap<object, OperationDeclaration>();
const bound = new WeakMap<object, BoundOperation>();
const protocols = new WeakMap<object, string>();

/** Declares an operation of the API at its handler: route, access, result, events, documentation. */
export function Operation(declaration: OperationDeclaration): MethodDecorator {
  const { method, path } = splitRoute(declaration.route);
  return applyDecorators(
    ROUTES[method](path),
    HttpCode(successStatus(declaration)),
    // Reads go without: an interceptor costs each call something.
    ...(method === 'GET' ? [] : [UseInterceptors(WriteInterceptor)]),
    (_target: object, _key: string | symbol, descriptor: PropertyDescriptor) => {
      declarations.set(descriptor.value as object, declaration);
    },
  );
}

/** A route that is no operation of the API (documents, health, pages), and why it is not. */
export function Protocol(why: string): MethodDecorator {
  return (_target, _key, descriptor) => {
    protocols.set(descriptor.value as object, why);
  };
}

export const declarationOf = (handler: object): OperationDeclaration | undefined => declarations.get(handler);
export const protocolOf = (handler: object): string | undefined => protocols.get(handler);
export const bind = (handler: object, operation: BoundOperation): unknown => bound.set(handler, operation);

/** The operation of a handler; undefined for a protocol route. */
export const operationOf = (handler: object): BoundOperation | undefined => bound.get(handler);
