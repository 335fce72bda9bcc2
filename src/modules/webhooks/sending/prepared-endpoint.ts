import type { EndpointSecrets } from '../endpoints/endpoint-secrets.js';
import type { WebhookEndpoint } from '../endpoints/webhook-endpoint.entity.js';

export type PreparedEndpoint = ReturnType<typeof prepareEndpoint>;

/** What all deliveries have in common until the endpoint changes. Keys are imported once. */
export function prepareEndpoint(secrets: EndpointSecrets, endpoint: WebhookEndpoint) {
  const { targetUrl: url, payload, headerNames } = endpoint;
  const ownHeaders = secrets.headersOf(endpoint);
  return {
    url,
    payload,
    ownHeaders,
    ownValues: Object.values(ownHeaders),
    keys: secrets.keysOf(endpoint),
    sent: { url, payload, headerNames },
  };
}
