export { DeliveriesService } from './deliveries/deliveries.service.js';
export { CreateWebhookDto, UpdateWebhookDto, WebhookWithSecretDto } from './endpoints/webhooks.dto.js';
export { type Heard, ListenService, PingService, ReplayService } from './operator/endpoint-operations.js';
export { bodyOf, DATA_BYTES, MESSAGE_COLUMNS, type EventMessage } from './signing/message.js';
export { WEBHOOKS_PLAN } from './endpoints/endpoint-rules.js';
export { WebhooksModule } from './webhooks.module.js';
export { WebhooksService } from './endpoints/webhooks.service.js';
export { examineTargets, type TargetFinding } from './targets/self-test.js';
