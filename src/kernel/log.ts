import { pino, type DestinationStream, type Logger } from 'pino';
import type { Settings } from './settings/settings.js';

/** Not written even when someone logs it by mistake. No wildcards: they would slow down every line. */
const SECRETS = ['authorization', 'x-api-key', 'cookie', 'password', 'secret', 'key', 'token'];
const REDACTED = SECRETS.flatMap((name) => [`["${name}"]`, `headers["${name}"]`]);

/** Of an error only what we know to be harmless: the database's `detail` and `where` quote what callers have sent. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, constraint, cause } = error as { code?: unknown; constraint?: unknown; cause?: unknown };
  return {
    type: error.constructor.name,
    message: error.message,
    code,
    constraint,
    stack: error.stack,
    cause: cause === undefined ? undefined : describeError(cause),
  };
}

/** Lines are collected up to this size, for 200 ms at most: each write takes a thread, which costs more than many lines. */
const BUFFER_BYTES = 32 * 1024;
/** The format for people. Its worker gets a copy, so it has no functions. */
export const PRETTY = { singleLine: true, translateTime: 'SYS:HH:MM:ss.l' };
const PinoLogger = Object as unknown as abstract new () => Logger;

/**
 * The one log. Lines are written in the background, so that a slow terminal does not slow down requests. It is a class, because only
 * of a class does every compiler note that a constructor wants it.
 */
export abstract class Log extends PinoLogger {}

export function createLog(settings: Pick<Settings, 'logLevel' | 'logFormat'>, elsewhere?: DestinationStream): Log {
  const pretty = settings.logFormat === 'pretty' || (settings.logFormat === 'auto' && process.stdout.isTTY);
  const options = {
    level: settings.logLevel,
    base: undefined,
    redact: { paths: REDACTED, censor: '[redacted]' },
    serializers: { err: describeError },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  if (elsewhere) return pino(options, elsewhere);
  if (pretty) return pino({ ...options, transport: { target: 'pino-pretty', options: PRETTY } });
  const destination: DestinationStream = pino.destination({ sync: false, minLength: BUFFER_BYTES, maxWrite: 2 * BUFFER_BYTES });
  const log = pino(options, destination);
  let isFlushing = false;
  setInterval(() => {
    // On a slow disk one pending flush is enough.
    if (isFlushing) return;
    isFlushing = true;
    log.flush(() => (isFlushing = false));
  }, 200).unref();
  return log;
}
