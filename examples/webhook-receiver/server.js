// @ts-check
// Receives webhooks: keeps each event once, answers at once, and works on it afterwards.
import express from 'express';
import { webhook } from '@claims-api/client/express';
import { Inbox } from './inbox.js';

const { CLAIMS_WEBHOOK_SECRET, INBOX = 'inbox', PORT = '4000' } = process.env;

/**
 * Your own work. It may run twice for an event if the process ends meanwhile.
 * @param {import('@claims-api/client').ClaimsEvent} event
 */
async function work(event) {
  switch (event.type) {
    case 'claim_project.created':
      console.log('New claim project:', event.data?.name);
      break;
    case 'claim_report.succeeded':
      console.log('Report is ready:', event.data?.id ?? event.record?.id);
      break;
    case 'webhook.failing': // Of another endpoint of yours.
    case 'webhook.disabled':
      console.error('An endpoint gets nothing:', event.data?.name, event.data?.host);
      break;
    default: // Later versions may send others.
      console.log('Nothing to do:', event.type);
  }
}

const inbox = await Inbox.open(INBOX, work);
const app = express();
// 204 as soon as the event is in the inbox. If it cannot be kept, the answer is 500, and the service sends it again.
app.post(
  '/hooks/claims',
  webhook(CLAIMS_WEBHOOK_SECRET, (event) => inbox.put(event)),
);

const server = app.listen(Number(PORT), '127.0.0.1', () => {
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  console.log(`http://127.0.0.1:${address.port}/hooks/claims`);
});
