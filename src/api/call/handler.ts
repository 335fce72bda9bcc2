import type { Type } from '@nestjs/common';
import { handlerParameters, nestDecorations, type HandlerParameter } from '../operation/nest-metadata.js';
import type { Handle, OperationDeclaration } from '../operation/operation.js';
import { aheadOf, ctxOf } from './ctx.decorator.js';

/** The handler of an operation as a function of what it is given. */
export function handleOf(instance: object, controller: Type<unknown>, name: string): Handle {
  const method = (instance as Record<string, (...given: unknown[]) => Promise<unknown>>)[name]!;
  const sources = handlerParameters(controller, name).map(sourceOf);
  return async (given) => {
    const values = sources.map((source) => source(given));
    return await method.apply(instance, values);
  };
}

function sourceOf({ kind, data, factory }: HandlerParameter): (given: Parameters<Handle>[0]) => unknown {
  if (factory === ctxOf) return ({ ctx }) => ctx;
  if (factory === aheadOf) return ({ ahead }) => ahead;
  if (kind === 'PARAM') return ({ params }) => params[data as string];
  return kind === 'BODY' ? ({ body }) => body : ({ query }) => query;
}

/** What keeps a handler from being called, a sentence each. */
export function handlerProblems(controller: Type<unknown>, name: string, { ahead }: OperationDeclaration): string[] {
  const [place, prototype] = [`${controller.name}.${name}`, controller.prototype as object];
  const strange = handlerParameters(controller, name).filter(
    ({ kind, data, factory, hasPipes }) =>
      hasPipes || !(factory === ctxOf || factory === aheadOf || (kind === 'PARAM' && data !== undefined) || isWhole(kind, data)),
  );
  return [
    ...strange.map(({ index }) => `${place}: its parameter ${index + 1} is neither @Ctx(), @Param('…'), @Query(), @Body() nor @Ahead().`),
    ...nestDecorations(controller, name).map(
      (decoration) => `${place} has ${decoration} of Nest, which are not asked: take a Policy, a ChangeHook, or \`ahead\`.`,
    ),
    ...(ahead !== undefined && !(ahead in prototype) ? [`${place} has a step ahead, but its controller has no method ${ahead}.`] : []),
  ];
}

const isWhole = (kind: HandlerParameter['kind'], data: unknown): boolean => (kind === 'BODY' || kind === 'QUERY') && data === undefined;
