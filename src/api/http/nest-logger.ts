import type { LoggerService } from '@nestjs/common';
import type { Log } from '../../kernel/log.js';

/** What these log of a failed start is also thrown, and printed in one line where it is caught. */
const PRINTED_ELSEWHERE = ['NestApplication', 'ExceptionHandler', 'TypeOrmModule'];

/** Nest's own lines go to our log: warnings and errors as they are, its start-up messages as debug. */
export function nestLogger(log: Log): LoggerService {
  const line =
    (level: 'debug' | 'warn' | 'error') =>
    (message: unknown, ...context: unknown[]) => {
      const source = context.at(-1);
      log[PRINTED_ELSEWHERE.includes(String(source)) ? 'debug' : level]({ context: source }, inOneLine(String(message)));
    };
  const [debug, warn, error] = [line('debug'), line('warn'), line('error')];
  return { log: debug, debug, verbose: debug, warn, error, fatal: error };
}

/** The readable format prints line breaks of a message as they are: a caller who is quoted in one could add lines to the log. */
const inOneLine = (text: string): string => text.replace(/\s*[\r\n\u0085\u2028\u2029]+\s*/g, ' ');
