import { AsyncLocalStorage } from 'node:async_hooks';
import { Inject, Injectable } from '@nestjs/common';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { UnitOfWork } from '../../../store/database/unit-of-work.js';
import type { Unit } from '../../../store/database/transaction.js';
import { Problem } from '../../../kernel/problems.js';
import { Log } from '../../../kernel/log.js';
import { LazyTransaction } from './lazy-transaction.js';

type Ctx = Pick<KoaContextWithOIDC, 'method' | 'path' | 'status' | 'body' | 'set'>;

/**
 * One transaction for all that one request to the authorization server writes: the code that is used up and the tokens it is
 * exchanged for, the token that is rotated and its successor. The server's storage calls have no room for it, so it goes along
 * with the asynchronous flow.
 */
@Injectable()
export class OAuthTransactions {
  private readonly open = new AsyncLocalStorage<LazyTransaction>();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    @Inject(Log) private readonly log: Log,
  ) {}

  run<T>(work: () => Promise<T>): Promise<T> {
    return this.within(async () => {
      await this.begin();
      return work();
    });
  }

  /** That of the request, if there is a request; it begins where it has not. */
  begin(): Promise<Unit> | undefined {
    return this.open.getStore()?.begin();
  }

  /** That of the request, if it has begun. */
  get current(): Unit | undefined {
    return this.open.getStore()?.unit;
  }

  /** Of the server: the answer leaves when the transaction is committed. */
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

  private within<T>(work: () => Promise<T>): Promise<T> {
    const transaction = new LazyTransaction(this.unitOfWork);
    return this.open.run(transaction, async () => {
      try {
        const result = await work();
        await transaction.commit();
        return result;
      } catch (error) {
        return await transaction.rollBack(error);
      }
    });
  }

  /** Errors that were not foreseen: what was written is undone, and only the log is told more. */
  answer(ctx: Ctx, error: unknown): void {
    const isAway = error instanceof Problem && error.code === 'unavailable';
    this.log.error(
      { err: error instanceof Problem ? (error.cause ?? error) : error, path: ctx.path },
      'A call of the authorization server failed',
    );
    ctx.status = isAway ? 503 : 500;
    if (isAway) ctx.set('Retry-After', '1');
    ctx.body = isAway
      ? { error: 'temporarily_unavailable', error_description: 'the service is not available for the moment' }
      : { error: 'server_error', error_description: 'something went wrong on our side' };
  }
}

/** The answer says so already; what was written must not stay. */
class ServerError extends Error {}
