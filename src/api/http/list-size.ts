import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LIST_MAX_BYTES } from '../../kernel/product.js';
import { problemBody, PROBLEM_MEDIA_TYPE, Problem } from '../../kernel/problems.js';
import type { Settings } from '../../kernel/settings/settings.js';
import { writeListsInSlices } from './list-text.js';

/** How a list names the number of records that it returns. */
const SIZE_PARAMETERS = ['page_size', 'limit'];

/** From this size on, a text is made bytes once. Node would do so twice: to find the length and to send it. */
const LARGE = 64 * 1024;

/**
 * No answer of a list is larger than `LIST_MAX_BYTES`. Records with large objects can only exceed it with a large page, so the
 * caller is told to ask for a smaller one: a page with fewer records than it was asked for would look like the last one.
 */
export function boundLists(fastify: FastifyInstance, settings: Settings): void {
  writeListsInSlices(fastify);
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const isLarge = Buffer.isBuffer(payload) || (typeof payload === 'string' && payload.length >= LARGE);
    if (!isLarge) return void done(null, payload);
    const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(payload);
    const parameter = bytes.length > LIST_MAX_BYTES ? sizeParameterOf(request) : undefined;
    if (parameter === undefined) return void done(null, bytes);
    const problem = tooLarge(parameter, bytes.length);
    reply.status(problem.status).header('Content-Type', PROBLEM_MEDIA_TYPE);
    done(null, JSON.stringify(problemBody(problem, { baseUrl: settings.publicUrl, requestId: request.id })));
  });
}

function sizeParameterOf(request: FastifyRequest): string | undefined {
  const query = request.ctx?.operation.query;
  const fields = query ? Object.keys(new query()) : [];
  return SIZE_PARAMETERS.find((name) => fields.includes(name) && !isOne(request.query, name));
}

/** Nobody can ask for less than one record. */
const isOne = (query: unknown, name: string): boolean => Number((query as Record<string, unknown>)[name]) === 1;

function tooLarge(field: string, bytes: number): Problem {
  const mebibytes = (size: number): string => (size / 1024 ** 2).toFixed(1);
  const message = `must be smaller: the answer would have ${mebibytes(bytes)} MiB, and a list has at most ${mebibytes(LIST_MAX_BYTES)} MiB`;
  return Problem.validation([{ location: 'query', field, code: 'answer_too_large', message }]);
}
