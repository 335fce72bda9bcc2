import { Uuid } from '../../platform/validation/fields.js';

export class WebhookTestDto {
  @Uuid({ about: 'The endpoint that is tried.' }) webhookId: string;
}
