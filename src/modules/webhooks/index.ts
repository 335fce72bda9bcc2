export { ListenService, type Heard } from './listen.service.js';
export { PingService } from './ping.service.js';
export { RedeliveryService } from './redelivery.service.js';
export { makeSecret } from './webhook-secret.js';
export { WebhooksModule } from './webhooks.module.js';
export { WebhooksService } from './webhooks.service.js';
export { examineTargets, type TargetFinding } from './targets/self-test.js';
