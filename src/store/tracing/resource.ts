import { detectResources, envDetector, type Resource, resourceFromAttributes } from '@opentelemetry/resources';
import { API_VERSION } from '../../kernel/product.js';

export const SERVICE = 'claims-api';

/** What a collector is told of this process: OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES come before our own. */
export const resource = (): Resource =>
  resourceFromAttributes({ 'service.name': SERVICE, 'service.version': API_VERSION }).merge(detectResources({ detectors: [envDetector] }));
