import { Uuid } from '../../api/validation/fields.js';

export class WebhookTestDto {
  @Uuid({ about: 'The endpoint that is tried.' }) webhookId: string;
}
