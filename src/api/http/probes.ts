import type { FastifyRequest } from 'fastify';

/** Whether an orchestrator or a load balancer asks how the process is: its answer is neither a call nor an error. */
export const isProbe = ({ routeOptions }: Pick<FastifyRequest, 'routeOptions'>): boolean =>
  routeOptions.url?.startsWith('/health/') === true;
