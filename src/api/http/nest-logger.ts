import type { LoggerService } from '@nestjs/common';
import type { Log } from '../../kernel/log.js';

/** What these say of a failed start is thrown, too, and told in one line where it is caught. */
const TOLD_ELSEWHERE = ['NestApplication', 'ExceptionHandler', 'TypeOrmModule'];

/** Nest's own lines go the same way: warnings and errors as they are, its start-up chatter as debug. */
export function nestLogger(log: Log): LoggerService {
  const line =
    (level: 'debug' | 'warn' | 'error') =>
    (message: unknown, ...context: unknown[]) => {
      const source = context.at(-1);
      log[TOLD_ELSEWHERE.includes(String(source)) ? 'debug' : level]({ context: source }, String(message));
    };
  return {
    log: line('debug'),
    debug: line('debug'),
    verbose: line('debug'),
    warn: line('warn'),
    error: line('error'),
    fatal: line('error'),
  };
}
