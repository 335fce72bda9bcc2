import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

type Callback = (request: FastifyRequest, reply: FastifyReply) => void;

const callbacks = new WeakMap<FastifyInstance, Callback[]>();

/**
 * Calls back once per request: when its answer is out, or could not be given because the caller had hung up. Fastify's own
 * `onResponse` is silent about the latter, and so would be the log and the usage.
 */
export function onAnswered(fastify: FastifyInstance, callback: Callback): void {
  const known = callbacks.get(fastify);
  if (known) return void known.push(callback);
  const all = [callback];
  callbacks.set(fastify, all);
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const tell = (): void => all.forEach((next) => next(request, reply));
    if (reply.raw.closed) tell();
    else reply.raw.on('close', tell); // once
    done(null, payload);
  });
}
