export { ListenService } from './operator/listen.service.js';
export { bodyOf, DATA_BYTES, MESSAGE_COLUMNS, type EventMessage } from './signing/message.js';
export { PingService } from './operator/ping.service.js';
export { RedeliveryService } from './operator/redelivery.service.js';
export { ReplayService } from './operator/replay.service.js';
export { WEBHOOKS_PLAN } from './endpoints/endpoint-rules.js';
export { WebhooksModule } from './webhooks.module.js';
export { WebhooksService } from './endpoints/webhooks.service.js';
export { examineTargets, type TargetFinding } from './targets/self-test.js';
