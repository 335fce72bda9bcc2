import type { EventDeclaration } from '../../kernel/declare-event.js';

/** Later work, declared at the method that does it. */
export interface JobDeclaration {
  /** `idempotency.expire`: whose work, and what it does. The queue's name. */
  readonly id: string;
  readonly summary: string;
  /** How often the work is looked for even if nobody woke it. */
  readonly everyMs: number;
  readonly emits?: readonly EventDeclaration[];
}

const declarations = new WeakMap<object, JobDeclaration>();

export function Job(declaration: JobDeclaration): MethodDecorator {
  return (_target, _key, descriptor) => {
    declarations.set(descriptor.value as object, declaration);
  };
}

export const jobOf = (handler: object): JobDeclaration | undefined => declarations.get(handler);
