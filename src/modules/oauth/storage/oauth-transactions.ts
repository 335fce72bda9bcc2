import { Injectable } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { Log } from '../../../kernel/log.js';
import { Problem } from '../../../kernel/problems.js';
import { type Unit, UnitOfWork } from '../../../store/database/unit-of-work.js';

/** A transaction that begins when it is first needed, so that a request that is refused earlier takes no connection. */
export class LazyTransaction {
  unit: Unit | undefined;
  private beginning: Promise<Unit> | undefined;
  private ended: Promise<void> | undefined;
  private end: { commit: () => void; rollBack: (reason: unknown) => void } | undefined;

  constructor(private readonly unitOfWork: UnitOfWork) {}

  begin(): Promise<Unit> {
    return (this.beginning ??= new Promise((began, failed) => {
      const whenEnded = new Promise<void>((commit, rollBack) => {
        this.end = { commit, rollBack };
      });
      // If the transaction cannot begin, nothing else handles this rejection.
      whenEnded.catch(() => undefined);
      this.ended = this.unitOfWork.transact((unit) => {
        this.unit = unit;
        began(unit);
        return whenEnded;
      });
      this.ended.catch(failed);
    }));
  }

  async commit(): Promise<void> {
    this.end?.commit();
    await this.ended;
  }

  /** Throws the reason, or the error that the transaction turns it into. */
  async rollBack(reason: unknown): Promise<never> {
    this.end?.rollBack(reason);
    await this.ended;
    throw reason;
  }
}

type Ctx = Pick<KoaContextWithOIDC, 'method' | 'path' | 'status' | 'body' | 'set'>;

/** A code is used up and its tokens are stored together, or not at all. oidc-provider's adapters cannot pass a transaction. */
@Injectable()
export class OAuthTransactions {
  private readonly open = new AsyncLocalStorage<{ readonly transaction: LazyTransaction; connectionId?: string }>();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly log: Log,
  ) {}

  run<T>(change: () => Promise<T>): Promise<T> {
    return this.within(async () => {
      await this.begin();
      return change();
    });
  }

  /** Begins the transaction of the request, if it has not begun. Undefined outside a request. */
  begin(): Promise<Unit> | undefined {
    return this.open.getStore()?.transaction.begin();
  }

  get current(): Unit | undefined {
    return this.open.getStore()?.transaction.unit;
  }

  /** Of the code or token that was sent, or the consent that is being stored: oidc-provider itself knows shared applications only. */
  get connectionId(): string | undefined {
    return this.open.getStore()?.connectionId;
  }

  concerns(connectionId: string): void {
    const request = this.open.getStore();
    if (!request) throw new Error('A connection is used outside a request.');
    request.connectionId = connectionId;
  }

  /** Koa middleware: the answer is sent after the transaction is committed. */
  async around(ctx: Ctx, next: () => Promise<void>): Promise<void> {
    if (ctx.method === 'OPTIONS') return next();
    try {
      await this.within(async () => {
        await next();
        if (ctx.status >= 500) throw new ServerError();
      });
    } catch (error) {
      if (!(error instanceof ServerError)) this.answer(ctx, error);
    }
  }

  private within<T>(change: () => Promise<T>): Promise<T> {
    const transaction = new LazyTransaction(this.unitOfWork);
    return this.open.run({ transaction }, async () => {
      try {
        const result = await change();
        await transaction.commit();
        return result;
      } catch (error) {
        return await transaction.rollBack(error);
      }
    });
  }

  answer(ctx: Ctx, error: unknown): void {
    const isUnavailable = error instanceof Problem && error.code === 'unavailable';
    this.log.error({ err: error instanceof Problem ? (error.cause ?? error) : error, path: ctx.path }, 'authorization server failed');
    ctx.status = isUnavailable ? 503 : 500;
    if (isUnavailable) ctx.set('Retry-After', '1');
    ctx.body = isUnavailable
      ? { error: 'temporarily_unavailable', error_description: 'the service is temporarily unavailable' }
      : { error: 'server_error', error_description: 'something went wrong on our side' };
  }
}

/** Rolls back the transaction of a request that was already answered with an error. */
class ServerError extends Error {}
