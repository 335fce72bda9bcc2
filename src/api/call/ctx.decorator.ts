import { createParamDecorator } from '@nestjs/common';

/** Handlers are called by the executor, which knows these by their identity. Nest calls none of them. */
const byExecutor = (what: string) => (): never => {
  throw new Error(`${what} is for handlers of operations.`);
};

export const ctxOf = byExecutor('@Ctx()');
export const aheadOf = byExecutor('@Ahead()');
/** The context of the call, as the first parameter of a handler. The handler of a write gets it with the open transaction. */
export const Ctx: () => ParameterDecorator = createParamDecorator(ctxOf);
/** What the step `ahead` of the operation has found out, before the transaction. */
export const Ahead: () => ParameterDecorator = createParamDecorator(aheadOf);
