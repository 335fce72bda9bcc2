import type { FastifyRequest } from 'fastify';
import { Problem } from '../../../kernel/problems.js';
import { collect } from '../../validation/read-request.js';

const FORM_MAX_BYTES = 16 * 1024;

export async function readForm({ headers, raw }: FastifyRequest, maxBytes = FORM_MAX_BYTES): Promise<URLSearchParams> {
  if (!isForm(headers['content-type']) || headers['content-encoding'] !== undefined)
    throw new Problem('unsupported_media_type', { detail: 'The body must be a form: application/x-www-form-urlencoded.' });
  return new URLSearchParams((await collect(raw, maxBytes)).toString());
}

const isForm = (type = ''): boolean => /^application\/x-www-form-urlencoded\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type);
