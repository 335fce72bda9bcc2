import type { FastifyRequest } from 'fastify';

/**
 * Whether a call was made within the process: by the tool server, for whoever called that. Nothing that comes over the network
 * can look like it, since it is a property of the object and not of the request.
 */
export const isInProcess = ({ raw }: FastifyRequest): boolean => '_lightMyRequest' in raw;
