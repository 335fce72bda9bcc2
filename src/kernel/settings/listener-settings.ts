import { durationMs, integer, text } from './reader.js';

/** Where the process answers, and how long it waits for callers. */
export const LISTENER_SETTINGS = {
  port: integer('PORT', { min: 0, max: 65_535 }, { fallback: 3000, about: 'Port of the HTTP server; 0 picks a free one.' }),
  host: text('HOST', { fallback: '127.0.0.1', about: 'Address that the HTTP server listens on; the Docker image sets 0.0.0.0.' }),
  healthPort: integer(
    'HEALTH_PORT',
    { min: 0, max: 65_535 },
    {
      fallback: undefined,
      shown: 'none',
      about: 'Port of a listener that answers only /health/live, /health/ready and /health/dependencies, for a worker; 0 picks a free one.',
    },
  ),
  metricsPort: integer(
    'METRICS_PORT',
    { min: 0, max: 65_535 },
    {
      fallback: undefined,
      shown: '9464; none if that is taken',
      about: 'Port of a listener that answers /metrics for Prometheus; 0 picks a free one.',
    },
  ),
  metricsHost: text('METRICS_HOST', {
    fallback: '127.0.0.1',
    about: 'Address that the listener of METRICS_PORT listens on. It asks nobody for a credential, so keep it from the internet.',
  }),
  drainDelayMs: durationMs('DRAIN_DELAY', {
    fallback: '5s',
    shown: '5s; 0s unless NODE_ENV is production',
    about: 'How long a process that was told to stop still accepts connections, while its readiness is 503.',
  }),
  requestTimeoutMs: integer(
    'REQUEST_TIMEOUT_MS',
    { min: 100, max: 300_000 },
    { fallback: 25_000, about: 'How long the headers and body of a request may take to arrive, in milliseconds.' },
  ),
} as const;
